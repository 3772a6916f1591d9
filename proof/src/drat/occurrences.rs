//! Which clauses contain a literal, for RAT checks.

use super::database::{ClauseId, Database};
use crate::lit::Code;

/// For every literal, the clauses that contain it, active or not.
pub(super) struct Occurrences(Vec<Vec<ClauseId>>);

impl Occurrences {
    /// Collects the occurrences in all clauses.
    pub(super) fn new(database: &Database, variables: usize) -> Occurrences {
        let mut lists = vec![Vec::new(); 2 * variables];
        for clause in database.ids() {
            for literal in database.literals(clause) {
                lists[literal.index()].push(clause);
            }
        }
        Occurrences(lists)
    }

    /// The clauses that contain the literal.
    pub(super) fn of(&self, literal: Code) -> &[ClauseId] {
        &self.0[literal.index()]
    }
}
