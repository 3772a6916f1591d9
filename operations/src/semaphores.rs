//! Several changes of semaphores at once (`semop`), in two words.

use crate::{Class, Flags, Key, Kind, Op, World};

/// How many changes there can be.
const MOST: usize = 8;
/// The number that no semaphore of a set has.
const UNUSED: u64 = 0xff;

/// Changes of numbered semaphores as two words; none if they do not fit.
pub fn pack_changes(changes: impl Iterator<Item = (u16, i16)>) -> Option<[u64; 2]> {
    let mut bytes = [UNUSED; MOST];
    for (index, (number, by)) in changes.enumerate() {
        let (number, by) = (u8::try_from(number).ok()?, i8::try_from(by).ok()?);
        *bytes.get_mut(index)? = u64::from(number) | u64::from(by as u8) << 8;
    }
    let word = |half: &[u64]| half.iter().rev().fold(0, |word, entry| word << 16 | entry);
    Some([word(&bytes[..MOST / 2]), word(&bytes[MOST / 2..])])
}

/// The changes of an operation: the semaphores, and by how much.
pub fn changes(op: &Op) -> impl Iterator<Item = (Key, i32)> + use<> {
    let (kind, key, words) = (op.kind, op.key, [op.extra, op.value as u64]);
    let entries = (0..MOST).map(move |index| words[index / 4] >> (index % 4 * 16) & 0xffff);
    let meant = entries.take_while(move |entry| kind == Kind::SemaphoreSet && entry & 0xff != UNUSED);
    meant.map(move |entry| (Key { address: key.address | entry & 0xff, ..key }, i32::from((entry >> 8) as u8 as i8)))
}

/// Whether all changes can be made one after the other.
pub fn can_change(world: &impl World, op: &Op) -> bool {
    let before = |place: usize, key: Key| -> i64 {
        let earlier = changes(op).take(place).filter(|(other, _)| *other == key);
        earlier.map(|(_, by)| i64::from(by)).sum::<i64>() + i64::from(world.object(Class::Semaphore, key).count)
    };
    changes(op).enumerate().all(|(place, (key, by))| match by {
        0 => before(place, key) == 0,
        by => before(place, key) + i64::from(by) >= 0,
    })
}

/// Makes the changes, if all can be made; 0, or -1 if not.
pub fn change(world: &mut impl World, op: &Op) -> i64 {
    if !can_change(world, op) {
        return -1;
    }
    for (key, by) in changes(op) {
        let mut semaphore = world.object(Class::Semaphore, key);
        semaphore.count = semaphore.count.wrapping_add_signed(by);
        semaphore.turn += by.max(0) as u32;
        semaphore.need += (-by).max(0) as u32;
        world.set_object(Class::Semaphore, key, semaphore);
    }
    0
}

/// Whether the changes are made at once or not at all.
pub fn may_change(world: &impl World, op: &Op) -> bool {
    op.flags.has(Flags::NO_WAIT) || can_change(world, op)
}
