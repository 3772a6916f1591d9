//! Functions whose names begin with `__VERIFIER_atomic_`, as the software verification competition has them: what they do is one step.
//!
//! In a text that has such names `uwbmc cc` asks the compiler to announce where functions begin and end. It does so before it puts functions
//! into others, so that nothing gets lost by that. Which functions are meant says the table of symbols in the file of the program.

use super::hook;
use super::verisoft::{atomic_begin, atomic_end};
use crate::preload::finish::unsupported;
use crate::preload::{loaded, sys};
use core::ffi::CStr;

hook! {
    __cyg_profile_func_enter => enter;
    __cyg_profile_func_exit => leave;
}

const PREFIX: &[u8] = b"__VERIFIER_atomic_";
/// These two begin and end sections themselves.
const OTHERS: [&[u8]; 2] = [b"begin", b"end"];

const MOST: usize = 256;
/// The addresses of the functions that are meant, and how many there are, once that is known.
static mut ATOMIC: [u64; MOST] = [0; MOST];
static mut COUNT: Option<usize> = None;

unsafe extern "C" fn enter(function: u64, _: u64) {
    if is_atomic(function) {
        atomic_begin();
    }
}

unsafe extern "C" fn leave(function: u64, _: u64) {
    if is_atomic(function) {
        atomic_end();
    }
}

unsafe fn is_atomic(function: u64) -> bool {
    let count = match COUNT {
        Some(count) => count,
        None => find_functions(),
    };
    (0..count).any(|index| ATOMIC[index] == function)
}

/// Looks into the file of the program; how many functions are meant.
unsafe fn find_functions() -> usize {
    let mut count = 0;
    if let Some(file) = sys::map_program() {
        let base = loaded::base();
        for address in functions(file) {
            if count == MOST {
                unsupported("more than 256 functions whose names begin with __VERIFIER_atomic_");
            }
            ATOMIC[count] = base.wrapping_add(address);
            count += 1;
        }
        sys::unmap(file);
    }
    COUNT = Some(count);
    count
}

/// Where the functions are that a file of a program (ELF, 64 bits, little endian) has under such names.
fn functions(file: &[u8]) -> impl Iterator<Item = u64> {
    const SECTION: usize = 64;
    const SYMBOL: usize = 24;
    const SYMBOLS: u64 = 2;
    const FUNCTION: u64 = 2;
    let section =
        |index: u64| part(file, number(file, 40, 8).wrapping_add(index.wrapping_mul(SECTION as u64)), SECTION as u64);
    let contents = |section: &[u8]| part(file, number(section, 24, 8), number(section, 32, 8));
    let table = (0..number(file, 60, 2)).map(section).find(|section| number(section, 4, 4) == SYMBOLS).unwrap_or(&[]);
    let names = contents(section(number(table, 40, 4)));
    let is_meant = move |symbol: &&[u8]| {
        let is_defined = number(symbol, 6, 2) != 0 && number(symbol, 4, 1) & 0xf == FUNCTION;
        is_defined && is_name(names.get(number(symbol, 0, 4) as usize..).unwrap_or(&[]))
    };
    contents(table).chunks_exact(SYMBOL).filter(is_meant).map(|symbol| number(symbol, 8, 8))
}

/// Whether a text begins with the name of a function that is meant.
fn is_name(text: &[u8]) -> bool {
    let name = CStr::from_bytes_until_nul(text).map_or(&[][..], CStr::to_bytes);
    name.strip_prefix(PREFIX).is_some_and(|rest| !OTHERS.contains(&rest))
}

/// As many bytes at a place; none if they are not there.
fn part(bytes: &[u8], from: u64, size: u64) -> &[u8] {
    let range = from as usize..from.saturating_add(size) as usize;
    bytes.get(range).unwrap_or(&[])
}

/// A number of as many bytes at a place; 0 if it is not there.
fn number(bytes: &[u8], at: u64, size: u64) -> u64 {
    part(bytes, at, size).iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
