//! Asking threads to end (`pthread_cancel`), which they do where they wait: in `pthread_cond_wait`, `pthread_join`, `sem_wait`, when
//! they sleep, and in `pthread_testcancel`. System calls that can be waits too, such as `write`, are not looked at.

use super::hook;
use super::thread::{exit, lane_of};
use crate::preload::attach::is_running;
use crate::preload::finish::unsupported;
use crate::preload::shared::{current, get};
use crate::preload::turn::visible;
use core::ffi::{c_int, c_void};
use operations::region::input;
use operations::{Flags, Key, Kind, Lane, MAX_LANES, Op};

hook! {
    pthread_cancel => cancel;
    pthread_testcancel => test;
    pthread_setcancelstate => set_state;
    pthread_setcanceltype => set_type;
}

/// What a thread that was asked to end ends with.
const CANCELED: *mut c_void = -1_isize as *mut c_void;

/// The lanes that do not want to be asked.
static mut IS_DEAF: [bool; MAX_LANES] = [false; MAX_LANES];

fn key(of: Lane) -> Key {
    Key { process: 0, address: of.0.into() }
}

unsafe extern "C" fn cancel(thread: usize) -> c_int {
    visible(Op::on(Kind::Cancel, key(lane_of(thread))));
    0
}

/// The flags of a wait.
pub unsafe fn flags() -> Flags {
    let listens = is_running() && get(input::CANCELS) != 0 && !IS_DEAF[current().index()];
    if listens { Flags::CANCELLABLE } else { Flags::default() }
}

/// The lane that runs ends if it has been asked to.
pub unsafe extern "C" fn test() {
    if flags() != Flags::default() && visible(Op::on(Kind::CancelTest, key(current()))) != 0 {
        end();
    }
}

/// The lane that runs ends, because it was asked to while it waited.
pub unsafe fn end() {
    IS_DEAF[current().index()] = true;
    exit(CANCELED);
}

unsafe extern "C" fn set_state(state: c_int, before: *mut c_int) -> c_int {
    let me = if is_running() { current().index() } else { 0 };
    if !before.is_null() {
        *before = IS_DEAF[me].into();
    }
    IS_DEAF[me] = state != 0;
    0
}

unsafe extern "C" fn set_type(kind: c_int, before: *mut c_int) -> c_int {
    if kind != 0 {
        unsupported("pthread_setcanceltype with PTHREAD_CANCEL_ASYNCHRONOUS");
    }
    if !before.is_null() {
        *before = 0;
    }
    0
}
