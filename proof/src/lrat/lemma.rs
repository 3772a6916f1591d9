//! The check of one lemma by its hints.

use super::assumptions::{Assumptions, Outcome};
use super::clauses::{Clauses, Place};
use crate::Reason;
use crate::lit::Code;

/// The state of the check of one lemma.
pub(super) struct Check<'a> {
    clauses: &'a mut Clauses,
    assumptions: &'a mut Assumptions,
    antecedents: Vec<Place>,
}

impl<'a> Check<'a> {
    /// The beginning, with no assumptions.
    pub(super) fn new(clauses: &'a mut Clauses, assumptions: &'a mut Assumptions) -> Check<'a> {
        Check { clauses, assumptions, antecedents: Vec::new() }
    }

    /// Checks that the lemma is RUP or RAT on its first literal; gives the clauses that it follows from.
    pub(super) fn lemma(mut self, literals: &[Code], hints: &[i64]) -> Result<Vec<Place>, Reason> {
        if self.assumptions.refute(literals.iter().copied()) == Outcome::Conflict {
            return Ok(self.antecedents);
        }
        let groups = hints.iter().position(|&hint| hint < 0).unwrap_or(hints.len());
        let (rup, rat) = hints.split_at(groups);
        if self.propagate(rup)? == Outcome::Open {
            let &pivot = literals.first().ok_or(Reason::NoConflict)?;
            self.resolve(pivot, rat)?;
        }
        Ok(self.antecedents)
    }

    /// Checks the resolvents on the pivot of the lemma, which is assumed to be false, with all clauses.
    fn resolve(&mut self, pivot: Code, hints: &[i64]) -> Result<(), Reason> {
        let level = self.assumptions.len();
        let mut resolved = Vec::new();
        for group in hints.chunk_by(|_, &next| next > 0) {
            let id = group[0].unsigned_abs();
            if self.resolve_with(id, pivot, &group[1..])? == Outcome::Open {
                return Err(Reason::NoConflict);
            }
            self.assumptions.backtrack(level);
            resolved.push(id);
        }
        resolved.sort_unstable();
        match self.clauses.containing(!pivot).into_iter().find(|id| resolved.binary_search(id).is_err()) {
            None => Ok(()),
            Some(_) if resolved.is_empty() => Err(Reason::NoConflict),
            Some(missing) => Err(Reason::MissingCandidate(missing)),
        }
    }

    /// Propagates under the assumption that the rest of this clause is false as well.
    fn resolve_with(&mut self, id: u64, pivot: Code, hints: &[i64]) -> Result<Outcome, Reason> {
        let (_, candidate) = self.clauses.find(id)?;
        if !candidate.contains(&!pivot) {
            return Err(Reason::NotACandidate(id));
        }
        match self.assumptions.refute(candidate.iter().copied().filter(|&literal| literal != !pivot)) {
            Outcome::Conflict => Ok(Outcome::Conflict),
            Outcome::Open => self.propagate(hints),
        }
    }

    /// Makes the hints' unit literals true, one after the other, up to the first hint that is false.
    fn propagate(&mut self, hints: &[i64]) -> Result<Outcome, Reason> {
        for hint in hints {
            let id = hint.unsigned_abs();
            let (place, literals) = self.clauses.find(id)?;
            self.antecedents.push(place);
            let mut open = literals.iter().copied().filter(|&literal| !self.assumptions.is_false(literal));
            match (open.next(), open.next()) {
                (None, _) => return Ok(Outcome::Conflict),
                (Some(unit), None) => self.assumptions.falsify(!unit),
                (Some(_), Some(_)) => return Err(Reason::HintNotUnit(id)),
            }
        }
        Ok(Outcome::Open)
    }
}
