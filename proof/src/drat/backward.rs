//! The second pass: undo the steps and check the lemmas that the refutation rests on.

use super::database::{ClauseId, Database};
use super::engine::Engine;
use super::forward::{Done, Refutation};
use super::occurrences::Occurrences;
use super::proof::Action;
use crate::{Accepted, ClauseIndex, Reason, Rejected};

/// Undoes the steps, the last one first, and checks every core lemma by the clauses before it.
pub(super) fn run(refutation: Refutation) -> Result<Accepted, Rejected> {
    let Refutation { engine, done, originals, variables } = refutation;
    let mut pass = Backward { engine, variables, occurrences: None };
    for Done { step, trail } in done.into_iter().rev() {
        match step.action {
            Action::Delete => pass.engine.activate(step.clause),
            Action::Add => {
                pass.engine.trail.backtrack(trail);
                pass.engine.deactivate(step.clause);
                if pass.engine.database.is_core(step.clause) && !pass.is_redundant(step.clause) {
                    return Err(Rejected { at: step.at, reason: Reason::NotRupNorRat });
                }
            }
        }
    }
    Ok(Accepted { core: core(&pass.engine.database, originals) })
}

struct Backward {
    engine: Engine,
    variables: usize,
    /// Made when the first lemma turns out not to be RUP.
    occurrences: Option<Occurrences>,
}

impl Backward {
    fn is_redundant(&mut self, lemma: ClauseId) -> bool {
        let level = self.engine.trail.len();
        let is_redundant = self.engine.is_rup(lemma) || self.is_rat(lemma);
        self.engine.trail.backtrack(level);
        is_redundant
    }

    fn is_rat(&mut self, lemma: ClauseId) -> bool {
        let occurrences =
            self.occurrences.get_or_insert_with(|| Occurrences::new(&self.engine.database, self.variables));
        self.engine.is_rat(lemma, occurrences)
    }
}

fn core(database: &Database, originals: usize) -> Vec<ClauseIndex> {
    let in_core = database.ids().take(originals).enumerate().filter(|&(_, clause)| database.is_core(clause));
    in_core.map(|(index, _)| ClauseIndex::new(index)).collect()
}
