//! What a run may take and who is told about it: time, memory, interruption, progress.
//!
//! An [`Observer`] sees how far the work is and may end it; a [`Budget`] knows when time or memory is up; [`resources`] is what
//! the operating system tells. A [`net`] ends runs of work that cannot ask.

mod budget;
pub mod net;
mod observer;
pub mod resources;

pub use budget::{Budget, Interrupt};
pub use observer::{Bounds, Observer, Progress};
