//! Commands that are executed by a shell: they run by themselves, and are not explored.

use super::hook;
use crate::preload::company::note_process;
use crate::preload::real::real;
use core::ffi::{c_char, c_int, c_void};

hook! {
    system => system;
    popen => open;
}

unsafe extern "C" fn system(command: *const c_char) -> c_int {
    note_process();
    real!(c"system" as fn(*const c_char) -> c_int, command)
}

unsafe extern "C" fn open(command: *const c_char, mode: *const c_char) -> *mut c_void {
    note_process();
    real!(c"popen" as fn(*const c_char, *const c_char) -> *mut c_void, command, mode)
}
