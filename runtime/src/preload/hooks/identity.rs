//! Who a thread is to the system. Fibres are one thread to it, but not to the program.

use super::{futex, hook};
use crate::preload::attach::{is_running, serve};
use crate::preload::fibre::host;
use crate::preload::shared::{at, current, get, is_attached};
use crate::preload::sys;
use core::ffi::c_int;
use operations::region::{input, lane};

hook! {
    gettid => number;
    getpid => process;
}

/// No thread of the system has a number from here on.
const FIRST: c_int = 1 << 23;

/// The number of the process. That of the one which runs are forked from is none of theirs. Where nothing can be done with it, it
/// is the same in all runs: programs take it for a random number.
pub unsafe extern "C" fn process() -> c_int {
    if is_attached() && !is_running() {
        serve();
    }
    if is_numbered() { FIRST } else { sys::identity().0 as c_int }
}

/// Whether the numbers of this process and of its threads are ours.
fn is_numbered() -> bool {
    is_running() && get(input::NUMBERED) != 0 && get(at(current(), lane::PROCESS)) == 1
}

/// The number of the thread that runs.
pub unsafe extern "C" fn number() -> c_int {
    if is_running() && (host(current()) != current() || is_numbered()) {
        return FIRST + c_int::from(current().0);
    }
    sys::call(futex::GETTID as u64, [0; 6]) as c_int
}
