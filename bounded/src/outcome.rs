//! What an engine found.

use super::underapproximation::Point;
use system::{Failure, PropertyId, Trace};

/// Why an engine stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The bound was reached.
    Bound,
    /// No run is as long as the bound that was reached: every run has been looked at.
    NoLongerRuns,
    /// Every reachable state was visited.
    AllStates,
    /// Every property is violated.
    Decided,
    /// The user asked for it.
    Interrupted,
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

/// What an engine found.
#[derive(Clone, Debug)]
pub struct Bounded {
    /// Violations.
    pub violations: Vec<(PropertyId, Trace)>,
    /// A run to a state in which the model has no meaning.
    pub fault: Option<(Failure, Trace)>,
    /// The greatest bound for which every remaining property was refuted; `None` if not even 0.
    pub bound: Option<usize>,
    /// Why the engine stopped.
    pub stop: Stop,
    /// What went wrong if the solver failed; the engine counts as interrupted then.
    pub failure: Option<String>,
    /// The rounds of underapproximation-widening in which something was blamed.
    pub rounds: Vec<Round>,
    /// How many queries were asked.
    pub queries: usize,
    /// How many control points have a switch.
    pub points: usize,
    /// The conflicts of all solvers, as far as they count them.
    pub conflicts: u64,
    /// How many states were visited, if the engine that answered visits states.
    pub states: Option<usize>,
    /// How many walks were made, if one of them had the answer.
    pub walks: Option<usize>,
}

impl Bounded {
    /// Nothing so far, of this many control points.
    pub(super) fn nothing(points: usize) -> Bounded {
        Bounded {
            violations: Vec::new(),
            fault: None,
            bound: None,
            stop: Stop::Interrupted,
            failure: None,
            rounds: Vec::new(),
            queries: 0,
            points,
            conflicts: 0,
            states: None,
            walks: None,
        }
    }

    /// How many control points were widened in the last round or before it, at the same bound.
    pub fn widened(&self) -> usize {
        self.rounds.last().map_or(0, |last| self.points - last.restricted + last.widened.len())
    }

    /// Whether every run that matters was looked at: a fault makes further answers meaningless.
    pub(super) fn is_over(&self, open: &[PropertyId]) -> bool {
        self.fault.is_some() || (open.is_empty() && !self.violations.is_empty())
    }
}
