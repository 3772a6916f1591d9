//! What the operating system tells about processes: Linux most, others less.

use std::time::Duration;

/// The time that the processor has spent on this thread.
#[cfg(unix)]
pub fn thread_time() -> Duration {
    nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID.now().map_or(Duration::ZERO, Duration::from)
}

/// The time on the clock since somebody asked first, where nobody knows the processor's.
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
pub fn children_cpu() -> f64 {
    let Ok(stat) = std::fs::read_to_string("/proc/self/stat") else { return 0.0 };
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    // Fields 16 and 17 of proc(5), of which the first two came before the bracket; a hundred to the second.
    let ticks = |index: usize| fields.get(index).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(13) + ticks(14)) / 100.0
}
