//! The forward checker for LRAT proofs \[CHHKS17\].
//!
//! A lemma comes with hints. The positive hints up to the first negative one are clauses that must become unit one
//! after the other once the lemma is assumed to be false, until one of them is false itself: then the lemma is RUP.
//! If they give no conflict, the lemma must be RAT on its first literal p. Then every clause D that contains ¬p has a
//! group of hints, `-D` and what follows it, that gives a conflict once the rest of D is assumed to be false as well.
//!
//! Hints after a conflict are not looked at. A hint whose only literal that is not false is true already is let pass:
//! it adds nothing, so it can make nothing wrong follow.

mod assumptions;
mod clauses;
mod lemma;
mod step;

use super::input::Input;
use super::numbering::Numbering;
use super::{Accepted, Cnf, Reason, Rejected};
use assumptions::Assumptions;
use clauses::Clauses;
use lemma::Check;
use step::Step;

/// Checks an LRAT proof up to the first empty clause.
pub(super) fn check(cnf: &Cnf, proof: &[u8]) -> Result<Accepted, Rejected> {
    let mut checker = Checker::new(cnf);
    let mut input = Input::new(proof);
    while !checker.clauses.has_empty_clause() {
        if !input.next_step() {
            return Err(Rejected { at: input.position(), reason: Reason::EmptyClauseNeverDerived });
        }
        let at = input.position();
        let step = Step::read(&mut input)?;
        checker.step(step).map_err(|reason| Rejected { at, reason })?;
    }
    Ok(Accepted { core: checker.clauses.core() })
}

#[derive(Default)]
struct Checker {
    numbering: Numbering,
    clauses: Clauses,
    assumptions: Assumptions,
}

impl Checker {
    fn new(cnf: &Cnf) -> Checker {
        let mut checker = Checker::default();
        for clause in &cnf.clauses {
            let mut literals = Vec::new();
            checker.numbering.clause(clause.iter().copied(), &mut literals);
            checker.clauses.add_original(literals);
        }
        checker
    }

    fn step(&mut self, step: Step) -> Result<(), Reason> {
        match step {
            Step::Delete(ids) => ids.into_iter().try_for_each(|id| self.clauses.delete(id)),
            Step::Add { id, lits, hints } => {
                let mut literals = Vec::new();
                self.numbering.clause(lits, &mut literals);
                self.assumptions.forget(self.numbering.variables());
                let antecedents = Check::new(&mut self.clauses, &mut self.assumptions).lemma(&literals, &hints)?;
                self.clauses.add_lemma(id, literals, antecedents)
            }
        }
    }
}
