//! Looking whether descriptors are ready: `poll` and `select`.
//!
//! A look at a pipe is an operation of its own. One that has a timeout finds what is ready when it comes to its turn, or
//! nothing: to wait longer is to come later. One without a timeout waits at a single end of a pipe. Of other files
//! the system is asked, and sleeping by a timeout is a hint that others should go on.

use super::hook;
use super::pipe::{End, ROOM, end, key, result};
use crate::preload::finish::unsupported;
use crate::preload::sys;
use crate::preload::turn::visible;
use core::ffi::{c_int, c_void};
use operations::{Flags, Kind, Op, pack_range};

hook! {
    poll => poll;
    ppoll => ppoll;
    __poll_chk => poll;
    __ppoll_chk => ppoll;
    select => select;
    pselect => select;
}

const POLL: u64 = 7;
const SELECT: u64 = 23;
const IN: i16 = 1;
const OUT: i16 = 4;
const BROKEN: i16 = 8;
const OVER: i16 = 16;
/// As many descriptors a set of `select` has.
const MOST: usize = 1024;

/// As `struct pollfd`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Polled {
    file: c_int,
    events: i16,
    found: i16,
}

/// How long a look may last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Patience {
    /// It looks and goes on.
    None,
    /// It waits for some time.
    Some,
    /// It waits until something is ready.
    Endless,
}

unsafe extern "C" fn poll(files: *mut Polled, count: usize, timeout: c_int) -> c_int {
    let patience = match timeout {
        0 => Patience::None,
        1.. => Patience::Some,
        _ => Patience::Endless,
    };
    look(files, count, patience)
}

unsafe extern "C" fn ppoll(files: *mut Polled, count: usize, timeout: *const [i64; 2]) -> c_int {
    look(files, count, patience_of(timeout))
}

unsafe fn patience_of(timeout: *const [i64; 2]) -> Patience {
    match timeout.is_null() {
        true => Patience::Endless,
        false if *timeout == [0, 0] => Patience::None,
        false => Patience::Some,
    }
}

unsafe fn look(files: *mut Polled, count: usize, patience: Patience) -> c_int {
    let of_pipes = (0..count).filter(|index| end((*files.add(*index)).file).is_some()).count();
    if of_pipes == 0 {
        let milliseconds = time_left(patience);
        return result(sys::call(POLL, [files as u64, count as u64, milliseconds as u64, 0, 0, 0]));
    }
    if of_pipes < count {
        unsupported("poll or select on pipes and other files at once: look at them one after the other");
    }
    let flags = match (patience, count) {
        (Patience::Endless, 1) => Flags::ENDS,
        (Patience::Endless, _) => {
            unsupported("poll or select without a timeout on several pipes: give it a timeout, and repeat it")
        }
        _ => Flags::ENDS.with(Flags::NO_WAIT),
    };
    let mut ready = 0;
    for index in 0..count {
        let polled = &mut *files.add(index);
        if let Some(end) = end(polled.file) {
            polled.found = look_at(end, polled.events, flags);
            ready += c_int::from(polled.found != 0);
        }
    }
    if ready == 0 && patience == Patience::Some {
        visible(Op::local(Kind::Yield, 0));
    }
    ready
}

/// What is left of a timeout, as milliseconds: time passes only by letting others go on.
unsafe fn time_left(patience: Patience) -> c_int {
    if patience == Patience::Some {
        visible(Op::local(Kind::Yield, 0));
    }
    if patience == Patience::Endless { -1 } else { 0 }
}

/// Looks at an end of a pipe.
unsafe fn look_at(end: End, events: i16, flags: Flags) -> i16 {
    let reads = events & IN != 0 && end.from != 0;
    let writes = events & OUT != 0 && end.to != 0;
    if reads && writes && !flags.has(Flags::NO_WAIT) {
        unsupported(
            "poll or select without a timeout for reading and writing at once: give it a timeout, and repeat it",
        );
    }
    let readable = if reads { ready(end.from, 0, flags) } else { 0 };
    let writable = if writes { ready(end.to, 1, flags) } else { 0 };
    [0, IN, OVER][readable] | [0, OUT, BROKEN][writable]
}

unsafe fn ready(queue: c_int, side: u64, flags: Flags) -> usize {
    let look = Op::on(Kind::QueueReady, key(queue)).with_extra(side).valued(pack_range(1, ROOM)).flagged(flags);
    visible(look).clamp(0, 2) as usize
}

unsafe extern "C" fn select(
    count: c_int,
    read: *mut u64,
    write: *mut u64,
    except: *mut c_void,
    timeout: *const [i64; 2],
) -> c_int {
    let patience = patience_of(timeout);
    if !(0..count).any(|file| (is_in(read, file) || is_in(write, file)) && end(file).is_some()) {
        time_left(patience);
        let now = [0_i64; 2];
        let timeout = if patience == Patience::Endless { 0 } else { &raw const now as u64 };
        return result(sys::call(SELECT, [count as u64, read as u64, write as u64, except as u64, timeout, 0]));
    }
    let mut polled = [Polled { file: 0, events: 0, found: 0 }; MOST];
    let mut length = 0;
    for file in 0..count.clamp(0, MOST as c_int) {
        let wants = |set, event| if is_in(set, file) { event } else { 0 };
        let events = wants(read, IN) | wants(write, OUT);
        if events != 0 {
            polled[length] = Polled { file, events, found: 0 };
            length += 1;
        }
    }
    look(polled.as_mut_ptr(), length, patience);
    let found = &polled[..length];
    keep(read, found, IN | OVER) + keep(write, found, OUT | BROKEN)
}

/// Whether a descriptor is in a set of `select`.
unsafe fn is_in(set: *const u64, file: c_int) -> bool {
    !set.is_null() && (*set.add(file as usize / 64)) >> (file % 64) & 1 == 1
}

/// Leaves those descriptors in a set that are ready; how many.
unsafe fn keep(set: *mut u64, found: &[Polled], events: i16) -> c_int {
    let mut ready = 0;
    for polled in found.iter().filter(|polled| is_in(set, polled.file)) {
        if polled.found & events == 0 {
            *set.add(polled.file as usize / 64) &= !(1 << (polled.file % 64));
        } else {
            ready += 1;
        }
    }
    ready
}
