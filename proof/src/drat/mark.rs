//! Marks the clauses that a conflict rests on.

use super::database::ClauseId;
use super::engine::{Conflict, Engine};
use crate::lit::Code;

impl Engine {
    /// Marks the conflict's clause, the reasons of its literals, their reasons and so on, as core.
    ///
    /// What was explained once stays so until it is unassigned, so the top-level assignment is not walked again and
    /// again.
    pub(super) fn mark(&mut self, conflict: Conflict) {
        let mut pending = Vec::new();
        match conflict {
            Conflict::Clause(clause) => self.mark_clause(clause, &mut pending),
            Conflict::Literal(literal) => pending.push(literal),
        }
        while let Some(literal) = pending.pop() {
            if self.trail.explain(literal) {
                continue;
            }
            if let Some(reason) = self.trail.reason(literal) {
                self.mark_clause(reason, &mut pending);
            }
        }
    }

    fn mark_clause(&mut self, clause: ClauseId, pending: &mut Vec<Code>) {
        self.database.mark_core(clause);
        pending.extend_from_slice(self.database.literals(clause));
    }
}
