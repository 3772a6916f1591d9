//! When an operation can be executed.

use crate::queues::may_move;
use crate::semaphores::may_change;
use crate::signals::arrived;
use crate::{Class, Flags, Key, Kind, Lane, Op, Status, World};

/// Whether a lane can execute an operation now.
///
/// `Exit` is never enabled here: a process exits when no other lane can do anything, which is for the one that picks
/// lanes to see.
pub fn is_enabled(world: &impl World, lane: Lane, op: &Op) -> bool {
    let is_over = op.flags.has(Flags::CANCELLABLE) && is_cancelled(world, lane);
    let object = || world.object(op.class(), op.key);
    match op.kind {
        Kind::Exit => false,
        Kind::Join => is_over || has_ended(world, op),
        Kind::MutexLock => is_lockable(world, lane, op),
        Kind::ReadLock => object().holder == 0,
        Kind::WriteLock => object().holder == 0 && object().count == 0,
        Kind::JoinAny => first_ended(world, op).is_some(),
        Kind::SemaphoreSet => may_change(world, op),
        Kind::QueuePut | Kind::QueueGet | Kind::QueueReady => may_move(world, op),
        Kind::SemaphoreWait => is_over || object().count > 0,
        Kind::OnceBegin => object().holder == 0,
        Kind::BarrierLeave => i64::from(object().turn) > op.value,
        Kind::ConditionLeave => {
            (is_over || may_leave(world, lane, op)) && world.object(Class::Mutex, op.mutex()).holder == 0
        }
        Kind::FutexLeave => may_leave(world, lane, op),
        Kind::SignalTake => op.flags.has(Flags::NO_WAIT) || arrived(world, op).is_some(),
        _ => true,
    }
}

/// Whether the lane that is joined has ended.
pub fn has_ended(world: &impl World, op: &Op) -> bool {
    Lane::of(op.key.address).is_some_and(|target| world.lane(target).status == Status::Ended)
}

/// The lanes of a set in two words.
pub fn lanes_of(op: &Op) -> impl Iterator<Item = Lane> + use<> {
    let words = [op.extra, op.value as u64];
    (0..128_u16).filter(move |lane| words[usize::from(lane / 64)] >> (lane % 64) & 1 == 1).map(Lane)
}

/// The first lane of a set that has ended.
pub fn first_ended(world: &impl World, op: &Op) -> Option<Lane> {
    lanes_of(op).find(|lane| world.lane(*lane).status == Status::Ended)
}

/// Whether a lane has been asked to end.
pub fn is_cancelled(world: &impl World, lane: Lane) -> bool {
    world.object(Class::Cancellation, Key { process: 0, address: lane.0.into() }).count > 0
}

fn is_lockable(world: &impl World, lane: Lane, op: &Op) -> bool {
    let mutex = world.object(Class::Mutex, op.key);
    let again = op.flags.has(Flags::RECURSIVE) || op.flags.has(Flags::CHECKED);
    mutex.holder == 0 || again && mutex.is_held_by(lane)
}

fn may_leave(world: &impl World, lane: Lane, op: &Op) -> bool {
    op.flags.has(Flags::TIMED) || world.lane(lane).is_woken
}
