//! Initialisations that happen once: `pthread_once`, and static variables of functions in C++.

use super::memory::{announce_store, is_instrumented};
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

/// The byte that says that the variable is initialised stays 0 in memory, so that code whose accesses are hidden asks here each time:
/// what a lane does must not depend on a byte that it reads without our seeing it. Code whose accesses are visible announces that
/// it looks at the byte, and is told then what the byte would hold ([`is_there`]).
unsafe extern "C" fn guard_acquire(guard: *mut u8) -> c_int {
    visible_on(Kind::OnceBegin, guard) as c_int
}

/// The byte is set before others are let in.
unsafe extern "C" fn guard_release(guard: *mut u8) {
    if is_instrumented() {
        announce_store(guard, 1);
        note(guard);
    }
    visible_on(Kind::OnceEnd, guard);
}

unsafe extern "C" fn guard_abort(guard: *mut u8) {
    visible_on(Kind::OnceAbort, guard);
}

const GUARDS: usize = 1 << 10;
const PROBES: usize = 8;
/// The addresses of the bytes that would be set, at places that they say. What finds no place there is asked for each time.
static mut SET: [u64; GUARDS] = [0; GUARDS];

/// Where the address of a byte is, or could be.
unsafe fn place(guard: *const u8) -> Option<*mut u64> {
    let mixed = (guard as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    let places = (0..PROBES).map(|probe| &raw mut SET[(mixed as usize + probe) % GUARDS]);
    { places }.find(|place| [0, guard as u64].contains(&**place))
}

unsafe fn note(guard: *const u8) {
    if let Some(place) = place(guard) {
        *place = guard as u64;
    }
}

/// Whether a byte says that a static is there.
pub unsafe fn is_there(address: *const u8) -> bool {
    place(address).is_some_and(|place| *place != 0)
}
