//! What a search cost.

use serde::{Deserialize, Serialize};
use std::fmt;
use system::{PointId, ProcessId};

/// What a search cost, as far as the engine counts it.
#[derive(Clone, Debug, Default)]
pub struct Cost {
    /// How many states were visited, if the engine that answered visits states; those that were forgotten and visited again
    /// count again.
    pub states: Option<usize>,
    /// How often states were visited, from engines that store none.
    pub visits: usize,
    /// How many steps were made.
    pub transitions: u64,
    /// The greatest depth that was visited.
    pub depth: usize,
    /// Bytes in use for states at the end, about.
    pub bytes: usize,
    /// What forgetting states cost; depth-first search only.
    pub replacement: Option<Replacement>,
    /// The sizes of the classes of interchangeable processes, if one of the states that differ in them only stands for all.
    pub interchangeable: Vec<usize>,
    /// How many walks were made, if one of them had the answer.
    pub walks: Option<usize>,
    /// How many questions solvers were asked.
    pub queries: usize,
    /// The conflicts of all solvers, as far as they count them.
    pub conflicts: u64,
    /// How many control points can be restricted.
    pub points: usize,
    /// The rounds of underapproximation-widening in which something was blamed, from engines that have them.
    pub rounds: Vec<Round>,
    /// What the formulas were and took, from engines that unroll.
    pub formulas: Option<FormulaReport>,
}

impl Cost {
    /// How many control points were widened in the last round or before it, at the same bound.
    pub fn widened(&self) -> usize {
        self.rounds.last().map_or(0, |last| self.points - last.restricted + last.widened.len())
    }
}

/// The cost of forgetting states, in the terms of \[JJ91\] §2.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The most states that were stored at a time.
    pub stored: usize,
    /// R_ins: how many times a state was stored.
    pub insertions: usize,
    /// How many states were forgotten to make room.
    pub replaced: usize,
    /// The longest path.
    pub longest_path: usize,
}

/// A control point of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// The process.
    pub process: ProcessId,
    /// Where it is.
    pub point: PointId,
}

/// One query under an underapproximation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// The bound at which it was asked.
    pub bound: usize,
    /// How many control points were restricted.
    pub restricted: usize,
    /// The control points that the refutation blames: ψ = S ∩ P in Figure 5 of \[GLST05\].
    pub blamed: Vec<Point>,
    /// Those that were widened for it.
    pub widened: Vec<Point>,
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
