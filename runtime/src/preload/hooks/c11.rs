//! The threads of C11, which are those of POSIX by other names and with other results.

use super::{condition, hook, mutex, thread, visible_on};
use crate::preload::real::real;
use core::ffi::{c_int, c_void};
use operations::Kind;

hook! {
    mtx_init => mtx_init;
    mtx_destroy => mtx_destroy;
    mtx_lock => mtx_lock;
    mtx_trylock => mtx_try;
    mtx_timedlock => mtx_timed;
    mtx_unlock => mtx_unlock;
    cnd_init => cnd_init;
    cnd_destroy => cnd_destroy;
    cnd_wait => cnd_wait;
    cnd_timedwait => cnd_timed;
    cnd_signal => condition::signal;
    cnd_broadcast => condition::broadcast;
    thrd_create => thread::create_c11;
    thrd_join => thread::join_c11;
    thrd_exit => thread::exit_c11;
    thrd_detach => thread::detach;
}

const BUSY: c_int = 1;
const ERROR: c_int = 2;
const TIMED_OUT: c_int = 4;

fn result(number: c_int, otherwise: c_int) -> c_int {
    if number == 0 { 0 } else { otherwise }
}

unsafe extern "C" fn mtx_init(mutex: *mut u8, kind: c_int) -> c_int {
    visible_on(Kind::MutexInit, mutex);
    real!(c"mtx_init" as fn(*mut u8, c_int) -> c_int, mutex, kind)
}

unsafe extern "C" fn mtx_destroy(mutex: *mut u8) {
    mutex::destroy(mutex);
}

unsafe extern "C" fn mtx_lock(mutex: *mut u8) -> c_int {
    result(mutex::lock(mutex), ERROR)
}

unsafe extern "C" fn mtx_try(mutex: *mut u8) -> c_int {
    result(mutex::try_lock(mutex), BUSY)
}

unsafe extern "C" fn mtx_timed(mutex: *mut u8, _: *const c_void) -> c_int {
    result(mutex::timed_lock(mutex), TIMED_OUT)
}

unsafe extern "C" fn mtx_unlock(mutex: *mut u8) -> c_int {
    result(mutex::unlock(mutex), ERROR)
}

unsafe extern "C" fn cnd_init(condition: *mut u8) -> c_int {
    visible_on(Kind::ConditionInit, condition) as c_int
}

unsafe extern "C" fn cnd_destroy(condition: *mut u8) {
    condition::destroy(condition);
}

unsafe extern "C" fn cnd_wait(condition: *mut u8, mutex: *mut u8) -> c_int {
    condition::wait(condition, mutex)
}

unsafe extern "C" fn cnd_timed(condition: *mut u8, mutex: *mut u8) -> c_int {
    result(condition::timed_wait(condition, mutex), TIMED_OUT)
}
