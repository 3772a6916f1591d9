//! Explicit-state search.

mod bfs;
mod store;

pub use bfs::{Finding, Limits, Search, Stop, search};
