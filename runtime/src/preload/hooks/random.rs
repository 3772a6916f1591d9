//! Random numbers of the system, which are the same in every run: a lane's own sequence, whatever the others do.

use super::hook;
use crate::preload::attach::is_running;
use crate::preload::shared::current;
use crate::preload::waiting::note_change;
use core::ffi::c_int;
use operations::MAX_LANES;

hook! {
    getrandom => get_random;
    getentropy => get_entropy;
    arc4random => number;
    arc4random_buf => fill;
    arc4random_uniform => number_below;
}

/// Where the sequence of each lane is.
static mut STATES: [u64; MAX_LANES] = [0; MAX_LANES];

/// The next number of the lane that runs (splitmix).
unsafe fn next() -> u64 {
    let me = if is_running() { current().index() } else { 0 };
    note_change();
    STATES[me] = STATES[me].wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (STATES[me] ^ STATES[me] >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9).wrapping_add(me as u64);
    mixed ^ mixed >> 31
}

unsafe extern "C" fn fill(bytes: *mut u8, length: usize) {
    for index in 0..length {
        *bytes.add(index) = next() as u8;
    }
}

unsafe extern "C" fn get_random(bytes: *mut u8, length: usize, _: u32) -> isize {
    fill(bytes, length);
    length as isize
}

unsafe extern "C" fn get_entropy(bytes: *mut u8, length: usize) -> c_int {
    fill(bytes, length);
    0
}

unsafe extern "C" fn number() -> u32 {
    next() as u32
}

unsafe extern "C" fn number_below(end: u32) -> u32 {
    number() % end.max(1)
}
