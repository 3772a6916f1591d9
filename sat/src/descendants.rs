//! Ending a program together with the programs that it started: a solver that is called by a script outlives the script
//! otherwise.
//!
//! A process group of its own would do the same, but then a signal for all of the foreground, such as that of `timeout`,
//! would not reach it.

use std::process::Child;

/// Ends a process and what it started, unless it has ended.
pub fn end(child: &mut Child) {
    // The number of a process that has ended may be that of another one by now.
    if !matches!(child.try_wait(), Ok(None)) {
        return;
    }
    let mut family = vec![child.id()];
    let mut at = 0;
    while let Some(process) = family.get(at).copied() {
        // What does not run starts nothing more.
        stop(process);
        family.extend(children(process));
        at += 1;
    }
    family.into_iter().for_each(kill);
    // Both fail only if the process has ended.
    let _ = child.kill();
    let _ = child.wait();
}

/// The processes that a process has started, as Linux tells it for each thread; none elsewhere.
fn children(process: u32) -> Vec<u32> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let lists = threads.flatten().filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().flat_map(str::parse).collect::<Vec<u32>>()).collect()
}

/// Stops a process, and waits until it stands still.
#[cfg(unix)]
fn stop(process: u32) {
    use std::time::Duration;
    /// How often it is looked at.
    const LOOKS: usize = 100;
    send(process, nix::sys::signal::Signal::SIGSTOP);
    for _ in 0..LOOKS {
        if is_still(process) {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Whether a process is stopped, or gone, or nothing is known of it.
#[cfg(unix)]
fn is_still(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = status.rsplit(") ").next().and_then(|rest| rest.chars().next());
    !matches!(state, Some('R' | 'S' | 'D' | 'I'))
}

#[cfg(unix)]
fn kill(process: u32) {
    send(process, nix::sys::signal::Signal::SIGKILL);
}

#[cfg(unix)]
fn send(process: u32, signal: nix::sys::signal::Signal) {
    if let Ok(process) = i32::try_from(process) {
        // It fails only if the process has ended.
        let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(process), signal);
    }
}

#[cfg(not(unix))]
fn stop(_: u32) {}

#[cfg(not(unix))]
fn kill(_: u32) {}
