//! Many descriptors closed at once. Those that are ours stay open: programs that this one executes find the session by them.

use super::hook;
use super::pipe::{MOST, end, forget, result};
use crate::preload::sys;
use core::ffi::c_int;
use operations::region::REGION_FILE;

hook! {
    close_range => close_range;
    closefrom => close_from;
}

/// As many descriptors from the first one that is ours may be.
const OURS: u32 = 8;

/// Whether a descriptor is ours: to the program it does not exist.
pub fn is_ours(file: c_int) -> bool {
    (REGION_FILE..REGION_FILE + OURS as c_int).contains(&file)
}

unsafe extern "C" fn close_range(from: u32, to: u32, options: c_int) -> c_int {
    const CLOSE_RANGE: u64 = 436;
    const AT_EXEC: c_int = 4;
    if options & AT_EXEC == 0 {
        let meant = (from..=to.min(MOST as u32 - 1)).map(|file| file as c_int);
        meant.filter(|file| end(*file).is_some()).for_each(|file| forget(file));
    }
    let ours = REGION_FILE as u32;
    let mut answer = 0;
    for (from, to) in [(from, to.min(ours - 1)), (from.max(ours + OURS), to)] {
        if from <= to {
            answer = sys::call(CLOSE_RANGE, [from.into(), to.into(), options as u64, 0, 0, 0]).min(answer);
        }
    }
    result(answer)
}

unsafe extern "C" fn close_from(from: c_int) {
    close_range(from.max(0) as u32, u32::MAX, 0);
}
