//! Inside a program: its visible operations, and who may go on.
//!
//! Exactly one thread of a run goes on at a time, the one whose lane is `CURRENT` in the shared region. When it comes to
//! a visible operation it says so, picks the lane that goes on (from the tape, then by the policy), hands over, and
//! waits until it is its turn (`turn`). The operation itself works on the objects in the region and never on the real
//! ones (`operations::apply`), so that nothing blocks in the kernel, and a deadlock is that no lane is enabled.
//!
//! Nothing here allocates, panics or calls a function that is hooked: system calls are made directly (`sys`).

#![allow(
    unsafe_op_in_unsafe_fn,
    static_mut_refs,
    reason = "nearly everything here is unsafe; what matters is said where it matters"
)]

mod attach;
mod company;
mod confine;
mod fibre;
mod finish;
mod guard;
mod hooks;
mod loaded;
mod real;
mod repetition;
mod rotation;
mod sampling;
mod shared;
mod sys;
mod system;
mod turn;
mod waiting;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    sys::exit_group(125)
}

// The precompiled core library refers to it; with `panic=abort` it is never called.
core::arch::global_asm!(".globl rust_eh_personality", ".hidden rust_eh_personality", "rust_eh_personality:", "ud2");
