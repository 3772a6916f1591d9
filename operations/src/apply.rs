//! What operations do.

use crate::enabled::{first_ended, has_ended};
use crate::queues::on_queue;
use crate::semaphores::change;
use crate::signals::on_signals;
use crate::{Class, Flags, Key, Kind, Lane, LaneState, Object, Op, Status, World, pack_range};

/// The error numbers that Linux answers with.
const EPERM: i64 = 1;
const EBUSY: i64 = 16;
const EDEADLK: i64 = 35;
const ETIMEDOUT: i64 = 110;

/// The size of the words that lanes wait at.
const FUTEX_BYTES: u64 = 4;

/// A mistake of the program that the operation itself shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misuse {
    /// A lock was released by a lane that does not hold it.
    NotHeld,
}

/// What an operation came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Applied {
    /// Its result.
    pub result: i64,
    /// The mistake that it is, if it is one.
    pub misuse: Option<Misuse>,
}

/// What an operation would result in, which has to be enabled.
pub fn foresee(world: &impl World, lane: Lane, op: &Op) -> i64 {
    apply(&mut Glance(world), lane, op).result
}

/// A world that stays as it is.
struct Glance<'a, W>(&'a W);

impl<W: World> World for Glance<'_, W> {
    fn object(&self, class: Class, key: Key) -> Object {
        self.0.object(class, key)
    }

    fn set_object(&mut self, _: Class, _: Key, _: Object) {}

    fn lane(&self, lane: Lane) -> LaneState {
        self.0.lane(lane)
    }

    fn set_lane(&mut self, _: Lane, _: LaneState) {}

    fn lanes(&self) -> u16 {
        self.0.lanes()
    }

    fn word(&self, key: Key, size: u64) -> u64 {
        self.0.word(key, size)
    }
}

/// Executes an operation, which has to be enabled.
pub fn apply(world: &mut impl World, lane: Lane, op: &Op) -> Applied {
    let result = match op.class() {
        Class::Mutex => return on_mutex(world, lane, op),
        Class::ReadWrite => return on_read_write(world, lane, op),
        Class::None | Class::Thread => on_lane(world, lane, op),
        Class::Condition => on_condition(world, lane, op),
        Class::Barrier => on_barrier(world, lane, op),
        Class::Semaphore => on_semaphore(world, op),
        Class::Once => on_once(world, lane, op),
        Class::Futex => on_futex(world, lane, op),
        Class::Memory => on_memory(world, op),
        Class::Cancellation => on_cancellation(world, op),
        Class::Name => on_name(world, op),
        Class::Queue => on_queue(world, op),
        Class::Signals => on_signals(world, op),
    };
    Applied { result, misuse: None }
}

fn on_lane(world: &mut impl World, lane: Lane, op: &Op) -> i64 {
    match op.kind {
        Kind::End => set_status(world, lane, Status::Ended),
        Kind::Fail => set_status(world, lane, Status::Stuck),
        Kind::Create => {
            if let Some(created) = Lane::of(op.value as u64) {
                set_status(world, created, Status::Alive);
            }
        }
        Kind::JoinAny => return first_ended(world, op).map_or(-1, |lane| lane.0.into()),
        Kind::Join | Kind::JoinTry => return if has_ended(world, op) { op.value } else { -1 },
        _ => {}
    }
    op.value
}

/// Whether it changes memory, if it is an update.
fn on_memory(world: &impl World, op: &Op) -> i64 {
    let is_there = || world.word(op.key, op.extra) == op.value as u64;
    let is_kept = match op.kind {
        Kind::AtomicUpdate if op.flags.has(Flags::COMPARES) => !is_there(),
        Kind::AtomicUpdate if op.flags.has(Flags::SETS) => is_there(),
        _ => false,
    };
    i64::from(!is_kept)
}

fn on_name(world: &mut impl World, op: &Op) -> i64 {
    let is_taken = world.object(Class::Name, op.key).count > 0;
    let (after, result) = match (op.kind, is_taken) {
        (Kind::NameRemove, _) => (0, is_taken.into()),
        (_, true) => (1, if op.flags.has(Flags::EXCLUSIVE) { -2 } else { 0 }),
        (_, false) if op.flags.has(Flags::CREATES) => (1, 1),
        (_, false) => (0, -1),
    };
    world.set_object(Class::Name, op.key, Object { count: after, ..Object::default() });
    result
}

/// Whether the lane had been asked to end before.
fn on_cancellation(world: &mut impl World, op: &Op) -> i64 {
    let before = world.object(Class::Cancellation, op.key);
    if op.kind == Kind::Cancel {
        world.set_object(Class::Cancellation, op.key, Object { count: 1, ..before });
    }
    before.count.into()
}

fn set_status(world: &mut impl World, lane: Lane, status: Status) {
    let state = LaneState { status, ..world.lane(lane) };
    world.set_lane(lane, state);
}

fn fine(result: i64) -> Applied {
    Applied { result, misuse: None }
}

fn on_mutex(world: &mut impl World, lane: Lane, op: &Op) -> Applied {
    let mutex = world.object(Class::Mutex, op.key);
    match op.kind {
        Kind::MutexInit => {
            world.set_object(Class::Mutex, op.key, Object::default());
            fine(0)
        }
        Kind::MutexUnlock => unlock(world, lane, op, mutex),
        _ if mutex.holder == 0 => {
            acquire(world, lane, op.key);
            fine(0)
        }
        _ if mutex.is_held_by(lane) && op.flags.has(Flags::RECURSIVE) => {
            world.set_object(Class::Mutex, op.key, Object { count: mutex.count + 1, ..mutex });
            fine(0)
        }
        Kind::MutexLock => fine(EDEADLK),
        _ if op.flags.has(Flags::TIMED) => fine(ETIMEDOUT),
        _ => fine(EBUSY),
    }
}

fn acquire(world: &mut impl World, lane: Lane, key: Key) {
    let held = Object { holder: u32::from(lane.0) + 1, count: 1, ..Object::default() };
    world.set_object(Class::Mutex, key, held);
}

fn unlock(world: &mut impl World, lane: Lane, op: &Op, mutex: Object) -> Applied {
    if !mutex.is_held_by(lane) && op.flags.has(Flags::CHECKED) {
        return fine(EPERM);
    }
    let misuse = (!mutex.is_held_by(lane)).then_some(Misuse::NotHeld);
    let left = mutex.count.saturating_sub(1);
    let after = if left == 0 { Object::default() } else { Object { count: left, ..mutex } };
    world.set_object(Class::Mutex, op.key, after);
    Applied { result: 0, misuse }
}

fn on_read_write(world: &mut impl World, lane: Lane, op: &Op) -> Applied {
    let lock = world.object(Class::ReadWrite, op.key);
    let holder = u32::from(lane.0) + 1;
    let (after, result) = match op.kind {
        Kind::ReadWriteInit => (Object::default(), 0),
        Kind::ReadLock | Kind::ReadTry if lock.holder == 0 => (Object { count: lock.count + 1, ..lock }, 0),
        Kind::WriteLock | Kind::WriteTry if lock.holder == 0 && lock.count == 0 => (Object { holder, ..lock }, 0),
        Kind::ReadWriteUnlock if lock.is_held_by(lane) => (Object { holder: 0, ..lock }, 2),
        Kind::ReadWriteUnlock if lock.count > 0 => (Object { count: lock.count - 1, ..lock }, 1),
        Kind::ReadWriteUnlock => return Applied { result: 2, misuse: Some(Misuse::NotHeld) },
        _ => (lock, EBUSY),
    };
    world.set_object(Class::ReadWrite, op.key, after);
    fine(result)
}

fn on_condition(world: &mut impl World, lane: Lane, op: &Op) -> i64 {
    match op.kind {
        Kind::ConditionInit => {
            world.set_object(Class::Condition, op.key, Object::default());
            0
        }
        Kind::ConditionEnter => {
            world.set_object(Class::Mutex, op.mutex(), Object::default());
            queue_up(world, lane, Class::Condition, op.key)
        }
        Kind::ConditionLeave => {
            acquire(world, lane, op.mutex());
            leave(world, lane)
        }
        Kind::ConditionSignal => wake(world, Class::Condition, op.key, 1),
        _ => wake(world, Class::Condition, op.key, u32::MAX),
    }
}

/// Queues a lane up; its ticket.
fn queue_up(world: &mut impl World, lane: Lane, class: Class, key: Key) -> i64 {
    let queue = world.object(class, key);
    world.set_object(class, key, Object { turn: queue.turn + 1, ..queue });
    let state = LaneState { queue: Some((class, key)), ticket: queue.turn, is_woken: false, ..world.lane(lane) };
    world.set_lane(lane, state);
    queue.turn.into()
}

/// A lane leaves the queue that it waits in; 0 if it was woken.
fn leave(world: &mut impl World, lane: Lane) -> i64 {
    let state = world.lane(lane);
    world.set_lane(lane, LaneState { queue: None, is_woken: false, ..state });
    if state.is_woken { 0 } else { ETIMEDOUT }
}

/// Wakes lanes, the one that has waited longest first; the tickets that were woken.
fn wake(world: &mut impl World, class: Class, key: Key, how_many: u32) -> i64 {
    let end = world.object(class, key).turn;
    let mut woken: Option<(u32, u32)> = None;
    for _ in 0..how_many {
        let least = woken.map_or(0, |(_, to)| to);
        let Some((ticket, lane)) = first_in(world, class, key, least) else { break };
        let state = LaneState { is_woken: true, ..world.lane(lane) };
        world.set_lane(lane, state);
        woken = Some((woken.map_or(ticket, |(from, _)| from), ticket + 1));
    }
    let (from, to) = woken.unwrap_or((end, end));
    pack_range(from, to)
}

/// The lane that has waited longest, of those with tickets from `least` on.
fn first_in(world: &impl World, class: Class, key: Key, least: u32) -> Option<(u32, Lane)> {
    let waits = |state: &LaneState| state.queue == Some((class, key)) && !state.is_woken && state.ticket >= least;
    let waiting = (0..world.lanes()).map(|lane| (world.lane(Lane(lane)), Lane(lane)));
    waiting
        .filter(|(state, _)| waits(state))
        .map(|(state, lane)| (state.ticket, lane))
        .min_by_key(|(ticket, _)| *ticket)
}

fn on_barrier(world: &mut impl World, lane: Lane, op: &Op) -> i64 {
    let barrier = world.object(Class::Barrier, op.key);
    match op.kind {
        Kind::BarrierInit => {
            let fresh = Object { need: op.value as u32, ..Object::default() };
            world.set_object(Class::Barrier, op.key, fresh);
            0
        }
        Kind::BarrierArrive => {
            world.set_object(Class::Barrier, op.key, arrived(barrier, lane));
            barrier.turn.into()
        }
        _ => i64::from(barrier.serial[op.value as usize % 2] == u32::from(lane.0) + 1),
    }
}

/// A barrier after a lane has arrived. The lowest lane of a generation is the serial one, so that who arrives last
/// does not matter.
fn arrived(mut barrier: Object, lane: Lane) -> Object {
    let serial = &mut barrier.serial[barrier.turn as usize % 2];
    let mine = u32::from(lane.0) + 1;
    *serial = if barrier.count == 0 { mine } else { mine.min(*serial) };
    barrier.count += 1;
    if barrier.count >= barrier.need {
        barrier.count = 0;
        barrier.turn += 1;
    }
    barrier
}

/// The result of a post is its number, that of a wait the number of posts without which it could not have happened.
fn on_semaphore(world: &mut impl World, op: &Op) -> i64 {
    let mut semaphore = world.object(Class::Semaphore, op.key);
    let result = match op.kind {
        Kind::SemaphoreSet => return change(world, op),
        Kind::SemaphoreInit if op.flags.has(Flags::ONCE) && semaphore.serial[1] != 0 => 1,
        Kind::SemaphoreInit => {
            let count = op.value as u32;
            semaphore = Object { count, serial: [count, 1], ..Object::default() };
            0
        }
        Kind::SemaphorePost => {
            semaphore.count += 1;
            semaphore.turn += 1;
            semaphore.turn.into()
        }
        Kind::SemaphoreGet => semaphore.count.into(),
        _ if semaphore.count == 0 => -1,
        _ => {
            semaphore.count -= 1;
            semaphore.need += 1;
            semaphore.need.saturating_sub(semaphore.serial[0]).into()
        }
    };
    world.set_object(Class::Semaphore, op.key, semaphore);
    result
}

fn on_once(world: &mut impl World, lane: Lane, op: &Op) -> i64 {
    let once = world.object(Class::Once, op.key);
    let (after, result) = match op.kind {
        Kind::OnceBegin if once.count == 1 => (once, 0),
        Kind::OnceBegin => (Object { holder: u32::from(lane.0) + 1, ..once }, 1),
        Kind::OnceEnd => (Object { count: 1, ..Object::default() }, 0),
        _ => (Object::default(), 0),
    };
    world.set_object(Class::Once, op.key, after);
    result
}

fn on_futex(world: &mut impl World, lane: Lane, op: &Op) -> i64 {
    match op.kind {
        Kind::FutexWait if world.word(op.key, FUTEX_BYTES) != op.value as u64 => -1,
        Kind::FutexWait => queue_up(world, lane, Class::Futex, op.key),
        Kind::FutexLeave => leave(world, lane),
        _ => wake(world, Class::Futex, op.key, op.value.clamp(0, u32::MAX.into()) as u32),
    }
}
