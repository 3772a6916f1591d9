//! What is said about a model and its properties.

pub mod dot;
pub mod show;
mod verdict;

pub use verdict::Verdict;
