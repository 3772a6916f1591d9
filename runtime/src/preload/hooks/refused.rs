//! Ways in which threads and processes can talk to each other that are not modelled. A program that uses one is refused:
//! exploring it as if it did not would leave out what it can do.

use super::hook;
use crate::preload::finish::unsupported;

macro_rules! refused {
    ($($($name:ident)*: $instead:literal;)*) => {$($(
        const _: () = {
            unsafe extern "C" fn ours() {
                unsupported(concat!(stringify!($name), ": ", $instead))
            }
            hook! { $name => ours; }
        };
    )*)*};
}

refused! {
    mkfifo mkfifoat: "call pipe, or socketpair";
    eventfd: "call pipe, or wait at a semaphore";
    timerfd_create: "create a thread that sleeps";
    signalfd: "wait at a semaphore or condition variable";
    flock lockf lockf64: "lock a mutex, or a semaphore of sem_open";
    clone: "call fork or pthread_create";
    daemon forkpty: "call fork";
    timer_create: "create a thread that sleeps";
    sigsuspend pause: "wait at a semaphore or condition variable";
    sigqueue pthread_sigqueue: "call pthread_kill";
    epoll_create epoll_create1: "call poll, with a timeout";
    mq_timedsend mq_timedreceive: "open the queue with O_NONBLOCK";
}
