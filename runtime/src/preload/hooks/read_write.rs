//! Read-write locks.

use super::{hook, visible_on};
use core::ffi::c_int;
use operations::Kind;

hook! {
    pthread_rwlock_init => init;
    pthread_rwlock_destroy => init;
    pthread_rwlock_rdlock => read;
    pthread_rwlock_wrlock => write;
    pthread_rwlock_tryrdlock => try_read;
    pthread_rwlock_trywrlock => try_write;
    pthread_rwlock_timedrdlock => timed_read;
    pthread_rwlock_timedwrlock => timed_write;
    pthread_rwlock_clockrdlock => timed_read;
    pthread_rwlock_clockwrlock => timed_write;
    pthread_rwlock_unlock => unlock;
}

const ETIMEDOUT: c_int = 110;

unsafe extern "C" fn init(lock: *mut u8) -> c_int {
    visible_on(Kind::ReadWriteInit, lock) as c_int
}

unsafe extern "C" fn read(lock: *mut u8) -> c_int {
    visible_on(Kind::ReadLock, lock) as c_int
}

unsafe extern "C" fn write(lock: *mut u8) -> c_int {
    visible_on(Kind::WriteLock, lock) as c_int
}

unsafe extern "C" fn try_read(lock: *mut u8) -> c_int {
    visible_on(Kind::ReadTry, lock) as c_int
}

unsafe extern "C" fn try_write(lock: *mut u8) -> c_int {
    visible_on(Kind::WriteTry, lock) as c_int
}

unsafe extern "C" fn timed_read(lock: *mut u8) -> c_int {
    if visible_on(Kind::ReadTry, lock) == 0 { 0 } else { ETIMEDOUT }
}

unsafe extern "C" fn timed_write(lock: *mut u8) -> c_int {
    if visible_on(Kind::WriteTry, lock) == 0 { 0 } else { ETIMEDOUT }
}

unsafe extern "C" fn unlock(lock: *mut u8) -> c_int {
    visible_on(Kind::ReadWriteUnlock, lock);
    0
}
