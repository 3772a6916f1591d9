//! What a search took.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What a search took.
#[derive(Clone, Debug, Default)]
pub struct Effort {
    /// How many states were visited, if the engine visits states.
    pub states: Option<usize>,
    /// The rounds of underapproximation-widening, from engines that have them.
    pub rounds: Vec<RoundReport>,
    /// How many control points can be restricted.
    pub points: usize,
    /// What the formulas were and took, from engines that unroll.
    pub formulas: Option<FormulaReport>,
}

/// A round of underapproximation-widening. Control points are written as in `p1@waiting`.
#[derive(Clone, Debug, Serialize)]
pub struct RoundReport {
    /// The bound at which it was asked.
    pub bound: usize,
    /// How many control points were restricted.
    pub restricted: usize,
    /// Those that the refutation used.
    pub blamed: Vec<String>,
    /// Those that were widened for it.
    pub widened: Vec<String>,
}

/// How large the formulas of a run were, and what they took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FormulaReport {
    /// The bits of a state of the model.
    pub state_bits: u64,
    /// The variables of all formulas.
    pub variables: u64,
    /// Their clauses.
    pub clauses: u64,
    /// The seconds of the processor that it took to make them; unknown if that was done beside something else.
    pub unrolling: Option<f64>,
    /// The seconds of the processor that solvers took.
    pub solving: f64,
    /// The most bytes of memory that the process took, where the system tells.
    pub peak_memory: Option<u64>,
}

impl FormulaReport {
    /// Which part of the time went into making formulas.
    pub fn share(&self) -> Option<f64> {
        self.unrolling.map(|unrolling| unrolling / (unrolling + self.solving).max(f64::MIN_POSITIVE))
    }

    /// How many clauses were made in a second of making them.
    pub fn rate(&self) -> Option<f64> {
        self.unrolling.map(|unrolling| self.clauses as f64 / unrolling.max(f64::MIN_POSITIVE))
    }
}

impl fmt::Display for FormulaReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} clauses over {} variables", self.clauses, self.variables)?;
        if let (Some(unrolling), Some(rate)) = (self.unrolling, self.rate()) {
            write!(f, ", made in {unrolling:.2} s ({:.1} million clauses a second)", rate / 1e6)?;
        }
        write!(f, ", solved in {:.2} s", self.solving)?;
        if let Some(bytes) = self.peak_memory {
            write!(f, "; at most {} MB", bytes / 1_000_000)?;
        }
        Ok(())
    }
}
