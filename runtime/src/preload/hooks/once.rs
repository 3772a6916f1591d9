//! Initialisations that happen once: `pthread_once`, and static variables of functions in C++.

use super::{hook, visible_on};
use core::ffi::c_int;
use operations::Kind;

hook! {
    pthread_once => once;
    call_once => call_once;
    __cxa_guard_acquire => guard_acquire;
    __cxa_guard_release => guard_release;
    __cxa_guard_abort => guard_abort;
}

pub unsafe extern "C" fn once(control: *mut u8, routine: unsafe extern "C" fn()) -> c_int {
    if visible_on(Kind::OnceBegin, control) == 1 {
        routine();
        visible_on(Kind::OnceEnd, control);
    }
    0
}

unsafe extern "C" fn call_once(control: *mut u8, routine: unsafe extern "C" fn()) {
    once(control, routine);
}

/// The byte that says that the variable is initialised stays 0, so that a lane that comes later asks here too: what it
/// does must not depend on a byte that it reads without our seeing it.
unsafe extern "C" fn guard_acquire(guard: *mut u8) -> c_int {
    visible_on(Kind::OnceBegin, guard) as c_int
}

unsafe extern "C" fn guard_release(guard: *mut u8) {
    visible_on(Kind::OnceEnd, guard);
}

unsafe extern "C" fn guard_abort(guard: *mut u8) {
    visible_on(Kind::OnceAbort, guard);
}
