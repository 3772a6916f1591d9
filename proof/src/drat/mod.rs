//! The backward checker for DRAT proofs \[HHW13, WHH14\].
//!
//! A DRAT proof is a list of lemmas and deletions, without hints. The check makes two passes.
//!
//! 1. *Forwards*, the steps are carried out without a check, and unit propagation keeps up with them, until it finds a
//!    conflict. The clauses that the conflict rests on are marked as core.
//! 2. *Backwards*, the steps are undone. A lemma that is not core when its turn comes is dropped. Any other must be
//!    RUP, or RAT on its first literal, by the clauses before it, and what its check rests on becomes core in turn.
//!
//! The original clauses that are core in the end are unsatisfiable by themselves.
//!
//! A conflict of unit propagation is enough; the proof need not spell out the empty clause. What comes after the
//! conflict must be well formed and is not checked otherwise.
//!
//! # Deletions
//!
//! As drat-trim does it unless told otherwise, deletions of unit clauses are ignored, and so are those of clauses that
//! are unit under the units so far: solvers delete the reasons of their top-level assignment and keep the assignment.
//! So is the deletion of a clause that does not exist. To ignore a deletion is sound: what is checked is the
//! proof without that step. It can only make a RAT check fail that would have passed.
//!
//! # RAT
//!
//! The resolution candidates of a lemma are the core clauses before it that contain the negation of its first literal.
//! The others do not count: the proof that is checked is the trimmed one, which deletes every clause after its last use
//! and never has them at that point.

mod backward;
mod clause_index;
mod database;
mod engine;
mod forward;
mod mark;
mod occurrences;
mod proof;
mod propagate;
mod redundancy;
mod trail;
mod watches;

use super::{Accepted, Cnf, Rejected};
use proof::Proof;

/// Checks a DRAT proof.
pub(super) fn check(cnf: &Cnf, proof: &[u8]) -> Result<Accepted, Rejected> {
    let proof = Proof::read(cnf, proof)?;
    let refutation = forward::run(proof)?;
    backward::run(refutation)
}
