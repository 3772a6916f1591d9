//! Statements as the model writes them, on one line.

use crate::promela::flow::{Action, Edge};
use crate::source::Source;

/// What a step is called.
pub fn label(edge: &Edge, source: &Source) -> String {
    match &edge.action {
        Action::Die => "-end-".to_owned(),
        Action::Skip => "(goto)".to_owned(),
        Action::Statement(_) => short(source.slice(edge.span)),
    }
}

/// A text on one line, without what is too long to read.
fn short(text: &str) -> String {
    const LONGEST: usize = 60;
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}..", &line[..at]),
        None => line,
    }
}
