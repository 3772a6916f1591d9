//! Barriers.

use super::{hook, key, visible_on};
use crate::preload::turn::visible;
use core::ffi::{c_int, c_void};
use operations::{Kind, Op};

hook! {
    pthread_barrier_init => init;
    pthread_barrier_destroy => destroy;
    pthread_barrier_wait => wait;
}

const SERIAL_THREAD: c_int = -1;

unsafe extern "C" fn init(barrier: *mut u8, _: *const c_void, count: u32) -> c_int {
    visible(Op::on(Kind::BarrierInit, key(barrier)).valued(count.into()));
    0
}

unsafe extern "C" fn destroy(_: *mut u8) -> c_int {
    0
}

unsafe extern "C" fn wait(barrier: *mut u8) -> c_int {
    let generation = visible_on(Kind::BarrierArrive, barrier);
    let is_serial = visible(Op::on(Kind::BarrierLeave, key(barrier)).valued(generation));
    if is_serial == 1 { SERIAL_THREAD } else { 0 }
}
