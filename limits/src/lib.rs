//! What a run may take and who is told about it: time, memory, interruption, progress.
//!
//! A [`Handle`] is what all work is given: it says whether to go on, and is told how far the work is. Behind it, a [`Budget`]
//! knows when time or memory is up, and an [`Observer`] sees how far the work is and may end it; [`resources`] is what the
//! operating system tells. A [`net`] ends runs of work that cannot ask. [`Effort`] and [`Work`] measure what is done without a
//! clock.

mod budget;
mod handle;
pub mod net;
mod observer;
pub mod resources;
mod work;

pub use budget::{Budget, Ended, Interrupt};
pub use handle::{Handle, Patience};
pub use observer::{Bounds, Observer, Progress};
pub use work::{Effort, Work};
