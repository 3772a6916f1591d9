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
    /// The system, unless the model is wrong.
    pub system: Option<System>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

/// Reads a model: parse, then lower. `pcs` are the user's program counters.
pub fn load(source: &Source, pcs: &[PcChoice]) -> Loaded {
    let mut diagnostics = Diagnostics::default();
    let ast = parse(source, &mut diagnostics);
    if diagnostics.has_errors() {
        return Loaded { system: None, diagnostics };
    }
    let system = lower::lower(&ast, pcs, &mut diagnostics);
    let system = (!diagnostics.has_errors()).then_some(system);
    Loaded { system, diagnostics }
}
