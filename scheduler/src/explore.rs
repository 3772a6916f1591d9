//! Exploring a program: searches in turns until one of them finds something, or one has seen everything.

use crate::confirm::Difference;
use crate::explorer::Explorer;
use crate::finding::{ExitCodes, Finding};
use crate::plan::Choice;
use crate::record::Record;
use crate::search::{Reduction, Statistics};
use crate::session::{Failure, Session};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// How runs are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// All of the following in turns.
    Turns,
    /// One after the other until all are explored.
    Exhaustive,
    /// At random.
    Random,
    /// By random priorities that change now and then \[PCT\].
    Priorities,
    /// By random priorities of operations, drawn again where they conflict \[POS\].
    Sampling,
    /// By chance, after the beginnings of runs that showed something new \[RFF\].
    Novelty,
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How runs are chosen.
    pub strategy: Strategy,
    /// What the exhaustive search leaves out.
    pub reduction: Reduction,
    /// How many steps a run may have.
    pub depth: usize,
    /// How many runs there may be.
    pub runs: u64,
    /// Where random choices start from.
    pub seed: u64,
    /// Whether a nonzero exit code is wrong.
    pub exit_codes: ExitCodes,
    /// In how many successive states a lane may have no enabled transition.
    pub livelock: Option<usize>,
    /// Whether the search goes on after something was found.
    pub finds_all: bool,
    /// In how many runs like the first one other mistakes are looked for after a data race was found.
    pub runs_after_race: u64,
    /// How many servers execute runs, each on a core of its own.
    pub servers: usize,
}

/// How an exploration ended.
#[derive(Clone, Debug)]
pub enum End {
    /// All interleavings were explored.
    Complete,
    /// All interleavings were explored up to the depth.
    Cut,
    /// All interleavings were explored for some of the values that the program asks for.
    Partial,
    /// All interleavings were explored, if loops in which lanes wait do nothing to memory that is not seen.
    Unclear,
    /// All interleavings with few preemptions were explored.
    Bounded,
    /// A limit was reached or the user lost patience.
    Stopped,
    /// Something was found.
    Found,
    /// The program does what cannot be controlled; what it is.
    Refused(String),
    /// The program does not repeat.
    NotDeterministic(Difference),
}

/// Something that was found, and confirmed by executing it again.
#[derive(Clone, Debug)]
pub struct Found {
    /// What is wrong.
    pub finding: Finding,
    /// The run.
    pub record: Record,
    /// What it printed.
    pub printed: Vec<u8>,
}

/// What came of an exploration.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// How it ended.
    pub end: End,
    /// What was found first.
    pub found: Option<Found>,
    /// The first data race, in a run that ends with it.
    pub race: Option<Found>,
    /// How many pairs of places race.
    pub races: usize,
    /// How many runs went wrong.
    pub failures: u64,
    /// The codes that runs have exited with.
    pub codes: BTreeSet<i64>,
    /// Whether an access to memory was an operation.
    pub sees_memory: bool,
    /// Whether accesses of all parts of the program are operations, if any are.
    pub sees_all: bool,
    /// Whether accesses that are not atomic are operations too.
    pub sees_plain: bool,
    /// Whether there was more than one lane.
    pub is_concurrent: bool,
    /// How much the exhaustive search has done.
    pub search: Statistics,
    /// How much was done in all.
    pub total: Statistics,
}

/// Explores a program; `go_on` is asked before each run.
pub fn explore(
    session: &mut Session,
    options: &Options,
    go_on: &mut dyn FnMut(&Statistics) -> ControlFlow<()>,
) -> Result<Exploration, Failure> {
    let mut explorer = Explorer::new(session, options);
    let end = explorer.take_turns(go_on)?;
    Ok(explorer.into_exploration(end))
}

/// Executes a single run, as its choices prescribe.
pub fn follow(session: &mut Session, options: &Options, tape: Vec<Choice>) -> Result<Exploration, Failure> {
    let mut explorer = Explorer::new(session, options);
    let end = explorer.follow(tape)?;
    Ok(explorer.into_exploration(end))
}

impl Exploration {
    /// What is wrong with the program: what was found, else a data race.
    pub fn wrong(&self) -> Option<&Found> {
        self.found.as_ref().or(self.race.as_ref())
    }
}
