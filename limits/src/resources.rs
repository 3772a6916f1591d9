//! What the operating system tells about processes: Linux most, others less.

use std::time::Duration;

/// The time that the processor has spent on this thread.
#[cfg(unix)]
pub fn thread_time() -> Duration {
    nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID.now().map_or(Duration::ZERO, Duration::from)
}

/// The time on the clock since the first question, where CPU time is unknown.
#[cfg(not(unix))]
pub fn thread_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

/// A field of a file that has `name : value` on each line.
pub fn field(path: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// A field that is a number of kilobytes.
pub fn kilobytes(path: &str, name: &str) -> Option<u64> {
    field(path, name)?.split(' ').next()?.parse().ok()
}

/// The bytes of memory that this process takes.
pub fn resident() -> Option<u64> {
    /// The size of a page on the machines that we know; a larger one only makes a limit looser.
    const PAGE: u64 = 4096;
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(text.split_whitespace().nth(1)?.parse::<u64>().ok()? * PAGE)
}

/// The most bytes of memory that this process has taken so far.
pub fn peak() -> Option<u64> {
    Some(kilobytes("/proc/self/status", "VmHWM")? * 1024)
}

/// The seconds of processor that ended processes of ours have used.
#[cfg(unix)]
pub fn children_cpu() -> f64 {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let microseconds = |usage: nix::sys::resource::Usage| {
        usage.user_time().num_microseconds() + usage.system_time().num_microseconds()
    };
    getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0.0, |usage| microseconds(usage) as f64 / 1e6)
}

/// Unknown here.
#[cfg(not(unix))]
pub fn children_cpu() -> f64 {
    0.0
}
