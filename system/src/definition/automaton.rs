//! Automata that move in turns with a system, as SPIN's never claims do: first the automaton, by a move whose condition
//! holds, then the system.

use super::ids::{ClaimStateId, ExprId};
use index_vec::IndexVec;

/// A claim as an automaton over states of the system. Its first state is initial.
#[derive(Clone, Debug)]
pub struct ClaimAutomaton {
    /// What the model calls it.
    pub name: String,
    /// The moves from each state, in the order in which SPIN tries them.
    pub moves: IndexVec<ClaimStateId, Vec<ClaimMove>>,
    /// The states that a run must not pass infinitely often.
    pub accepting: Vec<ClaimStateId>,
}

/// A move of a claim.
#[derive(Clone, Copy, Debug)]
pub struct ClaimMove {
    /// When it is possible.
    pub guard: ExprId,
    /// Where it leads.
    pub to: ClaimStateId,
    /// What it consists of.
    pub statements: Statements,
}

/// How many statements of a claim a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statements {
    /// A single one.
    One,
    /// An atomic section.
    Several,
}
