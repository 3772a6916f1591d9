//! Where the program itself is in memory, as opposed to the libraries that it uses.

use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicU64, Ordering};

/// The flag of segments that have code.
const EXECUTABLE: u32 = 1;
/// The kind of segments that are in memory.
const LOADED: u32 = 1;

/// What is added to the addresses that are in the file of the program.
static BASE: AtomicU64 = AtomicU64::new(0);
static FROM: AtomicU64 = AtomicU64::new(0);
static TO: AtomicU64 = AtomicU64::new(0);
/// Where its code is.
static CODE_FROM: AtomicU64 = AtomicU64::new(0);
static CODE_TO: AtomicU64 = AtomicU64::new(0);

/// As `struct dl_phdr_info`, as far as it is looked at.
#[repr(C)]
struct Object {
    base: u64,
    name: *const u8,
    segments: *const Segment,
    count: u16,
}

/// As `Elf64_Phdr`.
#[repr(C)]
struct Segment {
    kind: u32,
    flags: u32,
    offset: u64,
    address: u64,
    physical: u64,
    file_size: u64,
    size: u64,
    alignment: u64,
}

unsafe extern "C" {
    fn dl_iterate_phdr(visit: unsafe extern "C" fn(*const Object, usize, *mut c_void) -> c_int, data: *mut c_void);
}

/// Looks where the program is.
pub unsafe fn find_program() {
    dl_iterate_phdr(note_first, core::ptr::null_mut());
}

/// The first object is the program; there is no need to see more.
unsafe extern "C" fn note_first(object: *const Object, _: usize, _: *mut c_void) -> c_int {
    let segments = core::slice::from_raw_parts((*object).segments, (*object).count.into());
    let loaded = || segments.iter().filter(|segment| segment.kind == LOADED);
    let base = (*object).base;
    BASE.store(base, Ordering::Relaxed);
    FROM.store(base + loaded().map(|segment| segment.address).min().unwrap_or(0), Ordering::Relaxed);
    let end = loaded().map(|segment| segment.address + segment.size).max().unwrap_or(0);
    TO.store(base + end, Ordering::Relaxed);
    if let Some(code) = loaded().find(|segment| segment.flags & EXECUTABLE != 0) {
        CODE_FROM.store(base + code.address, Ordering::Relaxed);
        CODE_TO.store(base + code.address + code.size, Ordering::Relaxed);
    }
    1
}

/// What is added to the addresses that are in the file of the program, to get those in memory.
pub unsafe fn base() -> u64 {
    find_program();
    BASE.load(Ordering::Relaxed)
}

/// Where the program begins and ends.
pub fn program() -> (u64, u64) {
    (FROM.load(Ordering::Relaxed), TO.load(Ordering::Relaxed))
}

/// Whether two bytes follow each other in the code of the program.
pub unsafe fn contains(bytes: [u8; 2]) -> bool {
    let mut is_found = bytes;
    dl_iterate_phdr(look_in_first, (&raw mut is_found).cast());
    is_found != bytes
}

/// Looks in the program for two bytes, and changes them if they are there.
unsafe extern "C" fn look_in_first(object: *const Object, _: usize, bytes: *mut c_void) -> c_int {
    let segments = core::slice::from_raw_parts((*object).segments, (*object).count.into());
    let wanted = *bytes.cast::<[u8; 2]>();
    for segment in segments.iter().filter(|segment| segment.kind == LOADED && segment.flags & EXECUTABLE != 0) {
        let start = core::ptr::with_exposed_provenance::<u8>(((*object).base + segment.address) as usize);
        let code = core::slice::from_raw_parts(start, segment.file_size as usize);
        if code.windows(2).any(|window| window == wanted) {
            *bytes.cast::<[u8; 2]>() = [!wanted[0], wanted[1]];
        }
    }
    1
}

/// Whether an address is in the code of the program, after an instruction that calls a function.
pub unsafe fn follows_call(address: u64) -> bool {
    let (from, to) = (CODE_FROM.load(Ordering::Relaxed), CODE_TO.load(Ordering::Relaxed));
    let before = |back: u64| *core::ptr::with_exposed_provenance::<u8>((address - back) as usize);
    let is_direct = || before(5) == 0xe8;
    let is_by_table = || before(6) == 0xff && before(5) == 0x15;
    let is_by_register = || before(2) == 0xff && before(1) & 0xf8 == 0xd0;
    (from + 6..to).contains(&address) && (is_direct() || is_by_table() || is_by_register())
}

/// Whether an address is one of the program itself.
pub fn is_of_program(address: u64) -> bool {
    (FROM.load(Ordering::Relaxed)..TO.load(Ordering::Relaxed)).contains(&address)
}
