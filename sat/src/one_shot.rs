//! What the solvers have in common that know neither assumptions nor a second query: they get the clauses anew each
//! time, with the assumptions as unit clauses, and the core is read off a proof that our own checker accepts.

use super::{Answer, Model};
use encoder::{Cnf, Lit};
use proof::{self, Accepted};
use std::collections::BTreeSet;

/// A formula and assumptions in one list of clauses, each without repeated literals and none a tautology.
pub(super) struct Query {
    /// How many variables there are.
    pub variables: u32,
    /// The clauses of the formula, then one for each assumption.
    pub clauses: Vec<Vec<Lit>>,
    /// The assumptions, without repetitions.
    pub assumptions: Vec<Lit>,
}

impl Query {
    pub fn new(formula: &Cnf, assumptions: &[Lit]) -> Query {
        let assumptions: BTreeSet<Lit> = assumptions.iter().copied().collect();
        let mut clauses = formula.normal().clauses;
        clauses.extend(assumptions.iter().map(|lit| vec![*lit]));
        let largest = clauses.iter().flatten().map(|lit| lit.variable()).max().unwrap_or(0);
        Query { variables: formula.variables.max(largest), clauses, assumptions: assumptions.into_iter().collect() }
    }

    /// The answer where no search is needed. Solvers differ most in what they make of these cases.
    pub fn trivial(&self) -> Option<Answer> {
        if self.clauses.iter().any(Vec::is_empty) {
            return Some(Answer::Unsat(Vec::new()));
        }
        let opposite = |lit: &&Lit| self.assumptions.binary_search(&!**lit).is_ok();
        if let Some(lit) = self.assumptions.iter().find(opposite) {
            return Some(Answer::Unsat(vec![*lit, !*lit]));
        }
        (self.clauses.len() == self.assumptions.len()).then(|| Answer::Sat(self.model(&self.assumptions)))
    }

    /// The model in which these literals are true, and of the variables that they leave open none.
    pub fn model(&self, literals: &[Lit]) -> Model {
        let mut values = vec![false; self.variables as usize];
        for lit in literals {
            if let Some(value) = values.get_mut(lit.variable() as usize - 1) {
                *value = lit.is_positive();
            }
        }
        Model::new(values)
    }

    /// Whether a model satisfies every clause, and so every assumption.
    pub fn is_satisfied_by(&self, model: &Model) -> bool {
        self.clauses.iter().all(|clause| clause.iter().any(|lit| model.holds(*lit)))
    }

    /// The formula that a proof has to refute.
    pub fn to_refute(&self) -> proof::Cnf {
        let clauses = self.clauses.iter().map(|clause| clause.iter().filter_map(theirs).collect()).collect();
        proof::Cnf { variables: self.variables, clauses }
    }

    /// The assumptions that an accepted proof rests on.
    pub fn blamed(&self, accepted: &Accepted) -> Vec<Lit> {
        let first = self.clauses.len() - self.assumptions.len();
        let assumption = |index: usize| index.checked_sub(first).map(|index| self.assumptions[index]);
        accepted.core.iter().filter_map(|clause| assumption(clause.index())).collect()
    }
}

/// The same literal for the checker of proofs.
fn theirs(lit: &Lit) -> Option<proof::Lit> {
    proof::Lit::new(i64::from(lit.to_dimacs()))
}
