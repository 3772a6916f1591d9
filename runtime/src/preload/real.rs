//! The functions of libc that the hooks stand in front of, and a few others.

use core::ffi::{c_char, c_int, c_void};
use core::sync::atomic::{AtomicUsize, Ordering};

unsafe extern "C" {
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    pub fn getauxval(kind: u64) -> u64;
    pub fn getenv(name: *const c_char) -> *const c_char;
    pub fn unsetenv(name: *const c_char) -> c_int;
    pub fn setvbuf(stream: *mut c_void, buffer: *mut c_char, mode: c_int, size: usize) -> c_int;
    pub fn __errno_location() -> *mut c_int;
    pub fn pthread_key_create(key: *mut u32, destructor: unsafe extern "C" fn(*mut c_void)) -> c_int;
    pub fn pthread_setspecific(key: u32, value: *const c_void) -> c_int;
    pub static mut stdin: *mut c_void;
    pub static mut stdout: *mut c_void;
    pub static mut stderr: *mut c_void;
    pub static mut environ: *mut *mut c_char;
}

/// The function of this name in the libraries after this one.
pub unsafe fn next(name: &core::ffi::CStr) -> usize {
    const NEXT: *mut c_void = -1_isize as *mut c_void;
    dlsym(NEXT, name.as_ptr()) as usize
}

/// A function that is looked up when it is needed first.
pub struct Function {
    name: &'static core::ffi::CStr,
    address: AtomicUsize,
}

impl Function {
    pub const fn new(name: &'static core::ffi::CStr) -> Function {
        Function { name, address: AtomicUsize::new(0) }
    }

    /// Its address; the run ends where it does not exist.
    pub unsafe fn address(&self) -> usize {
        let known = self.address.load(Ordering::Relaxed);
        if known != 0 {
            return known;
        }
        let found = next(self.name);
        if found == 0 {
            super::finish::unsupported("a function of the C library that does not exist here");
        }
        self.address.store(found, Ordering::Relaxed);
        found
    }
}

/// Calls the real function: `real!(NAME as fn(A, B) -> C, a, b)`.
macro_rules! real {
    ($name:literal as fn($($kind:ty),*) -> $result:ty, $($value:expr),*) => {{
        static FUNCTION: $crate::preload::real::Function = $crate::preload::real::Function::new($name);
        let function: unsafe extern "C" fn($($kind),*) -> $result = core::mem::transmute(FUNCTION.address());
        function($($value),*)
    }};
}
pub(crate) use real;

/// How signals are answered, as the C library has it.
#[repr(C)]
struct Action {
    handler: unsafe extern "C" fn(c_int),
    mask: [u64; 16],
    flags: c_int,
    restorer: usize,
}

unsafe extern "C" {
    fn sigaction(signal: c_int, action: *const Action, before: *mut Action) -> c_int;
}

/// Answers a signal by a function of ours; system calls that it interrupts go on.
pub unsafe fn on_signal(signal: c_int, handler: unsafe extern "C" fn(c_int)) {
    const RESTART: c_int = 0x1000_0000;
    let action = Action { handler, mask: [0; 16], flags: RESTART, restorer: 0 };
    sigaction(signal, &raw const action, core::ptr::null_mut());
}

/// Sets `errno` and gives -1.
pub unsafe fn error(number: i32) -> c_int {
    *__errno_location() = number;
    -1
}
