//! Who a thread is to the system. Fibres are one thread to it, but not to the program.

use super::{futex, hook};
use crate::preload::attach::is_running;
use crate::preload::fibre::host;
use crate::preload::shared::current;
use crate::preload::sys;
use core::ffi::c_int;

hook! {
    gettid => number;
}

/// No thread of the system has a number from here on.
const FIRST: c_int = 1 << 23;

/// The number of the thread that runs.
pub unsafe extern "C" fn number() -> c_int {
    if is_running() && host(current()) != current() {
        return FIRST + c_int::from(current().0);
    }
    sys::call(futex::GETTID as u64, [0; 6]) as c_int
}
