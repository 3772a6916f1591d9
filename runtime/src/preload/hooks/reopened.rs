//! Pipes that are opened by the name of a descriptor, as `/dev/stdin`: that would be a descriptor more, and its bytes would not be
//! counted.

use super::hook;
use super::pipe::end;
use crate::preload::finish::unsupported;
use crate::preload::real::real;
use core::ffi::{CStr, c_char, c_int, c_void};

hook! {
    open => open;
    open64 => open;
    openat => open_at;
    openat64 => open_at;
    fopen => open_stream;
    fopen64 => open_stream;
}

/// The descriptor that a path names.
fn named(path: &[u8]) -> Option<c_int> {
    let number = match path {
        b"/dev/stdin" => return Some(0),
        b"/dev/stdout" => return Some(1),
        b"/dev/stderr" => return Some(2),
        _ => [&b"/dev/fd/"[..], b"/proc/self/fd/", b"/proc/thread-self/fd/"]
            .into_iter()
            .find_map(|folder| path.strip_prefix(folder))?,
    };
    let is_number = !number.is_empty() && number.len() < 8 && number.iter().all(u8::is_ascii_digit);
    is_number.then(|| number.iter().fold(0, |value, digit| value * 10 + c_int::from(digit - b'0')))
}

unsafe fn check(path: *const c_char) {
    if !path.is_null() && named(CStr::from_ptr(path).to_bytes()).is_some_and(|file| end(file).is_some()) {
        unsupported("a pipe that is opened as a file of /dev or /proc: use the descriptor, or a copy that dup makes");
    }
}

unsafe extern "C" fn open(path: *const c_char, options: c_int, mode: u32) -> c_int {
    check(path);
    real!(c"open64" as fn(*const c_char, c_int, u32) -> c_int, path, options, mode)
}

unsafe extern "C" fn open_at(folder: c_int, path: *const c_char, options: c_int, mode: u32) -> c_int {
    check(path);
    real!(c"openat64" as fn(c_int, *const c_char, c_int, u32) -> c_int, folder, path, options, mode)
}

unsafe extern "C" fn open_stream(path: *const c_char, mode: *const c_char) -> *mut c_void {
    check(path);
    real!(c"fopen64" as fn(*const c_char, *const c_char) -> *mut c_void, path, mode)
}
