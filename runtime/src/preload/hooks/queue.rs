//! Queues of messages. The messages are in the region, in slots that all processes see.

use crate::preload::finish::unsupported;
use crate::preload::shared::{get, set, spoil, word};
use crate::preload::turn::visible;
use core::ffi::{c_int, c_long};
use operations::region::{self, input, slot};
use operations::{Flags, Key, Kind, Op, pack_range, unpack_range};

/// How many messages a queue holds that has no limit of its own.
pub const LARGEST_COUNT: u32 = 64;

/// Which message comes first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The one that was sent first.
    First,
    /// The one with the greatest kind, of those the one that was sent first.
    Urgent,
}

/// A message that was received.
pub struct Message {
    /// Its kind or priority.
    pub kind: c_long,
    /// How many bytes it has.
    pub length: usize,
    slot: usize,
}

impl Message {
    /// Copies at most as many bytes of it; how many.
    pub unsafe fn copy_to(&self, bytes: *mut u8, most: usize) -> usize {
        let length = self.length.min(most);
        core::ptr::copy_nonoverlapping(data(self.slot), bytes, length);
        length
    }
}

fn key(id: c_int) -> Key {
    Key { process: 0, address: id as u64 }
}

fn field(slot: usize, field: usize) -> usize {
    slot::START + slot * slot::WORDS + field
}

fn data(slot: usize) -> *mut u8 {
    word(field(slot, slot::DATA)).as_ptr().cast()
}

/// A number that stands for a message, so that one that is written over is noticed when it is received.
fn check(slot: usize) -> u64 {
    let length = (get(field(slot, slot::LENGTH)) as usize).min(slot::BYTES);
    let words = (slot::QUEUE..=slot::LENGTH).chain(slot::DATA..slot::DATA + length.div_ceil(8));
    words.map(|index| region::share(index, get(field(slot, index)))).fold(0, u64::wrapping_add)
}

/// Sends a message; negative if there is no room.
pub unsafe fn send(id: c_int, kind: c_long, bytes: *const u8, length: usize, room: u32, flags: Flags) -> i64 {
    if length > slot::BYTES {
        unsupported("messages of more than 1024 bytes");
    }
    let put = Op::on(Kind::QueuePut, key(id)).with_extra(kind as u64).valued(pack_range(1, room)).flagged(flags);
    let place = visible(put);
    if place < 0 {
        return place;
    }
    let free = (0..slot::COUNT).find(|slot| get(field(*slot, slot::RUN)) != get(input::RUN));
    let Some(free) = free else { unsupported("more than 128 messages that wait") };
    core::ptr::copy_nonoverlapping(bytes, data(free), length);
    let values = [get(input::RUN), id as u64, unpack_range(place).0.into(), kind as u64, length as u64];
    for (index, value) in values.into_iter().enumerate() {
        set(field(free, index), value);
    }
    set(field(free, slot::CHECK), check(free));
    0
}

/// Receives a message, of any kind if it is 0; none if there is none and the flags say not to wait.
pub unsafe fn receive(id: c_int, kind: c_long, order: Order, flags: Flags) -> Option<Message> {
    let flags = if kind != 0 { flags.with(Flags::CHOOSY) } else { flags };
    let op = Op::on(Kind::QueueGet, key(id)).with_extra(kind as u64).valued(pack_range(1, 0)).flagged(flags);
    if visible(op) < 0 {
        return None;
    }
    let Some(slot) = choose(id, kind, order).filter(|slot| get(field(*slot, slot::CHECK)) == check(*slot)) else {
        spoil();
        return None;
    };
    set(field(slot, slot::RUN), 0);
    Some(Message {
        kind: get(field(slot, slot::KIND)) as c_long,
        length: get(field(slot, slot::LENGTH)) as usize,
        slot,
    })
}

/// The slot of the message that comes next.
fn choose(id: c_int, kind: c_long, order: Order) -> Option<usize> {
    let is_meant = |slot: &usize| {
        get(field(*slot, slot::RUN)) == get(input::RUN)
            && get(field(*slot, slot::QUEUE)) == id as u64
            && (kind == 0 || order == Order::Urgent || get(field(*slot, slot::KIND)) == kind as u64)
    };
    let rank = |slot: &usize| {
        let urgency = if order == Order::Urgent { get(field(*slot, slot::KIND)) } else { 0 };
        (u64::MAX - urgency, get(field(*slot, slot::PLACE)))
    };
    (0..slot::COUNT).filter(is_meant).min_by_key(rank)
}

/// The kind of the message that a lane would receive that takes any, in the order in which they were sent.
pub fn first_kind(id: u64) -> u64 {
    choose(id as c_int, 0, Order::First).map_or(0, |slot| get(field(slot, slot::KIND)))
}
