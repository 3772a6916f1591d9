//! The arguments of `uwbmc check`, and the words that they are made of.

use super::{HOW, LIMITS, ModelArgs, OUTPUT, WHAT, explicit, output, seconds};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// A way to search.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Engine {
    /// Underapproximation-widening and search over states in turns; without a bound, search over states.
    Auto,
    /// Search over states.
    Explicit,
    /// Search over runs, storing nothing but the run at hand.
    Stateless,
    /// Decision diagrams of all reachable states, which also decide CTL whatever is chosen here.
    Symbolic,
    /// Underapproximation-widening: from one interleaving to those that matter, with a SAT solver.
    Uw,
    /// Plain bounded model checking with a SAT solver.
    Bmc,
}

/// A procedure for underapproximation-widening.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Widening {
    /// All that is blamed is widened and stays so; hunting by parallel steps goes on beside it.
    Incremental,
    /// Grumberg, Lerda, Strichman and Theobald, POPL 2005, to the letter.
    Paper,
}

/// A part of the procedure that can be left out, to see what it is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Ingredient {
    /// Hunting by parallel steps.
    Passes,
    /// First underapproximations in other orders of the processes, where there are no parallel steps.
    Orders,
    /// The switches of control points: plain bounded model checking is left.
    Switches,
    /// The monotone form of `valid`: the paper's instead.
    Monotone,
    /// One switch for all control points of a process: one for each point instead.
    Grain,
    /// The limit on rounds under restrictions.
    Limit,
    /// Several bounds at once.
    Stride,
    /// Scheduling constraints, in the prover that has them.
    Scheduling,
    /// Leaving out steps that change nothing, in the prover that does.
    Idling,
    /// Widening all blamed points together: one at a time instead.
    Together,
    /// What was widened stays so at the next bound.
    Carry,
    /// One solver for all bounds.
    Incremental,
    /// Bounded model checking with scheduling constraints beside underapproximation-widening.
    Pruned,
    /// All that works beside underapproximation-widening.
    Race,
    /// Leaving out the variables that cannot influence the properties.
    Cone,
    /// Saying how far processes can be after this many steps.
    Distances,
    /// The order in which processes that can change places make their first moves.
    Alike,
}

/// What an infinite run owes to processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Fair {
    /// A process that can move from some point on for ever moves infinitely often.
    Weak,
    /// A process that can move infinitely often moves infinitely often.
    Strong,
}

/// A part of the procedure that does not pay in general, but may for a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Extra {
    /// Looking for fewer points to blame.
    Minimise,
}

/// The arguments of `uwbmc check`.
#[derive(Args)]
pub struct CheckArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// More models, which are checked one after the other.
    #[arg(value_name = "MODEL")]
    pub more: Vec<PathBuf>,
    /// The bound: how many steps to look ahead (without it, until every state is visited).
    #[arg(long = "k", short = 'k', value_name = "N", help_heading = LIMITS)]
    pub bound: Option<usize>,
    /// How to search (by default auto; uw where proofs, rounds, a solver or a part of it are asked for).
    #[arg(long, value_enum, help_heading = HOW)]
    pub engine: Option<Engine>,
    /// The SAT solver (by default the first of these).
    #[arg(long, value_enum, help_heading = HOW)]
    solver: Option<sat::Choice>,
    /// A solver as a command, such as "kissat -q {cnf} {proof}": it reads DIMACS and may write a DRAT or LRAT proof.
    #[arg(long, value_name = "COMMAND", conflicts_with = "solver", help_heading = HOW)]
    pub solver_cmd: Option<String>,
    /// The seed of what the solver does at random, and of which states are forgotten when memory is short.
    #[arg(long, value_name = "NUMBER", default_value_t = 0, help_heading = HOW)]
    pub seed: u32,
    /// How underapproximations are widened.
    #[arg(long, value_enum, default_value = "incremental", help_heading = HOW)]
    pub widening: Widening,
    /// Leave out a part of the procedure, to see what it is good for (may be repeated).
    #[arg(long, value_enum, value_name = "PART", help_heading = HOW)]
    pub without: Vec<Ingredient>,
    /// Add a part to the procedure that is left out by default (may be repeated).
    #[arg(long, value_enum, value_name = "PART", help_heading = HOW)]
    pub with: Vec<Extra>,
    /// How many threads: for breadth-first search by default one for each core; for uw by default one, and with two,
    /// hunting and proving go on at the same time, so that another counterexample may be shown.
    #[arg(long, value_name = "N", help_heading = HOW)]
    pub jobs: Option<NonZeroUsize>,
    /// Ask about runs of exactly N steps only.
    #[arg(long, help_heading = HOW)]
    pub exact: bool,
    /// With bmc: leave out interleavings that only reorder independent commands.
    #[arg(long, help_heading = HOW)]
    pub por: bool,
    /// Start over at each bound instead of extending the formula.
    #[arg(long, help_heading = HOW)]
    pub fresh: bool,
    #[command(flatten)]
    pub explicit: explicit::ExplicitArgs,
    /// Check only this property (may be repeated).
    #[arg(long = "property", value_name = "NAME", help_heading = WHAT)]
    pub properties: Vec<String>,
    /// Also check that no state is without successors.
    #[arg(long, help_heading = WHAT)]
    pub deadlock: bool,
    /// Also check that every infinite run passes a progress label again and again (without such labels: that runs end).
    #[arg(long, help_heading = WHAT)]
    pub progress: bool,
    /// In LTL and about cycles, look only at infinite runs that are fair to every process: weakly, as `pan -f`, or with
    /// --fair strong strongly.
    #[arg(long, value_enum, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "weak", help_heading = WHAT)]
    pub fair: Option<Fair>,
    /// Give up after this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds::parse, help_heading = LIMITS)]
    pub timeout: Option<Duration>,
    /// Use at most this many megabytes.
    #[arg(long, value_name = "MB", default_value_t = 4000, help_heading = LIMITS)]
    pub memory: usize,
    #[command(flatten)]
    pub output: output::OutputArgs,
    /// Write, for each bound up to which a property holds, the formula and a proof that it has no solution; for an invariant
    /// that holds without a bound, those of an inductive invariant.
    #[arg(long, value_name = "FOLDER", help_heading = OUTPUT)]
    pub proof: Option<PathBuf>,
    /// Check every answer before it is printed: proofs by our own checker, counterexamples by replay.
    #[arg(long, help_heading = HOW)]
    pub certify: bool,
    /// Show why formulas of CTL hold, where runs do: where EF p leads to p, how EG p goes round, and so on.
    #[arg(long, help_heading = OUTPUT)]
    pub witness: bool,
    /// Print one JSON document instead of text.
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,
    /// Also print the rounds (which control points were restricted, blamed and widened), and what the formulas took.
    #[arg(long, short, help_heading = OUTPUT)]
    pub verbose: bool,
}

impl CheckArgs {
    /// The models, one by one.
    pub fn models(&self) -> Vec<ModelArgs> {
        let more = self.more.iter().map(|path| self.model.named(path));
        std::iter::once(self.model.clone()).chain(more).collect()
    }

    /// The engine that the arguments ask for, by name or by what only it has.
    pub fn engine(&self) -> Engine {
        let asks_for_proofs = self.certify || self.proof.is_some();
        let asks_for_solver = self.solver.is_some() || self.solver_cmd.is_some();
        let changes_parts = self.widening != Widening::Incremental || !self.with.is_empty() || !self.without.is_empty();
        let unrolls = asks_for_proofs || asks_for_solver || changes_parts || self.exact || self.fresh || self.verbose;
        let default = if unrolls && self.bound.is_some() { Engine::Uw } else { Engine::Auto };
        self.engine.unwrap_or(default)
    }

    /// The solver that the arguments name.
    pub fn solver(&self) -> sat::Choice {
        self.solver.unwrap_or_default()
    }
}
