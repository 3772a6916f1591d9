//! The beginning: attaching to a session, and the server that a run is forked from.
//!
//! The program runs by itself up to its first visible operation: up to there it has one thread and does the same
//! every time. There it becomes the server, which forks a process for each run, waits for its end, and kills what is
//! left of it.

use super::confine::confine;
use super::finish::unsupported;
use super::real::{getenv, pthread_key_create, real, setvbuf, stdout, unsetenv};
use super::shared::{account_for_all, at, get, is_attached, set, set_region};
use super::{company, hooks, sys};
use core::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use operations::region::{self, input, lane, output};
use operations::{Lane, MAX_LANES};

/// The environment variable that names the folder of the session.
const SESSION: &core::ffi::CStr = c"UWBMC_SESSION";
/// The environment variable that says that a program takes the place of another.
const LANE: &core::ffi::CStr = c"UWBMC_LANE";
const PATH_BYTES: usize = 100;

static SOCKET: AtomicI32 = AtomicI32::new(-1);
static IS_RUNNING: AtomicBool = AtomicBool::new(false);

/// Whether this process is one of a run.
pub fn is_running() -> bool {
    IS_RUNNING.load(Ordering::Relaxed)
}

/// Maps the region and connects to the scheduler.
pub unsafe fn attach() {
    if is_attached() {
        return;
    }
    if !getenv(LANE.as_ptr()).is_null() {
        return join_run();
    }
    let folder = getenv(SESSION.as_ptr());
    if folder.is_null() {
        stop(b"uwbmc: this library works inside of `uwbmc run` only\n");
    }
    let file = sys::open(path(folder.cast(), b"/region", &[]).as_ptr());
    let mapped = sys::map_shared(file, region::BYTES);
    if mapped.is_null() || *mapped != region::MAGIC {
        stop(b"uwbmc: the session cannot be read\n");
    }
    // Programs that this one executes find the session by these.
    let library = sys::open(path(folder.cast(), b"/library.so", &[]).as_ptr());
    sys::duplicate(file, region::REGION_FILE);
    sys::duplicate(library, region::LIBRARY_FILE);
    sys::close(file);
    sys::close(library);
    set_region(mapped);
    confine();
    // Before the first visible operation, too, nothing is left if the scheduler is killed; if it was before this, there is
    // nothing to connect to.
    sys::die_with_parent();
    let address = path(folder.cast(), b"/socket", &[1, 0]);
    let socket = sys::connect(address.as_ptr(), PATH_BYTES + 8);
    if socket < 0 {
        stop(b"uwbmc: the session is over\n");
    }
    SOCKET.store(socket, Ordering::Relaxed);
    unsetenv(SESSION.as_ptr());
    unsetenv(c"LD_PRELOAD".as_ptr());
}

/// This program has taken the place of another one in a run, whose lane it goes on as.
unsafe fn join_run() {
    let mapped = sys::map_shared(region::REGION_FILE, region::BYTES);
    if mapped.is_null() || *mapped != region::MAGIC {
        stop(b"uwbmc: the session cannot be read\n");
    }
    set_region(mapped);
    unsetenv(LANE.as_ptr());
    unsetenv(hooks::ENDS.as_ptr());
    unsetenv(c"LD_PRELOAD".as_ptr());
    pthread_key_create(hooks::end_key(), hooks::at_end_of_thread);
    hooks::take_over();
    IS_RUNNING.store(true, Ordering::Relaxed);
    hooks::tell_closed();
}

/// A path inside the session's folder, after a head such as that of a socket address.
unsafe fn path(folder: *const u8, name: &[u8], head: &[u8]) -> [u8; PATH_BYTES + 8] {
    let mut text = [0; PATH_BYTES + 8];
    text[..head.len()].copy_from_slice(head);
    let mut length = head.len();
    let mut from = folder;
    while *from != 0 && length < PATH_BYTES - name.len() {
        text[length] = *from;
        length += 1;
        from = from.add(1);
    }
    text[length..length + name.len()].copy_from_slice(name);
    text
}

unsafe fn stop(message: &[u8]) -> ! {
    sys::write(2, message.as_ptr(), message.len());
    sys::exit_group(126)
}

/// Becomes the server; returns in the process of each run.
pub unsafe fn serve() {
    attach();
    if is_running() {
        return;
    }
    let company = company::company();
    sys::adopt_orphans();
    pthread_key_create(hooks::end_key(), hooks::at_end_of_thread);
    // What is printed belongs to the step that prints it, and is not printed again by the processes of other runs.
    setvbuf(stdout, core::ptr::null_mut(), 2, 0);
    let socket = SOCKET.load(Ordering::Relaxed);
    sys::write(socket, b"r".as_ptr(), 1);
    loop {
        let mut command = 0_u8;
        if sys::read(socket, &raw mut command, 1) != 1 {
            sys::exit_group(0);
        }
        prepare();
        hooks::provide_fibres(get(input::FIBRES) as usize);
        let pid = i64::from(real!(c"_Fork" as fn() -> i32,));
        if pid == 0 {
            begin(socket);
            if let Some(what) = company {
                unsupported(what);
            }
            return;
        }
        let status = oversee(pid);
        sys::write(socket, (&raw const status).cast(), 4);
    }
}

/// Waits for the end of a run, and leaves nothing of it behind.
unsafe fn oversee(pid: i64) -> i32 {
    sys::set_group(pid);
    let (_, status) = sys::wait(pid);
    sys::kill_group(pid);
    while sys::wait(-pid).0 > 0 {}
    sys::end_children();
    status
}

unsafe fn begin(socket: i32) {
    sys::die_with_parent();
    sys::set_group(0);
    sys::close(socket);
    if get(input::OUTPUT) == 0 {
        sys::print_nowhere();
    } else {
        sys::empty(1);
    }
    set(at(Lane::MAIN, lane::THREAD), sys::thread_pointer());
    IS_RUNNING.store(true, Ordering::Relaxed);
}

/// Clears what the run before has left, and takes account of the rest.
fn prepare() {
    let words = [output::ENDING, output::LANE, output::VALUE, output::STEPS, output::CURRENT, output::MESSAGE];
    for index in words.into_iter().chain([
        output::PARTIAL,
        output::NAMES,
        output::PROCESS,
        output::THREAD,
        output::ROUNDS,
        output::UNCLEAR,
        output::SEAL,
        output::SECTION,
    ]) {
        set(index, 0);
    }
    let known = get(input::KNOWN).clamp(1, MAX_LANES as u64);
    set(input::KNOWN, known);
    for number in 0..known {
        let of = Lane(number as u16);
        for field in [
            lane::STATUS,
            lane::QUEUE,
            lane::TICKET,
            lane::CHILDREN,
            lane::THREAD,
            lane::YIELDS,
            lane::PRIVATE,
            lane::LOOP,
        ] {
            set(at(of, field), 0);
        }
    }
    set(at(Lane::MAIN, lane::STATUS), 1);
    set(at(Lane::MAIN, lane::PROCESS), 1);
    set(at(Lane::MAIN, lane::PRIORITY), 1 << 32);
    account_for_all();
}
