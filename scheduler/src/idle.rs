//! Whether a run that does not come to a visible operation computes or waits: what waits in the system, for a lock inside of a
//! library or for a file, does not diverge, but is not controlled either.

use std::fs;
use std::time::Duration;

/// How many ticks of processor time Linux counts in a second.
const TICKS: u128 = 100;
/// A run that computes gets at least this part of the time, however busy the machine is.
const LEAST: u128 = 100;

/// Whether the processes below one have had hardly any processor time in a while.
pub fn is_idle(process: u32, time: Duration) -> bool {
    let ticks: u128 = below(process).into_iter().map(ticks).sum();
    ticks * 1000 / TICKS < time.as_millis() / LEAST
}

/// The processes that a process has created, and those that they have.
fn below(process: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut next = children(process);
    while let Some(child) = next.pop() {
        next.extend(children(child));
        found.push(child);
    }
    found
}

fn children(process: u32) -> Vec<u32> {
    let text = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    text.split_whitespace().filter_map(|number| number.parse().ok()).collect()
}

/// The processor time of a process, as `/proc/PID/stat` has it: the numbers after its name, which ends with the last bracket.
fn ticks(process: u32) -> u128 {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let after = text.rsplit_once(')').map_or("", |(_, after)| after);
    let numbers = after.split_whitespace().skip(11).take(2);
    numbers.filter_map(|number| number.parse::<u128>().ok()).sum()
}
