//! Whether a lemma is redundant: RUP, or RAT on its first literal.

use super::database::ClauseId;
use super::engine::{Conflict, Engine};
use super::occurrences::Occurrences;
use crate::lit::Code;

impl Engine {
    /// Whether the lemma is a reverse unit propagation clause; if so, what that rests on becomes core. The assumptions
    /// that the lemma is false stay.
    pub(super) fn is_rup(&mut self, lemma: ClauseId) -> bool {
        let literals = self.database.literals(lemma).to_vec();
        self.is_refuted(&literals)
    }

    /// Whether the lemma is a resolution asymmetric tautology, given that [`Engine::is_rup`] has just said no.
    ///
    /// A resolution may make clauses core that are candidates themselves, so candidates are looked through until no
    /// new one turns up.
    pub(super) fn is_rat(&mut self, lemma: ClauseId, occurrences: &Occurrences) -> bool {
        let Some(pivot) = self.database.pivot(lemma) else { return false };
        let with_negation = occurrences.of(!pivot).iter().copied();
        let mut waiting: Vec<ClauseId> = with_negation.filter(|&clause| self.database.is_active(clause)).collect();
        loop {
            let (candidates, rest): (Vec<_>, Vec<_>) =
                waiting.into_iter().partition(|&clause| self.database.is_core(clause));
            if candidates.is_empty() {
                return true;
            }
            if !candidates.into_iter().all(|candidate| self.is_resolvent_rup(pivot, candidate)) {
                return false;
            }
            waiting = rest;
        }
    }

    /// Whether the resolvent of the candidate and the lemma, which is assumed to be false, is RUP.
    fn is_resolvent_rup(&mut self, pivot: Code, candidate: ClauseId) -> bool {
        let mut literals = self.database.literals(candidate).to_vec();
        literals.retain(|&literal| literal != !pivot);
        let level = self.trail.len();
        let is_refuted = self.is_refuted(&literals);
        self.trail.backtrack(level);
        is_refuted
    }

    /// Whether a conflict follows if all these literals are false; if so, it is marked.
    fn is_refuted(&mut self, literals: &[Code]) -> bool {
        let conflict = self.refute(literals).or_else(|| self.propagate());
        if let Some(conflict) = conflict {
            self.mark(conflict);
        }
        conflict.is_some()
    }

    /// Assumes all these literals to be false.
    fn refute(&mut self, literals: &[Code]) -> Option<Conflict> {
        for &literal in literals {
            if self.trail.is_true(literal) {
                return Some(Conflict::Literal(literal));
            }
            if !self.trail.is_false(literal) {
                self.trail.assign(!literal, None);
            }
        }
        None
    }
}
