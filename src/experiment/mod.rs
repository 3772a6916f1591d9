//! The experiments of the papers behind the explicit engines, repeated.

pub mod graph;
pub mod lock;
pub mod memory;
pub mod philosophers;
mod program;
pub mod protocol;

pub use program::{Channel, Program};
