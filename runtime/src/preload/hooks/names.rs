//! Names that processes find shared objects by: keys of System V, paths of POSIX.
//!
//! The number of an object follows from its name, or from the lane that creates it, and never from the order in which
//! objects are created: lanes that create different ones do not concern each other.

use crate::preload::attach::{is_running, serve};
use crate::preload::real::error;
use crate::preload::shared::{self, at, current, set};
use crate::preload::turn::visible;
use core::ffi::{CStr, c_char, c_int};
use operations::region::lane;
use operations::{Flags, Key, Kind, Op};

/// What names are for.
#[derive(Clone, Copy)]
pub enum Space {
    Semaphores = 1,
    Queues = 2,
    Memory = 3,
    Semaphore = 4,
    Messages = 5,
    Mapped = 6,
}

const ENOENT: c_int = 2;
const EEXIST: c_int = 17;
/// Numbers from here on have no name.
const PRIVATE: c_int = 1 << 30;

fn key(space: Space, id: c_int) -> Key {
    Key { process: 0, address: (space as u64) << 32 | id as u64 }
}

/// The number of a key of System V; a new one if the key says that it is private.
pub unsafe fn of_key(space: Space, name: c_int, flags: c_int) -> c_int {
    const CREATE: c_int = 0o1000;
    const EXCLUSIVE: c_int = 0o2000;
    if name == 0 {
        return private();
    }
    let wish = wish(flags & CREATE != 0, flags & EXCLUSIVE != 0);
    open(space, (name as u32 % PRIVATE as u32) as c_int, wish)
}

/// The number of a path of POSIX, with the flags of `open`.
pub unsafe fn of_path(space: Space, path: *const c_char, flags: c_int) -> c_int {
    const CREATE: c_int = 0o100;
    const EXCLUSIVE: c_int = 0o200;
    let wish = wish(flags & CREATE != 0, flags & EXCLUSIVE != 0);
    open(space, hash(path), wish)
}

unsafe fn hash(path: *const c_char) -> c_int {
    let bytes = CStr::from_ptr(path).to_bytes();
    let mixed = bytes.iter().fold(7_u64, |hash, byte| hash.wrapping_mul(0x0100_0000_01b3) ^ u64::from(*byte));
    (mixed % PRIVATE as u64) as c_int
}

/// A number that no other object has: the lane that creates it, and how many it has created.
pub unsafe fn private() -> c_int {
    if !is_running() {
        serve();
    }
    let me = current();
    let count = shared::get(at(me, lane::PRIVATE));
    set(at(me, lane::PRIVATE), count + 1);
    PRIVATE | c_int::from(me.0) << 12 | count as c_int & 0xfff
}

/// Whether an object is to be created, and must not be there yet.
fn wish(creates: bool, is_exclusive: bool) -> Flags {
    match (creates, is_exclusive) {
        (false, _) => Flags::default(),
        (true, false) => Flags::CREATES,
        (true, true) => Flags::CREATES.with(Flags::EXCLUSIVE),
    }
}

unsafe fn open(space: Space, id: c_int, wish: Flags) -> c_int {
    match visible(Op::on(Kind::NameOpen, key(space, id)).flagged(wish)) {
        -1 => error(ENOENT),
        -2 => error(EEXIST),
        _ => id,
    }
}

/// The name is free again. What has the object open keeps it.
pub unsafe fn remove(space: Space, id: c_int) -> c_int {
    if id < PRIVATE {
        visible(Op::on(Kind::NameRemove, key(space, id)));
    }
    0
}

/// As `remove`, by path.
pub unsafe fn remove_path(space: Space, path: *const c_char) -> c_int {
    match visible(Op::on(Kind::NameRemove, key(space, hash(path)))) {
        0 => error(ENOENT),
        _ => 0,
    }
}
