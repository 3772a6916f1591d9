//! A stack that is deep enough.

use std::panic::resume_unwind;
use std::thread::{Builder, scope};

/// What an operation may need for each variable it goes down, all its recursions together, without optimisation.
const BYTES_PER_VARIABLE: usize = 8 << 10;
/// What everything else may need.
const BYTES_BESIDES: usize = 16 << 20;

/// Runs work on diagrams of this many variables on a thread whose stack they cannot overflow: operations recurse at most a
/// few times per variable. The system gives memory to the stack as far as it is used. `None` if there is no thread to be
/// had.
pub fn on_deep_stack<T: Send>(variables: usize, work: impl FnOnce() -> T + Send) -> Option<T> {
    scope(|threads| {
        let stack = variables.saturating_mul(BYTES_PER_VARIABLE).saturating_add(BYTES_BESIDES);
        let thread = Builder::new().stack_size(stack).spawn_scoped(threads, work).ok()?;
        Some(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}
