//! All clauses of the formula and of the proof, in one array of literals.

use crate::lit::Code;

/// A clause: the original ones come first, then the lemmas in the order of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ClauseId(u32);

impl ClauseId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known of a clause besides its literals.
struct Clause {
    start: usize,
    len: u32,
    is_active: bool,
    is_core: bool,
}

/// The clauses and their states.
#[derive(Default)]
pub(super) struct Database {
    literals: Vec<Code>,
    clauses: Vec<Clause>,
    /// The first literal of each clause in the proof; propagation moves the literals around.
    pivots: Vec<Option<Code>>,
}

impl Database {
    /// Stores a clause, which is not active yet.
    pub(super) fn push(&mut self, literals: &[Code]) -> ClauseId {
        let id = ClauseId(self.clauses.len() as u32);
        let (start, len) = (self.literals.len(), literals.len() as u32);
        self.literals.extend_from_slice(literals);
        self.clauses.push(Clause { start, len, is_active: false, is_core: false });
        self.pivots.push(literals.first().copied());
        id
    }

    /// All clauses, active or not.
    pub(super) fn ids(&self) -> impl Iterator<Item = ClauseId> + use<> {
        (0..self.clauses.len() as u32).map(ClauseId)
    }

    /// The literals; the first two are the watched ones.
    pub(super) fn literals(&self, id: ClauseId) -> &[Code] {
        let clause = &self.clauses[id.index()];
        &self.literals[clause.start..clause.start + clause.len as usize]
    }

    /// The literals, to put others in front.
    pub(super) fn literals_mut(&mut self, id: ClauseId) -> &mut [Code] {
        let clause = &self.clauses[id.index()];
        &mut self.literals[clause.start..clause.start + clause.len as usize]
    }

    /// The literal on which the clause may be RAT; none for the empty clause.
    pub(super) fn pivot(&self, id: ClauseId) -> Option<Code> {
        self.pivots[id.index()]
    }

    /// Whether the clause takes part in propagation.
    pub(super) fn is_active(&self, id: ClauseId) -> bool {
        self.clauses[id.index()].is_active
    }

    /// Lets the clause take part in propagation.
    pub(super) fn activate(&mut self, id: ClauseId) {
        self.clauses[id.index()].is_active = true;
    }

    /// Keeps the clause out of propagation.
    pub(super) fn deactivate(&mut self, id: ClauseId) {
        self.clauses[id.index()].is_active = false;
    }

    /// Whether the refutation rests on the clause.
    pub(super) fn is_core(&self, id: ClauseId) -> bool {
        self.clauses[id.index()].is_core
    }

    /// Notes that the refutation rests on the clause.
    pub(super) fn mark_core(&mut self, id: ClauseId) {
        self.clauses[id.index()].is_core = true;
    }
}
