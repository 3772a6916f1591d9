//! SAT solvers behind one small trait. The words sat and unsat stay in here and in the engines' innermost loops.

#[cfg(feature = "cadical")]
mod cadical;
mod descendants;
mod external;
mod one_shot;
mod prove;
mod splr;
mod varisat;

#[cfg(feature = "cadical")]
pub use cadical::Cadical;
pub use external::External;
pub use prove::{Attempt, Files, ProofFormat};
pub use splr::Splr;
pub use varisat::Varisat;

use encoder::{ClauseSink, Lit};
use limits::{Effort, Handle, Work};

/// A satisfying assignment.
#[derive(Clone, Debug)]
pub struct Model {
    values: bit_vec::BitVec,
}

impl Model {
    /// A model from the value of each variable, the first one being number 1.
    pub fn new(values: impl IntoIterator<Item = bool>) -> Model {
        Model { values: values.into_iter().collect() }
    }

    /// Whether a literal is true. A variable that the solver never saw is false.
    pub fn holds(&self, lit: Lit) -> bool {
        let value = self.values.get(lit.variable() as usize - 1).unwrap_or(false);
        value == lit.is_positive()
    }
}

/// What a solver answers. The answer owns its evidence.
#[derive(Clone, Debug)]
pub enum Answer {
    /// There is a satisfying assignment.
    Sat(Model),
    /// There is none; these of the assumptions are to blame (none: the clauses alone are contradictory).
    Unsat(Vec<Lit>),
    /// The solver was stopped.
    Interrupted,
    /// The effort was spent before there was an answer. Asking again goes on from there.
    Exhausted,
    /// The solver broke, or what it answered is wrong; this is why. It says nothing about the clauses.
    Failed(String),
}

/// The value that a solver gives a variable first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Phase {
    /// True, as CaDiCaL does: for those who mostly refute.
    #[default]
    True,
    /// False: for those who look for solutions.
    False,
}

/// How a solver begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Setup {
    /// The first value of variables.
    pub phase: Phase,
    /// The seed of what it does at random.
    pub seed: u32,
}

/// An incremental solver.
pub trait Solver: ClauseSink {
    /// Solves the clauses so far under assumptions. The handle is asked now and then whether to go on.
    /// A solver that cannot limit its effort does not.
    fn solve(&mut self, assumptions: &[Lit], effort: Effort, handle: &mut Handle<'_>) -> Answer;

    /// The work so far; `None` from solvers that do not say.
    fn work(&self) -> Option<Work> {
        None
    }

    /// Its name, for reports.
    fn name(&self) -> &'static str;
}

/// Which solver to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Choice {
    /// CaDiCaL 3, in C++.
    #[cfg(feature = "cadical")]
    Cadical,
    /// varisat, in Rust.
    Varisat,
    /// splr, in Rust; it starts over at each query.
    Splr,
}

impl Default for Choice {
    fn default() -> Choice {
        #[cfg(feature = "cadical")]
        return Choice::Cadical;
        #[cfg(not(feature = "cadical"))]
        return Choice::Varisat;
    }
}

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            #[cfg(feature = "cadical")]
            Choice::Cadical => "cadical",
            Choice::Varisat => "varisat",
            Choice::Splr => "splr",
        })
    }
}

impl Choice {
    /// A new solver without clauses. Only CaDiCaL lets others choose the phase and the seed.
    pub fn start(self, setup: Setup) -> Box<dyn Solver> {
        #[cfg(not(feature = "cadical"))]
        let _ = setup;
        match self {
            #[cfg(feature = "cadical")]
            Choice::Cadical => Box::new(Cadical::new(setup)),
            Choice::Varisat => Box::new(Varisat::default()),
            Choice::Splr => Box::new(Splr::default()),
        }
    }
}
