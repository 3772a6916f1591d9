//! Satisfiability by trying all assignments.

use proof::{Cnf, Lit};

/// Whether some assignment satisfies all clauses.
pub fn is_satisfiable(cnf: &Cnf) -> bool {
    assert!(cnf.variables <= 16, "too many variables to try all assignments");
    let satisfies = |bits: u32, lit: &Lit| (bits >> (lit.variable() - 1) & 1 == 1) != lit.is_negative();
    (0..1 << cnf.variables).any(|bits| cnf.clauses.iter().all(|clause| clause.iter().any(|lit| satisfies(bits, lit))))
}
