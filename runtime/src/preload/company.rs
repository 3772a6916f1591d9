//! Threads and processes that are there besides those of the lanes, because a library has created them past the functions that are
//! hooked: the C library for `aio_read`, or another one by system calls of its own. They run beside the lanes, unseen, so that nothing can
//! be said about the program. They are looked for when a run ends, by what the system has counted, which takes a few microseconds.
//!
//! Those that have come and gone leave a trace too. Threads have used processor time, which is that of the process and not that of its only
//! other thread. Processes that were waited for have used memory.

use super::sys;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How many threads of the system this process has created for lanes.
static THREADS: AtomicU64 = AtomicU64::new(0);
/// Whether this process has created others, for lanes or for commands.
static HAS_CHILDREN: AtomicBool = AtomicBool::new(false);

/// A thread of the system was created for a lane.
pub fn note_thread() {
    THREADS.fetch_add(1, Ordering::Relaxed);
}

/// A process is created, for a lane or for a command.
pub fn note_process() {
    HAS_CHILDREN.store(true, Ordering::Relaxed);
}

/// This process was just created, and has created nothing itself.
pub fn forget() {
    THREADS.store(0, Ordering::Relaxed);
    HAS_CHILDREN.store(false, Ordering::Relaxed);
}

/// What there is besides the lanes, in words.
pub unsafe fn company() -> Option<&'static str> {
    let ours = THREADS.load(Ordering::Relaxed);
    if sys::count_of_threads() > 1 + ours || ours == 0 && has_had_threads() {
        return Some(
            "a thread that a library has created by itself (for aio_read, or by a system call): call pthread_create",
        );
    }
    if !HAS_CHILDREN.load(Ordering::Relaxed) && sys::has_had_children() {
        return Some("a process that a library has created by itself, by a system call: call fork");
    }
    None
}

/// Whether this thread of the system is not the only one that the process has ever had. The time of the thread is read
/// last: if there is no other one, it is at least that of the process.
unsafe fn has_had_threads() -> bool {
    let process = sys::time_of_process();
    process > sys::time_of_thread()
}
