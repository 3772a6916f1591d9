//! The assignment, in the order in which it came about.

use super::database::ClauseId;
use crate::lit::Code;

/// The true literals, why they are true, and how far they are propagated.
pub(super) struct Trail {
    is_true: Vec<bool>,
    reasons: Vec<Option<ClauseId>>,
    /// The variables whose reasons, and the reasons of those, are core already.
    is_explained: Vec<bool>,
    literals: Vec<Code>,
    /// How many literals the core clauses have seen.
    pub(super) core_head: usize,
    /// How many literals the other clauses have seen.
    pub(super) other_head: usize,
    /// How many of the watches of the next literal have seen it.
    pub(super) other_watch: usize,
}

impl Trail {
    /// The empty assignment.
    pub(super) fn new(variables: usize) -> Trail {
        Trail {
            is_true: vec![false; 2 * variables],
            reasons: vec![None; variables],
            is_explained: vec![false; variables],
            literals: Vec::new(),
            core_head: 0,
            other_head: 0,
            other_watch: 0,
        }
    }

    /// How many literals are true.
    pub(super) fn len(&self) -> usize {
        self.literals.len()
    }

    /// The true literal at this place.
    pub(super) fn literal(&self, index: usize) -> Code {
        self.literals[index]
    }

    /// Whether a literal is true.
    pub(super) fn is_true(&self, literal: Code) -> bool {
        self.is_true[literal.index()]
    }

    /// Whether a literal is false.
    pub(super) fn is_false(&self, literal: Code) -> bool {
        self.is_true[(!literal).index()]
    }

    /// Makes a literal true that has no value; without a reason, it is an assumption.
    pub(super) fn assign(&mut self, literal: Code, reason: Option<ClauseId>) {
        debug_assert!(!self.is_true(literal) && !self.is_false(literal));
        self.is_true[literal.index()] = true;
        self.reasons[literal.variable()] = reason;
        self.literals.push(literal);
    }

    /// The clause that gave the literal's variable its value.
    pub(super) fn reason(&self, literal: Code) -> Option<ClauseId> {
        self.reasons[literal.variable()]
    }

    /// Notes that the variable's value is explained; whether it was before.
    pub(super) fn explain(&mut self, literal: Code) -> bool {
        std::mem::replace(&mut self.is_explained[literal.variable()], true)
    }

    /// Goes back to the first literals, which were all propagated.
    pub(super) fn backtrack(&mut self, len: usize) {
        for literal in self.literals.drain(len..) {
            self.is_true[literal.index()] = false;
            self.reasons[literal.variable()] = None;
            self.is_explained[literal.variable()] = false;
        }
        (self.core_head, self.other_head, self.other_watch) = (len, len, 0);
    }
}
