//! What processes share by keys: semaphores, queues of messages and memory of System V. All of it is in the region: nothing
//! is left behind, and each run finds nothing there.

use super::hook;
use super::names::{self, Space};
use super::queue;
use super::sharing;
use super::undo;
use crate::preload::attach::is_running;
use crate::preload::finish::unsupported;
use crate::preload::real::error;
use crate::preload::shared::get;
use crate::preload::turn::visible;
use core::ffi::{c_int, c_long, c_void};
use operations::region::input;
use operations::{Flags, Key, Kind, Op, pack_changes};

hook! {
    semget => semget;
    semctl => semctl;
    semop => semop;
    semtimedop => semop;
    msgget => msgget;
    msgsnd => msgsnd;
    msgrcv => msgrcv;
    msgctl => msgctl;
    shmget => shmget;
    shmat => shmat;
    shmdt => shmdt;
    shmctl => shmctl;
}

const EAGAIN: c_int = 11;
const EINVAL: c_int = 22;
const E2BIG: c_int = 7;
const NO_WAIT: c_int = 0o4000;
const REMOVE: c_int = 0;

/// A semaphore of a set.
fn member(set: c_int, number: u64) -> Key {
    Key { process: 0, address: (set as u64) << 8 | number }
}

/// How many semaphores the last sets have that this process has asked for.
static mut SIZES: [(c_int, c_int); 64] = [(-1, 0); 64];

unsafe extern "C" fn semget(key: c_int, size: c_int, flags: c_int) -> c_int {
    let id = names::of_key(Space::Semaphores, key, flags);
    let is_free_or_its = |index: &usize| [-1, id].contains(&SIZES[*index].0);
    if size > 0
        && let Some(place) = (0..SIZES.len()).find(is_free_or_its)
    {
        SIZES[place] = (id, size);
    }
    id
}

/// All semaphores of a set get counts. While others could look that would have to be one operation.
unsafe fn set_all(id: c_int, counts: *const u16) -> c_int {
    let Some((_, size)) = (0..SIZES.len()).map(|index| SIZES[index]).find(|(of, _)| *of == id) else {
        unsupported("semctl with SETALL on a set whose size the process does not know: call semget with it");
    };
    if is_running() && get(input::KNOWN) > 1 {
        unsupported("semctl with SETALL while other threads or processes run: do it before they are created");
    }
    for number in 0..size as usize {
        visible(Op::on(Kind::SemaphoreInit, member(id, number as u64)).valued((*counts.add(number)).into()));
    }
    0
}

unsafe extern "C" fn semctl(id: c_int, number: c_int, command: c_int, argument: u64) -> c_int {
    const GET: c_int = 12;
    const SET: c_int = 16;
    const SET_ALL: c_int = 17;
    let key = member(id, number as u64);
    match command {
        SET => {
            visible(Op::on(Kind::SemaphoreInit, key).valued(i64::from(argument as u32)));
            0
        }
        SET_ALL => set_all(id, core::ptr::with_exposed_provenance(argument as usize)),
        GET => visible(Op::on(Kind::SemaphoreGet, key)) as c_int,
        REMOVE => names::remove(Space::Semaphores, id),
        _ => unsupported("semctl with another command than SETVAL, SETALL, GETVAL and IPC_RMID"),
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Change {
    number: u16,
    by: i16,
    flags: i16,
}

unsafe extern "C" fn semop(id: c_int, changes: *const Change, count: usize) -> c_int {
    let changes = core::slice::from_raw_parts(changes, count);
    let is_waiting = changes.iter().all(|change| c_int::from(change.flags) & NO_WAIT == 0);
    let result = match changes {
        [Change { number, by: 1, .. }] => {
            visible(Op::on(Kind::SemaphorePost, member(id, (*number).into())));
            0
        }
        [Change { number, by: -1, .. }] if is_waiting => {
            visible(Op::on(Kind::SemaphoreWait, member(id, (*number).into())))
        }
        [Change { number, by: -1, .. }] => visible(Op::on(Kind::SemaphoreTry, member(id, (*number).into()))),
        several => visible(at_once(id, several, is_waiting)),
    };
    if result < 0 {
        return error(EAGAIN);
    }
    remember(id, changes);
    0
}

/// Changes that are undone when the process ends.
unsafe fn remember(id: c_int, changes: &[Change]) {
    const UNDO: i16 = 0x1000;
    for change in changes.iter().filter(|change| change.flags & UNDO != 0) {
        undo::remember(member(id, change.number.into()), change.by.into());
    }
}

/// Several changes at once, as one operation.
fn at_once(id: c_int, changes: &[Change], is_waiting: bool) -> Op {
    let numbered = changes.iter().map(|change| (change.number, change.by));
    let Some([extra, value]) = pack_changes(numbered) else {
        unsupported("semop with more than eight changes, by more than 127, or of semaphores after the 255th");
    };
    let flags = if is_waiting { Flags::default() } else { Flags::NO_WAIT };
    Op::on(Kind::SemaphoreSet, member(id, 0)).with_extra(extra).valued(value as i64).flagged(flags)
}

unsafe extern "C" fn msgget(key: c_int, flags: c_int) -> c_int {
    names::of_key(Space::Queues, key, flags)
}

unsafe extern "C" fn msgsnd(id: c_int, message: *const c_long, length: usize, flags: c_int) -> c_int {
    let kind = *message;
    if kind < 1 {
        return error(EINVAL);
    }
    let flags = if flags & NO_WAIT != 0 { Flags::NO_WAIT } else { Flags::default() };
    let sent = queue::send(id, kind, message.add(1).cast(), length, queue::LARGEST_COUNT, flags);
    if sent < 0 { error(EAGAIN) } else { 0 }
}

unsafe extern "C" fn msgrcv(id: c_int, message: *mut c_long, length: usize, kind: c_long, flags: c_int) -> isize {
    const NO_ERROR: c_int = 0o10000;
    const ENOMSG: c_int = 42;
    if kind < 0 {
        unsupported("msgrcv with a negative type");
    }
    let may_wait = if flags & NO_WAIT != 0 { Flags::NO_WAIT } else { Flags::default() };
    let Some(found) = queue::receive(id, kind, queue::Order::First, may_wait) else {
        return error(ENOMSG) as isize;
    };
    if found.length > length && flags & NO_ERROR == 0 {
        return error(E2BIG) as isize;
    }
    *message = found.kind;
    found.copy_to(message.add(1).cast(), length) as isize
}

unsafe extern "C" fn msgctl(id: c_int, command: c_int, _: *mut c_void) -> c_int {
    match command {
        REMOVE => names::remove(Space::Queues, id),
        _ => unsupported("msgctl with another command than IPC_RMID"),
    }
}

unsafe extern "C" fn shmget(key: c_int, size: usize, flags: c_int) -> c_int {
    let id = names::of_key(Space::Memory, key, flags);
    if id >= 0 {
        sharing::make(id, size);
    }
    id
}

unsafe extern "C" fn shmat(id: c_int, address: *const c_void, _: c_int) -> *mut c_void {
    if !address.is_null() {
        unsupported("shmat at an address of the program's choice");
    }
    sharing::address_of(id).cast()
}

unsafe extern "C" fn shmdt(_: *const c_void) -> c_int {
    0
}

unsafe extern "C" fn shmctl(id: c_int, command: c_int, _: *mut c_void) -> c_int {
    match command {
        REMOVE => names::remove(Space::Memory, id),
        _ => unsupported("shmctl with another command than IPC_RMID"),
    }
}
