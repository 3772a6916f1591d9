//! Programs that take the place of others (`exec`): they go on as the same lane, under control.

use super::{hook, inherited, key_of_process, streams, thread};
use crate::preload::attach::is_running;
use crate::preload::finish::unsupported;
use crate::preload::real::{environ, real, setvbuf, stdout};
use crate::preload::shared::{at, current, get, set};
use crate::preload::sys;
use core::ffi::{c_char, c_int};
use operations::region::lane;

hook! {
    execve => execve;
    execv => execv;
    execvp => execvp;
    execvpe => execvpe;
}

/// How many variables an environment can have.
const MOST: usize = 1000;

const PRELOAD: &core::ffi::CStr = c"LD_PRELOAD=/proc/self/fd/901";

unsafe extern "C" fn execv(path: *const c_char, arguments: *const *const c_char) -> c_int {
    execve(path, arguments, environ.cast())
}

pub unsafe extern "C" fn execvp(file: *const c_char, arguments: *const *const c_char) -> c_int {
    execvpe(file, arguments, environ.cast())
}

pub unsafe extern "C" fn execvpe(
    file: *const c_char,
    arguments: *const *const c_char,
    environment: *const *const c_char,
) -> c_int {
    let variables = controlled(environment);
    type Strings = *const *const c_char;
    real!(c"execvpe" as fn(*const c_char, Strings, Strings) -> c_int, file, arguments, variables)
}

/// Executes a program in the place of this one. Its threads but the one that calls are gone then, so there must be none.
pub unsafe extern "C" fn execve(
    path: *const c_char,
    arguments: *const *const c_char,
    environment: *const *const c_char,
) -> c_int {
    let variables = controlled(environment);
    type Strings = *const *const c_char;
    real!(c"execve" as fn(*const c_char, Strings, Strings) -> c_int, path, arguments, variables)
}

/// The environment with what the library in the new program needs.
unsafe fn controlled(environment: *const *const c_char) -> *const *const c_char {
    static mut VARIABLES: [*const c_char; MOST] = [core::ptr::null(); MOST];
    static mut LANE: [u8; 32] = [0; 32];
    if !is_running() {
        unsupported("exec before any other visible operation");
    }
    if thread::has_others() {
        unsupported("exec in a process with several threads");
    }
    let mut length = 0;
    while !environment.is_null() && !(*environment.add(length)).is_null() && length < MOST - 4 {
        VARIABLES[length] = *environment.add(length);
        length += 1;
    }
    let text = b"UWBMC_LANE=";
    LANE[..text.len()].copy_from_slice(text);
    // Three letters stand for the number of the lane: a program's stack must not move by it.
    for (place, power) in [100, 10, 1].into_iter().enumerate() {
        LANE[text.len() + place] = b'0' + (current().0 / power % 10) as u8;
    }
    VARIABLES[length] = PRELOAD.as_ptr();
    VARIABLES[length + 1] = (&raw const LANE).cast();
    VARIABLES[length + 2] = inherited::carried();
    VARIABLES[length + 3] = core::ptr::null();
    (&raw const VARIABLES).cast()
}

/// The program that has taken the place of another goes on as its lane.
pub unsafe fn take_over() {
    let me = current();
    set(at(me, lane::THREAD), sys::thread_pointer());
    set(at(me, lane::PROCESS), key_of_process(get(at(me, lane::PROCESS))));
    if !streams::is_standing_in(1) {
        setvbuf(stdout, core::ptr::null_mut(), 2, 0);
    }
}
