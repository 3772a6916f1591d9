//! The clauses that a lemma may use, and what each of them was derived from.

use std::collections::HashMap;

use crate::lit::Code;
use crate::{ClauseIndex, Reason};

/// The place of a clause among all clauses, the original ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place(u32);

impl Place {
    fn index(self) -> usize {
        self.0 as usize
    }
}

struct Clause {
    id: u64,
    /// None once the clause is deleted.
    literals: Option<Vec<Code>>,
    antecedents: Vec<Place>,
}

/// All clauses so far. Their numbers increase, so the antecedents of a lemma come before it.
#[derive(Default)]
pub(super) struct Clauses {
    clauses: Vec<Clause>,
    originals: usize,
    places: HashMap<u64, Place>,
    empty: Option<Place>,
    /// For every literal, the clauses that contain it; made when the first lemma needs it.
    occurrences: Option<Vec<Vec<Place>>>,
}

impl Clauses {
    /// Adds the next clause of the formula; they are numbered from one.
    pub(super) fn add_original(&mut self, literals: Vec<Code>) {
        self.originals += 1;
        self.add(Clause { id: self.originals as u64, literals: Some(literals), antecedents: Vec::new() });
    }

    /// Adds a lemma that was checked.
    pub(super) fn add_lemma(&mut self, id: u64, literals: Vec<Code>, antecedents: Vec<Place>) -> Result<(), Reason> {
        if self.clauses.last().is_some_and(|last| id <= last.id) {
            return Err(Reason::NumberNotIncreasing(id));
        }
        self.add(Clause { id, literals: Some(literals), antecedents });
        Ok(())
    }

    fn add(&mut self, clause: Clause) {
        let place = Place(self.clauses.len() as u32);
        let literals = clause.literals.as_deref().unwrap_or_default();
        if literals.is_empty() {
            self.empty.get_or_insert(place);
        }
        if let Some(occurrences) = &mut self.occurrences {
            record(occurrences, place, literals);
        }
        self.places.insert(clause.id, place);
        self.clauses.push(clause);
    }

    /// Deletes a clause.
    pub(super) fn delete(&mut self, id: u64) -> Result<(), Reason> {
        let place = self.places.remove(&id).ok_or(Reason::UnknownClause(id))?;
        self.clauses[place.index()].literals = None;
        Ok(())
    }

    /// The clause with this number.
    pub(super) fn find(&self, id: u64) -> Result<(Place, &[Code]), Reason> {
        let place = self.places.get(&id).ok_or(Reason::UnknownClause(id))?;
        let literals = self.clauses[place.index()].literals.as_deref().ok_or(Reason::UnknownClause(id))?;
        Ok((*place, literals))
    }

    /// The numbers of the clauses that contain this literal.
    pub(super) fn containing(&mut self, literal: Code) -> Vec<u64> {
        let occurrences = self.occurrences.get_or_insert_with(|| all_occurrences(&self.clauses));
        let places = occurrences.get_mut(literal.index());
        let Some(places) = places else { return Vec::new() };
        places.retain(|place| self.clauses[place.index()].literals.is_some());
        places.iter().map(|place| self.clauses[place.index()].id).collect()
    }

    /// Whether the refutation is complete.
    pub(super) fn has_empty_clause(&self) -> bool {
        self.empty.is_some()
    }

    /// The original clauses that the empty clause was derived from.
    pub(super) fn core(&self) -> Vec<ClauseIndex> {
        let mut needed = vec![false; self.clauses.len()];
        if let Some(empty) = self.empty {
            needed[empty.index()] = true;
        }
        for (index, clause) in self.clauses.iter().enumerate().rev() {
            if needed[index] {
                clause.antecedents.iter().for_each(|antecedent| needed[antecedent.index()] = true);
            }
        }
        (0..self.originals).filter(|&index| needed[index]).map(ClauseIndex::new).collect()
    }
}

fn all_occurrences(clauses: &[Clause]) -> Vec<Vec<Place>> {
    let mut occurrences = Vec::new();
    for (index, clause) in clauses.iter().enumerate() {
        record(&mut occurrences, Place(index as u32), clause.literals.as_deref().unwrap_or_default());
    }
    occurrences
}

fn record(occurrences: &mut Vec<Vec<Place>>, place: Place, literals: &[Code]) {
    for literal in literals {
        if literal.index() >= occurrences.len() {
            occurrences.resize(literal.index() + 1, Vec::new());
        }
        occurrences[literal.index()].push(place);
    }
}
