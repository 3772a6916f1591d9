//! Threads: how they begin and end.
//!
//! A thread begins in `uwbmc_trampoline`, which is written in assembler so that `pthread_exit` can unwind through it. It ends
//! in the destructor of a key of ours, in the last round of destructors, when nothing of the program is left to run;
//! then it waits for ever. What the real thread would still do (give its stack back) matters to no one: the run's
//! process ends soon.

use super::{cancel, hook, process, signal};
use crate::preload::company;
use crate::preload::fibre::{self, assign, become_spare, provide};
use crate::preload::finish::unsupported;
use crate::preload::real::{pthread_setspecific, real};
use crate::preload::shared::{at, current, get, set};
use crate::preload::sys;
use crate::preload::turn::{depart, execute, visible, wait_for_turn};
use core::ffi::{c_int, c_void};
use core::ptr::null_mut;
use operations::region::{input, lane};
use operations::{Key, Kind, Lane, MAX_LANES, Op};

hook! {
    pthread_create => create;
    pthread_join => join;
    pthread_tryjoin_np => try_join;
    pthread_timedjoin_np => timed_join;
    pthread_clockjoin_np => timed_join;
    pthread_exit => exit;
    pthread_detach => detach;
}

type Routine = unsafe extern "C" fn(*mut c_void) -> *mut c_void;

/// What a thread runs.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Start {
    routine: Option<Routine>,
    argument: *mut c_void,
}

/// What this process knows of its threads, by lane.
static mut STARTS: [Start; MAX_LANES] = [Start { routine: None, argument: null_mut() }; MAX_LANES];
static mut HANDLES: [usize; MAX_LANES] = [0; MAX_LANES];
/// The lanes whose ends some thread of this process has waited for.
static mut JOINED: [bool; MAX_LANES] = [false; MAX_LANES];
static mut RESULTS: [*mut c_void; MAX_LANES] = [null_mut(); MAX_LANES];
static mut END_KEY: u32 = 0;

/// The destructors of keys run in as many rounds.
const ROUNDS: usize = 4;

core::arch::global_asm!(
    ".globl uwbmc_trampoline",
    ".hidden uwbmc_trampoline",
    ".type uwbmc_trampoline,@function",
    "uwbmc_trampoline:",
    ".cfi_startproc",
    "sub rsp, 8",
    ".cfi_def_cfa_offset 16",
    "call {begin}",
    "mov rdi, rdx",
    "call rax",
    "mov rdi, rax",
    "call {returned}",
    "add rsp, 8",
    ".cfi_def_cfa_offset 8",
    "ret",
    ".cfi_endproc",
    ".size uwbmc_trampoline, . - uwbmc_trampoline",
    begin = sym begin,
    returned = sym returned,
);

unsafe extern "C" {
    fn uwbmc_trampoline(number: *mut c_void) -> *mut c_void;
}

unsafe extern "C" fn begin(number: usize) -> Start {
    if let Some(spare) = number.checked_sub(MAX_LANES) {
        become_spare(spare);
    } else {
        wait_for_turn(Lane(number as u16));
    }
    let me = current();
    set(at(me, lane::THREAD), sys::thread_pointer());
    execute(me);
    pthread_setspecific(END_KEY, round_of(1));
    STARTS[me.index()]
}

unsafe extern "C" fn returned(result: *mut c_void) -> *mut c_void {
    RESULTS[current().index()] = result;
    result
}

/// Creates as many threads in the server as runs need.
pub unsafe fn provide_fibres(many: usize) {
    provide(many, uwbmc_trampoline);
}

/// The key whose destructor ends threads.
pub fn end_key() -> *mut u32 {
    &raw mut END_KEY
}

/// The value of the key in a round of destructors: its number as a pointer.
fn round_of(number: usize) -> *const c_void {
    core::ptr::without_provenance(number)
}

/// The destructor of the key.
pub unsafe extern "C" fn at_end_of_thread(round: *mut c_void) {
    let round = round as usize;
    if round < ROUNDS {
        pthread_setspecific(END_KEY, round_of(round + 1));
        return;
    }
    let me = current();
    visible(Op::local(Kind::End, 0));
    depart(me)
}

unsafe extern "C" fn create(
    thread: *mut usize,
    attributes: *const c_void,
    routine: Routine,
    argument: *mut c_void,
) -> c_int {
    let created = visible(Op::local(Kind::Create, 0)) as usize;
    signal::inherit(Lane(created as u16));
    STARTS[created] = Start { routine: Some(routine), argument };
    if let Some(handle) = assign(Lane(created as u16), attributes) {
        HANDLES[created] = handle;
        *thread = handle;
        return 0;
    }
    let result = real!(
        c"pthread_create" as fn(*mut usize, *const c_void, Routine, *mut c_void) -> c_int,
        thread,
        attributes,
        uwbmc_trampoline,
        core::ptr::without_provenance_mut(created)
    );
    if result != 0 {
        unsupported("the system does not let the program create another thread");
    }
    company::note_thread();
    HANDLES[created] = *thread;
    0
}

/// Whether this process has created threads.
pub unsafe fn has_others() -> bool {
    (0..MAX_LANES).any(|index| HANDLES[index] != 0)
}

/// Whether another thread of this process may do something before or after what this one does now: the first thread has not waited for the ends of all
/// others, or this is not the first.
pub unsafe fn has_concurrent() -> bool {
    let is_first = HANDLES[current().index()] == 0;
    !is_first || (0..MAX_LANES).any(|index| HANDLES[index] != 0 && !JOINED[index])
}

/// A process that was just created has a single thread, and its threads are no fibres.
pub unsafe fn forget_others() {
    fibre::forget();
    company::forget();
    HANDLES = [0; MAX_LANES];
}

/// The lane of a thread of this process.
pub unsafe fn lane_of(thread: usize) -> Lane {
    let known = get(input::KNOWN) as usize;
    if thread as u64 == get(at(Lane::MAIN, lane::THREAD)) && !process::is_child() {
        return Lane::MAIN;
    }
    match (1..known).find(|index| HANDLES[*index] == thread) {
        Some(index) => Lane(index as u16),
        None => unsupported("joining a thread that the program did not create"),
    }
}

unsafe extern "C" fn join(thread: usize, result: *mut *mut c_void) -> c_int {
    let target = lane_of(thread);
    cancel::test();
    let join = Op::on(Kind::Join, Key { process: 0, address: target.0.into() });
    if visible(join.flagged(cancel::flags())) < 0 {
        cancel::end();
    }
    JOINED[target.index()] = true;
    if !result.is_null() {
        *result = RESULTS[target.index()];
    }
    0
}

/// Whether a thread has ended, and what with; a number of an error otherwise.
unsafe fn join_at_once(thread: usize, result: *mut *mut c_void, otherwise: c_int) -> c_int {
    let target = lane_of(thread);
    if visible(Op::on(Kind::JoinTry, Key { process: 0, address: target.0.into() })) < 0 {
        return otherwise;
    }
    if !result.is_null() {
        *result = RESULTS[target.index()];
    }
    0
}

unsafe extern "C" fn try_join(thread: usize, result: *mut *mut c_void) -> c_int {
    const EBUSY: c_int = 16;
    join_at_once(thread, result, EBUSY)
}

unsafe extern "C" fn timed_join(thread: usize, result: *mut *mut c_void) -> c_int {
    const ETIMEDOUT: c_int = 110;
    join_at_once(thread, result, ETIMEDOUT)
}

pub unsafe extern "C" fn exit(result: *mut c_void) {
    let me = current();
    RESULTS[me.index()] = result;
    if me == Lane::MAIN {
        pthread_setspecific(END_KEY, round_of(1));
    }
    real!(c"pthread_exit" as fn(*mut c_void) -> (), result);
}

pub unsafe extern "C" fn detach(_: usize) -> c_int {
    0
}

pub unsafe extern "C" fn create_c11(thread: *mut usize, routine: Routine, argument: *mut c_void) -> c_int {
    create(thread, core::ptr::null(), routine, argument)
}

pub unsafe extern "C" fn join_c11(thread: usize, result: *mut c_int) -> c_int {
    let mut value = null_mut();
    join(thread, &raw mut value);
    if !result.is_null() {
        *result = value as usize as c_int;
    }
    0
}

pub unsafe extern "C" fn exit_c11(result: c_int) {
    exit(result as usize as *mut c_void);
}
