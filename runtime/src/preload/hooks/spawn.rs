//! Other ways to execute programs: `execl` and what is like it, `posix_spawn`.

use super::ending::exit_now;
use super::hook;
use super::process::fork;
use super::program::{execve, execvp, execvpe};
use crate::preload::finish::unsupported;
use crate::preload::real::environ;
use core::ffi::{c_char, c_int};

type Strings = *const *const c_char;

/// Functions with arguments up to a null pointer, which become an array: those in registers are put on the stack before the
/// others, in the place of the address that they return to.
macro_rules! listed {
    ($($name:ident => $ours:path;)*) => {$(
        const _: () = {
            #[unsafe(export_name = stringify!($name))]
            #[unsafe(naked)]
            unsafe extern "C" fn stub() {
                core::arch::naked_asm!(
                    "pop rax",
                    "mov [rip + {caller}], rax",
                    "push r9",
                    "push r8",
                    "push rcx",
                    "push rdx",
                    "push rsi",
                    "mov rsi, rsp",
                    "push rax",
                    "call {ours}",
                    "pop rcx",
                    "add rsp, 40",
                    "push rcx",
                    "ret",
                    caller = sym crate::preload::hooks::CALLER,
                    ours = sym $ours,
                )
            }
        };
    )*};
}

listed! {
    execl => execl;
    execlp => execlp;
    execle => execle;
}

hook! {
    posix_spawn => spawn;
    posix_spawnp => spawn_by_name;
}

unsafe extern "C" fn execl(path: *const c_char, arguments: Strings) -> c_int {
    execve(path, arguments, environ.cast())
}

unsafe extern "C" fn execlp(file: *const c_char, arguments: Strings) -> c_int {
    execvp(file, arguments)
}

/// The environment comes after the null pointer.
unsafe extern "C" fn execle(path: *const c_char, arguments: Strings) -> c_int {
    let mut length = 0;
    while !(*arguments.add(length)).is_null() {
        length += 1;
    }
    execve(path, arguments, (*arguments.add(length + 1)).cast())
}

type Execute = unsafe extern "C" fn(*const c_char, Strings, Strings) -> c_int;

/// What a program is spawned with besides its arguments.
struct Extras {
    actions: *const c_int,
    attributes: *const i16,
}

unsafe extern "C" fn spawn(
    pid: *mut c_int,
    path: *const c_char,
    actions: *const c_int,
    attributes: *const i16,
    arguments: Strings,
    environment: Strings,
) -> c_int {
    begin(execve, pid, path, Extras { actions, attributes }, [arguments, environment])
}

unsafe extern "C" fn spawn_by_name(
    pid: *mut c_int,
    file: *const c_char,
    actions: *const c_int,
    attributes: *const i16,
    arguments: Strings,
    environment: Strings,
) -> c_int {
    begin(execvpe, pid, file, Extras { actions, attributes }, [arguments, environment])
}

/// A process that executes a program at once.
unsafe fn begin(
    execute: Execute,
    pid: *mut c_int,
    path: *const c_char,
    extras: Extras,
    [arguments, environment]: [Strings; 2],
) -> c_int {
    // The second number of the actions is how many there are, the first of the attributes which of them are set.
    let acts = !extras.actions.is_null() && *extras.actions.add(1) != 0;
    let differs = !extras.attributes.is_null() && *extras.attributes != 0;
    if acts || differs {
        unsupported("posix_spawn with file actions or attributes: call fork and execve");
    }
    let child = fork();
    if child == 0 {
        execute(path, arguments, environment);
        exit_now(127);
    }
    if !pid.is_null() {
        *pid = child;
    }
    0
}
