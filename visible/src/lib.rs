//! What a program in Rust can say to `uwbmc run`, as `uwbmc.h` is for programs in C.
//!
//! Outside of `uwbmc run` a toss gives 0, what is ensured is asserted, and names say nothing.
//!
//! ```
//! let coin = uwbmc_visible::toss(1);
//! uwbmc_visible::ensure(coin <= 1);
//! ```

use std::ffi::{CString, c_char, c_int, c_void};

/// The text of this crate, for programs that `uwbmc run` compiles.
pub static SOURCE: &str = include_str!("lib.rs");

unsafe extern "C" {
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// The address of a function of the library that `uwbmc run` loads into the program; none outside of it.
fn function(name: &core::ffi::CStr) -> Option<*mut c_void> {
    // SAFETY: no handle means all libraries of the program, and the name ends with a zero.
    let found = unsafe { dlsym(std::ptr::null_mut(), name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

/// A choice that the environment makes: a number from 0 to `greatest`, and each of them is tried.
pub fn toss(greatest: u32) -> u32 {
    let Some(found) = function(c"VS_toss") else { return 0 };
    // SAFETY: `VS_toss` has this type; see `uwbmc.h`.
    let toss: unsafe extern "C" fn(c_int) -> c_int = unsafe { std::mem::transmute(found) };
    let greatest = c_int::try_from(greatest).unwrap_or(c_int::MAX);
    // SAFETY: it can be called with any number.
    (unsafe { toss(greatest) }).unsigned_abs()
}

/// Has to be so here.
#[track_caller]
pub fn ensure(holds: bool) {
    if let Some(found) = function(c"VS_assert") {
        // SAFETY: `VS_assert` has this type; see `uwbmc.h`.
        let assert: unsafe extern "C" fn(c_int) = unsafe { std::mem::transmute(found) };
        // SAFETY: it can be called with any number.
        unsafe { assert(holds.into()) };
    }
    assert!(holds, "what is ensured does not hold");
}

/// Gives something a name that traces call it by.
pub fn name<T: ?Sized>(object: &T, name: &str) {
    let (Some(found), Ok(text)) = (function(c"VS_name"), CString::new(name)) else { return };
    // SAFETY: `VS_name` has this type; see `uwbmc.h`.
    let call: unsafe extern "C" fn(*const c_void, *const c_char) = unsafe { std::mem::transmute(found) };
    // SAFETY: the address is only compared, and the text ends with a zero and is copied.
    unsafe { call(std::ptr::from_ref(object).cast(), text.as_ptr()) };
}
