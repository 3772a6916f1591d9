//! An independent checker for proofs of unsatisfiability.
//!
//! A solver that answers "unsatisfiable" hands over a clausal proof: a list of lemmas that ends in the empty clause.
//! This crate believes nothing of it. It shares no code with a solver and reads three formats:
//!
//! * DIMACS CNF, the formula ([`Cnf::parse`]);
//! * LRAT \[CHHKS17\], where every lemma names the clauses that make it follow ([`check_lrat`]);
//! * DRAT \[HHW13, WHH14\], where the checker finds them itself ([`check_drat`]).
//!
//! Both checkers give back the unsatisfiable core: the original clauses that the refutation rests on.
//! Proofs may be text or binary; which one it is shows in the bytes.
//!
//! ```
//! use proof::{Cnf, Reason, check_drat, check_lrat};
//!
//! let cnf = Cnf::parse(b"p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n").unwrap();
//! assert_eq!(check_drat(&cnf, b"2 0\n0\n").unwrap().core.len(), 4);
//! assert_eq!(check_lrat(&cnf, b"5 2 0 1 2 0\n6 0 5 3 4 0\n").unwrap().core.len(), 4);
//! assert_eq!(check_lrat(&cnf, b"5 2 0 1 3 0\n").unwrap_err().reason, Reason::HintNotUnit(3));
//! ```
//!
//! # References
//!
//! * \[HHW13\] Heule, Hunt, Wetzler: Trimming while checking clausal proofs. FMCAD 2013.
//! * \[WHH14\] Wetzler, Heule, Hunt: DRAT-trim: Efficient checking and trimming using expressive clausal proofs.
//!   SAT 2014.
//! * \[CHHKS17\] Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp: Efficient certified RAT verification. CADE 2017.

mod cnf;
mod dimacs;
mod drat;
mod input;
mod lit;
mod lrat;
mod numbering;
mod verdict;

pub use cnf::{ClauseIndex, Cnf};
pub use dimacs::{DimacsError, DimacsReason};
pub use lit::Lit;
pub use verdict::{Accepted, Position, Reason, Rejected};

/// Checks an LRAT proof forwards, line by line up to the first empty clause.
///
/// Every lemma must be RUP by its hints, or RAT on its first literal by them. Numbers of lemmas must increase.
pub fn check_lrat(cnf: &Cnf, proof: &[u8]) -> Result<Accepted, Rejected> {
    lrat::check(cnf, proof)
}

/// Checks a DRAT proof backwards from the first conflict that unit propagation finds.
///
/// Only the lemmas that the refutation needs are checked, each for RUP and then for RAT on its first literal.
/// The proof need not spell out the empty clause. Deletions of unit clauses, of clauses that are unit under the units
/// so far and of clauses that do not exist are ignored, as drat-trim does it unless told otherwise.
pub fn check_drat(cnf: &Cnf, proof: &[u8]) -> Result<Accepted, Rejected> {
    drat::check(cnf, proof)
}

/// Checks a proof whose format is not known. LRAT is tried first: it is checked forwards, and a DRAT proof fails in its first
/// line.
pub fn check_either(cnf: &Cnf, proof: &[u8]) -> Result<Accepted, String> {
    check_lrat(cnf, proof).or_else(|as_lrat| {
        check_drat(cnf, proof).map_err(|as_drat| format!("not accepted (as DRAT, {as_drat}; as LRAT, {as_lrat})"))
    })
}
