//! Ends of pipes that a process has not opened itself: those that a program finds open when it takes the place of another one,
//! and those that connect the programs of a system.

use super::pipe::{End, MOST, connect, count, end, key, own};
use super::{streams, verisoft};
use crate::preload::finish::unsupported;
use crate::preload::sys;
use crate::preload::turn::visible;
use core::ffi::{CStr, c_char, c_int};
use operations::{Flags, Kind, Op, pack_range};

/// How many ends a program can find open.
const CARRIED: usize = 64;
/// Each is written as a number of 24 hexadecimal digits: the descriptor and its flags, what it reads and what it writes.
const DIGITS: usize = 24;
const PREFIX: &CStr = c"UWBMC_ENDS=";
/// The environment variable that says what a program finds open. Its length is always the same, as a program's stack must not move.
pub const ENDS: &CStr = c"UWBMC_ENDS";
const LENGTH: usize = 11 + CARRIED * DIGITS;

/// In the first of the three words: whether the end is closed when the program is executed.
const IS_CLOSED: u32 = 1 << 31;

static mut TEXT: [u8; LENGTH + 1] = [0; LENGTH + 1];

/// Ends that were closed when this program was executed, which others have not been told yet.
static mut CLOSED: [Option<End>; CARRIED] = [None; CARRIED];

/// What this process has, for the program that takes its place.
pub unsafe fn carried() -> *const c_char {
    const FCNTL: u64 = 72;
    const GET_FLAGS: u64 = 1;
    let mut at = PREFIX.count_bytes();
    TEXT[..at].copy_from_slice(PREFIX.to_bytes());
    TEXT[at..LENGTH].fill(b'0');
    for (file, end) in (0..MOST).filter_map(|file| end(file as c_int).map(|end| (file, end))) {
        if at == LENGTH {
            unsupported("exec in a process that has more than 64 descriptors of pipes: close some");
        }
        let closes = sys::call(FCNTL, [file as u64, GET_FLAGS, 0, 0, 0, 0]) & 1 == 1;
        let head = file as u32 | u32::from(end.flags.0) << 16 | if closes { IS_CLOSED } else { 0 };
        for word in [head, end.from as u32, end.to as u32] {
            for place in (0..8).rev() {
                TEXT[at] = b"0123456789abcdef"[(word >> (4 * place)) as usize & 15];
                at += 1;
            }
        }
    }
    (&raw const TEXT).cast()
}

/// Takes over what the program finds open, which its environment says, before any code of the program runs.
pub unsafe fn take_over(environment: *const *const c_char) {
    let mut at = environment;
    while !at.is_null() && !(*at).is_null() {
        if let Some(digits) = CStr::from_ptr(*at).to_bytes().strip_prefix(PREFIX.to_bytes()) {
            digits.chunks_exact(DIGITS).take(CARRIED).enumerate().for_each(|(index, digits)| take(index, digits));
        }
        at = at.add(1);
    }
}

unsafe fn take(index: usize, digits: &[u8]) {
    let word = |number: usize| {
        let digits = &digits[number * 8..][..8];
        digits.iter().fold(0_u32, |word, digit| word << 4 | (*digit as char).to_digit(16).unwrap_or(0))
    };
    let (head, from, to) = (word(0), word(1) as c_int, word(2) as c_int);
    let end = End { from, to, flags: Flags((head >> 16) as u8) };
    match () {
        () if from == 0 && to == 0 => {}
        () if head & IS_CLOSED != 0 => CLOSED[index] = Some(end),
        () => {
            own((head & 0xffff) as c_int, end);
            streams::stand_in((head & 0xffff) as c_int);
        }
    }
}

/// Others are told what was closed when this program was executed.
pub unsafe fn tell_closed() {
    for end in (0..CARRIED).filter_map(|index| CLOSED[index].take()) {
        count(end, -1);
    }
}

/// Makes a pipe (one queue) or a pair of sockets (two) for as many descriptors on each side, which are counted at once. This process
/// has them where no member has descriptors, and only until it executes another program.
pub unsafe fn make(queues: usize, sizes: [usize; 2]) -> [(c_int, End); 2] {
    const DUPLICATE: u64 = 1030;
    const FCNTL: u64 = 72;
    const FROM: u64 = 512;
    let (files, ends) = connect(queues == 2);
    let sides = [0, 1].map(|side: usize| {
        let file = sys::call(FCNTL, [files[side] as u64, DUPLICATE, FROM, 0, 0, 0]) as c_int;
        if file < 0 {
            unsupported("a system whose pipes need more open files than `ulimit -n` allows");
        }
        sys::close(files[side]);
        (file, ends[side])
    });
    for (writing, reading) in [(0, 1), (1, 0)] {
        if ends[writing].to != 0 {
            let counts = pack_range(sizes[reading] as u32, sizes[writing] as u32);
            visible(Op::on(Kind::QueueEnds, key(ends[writing].to)).valued(counts));
        }
    }
    sides
}

/// A descriptor of this process is an end that is counted already.
pub unsafe fn give(file: c_int, real: c_int, end: End) {
    sys::duplicate(real, file);
    own(file, end);
}

/// What goes through a queue has a name in traces.
pub unsafe fn call(id: c_int, name: &[u8]) {
    if id != 0 {
        verisoft::call(key(id), name);
    }
}
