//! Commands that are executed by a shell: they run by themselves, and are not explored.

use super::{hook, streams};
use crate::preload::company::note_process;
use crate::preload::finish::unsupported;
use crate::preload::real::real;
use core::ffi::{c_char, c_int, c_void};

hook! {
    system => system;
    popen => open;
}

/// What a command does to a pipe would not be counted.
unsafe fn begin() {
    if streams::has_standard_pipe() {
        unsupported("system or popen in a process whose standard input or output is a pipe: call fork and execve");
    }
    note_process();
}

unsafe extern "C" fn system(command: *const c_char) -> c_int {
    begin();
    real!(c"system" as fn(*const c_char) -> c_int, command)
}

unsafe extern "C" fn open(command: *const c_char, mode: *const c_char) -> *mut c_void {
    begin();
    real!(c"popen" as fn(*const c_char, *const c_char) -> *mut c_void, command, mode)
}
