//! The literals that are assumed to be false, or follow to be, while one lemma is checked.

use crate::lit::Code;

/// A partial assignment, and the order in which it came about.
#[derive(Default)]
pub(super) struct Assumptions {
    falsified: Vec<bool>,
    trail: Vec<Code>,
}

/// Whether the assumptions contradict each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Conflict,
    Open,
}

impl Assumptions {
    /// Drops all assumptions and makes room for this many variables.
    pub(super) fn forget(&mut self, variables: usize) {
        self.backtrack(0);
        self.falsified.resize(2 * variables, false);
    }

    /// Assumes all these literals to be false; a conflict if one of them is true.
    pub(super) fn refute(&mut self, literals: impl IntoIterator<Item = Code>) -> Outcome {
        for literal in literals {
            if self.is_false(!literal) {
                return Outcome::Conflict;
            }
            self.falsify(literal);
        }
        Outcome::Open
    }

    /// Assumes a literal to be false.
    pub(super) fn falsify(&mut self, literal: Code) {
        if !self.is_false(literal) {
            self.falsified[literal.index()] = true;
            self.trail.push(literal);
        }
    }

    /// Whether a literal is false.
    pub(super) fn is_false(&self, literal: Code) -> bool {
        self.falsified[literal.index()]
    }

    /// How many literals are false.
    pub(super) fn len(&self) -> usize {
        self.trail.len()
    }

    /// Drops all but the first assumptions.
    pub(super) fn backtrack(&mut self, len: usize) {
        for literal in self.trail.drain(len..) {
            self.falsified[literal.index()] = false;
        }
    }
}
