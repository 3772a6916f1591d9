//! The SMV front end: reads what NuSMV reads, and means what NuSMV means.

pub mod ast;
pub mod codes;
mod lexer;
mod lower;
mod parse;
mod precedence;
pub mod print;
mod token;

pub use lower::PcChoice;
pub use parse::parse;

use crate::diagnostic::Diagnostics;
use crate::source::Source;
use system::System;

/// A model that was read, with what there is to say about it.
pub struct Loaded {
    /// The system, unless the model is wrong. A property that is wrong is a [`system::Claim::Unsupported`] with the
    /// reason, and its error is among the diagnostics.
    pub system: Option<System>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

/// Reads a model: parse, then lower. `pcs` are the user's program counters.
pub fn load(source: &Source, pcs: &[PcChoice]) -> Loaded {
    let mut diagnostics = Diagnostics::default();
    let ast = parse(source, &mut diagnostics);
    if diagnostics.is_rejected() {
        return Loaded { system: None, diagnostics };
    }
    let system = lower::lower(&ast, pcs, &mut diagnostics);
    let system = (!diagnostics.is_rejected()).then_some(system);
    Loaded { system, diagnostics }
}
