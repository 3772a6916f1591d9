//! Memory that the program gives back.
//!
//! In a program whose accesses are visible, giving memory back is an access too, and what was given back is not used again
//! before the run ends. So memory that looks the same is the same: accesses to what was at an address before are no
//! data races, and the use of memory after it was given back is seen.

use super::memory::{is_concurrent, is_instrumented};
use super::{caller, ending, hook, key};
use crate::preload::finish::say;
use crate::preload::loaded::is_of_program;
use crate::preload::real::real;
use crate::preload::shared::get;
use crate::preload::turn::visible;
use core::ffi::c_void;
use operations::region::{Ending, input, output};
use operations::{Kind, Op};

hook! {
    free => free;
    realloc => realloc;
    _ZdlPv => free;
    _ZdaPv => free;
    _ZdlPvm => free;
    _ZdaPvm => free;
}

/// As many blocks are kept; those that are given back after that are used again.
const KEPT: usize = 4096;

/// Where the blocks that were given back begin and end.
static mut BLOCKS: [(usize, usize); KEPT] = [(0, 0); KEPT];
static mut COUNT: usize = 0;
/// Whether a block is kept that is given back now. What libraries give back is their own affair: the dynamic loader does
/// so with a lock of its own, which no other lane could then wait for.
unsafe fn is_kept() -> bool {
    let is_counted = is_instrumented() && is_concurrent() && is_of_program(caller());
    is_counted && COUNT < KEPT && get(output::ENDING) == Ending::Unknown as u64
}

/// Whether some of as many bytes were given back.
pub unsafe fn was_freed(address: *const u8, size: usize) -> bool {
    let (from, to) = (address as usize, address as usize + size.max(1));
    (0..COUNT).any(|index| from < BLOCKS[index].1 && BLOCKS[index].0 < to)
}

unsafe fn usable_size(block: *const u8) -> usize {
    real!(c"malloc_usable_size" as fn(*const u8) -> usize, block)
}

unsafe extern "C" fn free(block: *mut u8) {
    if block.is_null() || !is_kept() {
        real!(c"free" as fn(*mut u8) -> (), block);
        return;
    }
    let size = usable_size(block);
    // A library whose accesses are hidden gives memory back while it holds locks of its own: others must not meet it there.
    if get(input::HIDDEN) == 0 {
        visible(Op::on(Kind::Free, key(block)).with_extra(size as u64));
    }
    if was_freed(block, 1) {
        say(&[b"freed"]);
        ending::fail(Ending::Freed);
    }
    BLOCKS[COUNT] = (block as usize, block as usize + size);
    COUNT += 1;
}

unsafe extern "C" fn realloc(block: *mut u8, size: usize) -> *mut c_void {
    if block.is_null() || size == 0 || !is_kept() {
        return real!(c"realloc" as fn(*mut u8, usize) -> *mut c_void, block, size);
    }
    let larger = real!(c"malloc" as fn(usize) -> *mut u8, size);
    if !larger.is_null() {
        core::ptr::copy_nonoverlapping(block, larger, usable_size(block).min(size));
        free(block);
    }
    larger.cast()
}

/// The access that has just got its turn must not be to memory that was given back.
pub unsafe fn check(address: *const u8, size: usize) {
    if was_freed(address, size) {
        say(&[b"used"]);
        ending::fail(Ending::Freed);
    }
}
