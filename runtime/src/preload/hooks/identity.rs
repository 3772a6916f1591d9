//! Who a thread is to the system. Fibres are one thread to it, but not to the program.

use super::{futex, hook};
use crate::preload::attach::{is_running, serve};
use crate::preload::fibre::host;
use crate::preload::shared::{current, is_attached};
use crate::preload::sys;
use core::ffi::c_int;

hook! {
    gettid => number;
    getpid => process;
}

/// No thread of the system has a number from here on.
const FIRST: c_int = 1 << 23;

/// The number of the process. That of the one which runs are forked from is none of theirs.
pub unsafe extern "C" fn process() -> c_int {
    if is_attached() && !is_running() {
        serve();
    }
    sys::identity().0 as c_int
}

/// The number of the thread that runs.
pub unsafe extern "C" fn number() -> c_int {
    if is_running() && host(current()) != current() {
        return FIRST + c_int::from(current().0);
    }
    sys::call(futex::GETTID as u64, [0; 6]) as c_int
}
