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

/// The system call that a thread below a process waits in, and whose code has made it, in words; none if it cannot be looked at.
/// Lanes that wait for their turns do so in the library that we have put there, which also makes calls that the program asks it for.
pub fn waiting_call(process: u32) -> Option<String> {
    below(process).into_iter().find_map(|process| {
        let maps = fs::read_to_string(format!("/proc/{process}/maps")).ok()?;
        let tasks = fs::read_dir(format!("/proc/{process}/task")).ok()?;
        tasks.flatten().find_map(|task| {
            let text = fs::read_to_string(task.path().join("syscall")).ok()?;
            let mut words = text.split_whitespace();
            let number: u32 = words.next()?.parse().ok()?;
            let place = u64::from_str_radix(words.next_back()?.trim_start_matches("0x"), 16).ok()?;
            let file = file_at(&maps, place)?;
            let is_ours = OURS.contains(&file);
            let by = if is_ours { String::new() } else { format!(" by {file}") };
            (!is_ours || number != FUTEX).then(|| format!(" (system call {number}{by})"))
        })
    })
}

/// The system call that lanes wait for their turns by.
const FUTEX: u32 = 202;
/// The names that the library in the program can have.
const OURS: [&str; 2] = ["library.so", "libuwbmc.so"];

/// The name of the file that is mapped at an address.
fn file_at(maps: &str, address: u64) -> Option<&str> {
    let number = |text: &str| u64::from_str_radix(text, 16).ok();
    let line = maps.lines().find(|line| {
        let range = line.split_once(' ').and_then(|(range, _)| range.split_once('-'));
        range.is_some_and(|(from, to)| number(from) <= Some(address) && Some(address) < number(to))
    })?;
    let (_, path) = line.split_once('/')?;
    path.trim_end_matches(" (deleted)").rsplit('/').next()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_of_the_files_that_are_mapped_there() {
        let maps = "7f00-7f10 r-xp 00000000 00:01 7 /usr/lib/libgomp.so.1\n\
                    7f10-7f20 r-xp 00000000 00:01 8 /dev/shm/uwbmc-1-000000/library.so (deleted)\n\
                    7f20-7f30 rw-p 00000000 00:00 0\n";
        assert_eq!(file_at(maps, 0x7eff), None);
        assert_eq!(file_at(maps, 0x7f00), Some("libgomp.so.1"));
        assert_eq!(file_at(maps, 0x7f10), Some("library.so"));
        assert_eq!(file_at(maps, 0x7f20), None);
    }
}
