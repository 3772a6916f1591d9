//! Processes: `fork` and `waitpid`.
//!
//! A process is a lane like a thread. It ends by waiting for ever, as threads do; the real process goes with the run.

use super::{hook, pipe, signal, thread, undo};
use crate::preload::company;
use crate::preload::finish::{finish, refuse_company, unsupported};
use crate::preload::real::{error, on_signal, real};
use crate::preload::shared::{at, current, get, set};
use crate::preload::sys;
use crate::preload::turn::{depart, execute, visible, wait_for_turn};
use core::ffi::c_int;
use operations::region::{Ending, input, lane};
use operations::{Key, Kind, Lane, MAX_LANES, Op};

hook! {
    fork => fork;
    vfork => fork;
    _Fork => fork;
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

/// A child was killed: the run ends there. Its lane is the one whose turn it was, as no other one does anything.
unsafe extern "C" fn child_ended(_: c_int) {
    if let Some(signal) = sys::signal_of_killed_child() {
        finish(Ending::Crash, signal.into());
    }
}

/// Watches over the children of this process, which is one of a run: the server watches over its own.
unsafe fn watch_children() {
    const CHILD_ENDED: c_int = 17;
    on_signal(CHILD_ENDED, child_ended);
}

pub unsafe extern "C" fn fork() -> c_int {
    pipe::double();
    let created = Lane(visible(Op::local(Kind::Create, 0)) as u16);
    signal::inherit(created);
    watch_children();
    company::note_process();
    set(at(created, lane::PROCESS), u64::from(created.0) + FIRST);
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
    wait_for_turn(created);
    set(at(created, lane::THREAD), sys::thread_pointer());
    execute(created);
    0
}

/// Whether this process has children that it has not waited for.
pub unsafe fn has_children() -> bool {
    child(-1).is_some()
}

/// The end of a process that is not the first.
pub unsafe fn end(code: c_int) -> ! {
    refuse_company();
    undo::undo();
    pipe::close_all();
    let me = current();
    set(at(me, lane::CODE), code as u64);
    visible(Op::local(Kind::End, code.into()));
    depart(me)
}

pub unsafe extern "C" fn wait_for(pid: c_int, status: *mut c_int, options: c_int) -> c_int {
    // Children that are stopped or go on again would be told of, too; none are.
    const NO_HANG: c_int = 1;
    const STOPPED: c_int = 2 | 8;
    if !(-1..).contains(&pid) || pid == 0 || options & !(NO_HANG | STOPPED) != 0 {
        unsupported("waitpid for a group of processes, or with other options than WNOHANG");
    }
    let waits = options & NO_HANG == 0;
    match child(pid) {
        None => error(ECHILD),
        Some(_) if pid == -1 && waits => wait_for_any(status),
        Some(target) if waits => collect(target, status),
        Some(_) => look_for(pid, status),
    }
}

/// The first child of this number, or the first of all.
unsafe fn child(pid: c_int) -> Option<Lane> {
    children(pid).next()
}

/// The children of this number, or all if it is -1.
unsafe fn children(pid: c_int) -> impl Iterator<Item = Lane> {
    let is_meant = move |of: &Lane| CHILDREN[of.index()] != 0 && (pid == -1 || CHILDREN[of.index()] == pid);
    (1..get(input::KNOWN) as u16).map(Lane).filter(is_meant)
}

/// The first child that has ended; 0 if none has.
unsafe fn look_for(pid: c_int, status: *mut c_int) -> c_int {
    let has_ended = |of: &Lane| visible(Op::on(Kind::JoinTry, Key { process: 0, address: of.0.into() })) >= 0;
    children(pid).find(has_ended).map_or(0, |target| finished(target, status))
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
