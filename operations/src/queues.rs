//! Queues of messages, and pipes, which are queues of bytes. Only how much is in them matters here.

use crate::{Class, Flags, Key, Kind, Object, Op, World, pack_range, unpack_range};

/// The result of a change of the ends of a pipe: nothing reads it any more.
pub const ENDS_UNREAD: i64 = 1;
/// The first ones to read or to write.
pub const ENDS_NEW: i64 = 2;

/// The messages of one kind in a queue.
fn of_kind(op: &Op) -> Key {
    Key { process: 0x8000 | op.extra as u16 & 0x7fff, address: op.key.address }
}

/// In the state of a queue, `count` is how much is in it, `turn` and the odd `serial` how much was ever put and taken,
/// `holder` and the even `serial` how many can read and write it.
fn queue(world: &impl World, op: &Op) -> Object {
    world.object(Class::Queue, op.key)
}

fn fits(queue: &Object, op: &Op) -> bool {
    let (units, room) = unpack_range(op.value);
    queue.count + units <= room
}

fn is_broken(queue: &Object, op: &Op) -> bool {
    op.flags.has(Flags::ENDS) && queue.holder == 0
}

fn is_over(queue: &Object, op: &Op) -> bool {
    op.flags.has(Flags::ENDS) && queue.serial[0] == 0
}

/// What a look at an end of a pipe gives.
fn readiness(queue: &Object, op: &Op) -> i64 {
    match op.extra {
        0 if queue.count > 0 => 1,
        0 if is_over(queue, op) => 2,
        0 => 0,
        _ if is_broken(queue, op) => 2,
        _ => fits(queue, op).into(),
    }
}

fn has_some(world: &impl World, op: &Op) -> bool {
    match op.flags.has(Flags::CHOOSY) {
        true => world.object(Class::Queue, of_kind(op)).count > 0,
        false => queue(world, op).count > 0,
    }
}

/// Whether an operation on a queue can be executed now.
pub fn may_move(world: &impl World, op: &Op) -> bool {
    let queue = queue(world, op);
    match op.kind {
        Kind::QueuePut => op.flags.has(Flags::NO_WAIT) || fits(&queue, op) || is_broken(&queue, op),
        Kind::QueueGet => op.flags.has(Flags::NO_WAIT) || has_some(world, op) || is_over(&queue, op),
        Kind::QueueReady => op.flags.has(Flags::NO_WAIT) || readiness(&queue, op) != 0,
        _ => true,
    }
}

/// Executes an operation on a queue.
pub fn on_queue(world: &mut impl World, op: &Op) -> i64 {
    let mut queue = queue(world, op);
    let result = match op.kind {
        Kind::QueuePut if is_broken(&queue, op) => -1,
        Kind::QueuePut if !fits(&queue, op) => -2,
        Kind::QueuePut => put(world, &mut queue, op),
        Kind::QueueGet if has_some(world, op) => get(world, &mut queue, op),
        Kind::QueueGet if is_over(&queue, op) => pack_range(queue.serial[1], queue.serial[1]),
        Kind::QueueGet => -2,
        Kind::QueueReady => return readiness(&queue, op),
        _ => change_ends(&mut queue, op),
    };
    world.set_object(Class::Queue, op.key, queue);
    result
}

/// The result says whether the last one to read is gone, or whether there was none to read or to write before.
fn change_ends(queue: &mut Object, op: &Op) -> i64 {
    let (readers, writers) = unpack_range(op.value);
    let comes = |before: u32, by: u32| before == 0 && (by as i32) > 0;
    let is_new = comes(queue.holder, readers) || comes(queue.serial[0], writers);
    queue.holder = queue.holder.wrapping_add(readers);
    queue.serial[0] = queue.serial[0].wrapping_add(writers);
    let is_last = (readers as i32) < 0 && queue.holder == 0;
    if is_new { ENDS_NEW } else { i64::from(is_last) * ENDS_UNREAD }
}

fn put(world: &mut impl World, queue: &mut Object, op: &Op) -> i64 {
    let (units, _) = unpack_range(op.value);
    let from = queue.turn;
    queue.turn += units;
    queue.count += units;
    count_kind(world, op, 1);
    pack_range(from, queue.turn)
}

fn get(world: &mut impl World, queue: &mut Object, op: &Op) -> i64 {
    let (most, _) = unpack_range(op.value);
    let from = queue.serial[1];
    let units = queue.count.min(most);
    queue.serial[1] += units;
    queue.count -= units;
    count_kind(world, op, -1);
    pack_range(from, queue.serial[1])
}

fn count_kind(world: &mut impl World, op: &Op, by: i32) {
    if op.extra != 0 {
        let kind = world.object(Class::Queue, of_kind(op));
        world.set_object(Class::Queue, of_kind(op), Object { count: kind.count.wrapping_add_signed(by), ..kind });
    }
}
