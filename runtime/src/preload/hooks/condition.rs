//! Condition variables.

use super::{cancel, hook, key, visible_on};
use crate::preload::turn::visible;
use core::ffi::c_int;
use operations::{Flags, Kind, Op};

hook! {
    pthread_cond_init => init;
    pthread_cond_destroy => destroy;
    pthread_cond_wait => wait;
    pthread_cond_timedwait => timed_wait;
    pthread_cond_clockwait => timed_wait;
    pthread_cond_signal => signal;
    pthread_cond_broadcast => broadcast;
}

unsafe extern "C" fn init(condition: *mut u8) -> c_int {
    visible_on(Kind::ConditionInit, condition);
    0
}

pub unsafe extern "C" fn destroy(_: *mut u8) -> c_int {
    0
}

/// A wait is two operations: entering, which gives the mutex back, and leaving, which takes it again.
unsafe fn enter_and_leave(condition: *mut u8, mutex: *mut u8, flags: Flags) -> c_int {
    cancel::test();
    let enter = Op::on(Kind::ConditionEnter, key(condition)).with_extra(mutex as u64).flagged(flags);
    let ticket = visible(enter);
    let leave = Op { kind: Kind::ConditionLeave, ..enter }.valued(ticket).flagged(flags.with(cancel::flags()));
    let result = visible(leave) as c_int;
    if result != 0 {
        // Either the time is up or the lane was asked to end. If both, what is asked comes first.
        match flags.has(Flags::TIMED) {
            true => cancel::test(),
            false => cancel::end(),
        }
    }
    result
}

pub unsafe extern "C" fn wait(condition: *mut u8, mutex: *mut u8) -> c_int {
    enter_and_leave(condition, mutex, Flags::default())
}

pub unsafe extern "C" fn timed_wait(condition: *mut u8, mutex: *mut u8) -> c_int {
    enter_and_leave(condition, mutex, Flags::TIMED)
}

pub unsafe extern "C" fn signal(condition: *mut u8) -> c_int {
    visible_on(Kind::ConditionSignal, condition);
    0
}

pub unsafe extern "C" fn broadcast(condition: *mut u8) -> c_int {
    visible_on(Kind::ConditionBroadcast, condition);
    0
}
