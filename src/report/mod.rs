//! What is said about a model, its properties and its traces.

pub mod dot;
pub mod fault;
mod finding;
mod format;
pub mod html;
pub mod junit;
pub mod plot;
mod run;
pub mod show;
mod table;
mod verdict;
mod written;

pub use finding::{DiagnosticReport, FaultReport};
pub use format::Format;
pub use run::{FormulaReport, OddityReport, PropertyReport, RoundReport, RunReport};
pub use table::Table;
pub use verdict::Verdict;
pub use written::Written;
