//! What is to be called when a process exits: `atexit`, and destructors of static objects.
//!
//! In the first process the C library calls them. Another one is a lane that waits for ever instead of exiting, so that
//! they are called here, the last one first. (Functions that a linker lists as destructors are not.)

use super::hook;
use crate::preload::finish::unsupported;
use crate::preload::real::real;
use core::ffi::{c_int, c_void};
use core::ptr::null_mut;

hook! {
    __cxa_atexit => at_exit;
    on_exit => on_exit;
    __cxa_finalize => finalize;
}

type Argument = *mut c_void;

/// A function that is to be called.
#[derive(Clone, Copy)]
enum Handler {
    Plain(unsafe extern "C" fn(Argument), Argument),
    /// With the exit code.
    Told(unsafe extern "C" fn(c_int, Argument), Argument),
}

/// As many are remembered.
const MOST: usize = 4096;

/// Each with the library that it belongs to.
static mut HANDLERS: [Option<(Handler, *mut c_void)>; MOST] = [None; MOST];
static mut COUNT: usize = 0;

unsafe fn remember(handler: Handler, library: *mut c_void) {
    if COUNT < MOST {
        HANDLERS[COUNT] = Some((handler, library));
    }
    COUNT += 1;
}

unsafe extern "C" fn at_exit(
    function: unsafe extern "C" fn(Argument),
    argument: Argument,
    library: *mut c_void,
) -> c_int {
    remember(Handler::Plain(function, argument), library);
    type Function = unsafe extern "C" fn(Argument);
    real!(c"__cxa_atexit" as fn(Function, Argument, *mut c_void) -> c_int, function, argument, library)
}

unsafe extern "C" fn on_exit(function: unsafe extern "C" fn(c_int, Argument), argument: Argument) -> c_int {
    remember(Handler::Told(function, argument), null_mut());
    type Function = unsafe extern "C" fn(c_int, Argument);
    real!(c"on_exit" as fn(Function, Argument) -> c_int, function, argument)
}

/// A library is closed: the C library calls what belongs to it now.
unsafe extern "C" fn finalize(library: *mut c_void) {
    for place in HANDLERS.iter_mut().filter(|place| place.is_some_and(|(_, own)| own == library)) {
        *place = None;
    }
    real!(c"__cxa_finalize" as fn(*mut c_void) -> (), library)
}

/// Calls them. They may add others.
pub unsafe fn call(code: c_int) {
    if COUNT > MOST {
        unsupported("more than 4096 functions of atexit, or static objects, in a process that another one has created");
    }
    while COUNT > 0 {
        COUNT -= 1;
        match HANDLERS[COUNT].take() {
            Some((Handler::Plain(function, argument), _)) => function(argument),
            Some((Handler::Told(function, argument), _)) => function(code, argument),
            None => {}
        }
    }
}
