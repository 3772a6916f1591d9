//! The functions that stand in for those of the C library.

mod barrier;
mod c11;
mod cancel;
mod clock;
mod command;
mod condition;
mod ending;
mod functions;
mod futex;
mod handlers;
mod heap;
mod identity;
mod inherited;
mod memory;
mod mutex;
mod names;
mod once;
mod pipe;
mod poll;
mod posix;
mod printing;
mod process;
mod program;
mod queue;
mod random;
mod ranges;
mod read_write;
mod refused;
mod reopened;
mod semaphore;
mod sharing;
mod signal;
mod spawn;
mod stdio;
mod streams;
mod system_v;
mod thread;
mod undo;
mod verisoft;

pub use ending::{exit, fail};
pub use inherited::{ENDS, call, give, make, tell_closed};
pub use memory::is_instrumented;
pub use pipe::End;
pub use process::{fork, is_child, wait_for};
pub use program::{execve, take_over};
pub use queue::first_kind;
pub use sharing::place_of;
pub use streams::check;
pub use thread::{at_end_of_thread, end_key, provide_fibres};

use super::shared::{at, current, get};
use super::{attach, loaded, sys, turn, waiting};
use operations::region::lane;
use operations::{Key, Kind, Op};

/// Where the hook that runs was called from. Only the thread whose turn it is calls hooks.
static mut CALLER: u64 = 0;

/// Where the operation was called from.
pub fn caller() -> u64 {
    // SAFETY: only the thread whose turn it is writes or reads it.
    unsafe { CALLER }
}

/// The stack pointer of who called the hook that runs, and the registers that it finds unchanged afterwards.
static mut REGISTERS: [u64; 7] = [0; 7];

/// The stack pointer and the preserved registers where the hook was called that runs; zeros after its first operation.
pub fn registers() -> [u64; 7] {
    // SAFETY: only the thread whose turn it is writes or reads them.
    unsafe { REGISTERS }
}

/// They are not those of this lane any more: others go on.
pub fn forget_registers() {
    // SAFETY: as above.
    unsafe { REGISTERS = [0; 7] };
}

/// An operation was called for by the C library: where the program has called that is on the stack, as an address that
/// follows a call.
pub unsafe fn note_caller_on_stack() {
    let from = sys::stack_pointer();
    let most = waiting::words_above(from).min(CALLS_WITHIN);
    let word = |index: usize| *core::ptr::with_exposed_provenance::<u64>(from as usize + 8 * index);
    CALLER = (0..most).map(word).find(|word| loaded::follows_call(*word)).unwrap_or(0);
}

/// What follows is done by no part of the program.
pub unsafe fn note_no_caller() {
    CALLER = 0;
}

/// As many words of the stack are looked at.
const CALLS_WITHIN: usize = 1024;

/// Exports functions that note who called them and go on with ours.
macro_rules! hook {
    ($($name:ident => $ours:path;)*) => {
        $crate::preload::hooks::hook_named! { $(stringify!($name) => $ours;)* }
    };
}

/// The same, of functions whose names are composed.
macro_rules! hook_named {
    ($($name:expr => $ours:path;)*) => {$(
        const _: () = {
            #[unsafe(export_name = $name)]
            #[unsafe(naked)]
            unsafe extern "C" fn stub() {
                core::arch::naked_asm!(
                    "mov rax, [rsp]",
                    "mov [rip + {caller}], rax",
                    "mov [rip + {registers}], rsp",
                    "mov [rip + {registers} + 8], rbx",
                    "mov [rip + {registers} + 16], rbp",
                    "mov [rip + {registers} + 24], r12",
                    "mov [rip + {registers} + 32], r13",
                    "mov [rip + {registers} + 40], r14",
                    "mov [rip + {registers} + 48], r15",
                    "jmp {ours}",
                    caller = sym $crate::preload::hooks::CALLER,
                    registers = sym $crate::preload::hooks::REGISTERS,
                    ours = sym $ours,
                )
            }
        };
    )*};
}
pub(crate) use hook;
pub(crate) use hook_named;

/// The key of an address of this process, or of what it shares with others.
pub fn key(address: *const u8) -> Key {
    // SAFETY: only the thread whose turn it is changes what is shared.
    if let Some(shared) = unsafe { sharing::key_of(address as u64) } {
        return shared;
    }
    let process = if attach::is_running() { get(at(current(), lane::PROCESS)) as u16 } else { 1 };
    Key { process, address: address as u64 }
}

/// The number of the process that a program is which takes the place of another: its addresses mean something else.
pub fn key_of_process(before: u64) -> u64 {
    (before + operations::MAX_LANES as u64) & 0xffff
}

/// A visible operation on an object.
pub unsafe fn visible_on(kind: Kind, address: *const u8) -> i64 {
    turn::visible(Op::on(kind, key(address)))
}
