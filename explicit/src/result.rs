//! What searches write into what they find.

use engine::{Findings, Stop};
use system::{Failure, Halt, Machine, State, Trace};

/// How many deadlocks are remembered.
const MOST_DEADLOCKS: usize = 10_000;

/// Why a search cannot go on.
#[derive(Debug)]
pub enum End {
    /// The model has no meaning at the end of this run.
    Fault(Box<(Failure, Trace)>),
    /// Nothing is wrong, but it has to end.
    Interrupted,
}

impl End {
    /// States could not be computed; a run leads there.
    pub fn of(halt: Halt, trace: impl FnOnce() -> Trace) -> End {
        match halt {
            Halt::Failed(failure) => End::Fault(Box::new((failure, trace()))),
            Halt::Interrupted => End::Interrupted,
        }
    }
}

/// Remembers a state without successors. The process that had control there has lost it.
pub fn deadlocked(found: &mut Findings, machine: &Machine, depth: usize, state: &[u64]) {
    found.deadlock.get_or_insert(depth);
    if found.deadlocks.len() < MOST_DEADLOCKS {
        let mut state = State(state.into());
        machine.layout().set_holder(&mut state.0, None);
        found.deadlocks.insert(state);
    }
}

/// What a search found before it came to where the model has no meaning. It has not visited all the states that it could.
pub fn with_fault(mut found: Findings, fault: (Failure, Trace)) -> Findings {
    found.cost.states = None;
    found.deadlock = None;
    Findings { stop: Stop::Decided, fault: Some(fault), has_initial_state: true, ..found }
}
