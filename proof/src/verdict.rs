//! What a checker answers.

use std::fmt;

use super::ClauseIndex;

/// The proof is right: the formula is unsatisfiable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The unsatisfiable core: original clauses that are unsatisfiable by themselves, in ascending order.
    /// It is as small as the proof happens to make it, not minimal.
    pub core: Vec<ClauseIndex>,
}

/// The proof shows nothing about the formula, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// Where the step that went wrong begins.
    pub at: Position,
    /// What went wrong.
    pub reason: Reason,
}

/// A place in a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// The line of a text proof, counted from one.
    Line(usize),
    /// The offset in a binary proof, counted from zero.
    Byte(usize),
}

/// Why a proof was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The bytes are no proof; this is what was expected.
    Syntax(&'static str),
    /// The proof ends in the middle of a step.
    Truncated,
    /// LRAT: no clause has this number, or it was deleted.
    UnknownClause(u64),
    /// LRAT: the number of a lemma is not larger than all before it.
    NumberNotIncreasing(u64),
    /// LRAT: this hint has two literals or more that are not false, so that it propagates nothing.
    HintNotUnit(u64),
    /// LRAT: the hints are used up and there is no conflict.
    NoConflict,
    /// LRAT: this hint stands for a resolution candidate and does not contain the negation of the first literal.
    NotACandidate(u64),
    /// LRAT: this clause contains the negation of the first literal and the hints do not mention it.
    MissingCandidate(u64),
    /// DRAT: the lemma follows neither by unit propagation nor as a resolution asymmetric tautology.
    NotRupNorRat,
    /// The proof ends, all its steps are well formed, and it never reaches the empty clause.
    EmptyClauseNeverDerived,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Position::Line(line) => write!(f, "line {line}"),
            Position::Byte(offset) => write!(f, "byte {offset}"),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Reason::Syntax(expected) => write!(f, "expected {expected}"),
            Reason::Truncated => write!(f, "the proof ends in the middle of a step"),
            Reason::UnknownClause(id) => write!(f, "there is no clause {id}"),
            Reason::NumberNotIncreasing(id) => write!(f, "the lemma's number {id} is not larger than all before it"),
            Reason::HintNotUnit(id) => write!(f, "hint {id} is not unit"),
            Reason::NoConflict => write!(f, "the hints give no conflict"),
            Reason::NotACandidate(id) => write!(f, "clause {id} does not contain the negation of the first literal"),
            Reason::MissingCandidate(id) => write!(f, "no hints for the resolution with clause {id}"),
            Reason::NotRupNorRat => write!(f, "the lemma is neither RUP nor RAT"),
            Reason::EmptyClauseNeverDerived => write!(f, "the proof never derives the empty clause"),
        }
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.reason)
    }
}

impl std::error::Error for Rejected {}
