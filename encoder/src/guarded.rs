//! Formulas of which a part need not hold.

use crate::lit::{ClauseSink, Cnf, Lit};

/// Takes clauses that hold, or else the guard does. A run that has come to where it was to come need not go on: perhaps it
/// cannot.
#[derive(Default)]
pub struct Guarded {
    /// The clauses, with their guards.
    pub cnf: Cnf,
    /// What makes clauses from now on needless.
    pub guard: Option<Lit>,
}

impl ClauseSink for Guarded {
    fn fresh(&mut self) -> Lit {
        self.cnf.fresh()
    }

    fn clause(&mut self, clause: &[Lit]) {
        let clause: Vec<Lit> = clause.iter().copied().chain(self.guard).collect();
        self.cnf.clause(&clause);
    }
}
