//! Refuting a formula once, with a proof that others can check.

use super::Choice;
use encoder::Cnf;
use limits::Handle;
use std::path::Path;

/// How a proof is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofFormat {
    /// Clauses with hints: fast to check.
    Lrat,
    /// Clauses alone.
    Drat,
}

impl ProofFormat {
    /// The ending of a proof's file name.
    pub fn ending(self) -> &'static str {
        match self {
            ProofFormat::Lrat => "lrat",
            ProofFormat::Drat => "drat",
        }
    }
}

/// Where a formula is and where its proof goes.
#[derive(Clone, Copy, Debug)]
pub struct Files<'a> {
    /// The formula, in DIMACS.
    pub formula: &'a Path,
    /// The proof.
    pub proof: &'a Path,
}

/// The outcome of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// The formula is unsatisfiable, and the file holds the proof.
    Refuted,
    /// The formula is satisfiable.
    Satisfiable,
    /// The work had to end first.
    Interrupted,
    /// The file could not be written.
    Failed,
}

impl Choice {
    /// The format in which this solver writes proofs.
    pub fn proof_format(self) -> ProofFormat {
        match self {
            #[cfg(feature = "cadical")]
            Choice::Cadical => ProofFormat::Lrat,
            _ => ProofFormat::Drat,
        }
    }

    /// Refutes a formula, which also stands in a file, and writes the proof to another one. Where splr is chosen,
    /// varisat does this: a proof speaks for itself, whichever solver wrote it.
    pub fn prove(self, cnf: &Cnf, files: Files<'_>, handle: &mut Handle<'_>) -> Attempt {
        match self {
            #[cfg(feature = "cadical")]
            Choice::Cadical => super::cadical::prove(files, handle),
            _ => super::varisat::prove(cnf, files, handle),
        }
    }
}
