//! Processes: `fork`, `waitpid`, and the semaphores of System V that they share.
//!
//! A process is a lane like a thread. It ends by waiting for ever, as threads do; the real process goes with the run.

use super::hook;
use crate::preload::finish::{finish, unsupported};
use crate::preload::real::{error, real};
use crate::preload::shared::{at, current, get, set};
use crate::preload::sys;
use crate::preload::turn::{depart, execute, visible, wait_for_turn};
use core::ffi::c_int;
use operations::region::{Ending, input, lane, output};
use operations::{Key, Kind, Lane, MAX_LANES, Op};

hook! {
    fork => fork;
    vfork => fork;
    waitpid => wait_for;
    wait => wait_for_any;
    semget => semget;
    semctl => semctl;
    semop => semop;
}

/// The process of the program itself.
const FIRST: u64 = 1;
const ECHILD: c_int = 10;
const EAGAIN: c_int = 11;

/// The numbers of the processes that this one has created, by lane; 0 once they have been waited for.
static mut CHILDREN: [c_int; MAX_LANES] = [0; MAX_LANES];

/// Whether the lane that runs belongs to another process than the first.
pub fn is_child() -> bool {
    get(at(current(), lane::PROCESS)) != FIRST
}

/// How signals are answered, as the C library has it.
#[repr(C)]
struct Action {
    handler: unsafe extern "C" fn(c_int),
    mask: [u64; 16],
    flags: c_int,
    restorer: usize,
}

unsafe extern "C" {
    fn sigaction(signal: c_int, action: *const Action, before: *mut Action) -> c_int;
}

/// A child was killed: the run ends there. Its lane is the one whose turn it was, as no other one does anything.
unsafe extern "C" fn child_ended(_: c_int) {
    if let Some(signal) = sys::signal_of_killed_child() {
        finish(Ending::Crash, signal.into());
    }
}

/// Watches over the children of this process, which is one of a run: the server watches over its own.
unsafe fn watch_children() {
    const CHILD_ENDED: c_int = 17;
    const RESTART: c_int = 0x1000_0000;
    let action = Action { handler: child_ended, mask: [0; 16], flags: RESTART, restorer: 0 };
    sigaction(CHILD_ENDED, &raw const action, core::ptr::null_mut());
}

unsafe extern "C" fn fork() -> c_int {
    let created = Lane(visible(Op::local(Kind::Create, 0)) as u16);
    watch_children();
    let pid = real!(c"fork" as fn() -> c_int,);
    if pid < 0 {
        unsupported("the system does not let the program create another process");
    }
    if pid > 0 {
        CHILDREN[created.index()] = pid;
        return pid;
    }
    sys::die_with_parent();
    CHILDREN = [0; MAX_LANES];
    set(at(created, lane::PROCESS), u64::from(created.0) + FIRST);
    set(at(created, lane::THREAD), sys::thread_pointer());
    wait_for_turn(created);
    execute(created);
    0
}

/// The end of a process that is not the first.
pub unsafe fn end(code: c_int) -> ! {
    let me = current();
    set(at(me, lane::CODE), code as u64);
    visible(Op::local(Kind::End, code.into()));
    depart(me)
}

unsafe extern "C" fn wait_for(pid: c_int, status: *mut c_int, options: c_int) -> c_int {
    if pid == -1 {
        return wait_for_any(status);
    }
    if options != 0 {
        unsupported("waitpid with options");
    }
    let known = get(input::KNOWN) as usize;
    match (1..known).find(|index| CHILDREN[*index] == pid) {
        Some(index) => collect(Lane(index as u16), status),
        None => error(ECHILD),
    }
}

unsafe extern "C" fn wait_for_any(status: *mut c_int) -> c_int {
    let known = get(input::KNOWN) as usize;
    let mut waiting = (1..known).filter(|index| CHILDREN[*index] != 0);
    match (waiting.next(), waiting.next()) {
        (Some(only), None) => collect(Lane(only as u16), status),
        (None, _) => error(ECHILD),
        _ => unsupported("waiting for any of several child processes; wait for each by its number"),
    }
}

unsafe fn collect(target: Lane, status: *mut c_int) -> c_int {
    visible(Op::on(Kind::Join, Key { process: 0, address: target.0.into() }));
    if !status.is_null() {
        *status = (get(at(target, lane::CODE)) as c_int & 0xff) << 8;
    }
    core::mem::take(&mut CHILDREN[target.index()])
}

/// A semaphore of a set.
fn member(set: c_int, number: u64) -> Key {
    Key { process: 0, address: (set as u64) << 16 | number }
}

/// Sets are private to the program, whatever their key.
unsafe extern "C" fn semget(key: c_int, _: c_int, _: c_int) -> c_int {
    if key != 0 {
        unsupported("semget with a key; use IPC_PRIVATE");
    }
    let next = get(output::SETS) + 1;
    set(output::SETS, next);
    next as c_int
}

unsafe extern "C" fn semctl(id: c_int, number: c_int, command: c_int, argument: u64) -> c_int {
    const REMOVE: c_int = 0;
    const GET: c_int = 12;
    const SET: c_int = 16;
    let key = member(id, number as u64);
    match command {
        SET => {
            visible(Op::on(Kind::SemaphoreInit, key).valued(i64::from(argument as u32)));
            0
        }
        GET => visible(Op::on(Kind::SemaphoreGet, key)) as c_int,
        REMOVE => 0,
        _ => unsupported("semctl with another command than SETVAL, GETVAL and IPC_RMID"),
    }
}

#[repr(C)]
struct Operation {
    number: u16,
    change: i16,
    flags: i16,
}

unsafe extern "C" fn semop(id: c_int, operations: *const Operation, count: usize) -> c_int {
    const NO_WAIT: i16 = 0o4000;
    if count != 1 {
        unsupported("semop with several operations at once");
    }
    let Operation { number, change, flags } = operations.read();
    let on = |kind| Op::on(kind, member(id, number.into()));
    match change {
        1 => {
            visible(on(Kind::SemaphorePost));
            0
        }
        -1 if flags & NO_WAIT != 0 => {
            if visible(on(Kind::SemaphoreTry)) < 0 {
                error(EAGAIN)
            } else {
                0
            }
        }
        -1 => {
            visible(on(Kind::SemaphoreWait));
            0
        }
        _ => unsupported("semop with another number than 1 and -1"),
    }
}
