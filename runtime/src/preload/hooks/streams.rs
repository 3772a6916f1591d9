//! Streams of the C library on pipes. The library moves the bytes of its streams by system calls of its own, which would not be
//! counted. So a stream on a pipe is one of those that call functions (`fopencookie`), and these are ours: what is kept in
//! its buffer, and when it is written, stays the affair of the C library.
//!
//! Where standard input or output is a pipe, such a stream stands in the variable (`stdin`, `stdout`) instead of the usual one. Some code has
//! noted the usual one before: `std::cout` does, if the descriptor becomes a pipe while the program runs. What it does would
//! not be counted. So the usual stream gets the descriptor of a file of ours, and a program that uses it is refused.

use super::pipe::{self, end};
use super::{forget_registers, hook, note_caller_on_stack, thread};
use crate::preload::attach::is_running;
use crate::preload::finish::unsupported;
use crate::preload::real::{__errno_location, real, setvbuf, stderr, stdin, stdout};
use crate::preload::sys;
use core::ffi::{c_char, c_int, c_void};
use core::ptr::null_mut;

hook! {
    fdopen => fdopen;
    freopen => reopen;
    freopen64 => reopen;
    perror => perror;
}

type Stream = *mut c_void;

/// As `cookie_io_functions_t`.
#[repr(C)]
struct Functions {
    read: unsafe extern "C" fn(*mut c_void, *mut u8, usize) -> isize,
    write: unsafe extern "C" fn(*mut c_void, *const u8, usize) -> isize,
    seek: usize,
    close: unsafe extern "C" fn(*mut c_void) -> c_int,
}

unsafe extern "C" {
    fn fopencookie(cookie: *mut c_void, mode: *const c_char, functions: Functions) -> Stream;
    fn fflush(stream: Stream) -> c_int;
    pub fn malloc(size: usize) -> *mut c_void;
}

/// How much the C library keeps of what goes through a pipe: the size of the blocks that the system names for it.
const BLOCK: usize = 4096;
const FULL: c_int = 0;
const UNBUFFERED: c_int = 2;
/// Where a stream has the number of its descriptor (`_fileno`).
const NUMBER: usize = 112;
/// The descriptor of the file that a stream gets which must not be used any more.
const TRAP: c_int = 902;

/// The streams that stand in for the standard ones.
static mut STANDING_IN: [Stream; 3] = [null_mut(); 3];
static mut IS_USED: bool = false;
static mut HAS_TRAP: bool = false;

/// A new stream on a descriptor.
unsafe fn open(file: c_int, mode: *const c_char) -> Stream {
    IS_USED = true;
    let cookie = core::ptr::without_provenance_mut(file as usize);
    let stream = fopencookie(cookie, mode, Functions { read, write, seek: 0, close });
    if !stream.is_null() {
        setvbuf(stream, malloc(BLOCK).cast(), FULL, BLOCK);
        *number_of(stream) = file;
    }
    stream
}

unsafe fn number_of(stream: Stream) -> *mut c_int {
    stream.byte_add(NUMBER).cast()
}

/// A standard descriptor is a pipe from here on: so is the stream of it.
pub unsafe fn stand_in(file: c_int) {
    let variable = match file {
        0 => &raw mut stdin,
        1 => &raw mut stdout,
        2 => &raw mut stderr,
        _ => return,
    };
    if !STANDING_IN[file as usize].is_null() {
        return;
    }
    let stream = open(file, if file == 0 { c"r" } else { c"w" }.as_ptr());
    if file == 2 {
        setvbuf(stream, null_mut(), UNBUFFERED, 0);
    }
    set_trap(*variable, file);
    STANDING_IN[file as usize] = stream;
    *variable = stream;
}

/// The stream of a standard descriptor that is a pipe, if it is one.
pub unsafe fn is_standing_in(file: usize) -> bool {
    !STANDING_IN[file].is_null()
}

/// A stream that is used in spite of all reads from a file of ours, or writes there.
unsafe fn set_trap(usual: Stream, file: c_int) {
    const MEMFD_CREATE: u64 = 319;
    const DUP3: u64 = 292;
    const CLOSE_ON_EXEC: u64 = 0o2_000_000;
    if usual.is_null() || *number_of(usual) != file {
        return;
    }
    if !HAS_TRAP {
        let made = sys::call(MEMFD_CREATE, [c"".as_ptr() as u64, 1, 0, 0, 0, 0]);
        sys::call(DUP3, [made as u64, TRAP as u64, CLOSE_ON_EXEC, 0, 0, 0]);
        sys::close(made as c_int);
        sys::write(TRAP, b"\n".as_ptr(), 1);
        seek_trap(0);
        HAS_TRAP = true;
    }
    *number_of(usual) = TRAP;
}

/// Moves by as much in the file of ours; where that is.
unsafe fn seek_trap(whence: u64) -> i64 {
    const LSEEK: u64 = 8;
    sys::call(LSEEK, [TRAP as u64, 0, whence, 0, 0, 0])
}

/// Ends the run if bytes have gone past us.
pub unsafe fn check() {
    const FROM_HERE: u64 = 1;
    if HAS_TRAP && seek_trap(FROM_HERE) != 0 {
        HAS_TRAP = false;
        unsupported(
            "std::cout, std::cin or a copy of stdin or stdout in a process in which the descriptor has become a pipe: call read and write \
             there, or execute a program after dup2",
        );
    }
}

/// The process exits: what is in its streams is written.
pub unsafe fn flush() {
    if IS_USED {
        fflush(null_mut());
        check();
    }
}

/// Whether a standard descriptor is a pipe: commands that run by themselves would use it.
pub unsafe fn has_standard_pipe() -> bool {
    (0..3).any(|file| end(file).is_some())
}

unsafe fn prepare(cookie: *mut c_void) -> c_int {
    let file = cookie as usize as c_int;
    // The stream is locked, and another thread that wants it would wait past us.
    if end(file).is_some() && is_running() && thread::has_others() {
        unsupported("a stream of the C library on a pipe in a process with several threads: call read and write");
    }
    note_caller_on_stack();
    forget_registers();
    file
}

unsafe extern "C" fn read(cookie: *mut c_void, bytes: *mut u8, length: usize) -> isize {
    pipe::read(prepare(cookie), bytes, length)
}

/// What could not be written is an error by its length.
unsafe extern "C" fn write(cookie: *mut c_void, bytes: *const u8, length: usize) -> isize {
    pipe::write(prepare(cookie), bytes, length).max(0)
}

unsafe extern "C" fn close(cookie: *mut c_void) -> c_int {
    pipe::close(prepare(cookie))
}

unsafe extern "C" fn fdopen(file: c_int, mode: *const c_char) -> Stream {
    match end(file) {
        Some(_) => open(file, mode),
        None => real!(c"fdopen" as fn(c_int, *const c_char) -> Stream, file, mode),
    }
}

unsafe extern "C" fn reopen(path: *const c_char, mode: *const c_char, stream: Stream) -> Stream {
    if STANDING_IN.contains(&stream) {
        unsupported("freopen of standard input or output that is a pipe: call open and dup2");
    }
    real!(c"freopen" as fn(*const c_char, *const c_char, Stream) -> Stream, path, mode, stream)
}

/// The C library makes another stream on the descriptor, unless it does not see its number.
unsafe extern "C" fn perror(text: *const c_char) {
    let error = *__errno_location();
    let hidden = STANDING_IN[2];
    if !hidden.is_null() {
        *number_of(hidden) = -2;
    }
    *__errno_location() = error;
    real!(c"perror" as fn(*const c_char) -> (), text);
    if !hidden.is_null() {
        *number_of(hidden) = 2;
    }
}
