//! Ways in which threads and processes can talk to each other that are not modelled. A program that uses one is refused:
//! exploring it as if it did not would leave out what it can do.

use super::hook;
use crate::preload::finish::unsupported;

macro_rules! refused {
    ($($name:ident)*) => {$(
        const _: () = {
            unsafe extern "C" fn ours() {
                unsupported(stringify!($name))
            }
            hook! { $name => ours; }
        };
    )*};
}

refused! {
    mkfifo timer_create pthread_tryjoin_np pthread_timedjoin_np pthread_kill pthread_sigqueue sigwait sigsuspend
    epoll_create epoll_create1 ppoll pselect mq_timedsend mq_timedreceive execl execlp execle posix_spawn
    posix_spawnp
}
