//! What is said about a model and its properties.

pub mod dot;
pub mod plot;
pub mod show;
mod table;
mod verdict;

pub use table::Table;
pub use verdict::Verdict;
