//! When an operation can be executed.

use crate::{Class, Flags, Kind, Lane, Op, Status, World};

/// Whether a lane can execute an operation now.
///
/// `Exit` is never enabled here: a process exits when no other lane can do anything, which is for the one that picks
/// lanes to see.
pub fn is_enabled(world: &impl World, lane: Lane, op: &Op) -> bool {
    let object = || world.object(op.class(), op.key);
    match op.kind {
        Kind::Exit => false,
        Kind::Join => Lane::of(op.key.address).is_some_and(|target| world.lane(target).status == Status::Ended),
        Kind::MutexLock => is_lockable(world, lane, op),
        Kind::ReadLock => object().holder == 0,
        Kind::WriteLock => object().holder == 0 && object().count == 0,
        Kind::SemaphoreWait => object().count > 0,
        Kind::OnceBegin => object().holder == 0,
        Kind::BarrierLeave => i64::from(object().turn) > op.value,
        Kind::ConditionLeave => may_leave(world, lane, op) && world.object(Class::Mutex, op.mutex()).holder == 0,
        Kind::FutexLeave => may_leave(world, lane, op),
        _ => true,
    }
}

fn is_lockable(world: &impl World, lane: Lane, op: &Op) -> bool {
    let mutex = world.object(Class::Mutex, op.key);
    let again = op.flags.has(Flags::RECURSIVE) || op.flags.has(Flags::CHECKED);
    mutex.holder == 0 || again && mutex.is_held_by(lane)
}

fn may_leave(world: &impl World, lane: Lane, op: &Op) -> bool {
    op.flags.has(Flags::TIMED) || world.lane(lane).is_woken
}
