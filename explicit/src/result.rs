//! What a search found.

use std::collections::BTreeSet;
use system::{Failure, Fault, Machine, PropertyId, State, Trace};

/// How many deadlocks are remembered.
pub const MOST_DEADLOCKS: usize = 10_000;

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Every reachable state was visited (or, with a reduction, enough of them).
    Complete,
    /// The states at the greatest allowed depth were visited, and they have successors that were not.
    Depth,
    /// The memory limit was reached; in depth-first search, by the current path alone.
    Memory,
    /// The user asked for it.
    Interrupted,
    /// Every property is decided.
    Decided,
}

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// States visited so far.
    pub states: usize,
    /// The depth of the states at hand.
    pub depth: usize,
    /// Bytes in use for states, about.
    pub bytes: usize,
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

/// What a search found.
#[derive(Clone, Debug)]
pub struct Search {
    /// Violations of the properties, in the order in which they were found.
    pub violations: Vec<(PropertyId, Trace)>,
    /// The depth of the first state without successors that is no valid end, if there is one.
    pub deadlock: Option<usize>,
    /// States without successors that are no valid ends: the first of them, and not more than a search remembers.
    pub deadlocks: BTreeSet<State>,
    /// How many states were visited; states that were forgotten and visited again count again.
    pub states: usize,
    /// How many initial states there are.
    pub initial_states: usize,
    /// How many steps were made.
    pub transitions: u64,
    /// The greatest depth that was visited.
    pub depth: usize,
    /// The number of steps within which everything was looked at; breadth-first search only.
    pub settled: Option<usize>,
    /// Why the search ended.
    pub stop: Stop,
    /// Bytes in use for states at the end, about.
    pub bytes: usize,
    /// What forgetting states cost; depth-first search only.
    pub replacement: Option<Replacement>,
}

impl Search {
    pub(super) fn new() -> Search {
        Search {
            violations: Vec::new(),
            deadlock: None,
            deadlocks: BTreeSet::new(),
            states: 0,
            initial_states: 0,
            transitions: 0,
            depth: 0,
            settled: None,
            stop: Stop::Complete,
            bytes: 0,
            replacement: None,
        }
    }

    /// Remembers a state without successors. The process that had control there has lost it.
    pub(super) fn deadlock(&mut self, machine: &Machine, depth: usize, state: &[u64]) {
        self.deadlock.get_or_insert(depth);
        if self.deadlocks.len() < MOST_DEADLOCKS {
            let mut state = State(state.into());
            machine.layout().set_holder(&mut state.0, None);
            self.deadlocks.insert(state);
        }
    }
}

/// A search that could not be finished because the model is wrong: the fault, and the run that leads to it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What went wrong.
    pub failure: Failure,
    /// A run to the state where it went wrong.
    pub trace: Trace,
    /// The violations that were found before.
    pub violations: Vec<(PropertyId, Trace)>,
    /// The number of steps within which everything was looked at before; breadth-first search only.
    pub settled: Option<usize>,
}

impl Finding {
    /// A fault at the end of a run.
    pub(super) fn new(failure: Failure, trace: Trace) -> Box<Finding> {
        Box::new(Finding { failure, trace, violations: Vec::new(), settled: None })
    }

    /// The same, after a search that found something before.
    pub(super) fn after(self, found: Search) -> Box<Finding> {
        Box::new(Finding { violations: found.violations, settled: found.settled, ..self })
    }

    /// Whether nothing was wrong, but the search was ended early.
    pub fn is_interruption(&self) -> bool {
        self.failure.fault == Fault::Interrupted
    }
}
