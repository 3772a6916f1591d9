//! Labels that ask for something of infinite runs: a run may not pass an `accept` label for ever, and has to pass a
//! `progress` label again and again.

use super::Lowering;
use system::{Claim, Span};

/// For each kind of label: how it begins, what the property is called, and why there is no answer.
const KINDS: [(&str, &str, &str); 2] = [
    ("accept", "acceptance_cycles", "acceptance cycles are not checked yet"),
    ("progress", "non_progress_cycles", "non-progress cycles are not checked yet"),
];

impl Lowering<'_> {
    /// Adds a property for each kind of label that a process has, so that none is passed over in silence.
    pub(super) fn label_properties(&mut self) {
        for (word, name, why) in KINDS {
            if let Some(span) = self.first_labelled(word) {
                self.property(name.to_owned(), Claim::Unsupported(why.to_owned()), span);
            }
        }
    }

    /// The first statement of a process with a label that begins with a word.
    fn first_labelled(&self, word: &str) -> Option<Span> {
        let mut statements = self.ast.proctypes.iter().flat_map(|proctype| proctype.statements());
        let labelled = statements.find(|statement| statement.labels.iter().any(|label| label.name.starts_with(word)));
        labelled.map(|statement| statement.span)
    }
}
