//! Ending a program together with the programs that it started: a solver that is called by a script outlives the script
//! otherwise.
//!
//! A process group of its own would do the same, but then a signal for all of the foreground, such as that of `timeout`,
//! would not reach it.

use std::process::Child;

/// Ends a process and what it started.
pub fn end(child: &mut Child) {
    // Those that it started lose their parent by its end, so they are asked for first.
    let others = descendants(child.id());
    // Both fail only if the process has ended.
    let _ = child.kill();
    let _ = child.wait();
    others.into_iter().for_each(kill);
}

/// The processes that a process started, and those that they did; none where the system does not tell.
fn descendants(root: u32) -> Vec<u32> {
    let mut found = children(root);
    let mut at = 0;
    while let Some(process) = found.get(at) {
        let children = children(*process);
        found.extend(children);
        at += 1;
    }
    found
}

/// As Linux tells it, for each thread.
fn children(process: u32) -> Vec<u32> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let lists = threads.flatten().filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().flat_map(str::parse).collect::<Vec<u32>>()).collect()
}

#[cfg(unix)]
fn kill(process: u32) {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    if let Ok(process) = i32::try_from(process) {
        // It fails only if the process has ended.
        let _ = kill(Pid::from_raw(process), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn kill(_: u32) {}
