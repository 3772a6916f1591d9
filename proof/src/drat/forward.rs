//! The first pass: carry out the steps up to the first conflict.

use super::database::ClauseId;
use super::engine::{Conflict, Engine};
use super::proof::{Action, Proof, Step};
use crate::{Reason, Rejected};

/// A step that was carried out.
pub(super) struct Done {
    pub(super) step: Step,
    /// How many literals were true before it.
    pub(super) trail: usize,
}

/// The state at the first conflict, which is marked, and how it came about.
pub(super) struct Refutation {
    pub(super) engine: Engine,
    pub(super) done: Vec<Done>,
    pub(super) originals: usize,
    pub(super) variables: usize,
}

/// Carries out the steps of a proof up to the first conflict.
pub(super) fn run(proof: Proof) -> Result<Refutation, Rejected> {
    let Proof { database, originals, variables, steps, end } = proof;
    let mut engine = Engine::new(database, variables);
    let mut done = Vec::new();
    let mut conflict = add_formula(&mut engine, originals);
    for step in steps {
        if conflict.is_some() {
            break;
        }
        if step.action == Action::Add && engine.database.literals(step.clause).is_empty() {
            return Err(Rejected { at: step.at, reason: Reason::NotRupNorRat });
        }
        if step.action == Action::Delete && engine.is_reason(step.clause) {
            continue;
        }
        done.push(Done { step, trail: engine.trail.len() });
        match step.action {
            Action::Add => conflict = engine.add(step.clause),
            Action::Delete => engine.deactivate(step.clause),
        }
    }
    engine.mark(conflict.ok_or(Rejected { at: end, reason: Reason::EmptyClauseNeverDerived })?);
    Ok(Refutation { engine, done, originals, variables })
}

/// Adds the clauses of the formula up to the first conflict.
fn add_formula(engine: &mut Engine, originals: usize) -> Option<Conflict> {
    let formula: Vec<ClauseId> = engine.database.ids().take(originals).collect();
    formula.into_iter().find_map(|clause| engine.add(clause))
}
