//! The shared region, as the program sees it.

use super::finish::finish;
use super::hooks;
use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use operations::region::{self, Ending, input, lane, object, output};
use operations::{Class, Flags, Key, Lane, LaneSet, LaneState, Object, Op, Status, World};

static REGION: AtomicPtr<u64> = AtomicPtr::new(core::ptr::null_mut());

/// The region is mapped from here on.
pub fn set_region(address: *mut u64) {
    REGION.store(address, Ordering::Release);
}

/// Whether the region is mapped.
pub fn is_attached() -> bool {
    !REGION.load(Ordering::Relaxed).is_null()
}

/// A word of the region.
pub fn word(index: usize) -> &'static AtomicU64 {
    debug_assert!(index < region::BYTES / 8);
    // SAFETY: the region has as many bytes as `region::BYTES` says, and stays mapped until the process ends.
    unsafe { AtomicU64::from_ptr(REGION.load(Ordering::Relaxed).add(index)) }
}

pub fn get(index: usize) -> u64 {
    word(index).load(Ordering::Acquire)
}

/// Writes a word, and accounts for it: the sum first, as another thread may go on from here.
pub fn set(index: usize, value: u64) {
    if index < region::ACCOUNTED {
        account(index, get(index), value);
    }
    word(index).store(value, Ordering::Release);
}

/// The sum stands for another value of a word from here on.
pub fn account(index: usize, before: u64, after: u64) {
    if before != after {
        let change = region::share(index, after).wrapping_sub(region::share(index, before));
        word(output::SUM).store(get(output::SUM).wrapping_add(change), Ordering::Release);
    }
}

/// The program has written where it must not: the sum does not fit from here on.
pub fn spoil() {
    word(output::SUM).fetch_add(1, Ordering::AcqRel);
}

/// Accounts for the words as they are: from here on they change by [`set`] only.
pub fn account_for_all() {
    let lanes = lane::START + lane::WORDS * get(input::KNOWN) as usize;
    let shares = (0..lanes).filter(|index| region::is_accounted(*index)).map(|index| region::share(index, get(index)));
    let sum = shares.fold(0, u64::wrapping_add);
    word(output::SUM).store(sum, Ordering::Release);
}

/// The lane whose turn it is.
pub fn current() -> Lane {
    Lane(get(output::CURRENT) as u16)
}

/// A word of a lane.
pub fn at(of: Lane, field: usize) -> usize {
    lane::START + of.index() * lane::WORDS + field
}

/// The next operation of a lane.
pub fn pending(of: Lane) -> Op {
    let words = core::array::from_fn(|index| get(at(of, lane::PENDING + index)));
    Op::from_words(words).unwrap_or(Op::local(operations::Kind::Start, 0))
}

pub fn set_pending(of: Lane, op: &Op) {
    for (index, value) in op.to_words().into_iter().enumerate() {
        set(at(of, lane::PENDING + index), value);
    }
}

/// The lanes that are asleep at the branch.
pub fn sleep_at_branch() -> LaneSet {
    LaneSet::from_words(core::array::from_fn(|index| get(input::SLEEP + index)))
}

/// The lanes and objects of this run.
pub struct Here;

impl World for Here {
    fn object(&self, class: Class, key: Key) -> Object {
        let at = slot(class, key);
        if get(at) != get(input::RUN) {
            return Object::default();
        }
        let pair = |index| (get(at + index) as u32, (get(at + index) >> 32) as u32);
        let ((holder, count), (turn, need), (even, odd)) = (pair(3), pair(4), pair(5));
        Object { holder, count, turn, need, serial: [even, odd] }
    }

    fn set_object(&mut self, class: Class, key: Key, object: Object) {
        let at = slot(class, key);
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        set(at, get(input::RUN));
        set(at + 1, class as u64 | u64::from(key.process) << 8);
        set(at + 2, key.address);
        set(at + 3, pair(object.holder, object.count));
        set(at + 4, pair(object.turn, object.need));
        set(at + 5, pair(object.serial[0], object.serial[1]));
    }

    fn lane(&self, of: Lane) -> LaneState {
        let status = match get(at(of, lane::STATUS)) {
            0 => Status::Unborn,
            1 => Status::Alive,
            2 => Status::Ended,
            _ => Status::Stuck,
        };
        let queue = get(at(of, lane::QUEUE));
        let key = Key { process: (queue >> 8) as u16, address: get(at(of, lane::QUEUE_ADDRESS)) };
        let class = match queue as u8 {
            0 => None,
            number if number == Class::Condition as u8 => Some(Class::Condition),
            _ => Some(Class::Futex),
        };
        let ticket = get(at(of, lane::TICKET));
        LaneState { status, queue: class.map(|class| (class, key)), ticket: ticket as u32, is_woken: ticket >> 63 == 1 }
    }

    fn set_lane(&mut self, of: Lane, state: LaneState) {
        let status = match state.status {
            Status::Unborn => 0,
            Status::Alive => 1,
            Status::Ended => 2,
            Status::Stuck => 3,
        };
        set(at(of, lane::STATUS), status);
        let queue = state.queue.map_or(0, |(class, key)| class as u64 | u64::from(key.process) << 8);
        set(at(of, lane::QUEUE), queue);
        set(at(of, lane::QUEUE_ADDRESS), state.queue.map_or(0, |(_, key)| key.address));
        set(at(of, lane::TICKET), u64::from(state.ticket) | u64::from(state.is_woken) << 63);
    }

    fn lanes(&self) -> u16 {
        get(input::KNOWN) as u16
    }

    fn word(&self, key: Key, size: u64) -> u64 {
        // SAFETY: only words are asked for that the program is about to access itself. What only another process has is
        // not touched by what happens here: whatever is said of it, nothing depends on that.
        unsafe {
            match (hooks::place_of(key), size) {
                (None, _) => 0,
                (Some(place), 1) => u64::from(*(place as *const u8)),
                (Some(place), 2) => u64::from(*(place as *const u16)),
                (Some(place), 4) => u64::from(*(place as *const u32)),
                (Some(place), _) => *(place as *const u64),
            }
        }
    }
}

/// The slots of the first page, and how many of them are looked at for an object before others are.
const NEAR_SLOTS: usize = 4096 / 8 / object::WORDS;
const NEAR_PROBES: usize = 8;

/// Where an object is, or would be: slots of earlier runs are free.
fn slot(class: Class, key: Key) -> usize {
    let name = class as u64 | u64::from(key.process) << 8;
    let hash = (key.address ^ name << 48).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    let run = get(input::RUN);
    // A run that has few objects touches one page for all of them.
    let near = (0..NEAR_PROBES).map(|probe| (hash as usize + probe) % NEAR_SLOTS);
    let far = (0..object::SLOTS).map(|probe| (hash as usize + probe) % object::SLOTS);
    for index in near.chain(far) {
        let at = object::START + index * object::WORDS;
        if get(at) != run || get(at + 1) == name && get(at + 2) == key.address {
            return at;
        }
    }
    finish(Ending::Full, 0)
}

/// Which of the flags of a mutex are in its structure: byte 16 is its kind.
pub unsafe fn mutex_flags(mutex: *const u8) -> Flags {
    match *mutex.add(16) & 3 {
        1 => Flags::RECURSIVE,
        2 => Flags::CHECKED,
        _ => Flags::default(),
    }
}
