//! Signals that a program sends to itself and waits for by `sigwait`. Where they are blocked they only wait to be taken, as messages
//! do. What else a signal can do to a thread, which it may interrupt anywhere, is not modelled.

use super::process::has_children;
use super::thread::lane_of;
use super::{hook, identity};
use crate::preload::attach::{is_running, serve};
use crate::preload::finish::unsupported;
use crate::preload::real::{error, real};
use crate::preload::shared::{Here, at, current, get};
use crate::preload::turn::visible;
use core::ffi::{c_int, c_void};
use operations::region::{input, lane};
use operations::{Class, Flags, Key, Kind, Lane, MAX_LANES, Op, Status, World, signals_of_process};

hook! {
    pthread_kill => send_to_thread;
    raise => send_to_self;
    kill => send_to_process;
    sigwait => wait;
    sigwaitinfo => wait_for_information;
    sigtimedwait => wait_some_time;
    pthread_sigmask => change_mask;
    sigprocmask => change_mask;
}

const CHILD_ENDED: c_int = 17;
/// Signals after these are queued one by one.
const LAST: c_int = 31;

/// The signals that each lane of this process blocks, as bits.
static mut MASKS: [u64; MAX_LANES] = [0; MAX_LANES];

fn bit(signal: c_int) -> u64 {
    1 << (signal - 1).clamp(0, 63)
}

/// The signals that were sent to a lane.
fn of_lane(of: Lane) -> Key {
    Key { process: 0, address: of.0.into() }
}

fn of_own_process() -> Key {
    signals_of_process(get(at(current(), lane::PROCESS)))
}

unsafe fn blocks(of: Lane, signal: c_int) -> bool {
    MASKS[of.index()] & bit(signal) != 0
}

/// The lane that runs, before the first visible operation too.
fn me() -> Lane {
    if is_running() { current() } else { Lane::MAIN }
}

/// A lane that was just created blocks what its creator blocks.
pub unsafe fn inherit(created: Lane) {
    MASKS[created.index()] = MASKS[current().index()];
}

unsafe fn send(receiver: Key, signal: c_int) {
    if signal > LAST {
        unsupported("a signal of real time: send one of the others");
    }
    visible(Op::on(Kind::SignalSend, receiver).valued(signal.into()));
}

unsafe extern "C" fn send_to_thread(thread: usize, signal: c_int) -> c_int {
    let receiver = lane_of(thread);
    if signal == 0 {
        return 0;
    }
    send(of_lane(receiver), signal);
    if !blocks(receiver, signal) {
        unsupported("pthread_kill of a signal that is not blocked: set a variable, or call pthread_cancel");
    }
    0
}

unsafe extern "C" fn send_to_self(signal: c_int) -> c_int {
    if !blocks(me(), signal) {
        return real!(c"raise" as fn(c_int) -> c_int, signal);
    }
    send(of_lane(me()), signal);
    0
}

unsafe extern "C" fn send_to_process(pid: c_int, signal: c_int) -> c_int {
    if signal != 0 && pid != identity::process() {
        unsupported("kill of another process: send it a message, or share a variable with it");
    }
    if signal == 0 || !blocks(me(), signal) {
        return real!(c"kill" as fn(c_int, c_int) -> c_int, pid, signal);
    }
    send(of_own_process(), signal);
    if !lanes_of_process().all(|of| blocks(of, signal)) {
        unsupported("kill with a signal that only some threads block: block it before they are created");
    }
    0
}

fn lanes_of_process() -> impl Iterator<Item = Lane> {
    let process = get(at(current(), lane::PROCESS));
    let is_meant = move |of: &Lane| Here.lane(*of).status == Status::Alive && get(at(*of, lane::PROCESS)) == process;
    (0..get(input::KNOWN) as u16).map(Lane).filter(is_meant)
}

/// Takes one of the signals of a set; -1 if there is none.
unsafe fn take(set: *const u64, flags: Flags) -> c_int {
    if !is_running() {
        serve();
    }
    if *set & bit(CHILD_ENDED) != 0 && has_children() {
        unsupported("sigwait for the end of a child: call wait");
    }
    let wanted = *set & (bit(LAST + 1) - 1);
    let take = Op::on(Kind::SignalTake, of_lane(current())).with_extra(of_own_process().address);
    match visible(take.valued(wanted as i64).flagged(flags)) {
        taken @ 0.. => taken as c_int & 0xff,
        _ => -1,
    }
}

unsafe extern "C" fn wait(set: *const u64, signal: *mut c_int) -> c_int {
    *signal = take(set, Flags::default());
    0
}

/// What is known of a signal: its number, and otherwise nothing.
unsafe fn inform(signal: c_int, information: *mut [c_int; 32]) -> c_int {
    if !information.is_null() {
        *information = [0; 32];
        (*information)[0] = signal;
    }
    signal
}

unsafe extern "C" fn wait_for_information(set: *const u64, information: *mut [c_int; 32]) -> c_int {
    inform(take(set, Flags::default()), information)
}

unsafe extern "C" fn wait_some_time(set: *const u64, information: *mut [c_int; 32], timeout: *const c_void) -> c_int {
    const EAGAIN: c_int = 11;
    let flags = if timeout.is_null() { Flags::default() } else { Flags::NO_WAIT };
    match take(set, flags) {
        -1 => error(EAGAIN),
        signal => inform(signal, information),
    }
}

/// A lane blocks other signals. Those that were sent to it before would interrupt it then.
unsafe extern "C" fn change_mask(how: c_int, set: *const u64, before: *mut u64) -> c_int {
    const BLOCK: c_int = 0;
    const UNBLOCK: c_int = 1;
    let me = me();
    let old = MASKS[me.index()];
    if !set.is_null() {
        let new = match how {
            BLOCK => old | *set,
            UNBLOCK => old & !*set,
            _ => *set,
        };
        if is_running() && new != old {
            note_change(me, old & !new);
        }
        MASKS[me.index()] = new;
    }
    real!(c"pthread_sigmask" as fn(c_int, *const u64, *mut u64) -> c_int, how, set, before)
}

unsafe fn note_change(me: Lane, unblocked: u64) {
    let process = of_own_process();
    visible(Op::on(Kind::SignalMask, of_lane(me)).with_extra(process.address));
    let sent = [of_lane(me), process].map(|place| Here.object(Class::Signals, place).count);
    if u64::from(sent[0] | sent[1]) & unblocked != 0 {
        unsupported("a thread that unblocks a signal which was sent to it: wait for it by sigwait");
    }
}
