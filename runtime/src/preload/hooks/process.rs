//! Processes: `fork` and `waitpid`.
//!
//! A process is a lane like a thread. It ends by waiting for ever, as threads do; the real process goes with the run.

use super::{hook, pipe, thread, undo};
use crate::preload::finish::{finish, unsupported};
use crate::preload::real::{error, real};
use crate::preload::shared::{at, current, get, set};
use crate::preload::sys;
use crate::preload::turn::{depart, execute, visible, wait_for_turn};
use core::ffi::c_int;
use operations::region::{Ending, input, lane};
use operations::{Key, Kind, Lane, MAX_LANES, Op};

hook! {
    fork => fork;
    vfork => fork;
    waitpid => wait_for;
    wait => wait_for_any;
}

/// The process of the program itself.
const FIRST: u64 = 1;
const ECHILD: c_int = 10;

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

pub unsafe extern "C" fn fork() -> c_int {
    pipe::double();
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
    thread::forget_others();
    undo::forget();
    set(at(created, lane::PROCESS), u64::from(created.0) + FIRST);
    set(at(created, lane::THREAD), sys::thread_pointer());
    wait_for_turn(created);
    execute(created);
    0
}

/// The end of a process that is not the first.
pub unsafe fn end(code: c_int) -> ! {
    undo::undo();
    pipe::close_all();
    let me = current();
    set(at(me, lane::CODE), code as u64);
    visible(Op::local(Kind::End, code.into()));
    depart(me)
}

pub unsafe extern "C" fn wait_for(pid: c_int, status: *mut c_int, options: c_int) -> c_int {
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
    let mut children = [0_u64; 2];
    for index in (1..known).filter(|index| CHILDREN[*index] != 0) {
        match children.get_mut(index / 64) {
            Some(word) => *word |= 1 << (index % 64),
            None => unsupported("waiting for any of the children of a program with more than 128 threads"),
        }
    }
    if children == [0; 2] {
        return error(ECHILD);
    }
    let ended = visible(Op::local(Kind::JoinAny, children[1] as i64).with_extra(children[0]));
    finished(Lane(ended as u16), status)
}

unsafe fn collect(target: Lane, status: *mut c_int) -> c_int {
    visible(Op::on(Kind::Join, Key { process: 0, address: target.0.into() }));
    finished(target, status)
}

/// What is known of a child that has ended.
unsafe fn finished(target: Lane, status: *mut c_int) -> c_int {
    if !status.is_null() {
        *status = (get(at(target, lane::CODE)) as c_int & 0xff) << 8;
    }
    core::mem::take(&mut CHILDREN[target.index()])
}
