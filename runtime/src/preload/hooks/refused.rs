//! Ways in which threads and processes can talk to each other that are not modelled. A program that uses one is refused:
//! exploring it as if it did not would leave out what it can do.

use super::hook;
use crate::preload::attach::{is_running, serve};
use crate::preload::finish::unsupported;
use crate::preload::real::error;
use crate::preload::sys;

/// Refuses the program, in a run.
unsafe fn refuse(what: &str) -> ! {
    if !is_running() {
        serve();
    }
    unsupported(what)
}

macro_rules! refused {
    ($($name:ident)*) => {$(
        const _: () = {
            unsafe extern "C" fn ours() {
                refuse(stringify!($name))
            }
            hook! { $name => ours; }
        };
    )*};
}

refused! {
    pipe pipe2 socketpair mkfifo shm_open shmget msgget mq_open timer_create pthread_tryjoin_np pthread_timedjoin_np
    pthread_kill pthread_sigqueue sigwait sigsuspend
}

hook! {
    mmap => mmap;
    mmap64 => mmap;
}

unsafe extern "C" fn mmap(address: u64, length: u64, protection: u64, flags: u64, file: u64, offset: u64) -> i64 {
    const SHARED: u64 = 1;
    const WRITE: u64 = 2;
    const MMAP: u64 = 9;
    if flags & SHARED != 0 && protection & WRITE != 0 {
        refuse("memory that processes share (mmap with MAP_SHARED)");
    }
    let result = sys::call(MMAP, [address, length, protection, flags, file, offset]);
    if (-4095..0).contains(&result) { error(-result as i32).into() } else { result }
}
