//! Engines that unroll the system into clauses.

mod bmc;

pub use bmc::{Bounded, Reuse, Stop, bmc};
