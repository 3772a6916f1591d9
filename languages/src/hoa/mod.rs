//! Automata in the Hanoi format (<https://adl.github.io/hoaf/>, version 1), as claims about a model: what they accept must not
//! happen. Büchi and generalised Büchi acceptance, in states or on transitions, are read; other acceptance is refused.

mod acceptance;
mod automaton;
pub mod codes;
mod label;
mod lexer;
mod parse;

pub use automaton::{Automaton, Proposition};

use crate::diagnostic::Diagnostics;
use crate::source::Source;

/// Reads an automaton; what is wrong with it is among the diagnostics.
pub fn read(source: &Source, diagnostics: &mut Diagnostics) -> Option<Automaton> {
    match parse::parse(source.text()) {
        Ok(automaton) => Some(automaton),
        Err(diagnostic) => {
            diagnostics.push(diagnostic);
            None
        }
    }
}
