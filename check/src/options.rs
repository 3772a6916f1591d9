//! What to check, how, and within which limits.

use super::report::Known;
use bounded::{Strategy, Workers};
pub use engine::Witnesses;
use explicit::{Forgetting, Keeping, Order, Reduction, StepLimits, Symmetries};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Which engine checks invariants and deadlock freedom. Claims that it cannot decide go to others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// Underapproximation-widening and search over states in turns; without a bound, states and decision diagrams.
    #[default]
    Auto,
    /// Search over states.
    Explicit,
    /// Search over runs, storing nothing but the run at hand.
    Stateless,
    /// Decision diagrams of all reachable states.
    Symbolic,
    /// Underapproximation-widening.
    Widening,
    /// Plain bounded model checking.
    Plain,
}

/// A SAT solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solver {
    /// One that is part of this program.
    BuiltIn(sat::Choice),
    /// A command that reads DIMACS and may write a proof.
    Command(String),
}

/// How underapproximation-widening proceeds.
#[derive(Clone, Debug)]
pub enum Procedure {
    /// Several strategies in turns.
    Team(Workers),
    /// A single one.
    Alone(Strategy),
}

/// Which runs are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Runs {
    /// Those of up to as many steps as the bound says.
    #[default]
    UpTo,
    /// Those of exactly this many steps.
    Exactly,
}

/// Which part of the system is unrolled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cone {
    /// The cone of influence of the properties.
    #[default]
    Influence,
    /// All of it.
    Whole,
}

/// How the engines that unroll work.
#[derive(Clone, Debug)]
pub struct Unrolling {
    /// By underapproximation-widening.
    pub widening: Procedure,
    /// By plain bounded model checking.
    pub plain: Strategy,
    /// About which runs.
    pub runs: Runs,
    /// About which part of the system.
    pub cone: Cone,
    /// With which solver.
    pub solver: Solver,
}

/// How the engines that visit states work.
#[derive(Clone, Copy, Debug)]
pub struct Visiting {
    /// In which order; by default breadth-first, or depth-first with a reduction.
    pub order: Option<Order>,
    /// Which interleavings are left out.
    pub reduction: Reduction,
    /// Whether breadth-first search makes use of interchangeable processes.
    pub symmetries: Symmetries,
    /// Which states depth-first search stores.
    pub keeping: Keeping,
    /// Which states depth-first search forgets when memory is short.
    pub forgetting: Forgetting,
    /// The most steps of a run in stateless search, where there is no bound.
    pub depth: usize,
    /// What looks wrong in stateless search.
    pub steps: StepLimits,
}

/// Evidence for bounds.
#[derive(Clone, Debug, Default)]
pub struct Proofs {
    /// Where formulas and proofs are written, if they are to stay.
    pub folder: Option<PathBuf>,
    /// Whose word is enough.
    pub trust: Trust,
}

/// Whose word about a bound is enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trust {
    /// That of the solver.
    #[default]
    Solver,
    /// That of the checker of proofs alone.
    Checker,
}

impl Proofs {
    /// Whether there are to be proofs.
    pub fn are_wanted(&self) -> bool {
        self.are_checked() || self.folder.is_some()
    }

    /// Whether every answer is checked.
    pub fn are_checked(&self) -> bool {
        self.trust == Trust::Checker
    }
}

/// What to check, how, and within which limits.
///
/// ```
/// let options = uwbmc::Options::default().bound(12).property("safe");
/// assert_eq!(options.bound, Some(12));
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// The engine.
    pub engine: Choice,
    /// How many steps to look ahead; without it, until every state is visited.
    pub bound: Option<usize>,
    /// The names of the properties to check; all of them, if there are none.
    pub properties: Vec<String>,
    /// How long it may take.
    pub timeout: Option<Duration>,
    /// How many bytes of memory it may take.
    pub memory: usize,
    /// The seed of what is done at random.
    pub seed: u32,
    /// How many threads.
    pub jobs: Option<NonZeroUsize>,
    /// For engines that unroll.
    pub unrolling: Unrolling,
    /// For engines that visit states.
    pub visiting: Visiting,
    /// Whether it is shown why formulas of CTL hold.
    pub witnesses: Witnesses,
    /// Evidence.
    pub proofs: Proofs,
    /// Where what is known of properties is written down as soon as it is.
    pub known: Known,
}

/// The most steps of a run in stateless search, unless the user says otherwise.
pub const DEPTH: usize = 1000;

/// The bytes of memory that a check may take, unless the user says otherwise.
const MEMORY: usize = 4_000_000_000;

impl Default for Options {
    fn default() -> Options {
        Options {
            engine: Choice::Auto,
            bound: None,
            properties: Vec::new(),
            timeout: None,
            memory: MEMORY,
            seed: 0,
            jobs: None,
            unrolling: Unrolling::default(),
            visiting: Visiting::default(),
            witnesses: Witnesses::default(),
            proofs: Proofs::default(),
            known: Known::default(),
        }
    }
}

impl Default for Unrolling {
    fn default() -> Unrolling {
        Unrolling {
            widening: Procedure::Team(Workers::default()),
            plain: Strategy::plain(),
            runs: Runs::UpTo,
            cone: Cone::Influence,
            solver: Solver::BuiltIn(sat::Choice::default()),
        }
    }
}

impl Default for Visiting {
    fn default() -> Visiting {
        Visiting {
            order: None,
            reduction: Reduction::default(),
            symmetries: Symmetries::default(),
            keeping: Keeping::Everything,
            forgetting: Forgetting::AtRandom,
            depth: DEPTH,
            steps: StepLimits::default(),
        }
    }
}

impl Visiting {
    /// Whether nothing is asked for but that states are visited.
    pub fn is_plain(&self) -> bool {
        let asks_for_less = self.reduction != Reduction::default() || self.symmetries != Symmetries::default();
        self.order.is_none() && !asks_for_less && self.keeping == Keeping::Everything
    }
}

impl Options {
    /// Looks at most this many steps ahead.
    pub fn bound(self, steps: usize) -> Options {
        Options { bound: Some(steps), ..self }
    }

    /// Uses this engine.
    pub fn engine(self, engine: Choice) -> Options {
        Options { engine, ..self }
    }

    /// Checks this property, and others that are named.
    pub fn property(mut self, name: impl Into<String>) -> Options {
        self.properties.push(name.into());
        self
    }

    /// Gives up after so long.
    pub fn timeout(self, timeout: Duration) -> Options {
        Options { timeout: Some(timeout), ..self }
    }

    /// Takes at most this many bytes of memory.
    pub fn memory(self, bytes: usize) -> Options {
        Options { memory: bytes, ..self }
    }

    /// Shows why formulas of CTL hold, where runs do.
    pub fn witnesses(self) -> Options {
        Options { witnesses: Witnesses::Wanted, ..self }
    }

    /// Uses this SAT solver.
    pub fn solver(mut self, solver: Solver) -> Options {
        self.unrolling.solver = solver;
        self
    }

    /// Checks every answer before it is given: proofs by the proof checker, counterexamples by replay.
    pub fn certify(mut self) -> Options {
        self.proofs.trust = Trust::Checker;
        self
    }
}
