//! SAT solvers behind one small trait. The words sat and unsat stay in here and in the engines' innermost loops.

#[cfg(feature = "cadical")]
mod cadical;
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
    /// The solver broke, or what it answered is wrong; this is why. It says nothing about the clauses.
    Failed(String),
}

/// An incremental solver.
pub trait Solver: ClauseSink {
    /// Solves the clauses so far under assumptions. `stop` is asked now and then and ends the search by saying true.
    fn solve(&mut self, assumptions: &[Lit], stop: &mut dyn FnMut() -> bool) -> Answer;

    /// Its name, for reports.
    fn name(&self) -> &'static str;
}

/// Which solver to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
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
        let value = clap::ValueEnum::to_possible_value(self);
        f.write_str(value.as_ref().map_or("", |value| value.get_name()))
    }
}

impl Choice {
    /// A new solver without clauses.
    pub fn start(self) -> Box<dyn Solver> {
        match self {
            #[cfg(feature = "cadical")]
            Choice::Cadical => Box::new(Cadical::default()),
            Choice::Varisat => Box::new(Varisat::default()),
            Choice::Splr => Box::new(Splr::default()),
        }
    }
}
