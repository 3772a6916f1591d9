//! Signals that are blocked: they stay where they were sent to until a lane that waits for them takes them.

use crate::{Class, Key, Kind, Object, Op, World};

/// The result of taking a signal that was sent to the process has this bit.
pub const OF_PROCESS: i64 = 1 << 8;

/// What is sent to a process.
pub fn signals_of_process(number: u64) -> Key {
    Key { process: 0, address: 1 << 32 | number }
}

/// The bit of a signal, from 1 to 32.
pub fn bit_of(signal: i64) -> u32 {
    1 << (signal - 1).clamp(0, 31)
}

/// Where the second place is that a lane takes signals from: its process.
pub fn of_process(op: &Op) -> Key {
    Key { process: 0, address: op.extra }
}

/// The signal that a lane would take: where it is, and which. What was sent to the lane itself comes first.
pub fn arrived(world: &impl World, op: &Op) -> Option<(Key, i64)> {
    [op.key, of_process(op)].into_iter().find_map(|place| {
        let wanted = world.object(Class::Signals, place).count & op.value as u32;
        (wanted != 0).then(|| (place, i64::from(wanted.trailing_zeros()) + 1))
    })
}

/// Executes an operation on signals.
pub fn on_signals(world: &mut impl World, op: &Op) -> i64 {
    match op.kind {
        Kind::SignalSend => send(world, op),
        Kind::SignalTake => take(world, op),
        _ => 0,
    }
}

fn send(world: &mut impl World, op: &Op) -> i64 {
    let before = world.object(Class::Signals, op.key);
    world.set_object(Class::Signals, op.key, Object { count: before.count | bit_of(op.value), ..before });
    i64::from(before.count & bit_of(op.value) != 0)
}

fn take(world: &mut impl World, op: &Op) -> i64 {
    let Some((place, signal)) = arrived(world, op) else { return -1 };
    let before = world.object(Class::Signals, place);
    world.set_object(Class::Signals, place, Object { count: before.count & !bit_of(signal), ..before });
    if place == op.key { signal } else { signal | OF_PROCESS }
}
