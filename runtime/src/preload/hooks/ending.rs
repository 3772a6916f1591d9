//! How programs end: by returning from `main`, `exit`, `abort`, failed assertions.

use super::process::{end, is_child};
use super::{handlers, hook, inherited, pipe, streams, undo};
use crate::preload::attach::{attach, is_running};
use crate::preload::finish::{finish, note, refuse_company, say};
use crate::preload::loaded::find_program;
use crate::preload::real::{environ, getenv, real};
use crate::preload::shared::{current, get};
use crate::preload::turn::{depart, visible};
use crate::preload::{guard, sys, system};
use core::ffi::{CStr, c_char, c_int, c_void};
use operations::region::{Ending, input, output};
use operations::{Kind, Op};

hook! {
    exit => exit;
    _exit => exit_now;
    _Exit => exit_now;
    quick_exit => exit_now;
    abort => abort;
    __assert_fail => assert_fail;
    __assert => assert_simple;
}

type Main = unsafe extern "C" fn(c_int, *mut *mut c_char, *mut *mut c_char) -> c_int;

static mut MAIN: Option<Main> = None;

/// The C library calls `main` here. It calls `exit` afterwards, but not through a symbol that could be hooked.
#[unsafe(no_mangle)]
unsafe extern "C" fn __libc_start_main(
    main: Main,
    count: c_int,
    arguments: *mut *mut c_char,
    init: *const c_void,
    fini: *const c_void,
    loader: *const c_void,
    stack: *const c_void,
) -> c_int {
    MAIN = Some(main);
    at_fixed_addresses(arguments);
    type Pointer = *const c_void;
    real!(
        c"__libc_start_main" as fn(Main, c_int, *mut *mut c_char, Pointer, Pointer, Pointer, Pointer) -> c_int,
        our_main,
        count,
        arguments,
        init,
        fini,
        loader,
        stack
    )
}

/// Executes the program again where it is not placed at random, so that its addresses are the same in every session.
unsafe fn at_fixed_addresses(arguments: *mut *mut c_char) {
    if !getenv(c"UWBMC_SESSION".as_ptr()).is_null() && sys::stop_randomising() {
        sys::execute(c"/proc/self/exe".as_ptr().cast(), arguments.cast(), environ.cast());
    }
}

/// Before other libraries note what the standard streams are. The linker is asked to have this come first (`initfirst`).
#[used]
#[unsafe(link_section = ".init_array")]
static FIRST: unsafe extern "C" fn(c_int, *const *const c_char, *const *const c_char) = first;

unsafe extern "C" fn first(_: c_int, _: *const *const c_char, environment: *const *const c_char) {
    inherited::take_over(environment);
}

unsafe extern "C" fn our_main(count: c_int, arguments: *mut *mut c_char, environment: *mut *mut c_char) -> c_int {
    find_program();
    attach();
    guard::stop_at_creations();
    system::run();
    let code = MAIN.map_or(0, |main| main(count, arguments, environment));
    exit(code)
}

/// The process exits when no other lane can do anything: what others can do is explored first.
pub unsafe extern "C" fn exit(code: c_int) -> ! {
    if is_running() && is_child() {
        handlers::call(code);
        streams::flush();
        end(code);
    }
    streams::flush();
    undo::undo();
    pipe::close_all();
    visible(Op::local(Kind::Exit, code.into()));
    refuse_company();
    note(Ending::Complete, code.into());
    real!(c"exit" as fn(c_int) -> c_int, code);
    sys::exit_group(code)
}

pub unsafe extern "C" fn exit_now(code: c_int) -> ! {
    if is_running() && is_child() {
        end(code);
    }
    undo::undo();
    pipe::close_all();
    visible(Op::local(Kind::Exit, code.into()));
    finish(Ending::Complete, code.into())
}

unsafe extern "C" fn abort() -> ! {
    fail(Ending::Abort)
}

/// Ends the lane that failed, and the run with it, unless the others shall go on.
pub unsafe fn fail(ending: Ending) -> ! {
    let me = current();
    visible(Op::local(Kind::Fail, 0));
    note(ending, 0);
    let counts = get(output::ENDING) == ending as u64;
    if get(input::PARK) == 0 && counts {
        finish(ending, 0);
    }
    depart(me)
}

/// Bytes of a string of C.
unsafe fn bytes<'a>(text: *const c_char) -> &'a [u8] {
    if text.is_null() { b"" } else { CStr::from_ptr(text).to_bytes() }
}

unsafe extern "C" fn assert_fail(what: *const c_char, file: *const c_char, line: u32, _: *const c_char) -> ! {
    let mut digits = [0; 10];
    say(&[bytes(file), b":", decimal(line, &mut digits), b": ", bytes(what)]);
    fail(Ending::Assertion)
}

unsafe extern "C" fn assert_simple(what: *const c_char, file: *const c_char, line: c_int) -> ! {
    assert_fail(what, file, line as u32, core::ptr::null())
}

fn decimal(mut number: u32, digits: &mut [u8; 10]) -> &[u8] {
    let mut from = digits.len();
    loop {
        from -= 1;
        digits[from] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return &digits[from..];
        }
    }
}
