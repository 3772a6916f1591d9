//! Memory that processes share.
//!
//! Memory with a name is a part of the region, at the same offset for all processes; memory without one is shared by a
//! process and those that it creates. An address in it means the same for all of them.

use super::hook;
use super::names::{self, Space};
use crate::preload::attach::{is_running, serve};
use crate::preload::finish::unsupported;
use crate::preload::real::error;
use crate::preload::shared::{at, current, get, is_attached, set, word};
use crate::preload::sys;
use core::ffi::{c_char, c_int};
use operations::Key;
use operations::region::{input, lane, memory};

hook! {
    mmap => mmap;
    mmap64 => mmap;
    shm_open => shm_open;
    shm_unlink => shm_unlink;
    ftruncate => truncate;
    ftruncate64 => truncate;
}

/// The bytes of a piece of named memory: pieces are found by their numbers, as names are.
const PIECE: usize = memory::PIECE_WORDS * 8;
/// The first descriptor of named memory: no file has it.
const FIRST: c_int = 1 << 21;
const MOST: usize = 32;
/// The named memory that descriptors of this process stand for.
static mut OPEN: [c_int; MOST] = [-1; MOST];

/// Keys of shared memory: with a name or without, its number, and where in it.
const NAMED: u64 = 1 << 62;
const UNNAMED: u64 = 1 << 61;
const OFFSET_BITS: u32 = 24;

/// Memory without a name: where it begins and ends, and its number.
static mut RANGES: [(u64, u64, c_int); MOST] = [(0, 0, 0); MOST];
static mut COUNT: usize = 0;

/// The piece of a number, which is cleared when a run comes to it first.
unsafe fn piece(id: c_int) -> usize {
    for piece in 0..memory::PIECES {
        let head = memory::HEADS + piece * 2;
        if get(head) == get(input::RUN) && get(head + 1) == id as u64 {
            return piece;
        }
    }
    for piece in 0..memory::PIECES {
        let head = memory::HEADS + piece * 2;
        if get(head) != get(input::RUN) {
            set(head, get(input::RUN));
            set(head + 1, id as u64);
            start(piece).write_bytes(0, PIECE);
            return piece;
        }
    }
    unsupported("more than 64 pieces of shared memory or named semaphores")
}

fn start(piece: usize) -> *mut u8 {
    word(memory::START + piece * memory::PIECE_WORDS).as_ptr().cast()
}

/// An address that stands for a number.
pub unsafe fn address_of(id: c_int) -> *mut u8 {
    start(piece(id))
}

/// What an address in shared memory means to all processes.
pub unsafe fn key_of(address: u64) -> Option<Key> {
    if !is_attached() {
        return None;
    }
    let from = start(0) as u64;
    let to = from + (memory::PIECES * PIECE) as u64;
    if (from..to).contains(&address) {
        let piece = (address - from) as usize / PIECE;
        let id = get(memory::HEADS + piece * 2 + 1);
        return Some(Key { process: 0, address: NAMED | id << OFFSET_BITS | ((address - from) % PIECE as u64) });
    }
    let range = (0..COUNT).map(|index| RANGES[index]).find(|(from, to, _)| (*from..*to).contains(&address));
    range.map(|(from, _, id)| Key { process: 0, address: UNNAMED | (id as u64) << OFFSET_BITS | (address - from) })
}

/// Where this process has what a key means: the other way round. None if it has it nowhere.
pub unsafe fn place_of(key: Key) -> Option<u64> {
    let (id, offset) = ((key.address & !(NAMED | UNNAMED)) >> OFFSET_BITS, key.address & ((1 << OFFSET_BITS) - 1));
    match key.process {
        0 if key.address & NAMED != 0 => Some(address_of(id as c_int) as u64 + offset),
        0 => {
            let range = (0..COUNT).map(|index| RANGES[index]).find(|(_, _, other)| *other as u64 == id);
            range.map(|(from, _, _)| from + offset)
        }
        process => (u64::from(process) == get(at(current(), lane::PROCESS))).then_some(key.address),
    }
}

unsafe extern "C" fn mmap(address: u64, length: u64, protection: u64, flags: u64, file: u64, offset: u64) -> i64 {
    const SHARED: u64 = 1;
    const WRITE: u64 = 2;
    const ANONYMOUS: u64 = 0x20;
    const MMAP: u64 = 9;
    if let Some(id) = opened(file as c_int) {
        check_size((length + offset) as usize);
        return address_of(id).add(offset as usize) as i64;
    }
    let is_shared = flags & SHARED != 0 && protection & WRITE != 0;
    if is_shared && flags & ANONYMOUS == 0 {
        unsupported("files that are mapped to be written and shared");
    }
    // What is shared must not outlive a run.
    if is_shared && !is_running() {
        serve();
    }
    let result = sys::call(MMAP, [address, length, protection, flags, file, offset]);
    if (-4095..0).contains(&result) {
        return error(-result as c_int).into();
    }
    if is_shared {
        remember(result as u64, length);
    }
    result
}

unsafe fn remember(from: u64, length: u64) {
    if COUNT == MOST || length >= 1 << OFFSET_BITS {
        unsupported("more than 32 pieces of shared memory, or one of 16 megabytes or more");
    }
    RANGES[COUNT] = (from, from + length, names::private());
    COUNT += 1;
}

unsafe fn check_size(size: usize) {
    if size > PIECE {
        unsupported("named shared memory of more than 64 kilobytes");
    }
}

/// Named memory has a size.
pub unsafe fn make(id: c_int, size: usize) {
    check_size(size);
    piece(id);
}

unsafe fn opened(file: c_int) -> Option<c_int> {
    usize::try_from(file - FIRST).ok().and_then(|index| OPEN.get(index).copied()).filter(|id| *id >= 0)
}

unsafe extern "C" fn shm_open(name: *const c_char, flags: c_int) -> c_int {
    let id = names::of_path(Space::Mapped, name, flags);
    if id < 0 {
        return -1;
    }
    let Some(free) = (0..MOST).find(|index| OPEN[*index] < 0) else { unsupported("more than 32 pieces of memory") };
    OPEN[free] = id;
    FIRST + free as c_int
}

unsafe extern "C" fn shm_unlink(name: *const c_char) -> c_int {
    names::remove_path(Space::Mapped, name)
}

unsafe extern "C" fn truncate(file: c_int, length: u64) -> c_int {
    const FTRUNCATE: u64 = 77;
    if opened(file).is_some() {
        check_size(length as usize);
        return 0;
    }
    let result = sys::call(FTRUNCATE, [file as u64, length, 0, 0, 0, 0]);
    if result < 0 { error(-result as c_int) } else { 0 }
}
