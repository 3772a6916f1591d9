//! `dprintf` and what is like it: the C library writes by a system call of its own, which would not be counted on a pipe.

use super::hook;
use super::pipe::{self, end};
use super::streams::malloc;
use crate::preload::real::real;
use core::ffi::{c_char, c_int};
use core::ptr::null_mut;

/// Prints to a descriptor, as `vdprintf`.
unsafe extern "C" fn print(file: c_int, format: *const c_char, values: *const [u64; 3]) -> c_int {
    type List = *const [u64; 3];
    if end(file).is_none() {
        return real!(c"vdprintf" as fn(c_int, *const c_char, List) -> c_int, file, format, values);
    }
    let mut copy = *values;
    let length = real!(
        c"vsnprintf" as fn(*mut u8, usize, *const c_char, *mut [u64; 3]) -> c_int,
        null_mut(),
        0,
        format,
        &raw mut copy
    );
    let Ok(size) = usize::try_from(length) else { return -1 };
    let bytes: *mut u8 = malloc(size + 1).cast();
    real!(c"vsnprintf" as fn(*mut u8, usize, *const c_char, List) -> c_int, bytes, size + 1, format, values);
    let written = pipe::write(file, bytes, size);
    real!(c"free" as fn(*mut u8) -> (), bytes);
    if written < 0 { -1 } else { length }
}

unsafe extern "C" fn print_checked(file: c_int, _: c_int, format: *const c_char, values: *const [u64; 3]) -> c_int {
    print(file, format, values)
}

hook! {
    vdprintf => print;
    __vdprintf_chk => print_checked;
}

/// Functions with any number of values after some that are named: the registers are put where the others are found by a
/// `va_list`.
macro_rules! listed {
    ($($name:ident: $after:literal, $moves:literal;)*) => {$(
        const _: () = {
            #[unsafe(export_name = stringify!($name))]
            #[unsafe(naked)]
            unsafe extern "C" fn stub() {
                core::arch::naked_asm!(
                    "mov r11, [rsp]",
                    "mov [rip + {caller}], r11",
                    "sub rsp, 216",
                    "mov [rsp + 32], rdi",
                    "mov [rsp + 40], rsi",
                    "mov [rsp + 48], rdx",
                    "mov [rsp + 56], rcx",
                    "mov [rsp + 64], r8",
                    "mov [rsp + 72], r9",
                    "movaps [rsp + 80], xmm0",
                    "movaps [rsp + 96], xmm1",
                    "movaps [rsp + 112], xmm2",
                    "movaps [rsp + 128], xmm3",
                    "movaps [rsp + 144], xmm4",
                    "movaps [rsp + 160], xmm5",
                    "movaps [rsp + 176], xmm6",
                    "movaps [rsp + 192], xmm7",
                    concat!("mov dword ptr [rsp + 8], ", $after),
                    "mov dword ptr [rsp + 12], 48",
                    "lea rax, [rsp + 224]",
                    "mov [rsp + 16], rax",
                    "lea rax, [rsp + 32]",
                    "mov [rsp + 24], rax",
                    $moves,
                    "lea rdx, [rsp + 8]",
                    "call {ours}",
                    "add rsp, 216",
                    "ret",
                    caller = sym crate::preload::hooks::CALLER,
                    ours = sym print,
                )
            }
        };
    )*};
}

listed! {
    dprintf: "16", "nop";
    __dprintf_chk: "24", "mov rsi, rdx";
}
