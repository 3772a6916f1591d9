//! What both passes work on: the clauses, the assignment and the watches.

use super::database::{ClauseId, Database};
use super::trail::Trail;
use super::watches::Watches;
use crate::lit::Code;

/// The state of a check.
pub(super) struct Engine {
    pub(super) database: Database,
    pub(super) trail: Trail,
    pub(super) watches: Watches,
}

/// Why the assignment cannot be completed.
#[derive(Clone, Copy)]
pub(super) enum Conflict {
    /// All literals of this clause are false.
    Clause(ClauseId),
    /// This literal is true and was assumed to be false.
    Literal(Code),
}

impl Engine {
    /// All clauses are inactive, nothing is assigned.
    pub(super) fn new(database: Database, variables: usize) -> Engine {
        let clauses = database.ids().count();
        Engine { database, trail: Trail::new(variables), watches: Watches::new(variables, clauses) }
    }

    /// Adds a clause, and propagates if it is unit.
    pub(super) fn add(&mut self, clause: ClauseId) -> Option<Conflict> {
        let trail = &self.trail;
        let literals = self.database.literals_mut(clause);
        let open = literals.iter().filter(|&&literal| !trail.is_false(literal)).count();
        bring_to_front(literals, |literal| !trail.is_false(literal));
        let first = literals.first().copied();
        self.activate(clause);
        match first {
            Some(unit) if open == 1 && !self.trail.is_true(unit) => {
                self.trail.assign(unit, Some(clause));
                self.propagate()
            }
            Some(_) if open > 0 => None,
            _ => Some(Conflict::Clause(clause)),
        }
    }

    /// Lets a clause take part in propagation again; the trail must be what it was when it was deactivated.
    pub(super) fn activate(&mut self, clause: ClauseId) {
        self.database.activate(clause);
        self.watches.activate(clause, &self.database);
    }

    /// Takes a clause out of propagation.
    pub(super) fn deactivate(&mut self, clause: ClauseId) {
        self.database.deactivate(clause);
        self.watches.deactivate(clause, &self.database);
    }

    /// Whether the clause is unit and gave its literal the value.
    pub(super) fn is_reason(&self, clause: ClauseId) -> bool {
        let mut literals = self.database.literals(clause).iter();
        literals.any(|&literal| self.trail.is_true(literal) && self.trail.reason(literal) == Some(clause))
    }
}

/// Moves two of the literals with this property, if there are this many, to the first places.
fn bring_to_front(literals: &mut [Code], property: impl Fn(Code) -> bool) {
    let mut front = 0;
    for index in 0..literals.len() {
        if front < 2 && property(literals[index]) {
            literals.swap(front, index);
            front += 1;
        }
    }
}
