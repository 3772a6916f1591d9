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
    mkfifo: "call pipe, or socketpair";
    timer_create: "create a thread that sleeps";
    sigwait sigwaitinfo sigtimedwait sigsuspend pthread_sigqueue: "wait at a semaphore or condition variable";
    epoll_create epoll_create1: "call poll, with a timeout";
    mq_timedsend mq_timedreceive: "open the queue with O_NONBLOCK";
}
