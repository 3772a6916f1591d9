//! What is said about a model, its properties and its traces.
//!
//! # What is where
//!
//! ```text
//! trace/                the trace document and its renderings; what people see of a state (view), who waits where; the
//!                       flow of data and messages along a run; simplify/
//! ```

pub mod dot;
mod explanation;
pub mod fault;
mod finding;
mod format;
pub mod html;
pub mod junit;
pub mod plot;
mod run;
pub mod show;
mod table;
pub mod trace;
mod written;

pub use explanation::{BranchReport, ClaimReport, ConjunctReport, ExplanationReport, Runs, failing};
pub use finding::{DiagnosticReport, FaultReport};
pub use format::Format;
pub use run::{OddityReport, PropertyReport, RoundReport, RunReport};
pub use table::{Heading, Table};
pub use written::Written;
