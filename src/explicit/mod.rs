//! Explicit-state search.

mod bfs;
mod store;
mod visible;

pub use bfs::{Finding, Limits, Search, Stop, search};
pub use visible::{Count, count_visible};
