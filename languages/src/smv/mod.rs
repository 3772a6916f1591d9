//! The SMV front end: reads what NuSMV reads, and means what NuSMV means.

mod added;
pub mod ast;
pub mod codes;
mod lexer;
mod lower;
mod parse;
mod precedence;
pub mod print;
mod token;

pub use added::Settings;
pub use lower::PcChoice;
pub use parse::parse;

use crate::diagnostic::Diagnostics;
use crate::source::Source;
use added::Added;
use system::System;

/// A model that was read, with what there is to say about it.
pub struct Loaded {
    /// The system, unless the model is wrong or reading had to end. A property that is wrong is a [`system::Claim::Unsupported`] with the
    /// reason, and its error is among the diagnostics.
    pub system: Option<System>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

/// Reads a model: parse, then lower. `pcs` are the user's program counters.
pub fn load(source: &Source, pcs: &[PcChoice]) -> Loaded {
    read(source, source.text().len(), pcs, &[], Diagnostics::default())
}

/// The same with more that is said about the model outside its text.
pub fn load_with(source: &mut Source, settings: Settings<'_>) -> Loaded {
    let end = source.text().len();
    let mut diagnostics = Diagnostics::until(settings.alarm.cloned().unwrap_or_default());
    let added = added::append(source, settings, &mut diagnostics);
    read(source, end, settings.pcs, &added, diagnostics)
}

/// Reads the text up to `end`, and what was added behind it.
fn read(source: &Source, end: usize, pcs: &[PcChoice], added: &[Added], mut diagnostics: Diagnostics) -> Loaded {
    let mut ast = parse::parse_part(source, end, &mut diagnostics);
    added::apply(&mut ast, source, added, &mut diagnostics);
    if diagnostics.is_rejected() {
        return Loaded { system: None, diagnostics };
    }
    let system = lower::lower(&ast, pcs, &mut diagnostics);
    let system = (!diagnostics.is_rejected()).then_some(system);
    Loaded { system, diagnostics }
}
