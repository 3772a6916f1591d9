//! The experiments of the papers behind the explicit engines, repeated, and models to measure with.

pub mod graph;
pub mod lock;
pub mod memory;
pub mod online;
pub mod philosophers;
pub mod programs;
pub mod protocol;
pub mod table;

pub use system::{Channel, Program};
