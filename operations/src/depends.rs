//! Which events depend on each other.
//!
//! Two events of different lanes are independent if exchanging them, where they are neighbours, changes nothing:
//! neither what they result in nor the state after them. The relation depends on the results of the events, and is
//! chosen so that the order of dependent events is the same in all runs that exchanging neighbours leads to:
//!
//!  * The posts of a semaphore are ordered, and so are its waits, as with a queue; a wait depends on those posts
//!    without which it could not have happened, and on no others.
//!  * Arrivals at a barrier in one generation are not ordered.
//!  * A descriptor to write a pipe by that is closed concerns those who find the pipe over, or empty. Of those to read by, the last
//!    one that is closed concerns what is put into it, and the others that are closed. One that is added stands beside the one
//!    that it is a copy of: that makes no difference to others.
//!  * What fails (a trylock, a trywait) changes nothing: failures are independent of each other.
//!  * Being woken depends on what woke it, not on what wakes others.
//!
//! # Differs from the paper
//!
//! \[GP93\] has posts independent of each other and waits independent while the count is large. That is sound for sleep
//! sets, but it is no order of events: with two posts and a wait, which post the wait depends on would be open.

use crate::enabled::lanes_of;
use crate::queues::{ENDS_NEW, ENDS_UNREAD};
use crate::semaphores::changes;
use crate::signals::{OF_PROCESS, of_process};
use crate::{Class, Event, Flags, Key, Kind, unpack_range};

/// What an event does to an object, as far as others notice.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Act {
    /// Conflicts with everything.
    Change,
    /// Looks and leaves everything as it is, or failed.
    Look,
    /// Reads with others.
    Share,
    /// An access to as many bytes.
    Bytes {
        size: u64,
        is_write: bool,
    },
    Post(i64),
    Take(i64),
    Arrive(i64),
    Pass(i64),
    Queue,
    Woke(u32, u32),
    Leave(i64),
    GaveUp,
    /// Puts units at places into a queue with some room.
    Put {
        from: u32,
        to: u32,
        room: u32,
    },
    /// Takes the units at places, perhaps fewer than asked for.
    Got {
        from: u32,
        to: u32,
        is_short: bool,
    },
    /// Finds nothing in a queue, or nothing that it could be put into, or looks: at whether it can be read, or written.
    Find(Side),
    /// Descriptors are closed.
    Close {
        /// Whether nothing reads the queue after that.
        is_last_to_read: bool,
        reads: bool,
        writes: bool,
    },
}

/// Which end of a pipe it depends on what is found at the other one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Readers,
    Writers,
}

/// Something that an event touches.
struct Touch {
    class: Class,
    key: Key,
    act: Act,
}

/// Whether two events of different lanes, the first of which came first, depend on each other.
pub fn depends(first: &Event, second: &Event) -> bool {
    if is_creation_of(first, second) || is_creation_of(second, first) {
        return true;
    }
    touches(first).any(|our| touches(second).any(|their| conflict(&our, &their)))
}

/// Whether an event leaves everything as it is, and is none by which the lane chooses or comes to an end: without it, a run goes
/// on as with it, but for what the lane itself has learned.
pub fn is_idle(event: &Event) -> bool {
    match event.op.kind {
        Kind::Yield | Kind::Pause | Kind::Read | Kind::AtomicLoad | Kind::SemaphoreGet => true,
        Kind::AtomicUpdate | Kind::CancelTest => event.result == 0,
        Kind::MutexTry | Kind::ReadTry | Kind::WriteTry => event.result != 0,
        Kind::SemaphoreTry | Kind::JoinTry | Kind::FutexWait => event.result < 0,
        _ => false,
    }
}

/// Numbers that stand for what an event touches: events without a common one are independent, unless one creates the
/// lane of the other.
pub fn marks(event: &Event) -> impl IntoIterator<Item = u64> + use<> {
    touches(event).flat_map(|touch| touch.marks())
}

/// Whether everything that conflicts with an event at what a mark stands for conflicts with a later event there too. What
/// happened before the later one need not be looked at then.
pub fn covers(later: &Event, event: &Event, mark: u64) -> bool {
    let marked = |event: &Event| touches(event).filter(move |touch| touch.marks().any(|other| other == mark));
    marked(event).all(|touch| marked(later).any(|other| other.dominates(&touch)))
}

/// Accesses of as many bytes are told apart by where they are; larger ones can touch many such places.
const LINE: u64 = 64;

impl Touch {
    /// Whether everything that conflicts with another touch conflicts with this one.
    fn dominates(&self, other: &Touch) -> bool {
        let is_same_place = self.class == other.class && self.key.process == other.key.process;
        is_same_place
            && match (self.act, other.act) {
                (Act::Bytes { size, is_write }, Act::Bytes { size: length, .. }) => {
                    let (from, to) = (self.key.address, self.key.address.saturating_add(size));
                    is_write && from <= other.key.address && other.key.address.saturating_add(length) <= to
                }
                (Act::Change, _) => self.key == other.key,
                _ => false,
            }
    }

    /// The marks of what is touched.
    fn marks(&self) -> impl Iterator<Item = u64> + use<> {
        let (address, size) = match self.act {
            Act::Bytes { size, .. } => (self.key.address / LINE, (self.key.address + size.max(1) - 1) / LINE),
            _ => (self.key.address, self.key.address),
        };
        let name = (self.class as u64) << 56 ^ u64::from(self.key.process) << 40;
        (address..=size.min(address + MOST_LINES)).map(move |place| place ^ name)
    }
}

/// A single access does not touch more places than that: the library in the program divides larger ones.
const MOST_LINES: u64 = 1 << 13;

fn is_creation_of(creator: &Event, created: &Event) -> bool {
    creator.op.kind == Kind::Create && creator.op.value == i64::from(created.lane.0)
}

fn conflict(first: &Touch, second: &Touch) -> bool {
    if first.class != second.class || first.key.process != second.key.process {
        return false;
    }
    if let (Act::Bytes { size, is_write }, Act::Bytes { size: length, is_write: writes }) = (first.act, second.act) {
        let (from, other) = (first.key.address, second.key.address);
        let overlap = from < other.saturating_add(length) && other < from.saturating_add(size);
        return overlap && (is_write || writes);
    }
    first.key == second.key && (acts_conflict(first.act, second.act) || acts_conflict(second.act, first.act))
}

/// Whether acts on one object conflict; asked both ways round.
fn acts_conflict(one: Act, other: Act) -> bool {
    match (one, other) {
        (Act::Look | Act::Find(_), Act::Look | Act::Find(_)) | (Act::Share, Act::Share) => false,
        (Act::Change | Act::Look, _) => true,
        (Act::Post(_), Act::Post(_)) | (Act::Take(_), Act::Take(_)) => true,
        (Act::Post(number), Act::Take(needed)) => number <= needed,
        (Act::Arrive(one), Act::Arrive(other)) => one != other,
        (Act::Arrive(one), Act::Pass(other)) => one == other,
        (Act::Queue, Act::Queue | Act::Woke(..)) => true,
        (Act::Woke(from, to), Act::Woke(start, end)) => from != to || start != end,
        (Act::Woke(from, to), Act::Leave(ticket)) => (i64::from(from)..i64::from(to)).contains(&ticket),
        (Act::Woke(..), Act::GaveUp) => true,
        (Act::Put { .. }, Act::Put { .. }) | (Act::Got { .. }, Act::Got { .. }) => true,
        (Act::Find(_), Act::Put { .. } | Act::Got { .. }) => true,
        (Act::Close { writes, .. }, Act::Find(Side::Writers)) => writes,
        (Act::Close { is_last_to_read, .. }, Act::Find(Side::Readers) | Act::Put { .. }) => is_last_to_read,
        (Act::Close { is_last_to_read, .. }, Act::Close { reads, .. }) => is_last_to_read && reads,
        // What is taken was put before; more would be taken if more were there; what is put needs room.
        (Act::Put { from, to, room }, Act::Got { from: first, to: end, is_short }) => {
            from < end || is_short || first.saturating_add(room) < to
        }
        _ => false,
    }
}

/// What an event touches.
fn touches(event: &Event) -> impl Iterator<Item = Touch> + use<> {
    let act = if event.result < 0 { Act::Look } else { Act::Change };
    let members = changes(&event.op).map(move |(key, _)| Touch { class: Class::Semaphore, key, act });
    let children = if event.op.kind == Kind::JoinAny { Some(lanes_of(&event.op)) } else { None };
    let children = children.into_iter().flatten().map(|lane| {
        let key = Key { process: 0, address: lane.0.into() };
        Touch { class: Class::Thread, key, act: Act::Look }
    });
    single_touches(event).into_iter().flatten().chain(members).chain(children)
}

/// What an event touches that works on one object, and perhaps on another that belongs to it.
fn single_touches(event: &Event) -> [Option<Touch>; 3] {
    let op = &event.op;
    let first = first_act(event).map(|act| Touch { class: op.class(), key: op.key, act });
    let second = match op.kind {
        Kind::ConditionEnter | Kind::ConditionLeave => {
            Some(Touch { class: Class::Mutex, key: op.mutex(), act: Act::Change })
        }
        Kind::SignalMask => Some(Touch { class: Class::Signals, key: of_process(op), act: Act::Change }),
        Kind::SignalTake if event.result < 0 || event.result & OF_PROCESS != 0 => {
            let act = if event.result < 0 { Act::Look } else { Act::Change };
            Some(Touch { class: Class::Signals, key: of_process(op), act })
        }
        Kind::FutexWait => {
            Some(Touch { class: Class::Memory, key: op.key, act: Act::Bytes { size: 4, is_write: false } })
        }
        _ => None,
    };
    match op.kind {
        Kind::End => {
            let key = Key { process: 0, address: event.lane.0.into() };
            [Some(Touch { class: Class::Thread, key, act: Act::Change }), None, None]
        }
        _ => [first, second, awareness(event)],
    }
}

fn queue_act(event: &Event) -> Act {
    let (from, to) = unpack_range(event.result);
    let (units, room) = unpack_range(event.op.value);
    match event.op.kind {
        Kind::QueuePut if event.result < 0 => Act::Find(Side::Readers),
        Kind::QueueReady if event.op.extra != 0 => Act::Find(Side::Readers),
        Kind::QueueReady => Act::Find(Side::Writers),
        _ if event.result < 0 || from == to => Act::Find(Side::Writers),
        _ if event.op.flags.has(Flags::CHOOSY) => Act::Change,
        Kind::QueuePut => Act::Put { from, to, room },
        _ => Act::Got { from, to, is_short: to - from < units },
    }
}

/// What is done to the ends of a pipe; none if others notice nothing.
fn ends_act(event: &Event) -> Option<Act> {
    let (readers, writers) = unpack_range(event.op.value);
    let (reads, writes) = ((readers as i32) < 0, (writers as i32) < 0);
    match event.result {
        ENDS_NEW => Some(Act::Change),
        _ if !reads && !writes => None,
        result => Some(Act::Close { is_last_to_read: result == ENDS_UNREAD, reads, writes }),
    }
}

/// A wait that ends when the lane is asked to end looks whether it is.
fn awareness(event: &Event) -> Option<Touch> {
    let key = Key { process: 0, address: event.lane.0.into() };
    event.op.flags.has(Flags::CANCELLABLE).then_some(Touch { class: Class::Cancellation, key, act: Act::Look })
}

fn first_act(event: &Event) -> Option<Act> {
    let woke = |result| {
        let (from, to) = unpack_range(result);
        Act::Woke(from, to)
    };
    let op = &event.op;
    Some(match op.kind {
        Kind::SemaphoreSet | Kind::JoinAny => return None,
        Kind::QueuePut | Kind::QueueGet | Kind::QueueReady => queue_act(event),
        Kind::QueueEnds => return ends_act(event),
        Kind::NameOpen if event.result != 1 => Act::Look,
        Kind::NameRemove if event.result == 0 => Act::Look,
        Kind::SemaphoreInit if event.result != 0 => Act::Look,
        Kind::Start | Kind::Create | Kind::Exit | Kind::Fail | Kind::Yield | Kind::Toss | Kind::Pause => return None,
        Kind::MutexTry | Kind::MutexLock | Kind::MutexUnlock if event.result != 0 => Act::Look,
        Kind::ReadTry | Kind::WriteTry if event.result != 0 => Act::Look,
        Kind::ReadLock | Kind::ReadTry => Act::Share,
        Kind::ReadWriteUnlock if event.result == 1 => Act::Share,
        Kind::ConditionEnter => Act::Queue,
        Kind::FutexWait if event.result < 0 => return None,
        Kind::FutexWait => Act::Queue,
        Kind::ConditionSignal | Kind::ConditionBroadcast | Kind::FutexWake => woke(event.result),
        Kind::ConditionLeave | Kind::FutexLeave if event.result != 0 => Act::GaveUp,
        Kind::ConditionLeave | Kind::FutexLeave => Act::Leave(op.value),
        Kind::BarrierArrive => Act::Arrive(event.result),
        Kind::BarrierLeave => Act::Pass(op.value),
        Kind::SemaphorePost => Act::Post(event.result),
        Kind::SemaphoreGet => Act::Look,
        Kind::SemaphoreTry | Kind::SemaphoreWait | Kind::Join | Kind::JoinTry if event.result < 0 => Act::Look,
        Kind::CancelTest => Act::Look,
        Kind::SignalSend if event.result != 0 => Act::Look,
        Kind::SignalTake if event.result < 0 || event.result & OF_PROCESS != 0 => Act::Look,
        Kind::Cancel if event.result != 0 => Act::Look,
        Kind::SemaphoreWait | Kind::SemaphoreTry => Act::Take(event.result),
        Kind::OnceBegin if event.result == 0 => Act::Look,
        Kind::Read | Kind::AtomicLoad => Act::Bytes { size: op.extra, is_write: false },
        Kind::AtomicUpdate => Act::Bytes { size: op.extra, is_write: event.result != 0 },
        Kind::Write | Kind::AtomicStore | Kind::Free => Act::Bytes { size: op.extra, is_write: true },
        _ => Act::Change,
    })
}
