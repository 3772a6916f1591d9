//! What searches write into what they find.

use engine::{Findings, Stop};
use system::{Failure, Fault, Machine, State, Trace};

/// How many deadlocks are remembered.
const MOST_DEADLOCKS: usize = 10_000;

/// A run to where the model has no meaning.
pub type Faulty = Box<(Failure, Trace)>;

/// Whether nothing was wrong, but the search was ended early.
pub fn is_interruption(failure: Failure) -> bool {
    failure.fault == Fault::Interrupted
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
