//! Mutexes and spin locks.

use super::{hook, key, visible_on};
use crate::preload::real::real;
use crate::preload::shared::mutex_flags;
use crate::preload::turn::visible;
use core::ffi::{c_int, c_void};
use operations::{Flags, Kind, Op};

hook! {
    pthread_mutex_init => init;
    pthread_mutex_destroy => destroy;
    pthread_mutex_lock => lock;
    pthread_mutex_trylock => try_lock;
    pthread_mutex_timedlock => timed_lock;
    pthread_mutex_clocklock => timed_lock;
    pthread_mutex_unlock => unlock;
    pthread_spin_init => spin_init;
    pthread_spin_destroy => destroy;
    pthread_spin_lock => spin_lock;
    pthread_spin_trylock => spin_try;
    pthread_spin_unlock => spin_unlock;
}

unsafe extern "C" fn init(mutex: *mut u8, attributes: *const c_void) -> c_int {
    visible_on(Kind::MutexInit, mutex);
    real!(c"pthread_mutex_init" as fn(*mut u8, *const c_void) -> c_int, mutex, attributes)
}

pub unsafe extern "C" fn destroy(mutex: *mut u8) -> c_int {
    visible_on(Kind::MutexInit, mutex);
    0
}

unsafe fn act(kind: Kind, mutex: *mut u8, flags: Flags) -> c_int {
    visible(Op::on(kind, key(mutex)).flagged(flags)) as c_int
}

pub unsafe extern "C" fn lock(mutex: *mut u8) -> c_int {
    act(Kind::MutexLock, mutex, mutex_flags(mutex))
}

pub unsafe extern "C" fn try_lock(mutex: *mut u8) -> c_int {
    act(Kind::MutexTry, mutex, mutex_flags(mutex))
}

/// A lock that can time out fails if the mutex is held: whether it is held long enough is not for us to know.
pub unsafe extern "C" fn timed_lock(mutex: *mut u8) -> c_int {
    act(Kind::MutexTry, mutex, mutex_flags(mutex).with(Flags::TIMED))
}

pub unsafe extern "C" fn unlock(mutex: *mut u8) -> c_int {
    act(Kind::MutexUnlock, mutex, mutex_flags(mutex))
}

unsafe extern "C" fn spin_init(lock: *mut u8, _: c_int) -> c_int {
    act(Kind::MutexInit, lock, Flags::default())
}

unsafe extern "C" fn spin_lock(lock: *mut u8) -> c_int {
    act(Kind::MutexLock, lock, Flags::default())
}

unsafe extern "C" fn spin_try(lock: *mut u8) -> c_int {
    act(Kind::MutexTry, lock, Flags::default())
}

unsafe extern "C" fn spin_unlock(lock: *mut u8) -> c_int {
    act(Kind::MutexUnlock, lock, Flags::default())
}
