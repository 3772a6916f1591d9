//! Other ways to execute programs: `execl` and what is like it, `posix_spawn`.

use super::ending::exit_now;
use super::hook;
use super::pipe::{close, dup2};
use super::process::fork;
use super::program::{execve, execvp, execvpe};
use crate::preload::finish::unsupported;
use crate::preload::real::environ;
use crate::preload::sys;
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

/// As `struct __spawn_action`: what is done to descriptors before the program is executed.
#[repr(C)]
struct Action {
    what: c_int,
    _unused: c_int,
    file: c_int,
    copy: c_int,
    _rest: [u64; 2],
}

impl Extras {
    unsafe fn actions(&self) -> &[Action] {
        // The second number of the actions is how many there are; a pointer to them follows.
        if self.actions.is_null() || *self.actions.add(1) <= 0 {
            return &[];
        }
        let first = *self.actions.add(2).cast::<*const Action>();
        core::slice::from_raw_parts(first, *self.actions.add(1) as usize)
    }
}

const CLOSE: c_int = 0;
const COPY: c_int = 1;

/// Does it, in the new process.
unsafe fn act(action: &Action) {
    const FCNTL: u64 = 72;
    const SET_FLAGS: u64 = 2;
    if action.what == CLOSE {
        close(action.file);
    } else if action.file == action.copy {
        sys::call(FCNTL, [action.file as u64, SET_FLAGS, 0, 0, 0, 0]);
    } else if dup2(action.file, action.copy) < 0 {
        exit_now(127);
    }
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
    // The first number of the attributes says which of them are set.
    let acts = extras.actions().iter().any(|action| !matches!(action.what, CLOSE | COPY));
    let differs = !extras.attributes.is_null() && *extras.attributes != 0;
    if acts || differs {
        unsupported(
            "posix_spawn with attributes, or with file actions other than to close and to dup2: call fork and execve",
        );
    }
    let child = fork();
    if child == 0 {
        extras.actions().iter().for_each(|action| act(action));
        execute(path, arguments, environment);
        exit_now(127);
    }
    if !pid.is_null() {
        *pid = child;
    }
    0
}
