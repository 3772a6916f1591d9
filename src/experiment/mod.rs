//! The experiments of the papers behind the explicit engines, repeated.

mod program;

pub use program::{Channel, Program};
