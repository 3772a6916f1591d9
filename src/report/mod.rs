//! What is said about a model, its properties and its traces.

pub mod dot;
mod format;
pub mod html;
pub mod junit;
mod run;
pub mod show;
mod verdict;

pub use format::Format;
pub use run::{PropertyReport, RunReport};
pub use verdict::Verdict;
