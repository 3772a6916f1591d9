//! How a run ends from the inside.

use super::attach::{is_running, serve};
use super::company::company;
use super::shared::{account, current, get, set, word};
use super::{hooks, sys};
use core::sync::atomic::Ordering;
use operations::region::{Ending, output};

/// Writes down how the run ended, unless that is known already.
pub fn note(ending: Ending, value: i64) {
    let unknown = Ending::Unknown as u64;
    let noted = word(output::ENDING).compare_exchange(unknown, ending as u64, Ordering::AcqRel, Ordering::Acquire);
    if noted.is_ok() {
        account(output::ENDING, unknown, ending as u64);
        set(output::LANE, u64::from(current().0));
        set(output::VALUE, value as u64);
    }
}

/// Ends the run. The server kills what is left of its processes.
pub fn finish(ending: Ending, value: i64) -> ! {
    note(ending, value);
    // What went wrong in a run that is only repeated from here on was seen where it was explored.
    if ending == Ending::Asleep {
        set(output::ENDING, ending as u64);
    }
    // SAFETY: the process that runs is the one that is looked at.
    if let Some(what) = unsafe { company() }.filter(|_| is_of_all(ending)) {
        set(output::MESSAGE, 0);
        say(&[what.as_bytes()]);
        set(output::ENDING, Ending::Unsupported as u64);
    }
    if hooks::is_child() {
        // The first process waits for its turn and would not notice.
        sys::kill_own_group();
    }
    sys::exit_group(0)
}

/// Whether an ending says something about all threads and processes, not only about what one of them has done.
fn is_of_all(ending: Ending) -> bool {
    use Ending::{Asleep, Complete, Deadlock, Depth, Idle, Livelock};
    matches!(ending, Asleep | Complete | Deadlock | Depth | Idle | Livelock)
}

/// Ends the run if there are threads or processes that are no lanes, in the process of the lane that runs.
pub unsafe fn refuse_company() {
    if let Some(what) = company() {
        unsupported(what);
    }
}

/// Writes down a message, the first one of the run, from parts.
pub fn say(parts: &[&[u8]]) {
    if get(output::MESSAGE) != 0 {
        return;
    }
    let bytes = parts.iter().flat_map(|part| part.iter()).take(output::TEXT_BYTES);
    let mut length = 0;
    for (index, byte) in bytes.enumerate() {
        let at = output::TEXT + index / 8;
        let cleared = if index % 8 == 0 { 0 } else { get(at) };
        set(at, cleared | u64::from(*byte) << (index % 8 * 8));
        length = index + 1;
    }
    set(output::MESSAGE, length as u64);
}

/// Ends the run because the program did what is not modelled; a run begins, if there is none.
pub fn unsupported(what: &str) -> ! {
    if !is_running() {
        // SAFETY: this is a visible operation, which a run can begin with.
        unsafe { serve() };
    }
    say(&[what.as_bytes()]);
    finish(Ending::Unsupported, 0)
}
