//! Fibres: threads of the program that a single thread of the system runs in turns.
//!
//! Handing over between threads of the system takes microseconds, and creating one nearly as long as a `fork`. So the
//! server creates as many threads as the program is known to have, and lets them wait. In the process of a run, which
//! is a copy of the server with a single thread, their stacks and their thread-local memory are still there: to go on as
//! one of them is to change the stack and the thread pointer.
//!
//! Each lane has a host: the lane whose thread of the system runs it. Fibres are hosted by the main lane of the first process;
//! a thread that is none, because it wants a stack of its own or none is left, is its own host.

use super::real::{getauxval, real};
use super::shared::{at, get, set};
use super::sys;
use core::ffi::{c_int, c_void};
use core::ptr::null;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use operations::region::lane;
use operations::{Lane, MAX_LANES};

/// Where a thread goes on: its stack, on top of which its registers are, and its thread pointer.
#[derive(Clone, Copy)]
struct Context {
    stack: usize,
    thread: u64,
}

/// A thread of the server that waits to be a fibre.
#[derive(Clone, Copy)]
struct Spare {
    context: Context,
    handle: usize,
}

const NOWHERE: Context = Context { stack: 0, thread: 0 };
const UNUSED: Spare = Spare { context: NOWHERE, handle: 0 };

static mut SPARES: [Spare; MAX_LANES] = [UNUSED; MAX_LANES];
/// How many spare threads there are, and how many of them are fibres of this run.
static mut COUNT: usize = 0;
static mut USED: usize = 0;
/// How many spare threads wait.
static WAITING: AtomicU32 = AtomicU32::new(0);

/// Where the fibres of this process go on, by lane.
static mut CONTEXTS: [Context; MAX_LANES] = [NOWHERE; MAX_LANES];

type Routine = unsafe extern "C" fn(*mut c_void) -> *mut c_void;

/// Puts what a function has to preserve on the stack, and keeps the stack at the place that the first argument says.
macro_rules! keep_registers {
    () => {
        "push rbp
         push rbx
         push r12
         push r13
         push r14
         push r15
         sub rsp, 8
         stmxcsr [rsp]
         fnstcw [rsp + 4]
         mov [rdi], rsp"
    };
}

core::arch::global_asm!(
    // uwbmc_switch(where to keep this stack, the stack to go on with)
    ".globl uwbmc_switch",
    ".hidden uwbmc_switch",
    ".type uwbmc_switch,@function",
    "uwbmc_switch:",
    keep_registers!(),
    "mov rsp, rsi",
    "ldmxcsr [rsp]",
    "fldcw [rsp + 4]",
    "add rsp, 8",
    "pop r15",
    "pop r14",
    "pop r13",
    "pop r12",
    "pop rbx",
    "pop rbp",
    "ret",
    ".size uwbmc_switch, . - uwbmc_switch",
    // uwbmc_park(where to keep this stack): as the first half of a switch; returns only to a fibre
    ".globl uwbmc_park",
    ".hidden uwbmc_park",
    ".type uwbmc_park,@function",
    "uwbmc_park:",
    keep_registers!(),
    "call {wait}",
    "ud2",
    ".size uwbmc_park, . - uwbmc_park",
    wait = sym wait_for_ever,
);

unsafe extern "C" {
    fn uwbmc_switch(keep: *mut usize, stack: usize);
    fn uwbmc_park(keep: *mut usize);
}

/// What a spare thread does in the server.
unsafe extern "C" fn wait_for_ever() -> ! {
    WAITING.fetch_add(1, Ordering::Release);
    sys::futex_wake(WAITING.as_ptr());
    static NEVER: AtomicU32 = AtomicU32::new(0);
    loop {
        sys::futex_wait(NEVER.as_ptr(), 0);
    }
}

/// Creates spare threads in the server until there are so many, or the system does not let us.
///
/// # Safety
/// `begin` has to call [`become_spare`] with its argument less `MAX_LANES` before anything else.
pub unsafe fn provide(many: usize, begin: Routine) {
    while COUNT < many.min(MAX_LANES) {
        let argument = core::ptr::without_provenance_mut(MAX_LANES + COUNT);
        type Attributes = *const c_void;
        let handle = &raw mut SPARES[COUNT].handle;
        let create = real!(
            c"pthread_create" as fn(*mut usize, Attributes, Routine, *mut c_void) -> c_int,
            handle,
            null(),
            begin,
            argument
        );
        if create != 0 {
            return;
        }
        COUNT += 1;
        loop {
            let waiting = WAITING.load(Ordering::Acquire);
            if waiting as usize == COUNT {
                break;
            }
            sys::futex_wait(WAITING.as_ptr(), waiting);
        }
    }
}

/// Waits in the server; returns in a run, as a fibre whose turn it is.
pub unsafe fn become_spare(number: usize) {
    let context = &raw mut SPARES[number].context;
    (*context).thread = sys::thread_pointer();
    uwbmc_park(&raw mut (*context).stack);
}

/// A fibre for a lane that is created with attributes: its handle. None if a thread of the system has to do it.
pub unsafe fn assign(of: Lane, attributes: *const c_void) -> Option<usize> {
    if USED == COUNT || !fits(attributes) {
        return None;
    }
    let spare = SPARES[USED];
    USED += 1;
    CONTEXTS[of.index()] = spare.context;
    inherit_settings(spare.context.stack);
    set(at(of, lane::HOST), Lane::MAIN.0.into());
    Some(spare.handle)
}

/// This process is not the one that the fibres are of.
pub unsafe fn forget() {
    COUNT = 0;
    USED = 0;
}

/// A new thread computes with the settings of floating-point numbers of the one that creates it.
unsafe fn inherit_settings(stack: usize) {
    core::arch::asm!("stmxcsr [{0}]", "fnstcw [{0} + 4]", in(reg) stack, options(nostack, preserves_flags));
}

/// Whether the stack of a spare thread is good enough: large enough, and no special one is asked for.
unsafe fn fits(attributes: *const c_void) -> bool {
    type Attributes = *const c_void;
    if attributes.is_null() {
        return true;
    }
    let size_of = |attributes: Attributes| {
        let mut size = 0;
        real!(c"pthread_attr_getstacksize" as fn(Attributes, *mut usize) -> c_int, attributes, &raw mut size);
        size
    };
    let mut place = 0_usize;
    real!(c"pthread_attr_getstackaddr" as fn(Attributes, *mut usize) -> c_int, attributes, &raw mut place);
    // The size that zeros stand for is that of a thread without attributes.
    let defaults = [0_u64; 8];
    place == 0 && size_of(attributes) <= size_of(defaults.as_ptr().cast())
}

/// The lane whose thread of the system runs a lane.
pub fn host(of: Lane) -> Lane {
    Lane(get(at(of, lane::HOST)) as u16)
}

/// Goes on as another fibre of the same host; returns when another one goes on as this one.
pub unsafe fn go_on_as(next: Lane, me: Lane) {
    let to = CONTEXTS[next.index()];
    let from = &raw mut CONTEXTS[me.index()];
    (*from).thread = sys::thread_pointer();
    set_thread_pointer(to.thread);
    uwbmc_switch(&raw mut (*from).stack, to.stack);
}

unsafe fn set_thread_pointer(thread: u64) {
    if can_write_it() {
        core::arch::asm!("wrfsbase {}", in(reg) thread, options(nostack, preserves_flags));
    } else {
        sys::set_thread_pointer(thread);
    }
}

/// Whether the processor and the system let programs change the thread pointer without a call.
unsafe fn can_write_it() -> bool {
    const SECOND_CAPABILITIES: u64 = 26;
    const MAY_WRITE: u64 = 2;
    const KNOWN: u64 = 1 << 63;
    static CAPABILITIES: AtomicU64 = AtomicU64::new(0);
    let mut found = CAPABILITIES.load(Ordering::Relaxed);
    if found == 0 {
        found = getauxval(SECOND_CAPABILITIES) | KNOWN;
        CAPABILITIES.store(found, Ordering::Relaxed);
    }
    found & MAY_WRITE != 0
}
