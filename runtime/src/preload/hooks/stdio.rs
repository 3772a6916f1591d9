//! Locks of streams that a program takes itself. The functions that print take them for a single call each, in which no
//! other lane moves.

use super::{hook, key};
use crate::preload::turn::visible;
use core::ffi::c_int;
use operations::{Flags, Kind, Op};

hook! {
    flockfile => lock;
    ftrylockfile => try_lock;
    funlockfile => unlock;
}

unsafe fn act(kind: Kind, stream: *const u8) -> c_int {
    visible(Op::on(kind, key(stream)).flagged(Flags::RECURSIVE)) as c_int
}

unsafe extern "C" fn lock(stream: *const u8) {
    act(Kind::MutexLock, stream);
}

unsafe extern "C" fn try_lock(stream: *const u8) -> c_int {
    act(Kind::MutexTry, stream)
}

unsafe extern "C" fn unlock(stream: *const u8) {
    act(Kind::MutexUnlock, stream);
}
