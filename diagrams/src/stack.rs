//! A stack that is deep enough.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, scope};
use std::time::Duration;

/// What an operation may need for each variable it goes down, all its recursions together, without optimisation.
const BYTES_PER_VARIABLE: usize = 8 << 10;
/// What everything else may need.
const BYTES_BESIDES: usize = 16 << 20;
/// How often the thread that waits has something to do.
const PACE: Duration = Duration::from_millis(100);

/// Runs work on diagrams of this many variables on a thread whose stack they cannot overflow: operations recurse at most a
/// few times per variable. The system gives memory to the stack as far as it is used. `None` if there is no thread to be
/// had. While it waits, it does something else now and then.
pub fn on_deep_stack<T: Send>(
    variables: usize,
    work: impl FnOnce() -> T + Send,
    mut meanwhile: impl FnMut(),
) -> Option<T> {
    scope(|threads| {
        let stack = variables.saturating_mul(BYTES_PER_VARIABLE).saturating_add(BYTES_BESIDES);
        let (working, end) = channel::<()>();
        let work = move || {
            // The other end learns that this one is gone, even after a panic.
            let _working = working;
            work()
        };
        let thread = Builder::new().stack_size(stack).spawn_scoped(threads, work).ok()?;
        while end.recv_timeout(PACE) == Err(RecvTimeoutError::Timeout) {
            meanwhile();
        }
        Some(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}
