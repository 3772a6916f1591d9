//! Accesses to memory of programs compiled with `-fsanitize=thread`, as the compiler announces them.
//!
//! Each access is a visible operation just before it happens; atomic ones happen here. While a program has a single
//! thread its accesses are no operations.

use super::once::is_there;
use super::{caller, heap, hook, hook_named, key};
use crate::preload::attach::is_running;
use crate::preload::finish::finish;
use crate::preload::shared::{at, current, get};
use crate::preload::turn::{pause, visible, visible_with};
use crate::preload::waiting::{is_own, note_change};
use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};
use operations::region::{Ending, lane, output};
use operations::{Flags, Kind, Lane, Op, THICK, is_shown};

/// Whether the compiler announces accesses.
static IS_INSTRUMENTED: AtomicBool = AtomicBool::new(false);

/// Whether the accesses of the program are visible.
pub fn is_instrumented() -> bool {
    IS_INSTRUMENTED.load(Ordering::Relaxed)
}

extern "C" fn init() {
    IS_INSTRUMENTED.store(true, Ordering::Relaxed);
}

/// Whether there is more than one thread.
pub fn is_concurrent() -> bool {
    is_running() && get(at(Lane::MAIN, lane::CHILDREN)) > 0
}

/// The most bytes that one operation reads or writes.
const LARGEST: usize = 1 << 18;

/// Whether what is written is the lane's own stack.
fn owner(kind: Kind, address: *const u8, size: usize) -> Flags {
    if kind == Kind::Write && is_own(address, size) { Flags::OWN } else { Flags::default() }
}

unsafe fn access(kind: Kind, address: *const u8, size: usize) {
    if is_concurrent() && is_left_out() {
        note_change();
        heap::check(address, size);
    } else if is_concurrent() {
        for from in (0..size).step_by(LARGEST) {
            let length = (size - from).min(LARGEST);
            let op = Op::on(kind, key(address.add(from))).with_extra(length as u64);
            visible(op.flagged(owner(kind, address.add(from), length)));
            heap::check(address.add(from), length);
        }
    }
}

/// How often each lane has come to each place of the program after the first operations, which are all visible. Places that share a
/// number are counted together.
static mut USES: [u32; 1 << 12] = [0; 1 << 12];

/// How many accesses were left out.
static mut LEFT_OUT: u32 = 0;
/// A run in which more are is as long as runs may be.
const MOST_LEFT_OUT: u32 = 1 << 24;

/// Whether an access that is not atomic is no operation, because its place has been come to very often. Which ones are follows from
/// the run alone, so that it repeats. What is not seen there is no race, and keeps a loop from being one that only waits.
unsafe fn is_left_out() -> bool {
    if get(output::STEPS) < THICK as u64 {
        return false;
    }
    let mixed = (caller() ^ u64::from(current().0) << 48).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let uses = &raw mut USES[(mixed >> 52) as usize];
    *uses = (*uses).saturating_add(1);
    LEFT_OUT += u32::from(!is_shown(*uses));
    if LEFT_OUT > MOST_LEFT_OUT {
        finish(Ending::Depth, 0);
    }
    !is_shown(*uses)
}

macro_rules! accesses {
    ($($name:ident: $kind:ident $size:literal;)*) => {$(
        const _: () = {
            unsafe extern "C" fn ours(address: *const u8) {
                access(Kind::$kind, address, $size);
            }
            hook! { $name => ours; }
        };
    )*};
}

accesses! {
    __tsan_read1: Read 1; __tsan_read2: Read 2; __tsan_read4: Read 4; __tsan_read8: Read 8; __tsan_read16: Read 16;
    __tsan_write1: Write 1; __tsan_write2: Write 2; __tsan_write4: Write 4; __tsan_write8: Write 8;
    __tsan_write16: Write 16;
    __tsan_unaligned_read2: Read 2; __tsan_unaligned_read4: Read 4; __tsan_unaligned_read8: Read 8;
    __tsan_unaligned_read16: Read 16;
    __tsan_unaligned_write2: Write 2; __tsan_unaligned_write4: Write 4; __tsan_unaligned_write8: Write 8;
    __tsan_unaligned_write16: Write 16;
    __tsan_volatile_read1: Read 1; __tsan_volatile_read2: Read 2; __tsan_volatile_read4: Read 4;
    __tsan_volatile_read8: Read 8; __tsan_volatile_read16: Read 16;
    __tsan_volatile_write1: Write 1; __tsan_volatile_write2: Write 2; __tsan_volatile_write4: Write 4;
    __tsan_volatile_write8: Write 8; __tsan_volatile_write16: Write 16;
    __tsan_vptr_read: Read 8;
    __tsan_vptr_update: Write 8;
}

/// An update in place is a read and then a write.
macro_rules! in_place {
    ($($name:ident: $size:literal;)*) => {$(
        const _: () = {
            unsafe extern "C" fn ours(address: *const u8) {
                access(Kind::Read, address, $size);
                access(Kind::Write, address, $size);
            }
            hook! { $name => ours; }
        };
    )*};
}

in_place! {
    __tsan_read_write1: 1; __tsan_read_write2: 2; __tsan_read_write4: 4; __tsan_read_write8: 8;
    __tsan_read_write16: 16;
    __tsan_unaligned_read_write2: 2; __tsan_unaligned_read_write4: 4; __tsan_unaligned_read_write8: 8;
}

hook! {
    __tsan_read_range => read_range;
    __tsan_write_range => write_range;
    __tsan_memcpy => copy;
    __tsan_memmove => copy;
    __tsan_memset => fill;
    __tsan_init => init;
    __tsan_func_entry => nothing;
    __tsan_func_exit => nothing;
    __tsan_atomic_thread_fence => nothing;
    __tsan_atomic_signal_fence => nothing;
}

extern "C" fn nothing() {}

unsafe extern "C" fn read_range(address: *const u8, size: usize) {
    access(Kind::Read, address, size);
}

unsafe extern "C" fn write_range(address: *const u8, size: usize) {
    access(Kind::Write, address, size);
}

unsafe extern "C" fn copy(to: *mut u8, from: *const u8, size: usize) -> *mut c_void {
    access(Kind::Read, from, size);
    access(Kind::Write, to, size);
    core::ptr::copy(from, to, size);
    to.cast()
}

unsafe extern "C" fn fill(to: *mut u8, value: c_int, size: usize) -> *mut c_void {
    access(Kind::Write, to, size);
    core::ptr::write_bytes(to, value as u8, size);
    to.cast()
}

/// An atomic access has happened.
unsafe fn after<T>(address: *const u8, value: T) -> T {
    if is_concurrent() {
        pause(key(address));
    }
    value
}

/// An atomic access that writes an operand, if it writes.
unsafe fn atomic(kind: Kind, address: *const u8, size: usize, operand: u64) {
    if is_concurrent() {
        visible_with(Op::on(kind, key(address)).with_extra(size as u64).valued(1), operand);
        heap::check(address, size);
    }
}

/// A byte is set to a value by us, and code that is compiled with visible accesses looks at it.
pub unsafe fn announce_store(address: *const u8, value: u8) {
    atomic(Kind::AtomicStore, address, 1, value.into());
}

/// A word is set to a value, whatever it was.
unsafe fn set_word(address: *const u8, size: usize, value: u64) {
    if is_concurrent() {
        let op = Op::on(Kind::AtomicUpdate, key(address)).with_extra(size as u64);
        visible(op.valued(value as i64).flagged(Flags::SETS));
        heap::check(address, size);
    }
}

/// A compare-and-exchange of a value against an expected one.
unsafe fn compare(address: *const u8, size: usize, expected: u64, value: u64) {
    if is_concurrent() {
        let op = Op::on(Kind::AtomicUpdate, key(address)).with_extra(size as u64);
        visible_with(op.valued(expected as i64).flagged(Flags::COMPARES), value);
        heap::check(address, size);
    }
}

/// The operations on words of a size, which is in their names.
macro_rules! atomics {
    ($($bits:literal $word:ty, $atomic:ty;)*) => {$(
        const _: () = {
            unsafe extern "C" fn load(address: *mut $word, _: c_int) -> $word {
                atomic(Kind::AtomicLoad, address.cast(), size_of::<$word>(), 0);
                let says_so = size_of::<$word>() == 1 && is_there(address.cast());
                let found = if says_so { 1 } else { <$atomic>::from_ptr(address).load(Ordering::SeqCst) };
                after(address.cast(), found)
            }
            unsafe extern "C" fn store(address: *mut $word, value: $word, _: c_int) {
                atomic(Kind::AtomicStore, address.cast(), size_of::<$word>(), value.into());
                after(address.cast(), <$atomic>::from_ptr(address).store(value, Ordering::SeqCst));
            }
            unsafe extern "C" fn exchange(
                address: *mut $word,
                expected: *mut $word,
                value: $word,
                _: c_int,
                _: c_int,
            ) -> c_int {
                let is_local = is_own(expected.cast(), size_of::<$word>());
                let found = exchange_value(address, *expected, value, 0, 0);
                let is_exchanged = found == *expected;
                if !is_exchanged {
                    if !is_local {
                        note_change();
                    }
                    *expected = found;
                }
                c_int::from(is_exchanged)
            }
            unsafe extern "C" fn exchange_value(
                address: *mut $word,
                expected: $word,
                value: $word,
                _: c_int,
                _: c_int,
            ) -> $word {
                compare(address.cast(), size_of::<$word>(), u64::from(expected), u64::from(value));
                let word = <$atomic>::from_ptr(address);
                match word.compare_exchange(expected, value, Ordering::SeqCst, Ordering::SeqCst) {
                    Ok(found) | Err(found) => after(address.cast(), found),
                }
            }
            unsafe extern "C" fn swap(address: *mut $word, value: $word, _: c_int) -> $word {
                set_word(address.cast(), size_of::<$word>(), u64::from(value));
                after(address.cast(), <$atomic>::from_ptr(address).swap(value, Ordering::SeqCst))
            }
            hook_named! {
                concat!("__tsan_atomic", $bits, "_exchange") => swap;
                concat!("__tsan_atomic", $bits, "_load") => load;
                concat!("__tsan_atomic", $bits, "_store") => store;
                concat!("__tsan_atomic", $bits, "_compare_exchange_strong") => exchange;
                concat!("__tsan_atomic", $bits, "_compare_exchange_weak") => exchange;
                concat!("__tsan_atomic", $bits, "_compare_exchange_val") => exchange_value;
            }
        };
        updates! { $bits $word, $atomic:
            "fetch_add" fetch_add; "fetch_sub" fetch_sub; "fetch_and" fetch_and; "fetch_or" fetch_or;
            "fetch_xor" fetch_xor; "fetch_nand" fetch_nand;
        }
    )*};
}

macro_rules! updates {
    ($bits:literal $word:ty, $atomic:ty: $($name:literal $method:ident;)*) => {$(
        const _: () = {
            unsafe extern "C" fn ours(address: *mut $word, value: $word, _: c_int) -> $word {
                atomic(Kind::AtomicUpdate, address.cast(), size_of::<$word>(), u64::from(value));
                after(address.cast(), <$atomic>::from_ptr(address).$method(value, Ordering::SeqCst))
            }
            hook_named! { concat!("__tsan_atomic", $bits, "_", $name) => ours; }
        };
    )*};
}

atomics! {
    8 u8, AtomicU8;
    16 u16, AtomicU16;
    32 u32, AtomicU32;
    64 u64, AtomicU64;
}
