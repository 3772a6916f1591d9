//! Time, which does not pass by itself: sleeping is a hint that others should go on, and clocks advance by being read.

use super::{cancel, hook};
use crate::preload::attach::is_running;
use crate::preload::shared::current;
use crate::preload::turn::visible;
use crate::preload::waiting::note_change;
use core::ffi::{c_int, c_void};
use operations::{Kind, MAX_LANES, Op};

hook! {
    sched_yield => give_way;
    thrd_yield => give_way;
    pthread_yield => give_way;
    sleep => sleep;
    usleep => sleep;
    nanosleep => nanosleep;
    clock_nanosleep => sleep;
    thrd_sleep => nanosleep;
    clock_gettime => clock_gettime;
    gettimeofday => gettimeofday;
    time => time;
}

/// The second at which programs begin: the first of January 2000.
const BEGINNING: i64 = 946_684_800;

#[repr(C)]
struct Moment {
    seconds: i64,
    fraction: i64,
}

/// How often each lane has asked for the time: its clock must not depend on what the other lanes do.
static mut ASKED: [i64; MAX_LANES] = [0; MAX_LANES];

unsafe extern "C" fn give_way() -> c_int {
    visible(Op::local(Kind::Yield, 0));
    0
}

unsafe extern "C" fn sleep(_: u64) -> c_int {
    cancel::test();
    give_way()
}

unsafe extern "C" fn nanosleep(_: *const c_void, _: *mut c_void) -> c_int {
    cancel::test();
    give_way()
}

/// Microseconds since the beginning.
unsafe fn now() -> i64 {
    let me = if is_running() { current().index() } else { 0 };
    note_change();
    ASKED[me] += 1;
    ASKED[me]
}

unsafe extern "C" fn clock_gettime(_: c_int, moment: *mut Moment) -> c_int {
    let now = now();
    *moment = Moment { seconds: BEGINNING + now / 1_000_000, fraction: now % 1_000_000 * 1000 };
    0
}

unsafe extern "C" fn gettimeofday(moment: *mut Moment, _: *mut c_void) -> c_int {
    let now = now();
    *moment = Moment { seconds: BEGINNING + now / 1_000_000, fraction: now % 1_000_000 };
    0
}

unsafe extern "C" fn time(result: *mut i64) -> i64 {
    if !result.is_null() {
        *result = BEGINNING;
    }
    BEGINNING
}
