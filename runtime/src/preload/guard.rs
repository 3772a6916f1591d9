//! Processes and threads that a program creates by system calls of its own, not through the C library. They would run beside the
//! lanes of a run: where the code of a program has such calls at all, the system is told to stop it there.

use super::finish::unsupported;
use super::real::on_signal;
use super::{loaded, sys};

/// An instruction of the filters of the system (`struct sock_filter`): what to do, how many instructions to leave out if a
/// comparison succeeds or fails, and what to compare with.
type Instruction = (u16, u8, u8, u32);

/// Loads a word of what is known of the call (`struct seccomp_data`).
const LOAD: u16 = 0x20;
const IS_EQUAL: u16 = 0x15;
const IS_AT_LEAST: u16 = 0x35;
const RETURN: u16 = 0x06;

const NUMBER: u32 = 0;
const ADDRESS_LOW: u32 = 8;
const ADDRESS_HIGH: u32 = 12;
const ALLOW: u32 = 0x7fff_0000;
const TRAP: u32 = 0x0003_0000;

/// `clone`, `fork`, `vfork` and `clone3`.
const CREATIONS: [u32; 4] = [56, 57, 58, 435];
const CODES_OF_CALLS: [u8; 2] = [0x0f, 0x05];
/// The signal that stops the program.
const BAD_CALL: i32 = 31;

/// Stops the program where it creates a process or thread past the C library. Its calls through the library stay as they are, in
/// programs too that take its place.
pub unsafe fn stop_at_creations() {
    let (from, to) = loaded::program();
    if !loaded::contains(CODES_OF_CALLS) || from >> 32 != to >> 32 {
        return;
    }
    let [one, two, three, four] = CREATIONS;
    let filter: [Instruction; 11] = [
        (LOAD, 0, 0, NUMBER),
        (IS_EQUAL, 3, 0, one),
        (IS_EQUAL, 2, 0, two),
        (IS_EQUAL, 1, 0, three),
        (IS_EQUAL, 0, 5, four),
        (LOAD, 0, 0, ADDRESS_HIGH),
        (IS_EQUAL, 0, 3, (from >> 32) as u32),
        (LOAD, 0, 0, ADDRESS_LOW),
        (IS_AT_LEAST, 0, 1, from as u32),
        (IS_AT_LEAST, 0, 1, to as u32),
        (RETURN, 0, 0, ALLOW),
    ];
    let mut all = [(RETURN, 0, 0, TRAP); 12];
    all[..filter.len()].copy_from_slice(&filter);
    on_signal(BAD_CALL, created);
    sys::filter_calls(&all);
}

unsafe extern "C" fn created(_: i32) {
    unsupported("a system call in assembly that creates a process or thread: call fork or pthread_create")
}
