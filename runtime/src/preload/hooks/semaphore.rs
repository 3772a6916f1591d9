//! Semaphores of POSIX.

use super::{cancel, hook, key, visible_on};
use crate::preload::real::error;
use crate::preload::turn::visible;
use crate::preload::waiting::{is_own, note_change};
use core::ffi::c_int;
use operations::{Kind, Op};

hook! {
    sem_init => init;
    sem_destroy => destroy;
    sem_wait => wait;
    sem_trywait => try_wait;
    sem_timedwait => timed_wait;
    sem_clockwait => timed_wait;
    sem_post => post;
    sem_getvalue => get_value;
}

const EAGAIN: c_int = 11;
const ETIMEDOUT: c_int = 110;

unsafe extern "C" fn init(semaphore: *mut u8, _: c_int, count: u32) -> c_int {
    visible(Op::on(Kind::SemaphoreInit, key(semaphore)).valued(count.into()));
    0
}

unsafe extern "C" fn destroy(_: *mut u8) -> c_int {
    0
}

unsafe extern "C" fn wait(semaphore: *mut u8) -> c_int {
    cancel::test();
    if visible(Op::on(Kind::SemaphoreWait, key(semaphore)).flagged(cancel::flags())) < 0 {
        cancel::end();
    }
    0
}

unsafe extern "C" fn try_wait(semaphore: *mut u8) -> c_int {
    if visible_on(Kind::SemaphoreTry, semaphore) < 0 { error(EAGAIN) } else { 0 }
}

unsafe extern "C" fn timed_wait(semaphore: *mut u8) -> c_int {
    if visible_on(Kind::SemaphoreTry, semaphore) < 0 { error(ETIMEDOUT) } else { 0 }
}

unsafe extern "C" fn post(semaphore: *mut u8) -> c_int {
    visible_on(Kind::SemaphorePost, semaphore);
    0
}

unsafe extern "C" fn get_value(semaphore: *mut u8, value: *mut c_int) -> c_int {
    if !is_own(value.cast(), size_of::<c_int>()) {
        note_change();
    }
    *value = visible_on(Kind::SemaphoreGet, semaphore) as c_int;
    0
}
