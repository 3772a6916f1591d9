//! What processes share by names of POSIX: semaphores, queues of messages, memory.

use super::names::{self, Space};
use super::queue::{self, Order};
use super::{hook, key, sharing};
use crate::preload::finish::unsupported;
use crate::preload::real::error;
use crate::preload::turn::visible;
use core::ffi::{c_char, c_int, c_long, c_void};
use operations::{Flags, Kind, Op};

hook! {
    sem_open => sem_open;
    sem_close => nothing;
    sem_unlink => sem_unlink;
    mq_open => mq_open;
    mq_close => close;
    mq_unlink => mq_unlink;
    mq_send => mq_send;
    mq_receive => mq_receive;
    mq_getattr => mq_getattr;
    mq_setattr => mq_setattr;
    mq_notify => mq_notify;
}

const EAGAIN: c_int = 11;
const EMSGSIZE: c_int = 90;
const NO_WAIT: c_int = 0o4000;
const CREATE: c_int = 0o100;

extern "C" fn nothing(_: *const c_void) -> c_int {
    0
}

/// A named semaphore is at an address that all processes share; whoever creates it says how much it counts.
unsafe extern "C" fn sem_open(name: *const c_char, flags: c_int, _: c_int, count: u32) -> *mut u8 {
    let id = names::of_path(Space::Semaphore, name, flags);
    if id < 0 {
        return core::ptr::null_mut();
    }
    let semaphore = sharing::address_of(id);
    if flags & CREATE != 0 {
        visible(Op::on(Kind::SemaphoreInit, key(semaphore)).valued(count.into()).flagged(Flags::ONCE));
    }
    semaphore
}

unsafe extern "C" fn sem_unlink(name: *const c_char) -> c_int {
    names::remove_path(Space::Semaphore, name)
}

/// As `struct mq_attr`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Attributes {
    flags: c_long,
    most: c_long,
    size: c_long,
    now: c_long,
    rest: [c_long; 4],
}

/// A queue that this process has open.
#[derive(Clone, Copy)]
struct Open {
    id: c_int,
    attributes: Attributes,
}

const MOST: usize = 32;
/// The first descriptor of a queue: no file has it.
const FIRST: c_int = 1 << 20;
const USUAL: Attributes = Attributes { flags: 0, most: 10, size: 1024, now: 0, rest: [0; 4] };
static mut QUEUES: [Option<Open>; MOST] = [None; MOST];

unsafe extern "C" fn mq_open(name: *const c_char, flags: c_int, _: c_int, given: *const Attributes) -> c_int {
    let id = names::of_path(Space::Messages, name, flags);
    if id < 0 {
        return -1;
    }
    let chosen = if flags & CREATE != 0 && !given.is_null() { given.read() } else { USUAL };
    let Some(free) = (0..MOST).find(|index| QUEUES[*index].is_none()) else { unsupported("more than 32 open queues") };
    let attributes = Attributes { flags: c_long::from(flags & NO_WAIT), now: 0, ..chosen };
    QUEUES[free] = Some(Open { id, attributes });
    FIRST + free as c_int
}

unsafe fn queue_of(descriptor: c_int) -> Open {
    let open = usize::try_from(descriptor - FIRST).ok().and_then(|index| *QUEUES.get(index)?);
    match open {
        Some(open) => open,
        None => unsupported("a message queue that is not open"),
    }
}

unsafe fn may_wait(open: &Open) -> Flags {
    if open.attributes.flags & c_long::from(NO_WAIT) != 0 { Flags::NO_WAIT } else { Flags::default() }
}

unsafe extern "C" fn close(descriptor: c_int) -> c_int {
    queue_of(descriptor);
    QUEUES[(descriptor - FIRST) as usize] = None;
    0
}

unsafe extern "C" fn mq_unlink(name: *const c_char) -> c_int {
    names::remove_path(Space::Messages, name)
}

unsafe extern "C" fn mq_send(descriptor: c_int, bytes: *const u8, length: usize, priority: u32) -> c_int {
    let open = queue_of(descriptor);
    if length > open.attributes.size as usize {
        return error(EMSGSIZE);
    }
    // Messages that overtake others are not independent of being received.
    let overtakes = if priority > 0 { Flags::CHOOSY } else { Flags::default() };
    let flags = may_wait(&open).with(overtakes);
    let sent = queue::send(open.id, priority.into(), bytes, length, open.attributes.most as u32, flags);
    if sent < 0 { error(EAGAIN) } else { 0 }
}

unsafe extern "C" fn mq_receive(descriptor: c_int, bytes: *mut u8, length: usize, priority: *mut u32) -> isize {
    let open = queue_of(descriptor);
    if length < open.attributes.size as usize {
        return error(EMSGSIZE) as isize;
    }
    let Some(found) = queue::receive(open.id, 0, Order::Urgent, may_wait(&open)) else {
        return error(EAGAIN) as isize;
    };
    if !priority.is_null() {
        *priority = found.kind as u32;
    }
    found.copy_to(bytes, length) as isize
}

unsafe extern "C" fn mq_getattr(descriptor: c_int, attributes: *mut Attributes) -> c_int {
    *attributes = queue_of(descriptor).attributes;
    0
}

unsafe extern "C" fn mq_setattr(descriptor: c_int, wanted: *const Attributes, before: *mut Attributes) -> c_int {
    let mut open = queue_of(descriptor);
    if !before.is_null() {
        *before = open.attributes;
    }
    open.attributes.flags = (*wanted).flags;
    QUEUES[(descriptor - FIRST) as usize] = Some(open);
    0
}

extern "C" fn mq_notify() -> c_int {
    unsupported("mq_notify")
}
