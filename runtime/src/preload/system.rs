//! A system of several programs: the first process of the session is none of them, but starts them and waits for their
//! ends, as the file says that the scheduler wrote.

use super::finish::{finish, say};
use super::hooks::{execve, exit, fork, wait_for};
use super::real::{environ, getenv, unsetenv};
use super::sys;
use core::ffi::{c_char, c_int};
use core::ptr::null;
use operations::region::Ending;

/// Names the file.
const SYSTEM: &core::ffi::CStr = c"UWBMC_SYSTEM";
/// How long the file can be, how many texts a process can have, and how many processes there can be.
const BYTES: usize = 1 << 16;
const TEXTS: usize = 256;
const PROCESSES: usize = 64;

static mut FILE: [u8; BYTES] = [0; BYTES];

/// Runs the system, if there is one to be run.
pub unsafe fn run() {
    let path = getenv(SYSTEM.as_ptr());
    if path.is_null() {
        return;
    }
    let file = sys::open(path.cast());
    let length = sys::read(file, (&raw mut FILE).cast(), BYTES - 1).max(0) as usize;
    sys::close(file);
    unsetenv(SYSTEM.as_ptr());
    let mut processes = [0; PROCESSES];
    let mut count = 0;
    let mut at = 0;
    while at < length && count < PROCESSES {
        processes[count] = start(&mut at);
        count += 1;
    }
    let mut code = 0;
    for process in processes.into_iter().take(count) {
        let mut status = 0;
        wait_for(process, &raw mut status, 0);
        code = code.max(status >> 8 & 0xff);
    }
    exit(code)
}

/// Starts the process whose description begins at an index; moves the index behind it.
unsafe fn start(at: &mut usize) -> c_int {
    let directory = text(at);
    let arguments = texts(at);
    let settings = texts(at);
    let process = fork();
    if process == 0 {
        sys::change_directory(directory.cast());
        execve(arguments[0], arguments.as_ptr(), with(&settings).as_ptr());
        say(&[core::ffi::CStr::from_ptr(arguments[0]).to_bytes(), b" cannot be executed"]);
        finish(Ending::Unsupported, 0);
    }
    process
}

/// A text that ends with a zero.
unsafe fn text(at: &mut usize) -> *const c_char {
    let start = (&raw const FILE).cast::<c_char>().add(*at);
    while *at < BYTES - 1 && FILE[*at] != 0 {
        *at += 1;
    }
    *at += 1;
    start
}

/// Texts up to an empty one.
unsafe fn texts(at: &mut usize) -> [*const c_char; TEXTS] {
    let mut all = [null(); TEXTS];
    for place in all.iter_mut().take(TEXTS - 1) {
        let next = text(at);
        if *next == 0 {
            break;
        }
        *place = next;
    }
    all
}

/// The environment with settings of a process before it.
unsafe fn with(settings: &[*const c_char; TEXTS]) -> [*const c_char; 2 * TEXTS] {
    let mut all = [null(); 2 * TEXTS];
    let mut count = 0;
    for setting in settings.iter().take_while(|setting| !setting.is_null()) {
        all[count] = *setting;
        count += 1;
    }
    let mut from = environ.cast::<*const c_char>();
    while !from.is_null() && !(*from).is_null() && count < all.len() - 1 {
        all[count] = *from;
        count += 1;
        from = from.add(1);
    }
    all
}
