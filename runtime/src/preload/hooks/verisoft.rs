//! What programs can say to us: `uwbmc.h`, and the functions of the software verification competition.

use super::ending::fail;
use super::{hook, key};
use crate::preload::attach::{is_running, serve};
use crate::preload::finish::{note, say};
use crate::preload::shared::{Here, current, get, set};
use crate::preload::turn::{depart, visible};
use core::ffi::{CStr, c_char, c_int};
use operations::region::{Ending, name, output};
use operations::{Class, Flags, Key, Kind, Op, SECTIONS, World};

hook! {
    VS_toss => toss;
    VS_assert => assert;
    VS_name => name;
    reach_error => error;
    __VERIFIER_error => error;
    __VERIFIER_assert => assert;
    __VERIFIER_assume => assume;
    __VERIFIER_nondet_bool => any_bool;
    __VERIFIER_nondet_int => any_number;
    __VERIFIER_nondet_uint => any_number;
    __VERIFIER_nondet_long => any_number;
    __VERIFIER_nondet_ulong => any_number;
    __VERIFIER_nondet_short => any_number;
    __VERIFIER_nondet_ushort => any_number;
    __VERIFIER_nondet_char => any_number;
    __VERIFIER_nondet_uchar => any_number;
    __VERIFIER_atomic_begin => atomic_begin;
    __VERIFIER_atomic_end => atomic_end;
    __ESBMC_atomic_begin => atomic_begin;
    __ESBMC_atomic_end => atomic_end;
}

unsafe extern "C" fn toss(greatest: c_int) -> c_int {
    visible(Op::local(Kind::Toss, greatest.max(0).into())) as c_int
}

unsafe extern "C" fn assert(holds: c_int) {
    if holds == 0 {
        say(&[b"VS_assert"]);
        fail(Ending::Assertion);
    }
}

/// An object has a name in traces. That is no operation: nothing can notice it.
unsafe extern "C" fn name(object: *const u8, text: *const c_char) {
    if !is_running() {
        serve();
    }
    if !text.is_null() {
        call(key(object), CStr::from_ptr(text).to_bytes());
    }
}

/// An object has a name from here on.
pub unsafe fn call(key: Key, text: &[u8]) {
    let number = get(output::NAMES) as usize;
    if number >= name::COUNT {
        return;
    }
    let start = name::START + number * name::WORDS;
    set(start, key.process.into());
    set(start + 1, key.address);
    let mut words = [0_u64; name::WORDS - 2];
    for (index, byte) in text.iter().take(name::BYTES).enumerate() {
        words[index / 8] |= u64::from(*byte) << (index % 8 * 8);
    }
    for (index, word) in words.into_iter().enumerate() {
        set(start + 2 + index, word);
    }
    set(output::NAMES, number as u64 + 1);
}

unsafe extern "C" fn error() -> ! {
    say(&[b"reach_error"]);
    fail(Ending::Assertion)
}

/// A run in which an assumption fails shows nothing. The other lanes go on all the same: what they do could have come
/// before.
unsafe extern "C" fn assume(holds: c_int) {
    if holds == 0 {
        let me = current();
        visible(Op::local(Kind::Fail, 0));
        note(Ending::Assumed, 0);
        depart(me);
    }
}

unsafe extern "C" fn any_bool() -> c_int {
    toss(1)
}

/// Some of all numbers: 0, 1 and 2. What was explored is then not everything, and said not to be.
unsafe extern "C" fn any_number() -> c_int {
    let value = toss(2);
    set(output::PARTIAL, 1);
    value
}

/// For the search a section is what a lock guards; which runs of such sections are atomic is seen afterwards. Runs by chance
/// are: the lane that is in one goes on.
pub unsafe extern "C" fn atomic_begin() {
    visible(Op::on(Kind::MutexLock, SECTIONS).flagged(Flags::RECURSIVE));
    set(output::SECTION, u64::from(current().0) + 1);
}

pub unsafe extern "C" fn atomic_end() {
    visible(Op::on(Kind::MutexUnlock, SECTIONS).flagged(Flags::RECURSIVE));
    if Here.object(Class::Mutex, SECTIONS).holder == 0 {
        set(output::SECTION, 0);
    }
}
