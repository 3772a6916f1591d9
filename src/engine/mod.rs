//! Engines that unroll the system into clauses.

mod bmc;
mod refutation;

pub use bmc::{Bounded, Mode, Reuse, Stop, bmc};
pub use refutation::refutation;
