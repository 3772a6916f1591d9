//! Signals between threads. Whether a thread is there can be asked; what a signal does to it is not modelled.

use super::hook;
use super::thread::lane_of;
use crate::preload::finish::unsupported;
use core::ffi::c_int;

hook! {
    pthread_kill => kill;
}

unsafe extern "C" fn kill(thread: usize, signal: c_int) -> c_int {
    if signal != 0 {
        unsupported("pthread_kill: set a variable, or call pthread_cancel");
    }
    lane_of(thread);
    0
}
