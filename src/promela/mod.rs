//! The Promela front end: reads what SPIN reads, and means what SPIN means.

pub mod ast;
pub mod codes;
mod cpp;
pub mod flow;
mod lexer;
mod parse;
mod token;

pub use cpp::Reader;

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

/// Parses a model: preprocess, then parse.
pub fn parse(source: &mut Source, reader: Reader<'_>, diagnostics: &mut Diagnostics) -> ast::Ast {
    let tokens = cpp::preprocess(source, reader, diagnostics);
    parse::parse(tokens, diagnostics)
}
