//! Counting what SPIN counts: visible states, and the transitions between them.

use super::result::Stop;
use super::store::{Store, hash};
use system::{Failure, Machine, State, Visit};

/// What a count found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// How many visible states there are: those where nobody is inside an atomic section and can go on.
    pub states: usize,
    /// How many transitions lead to them, the initial states included.
    pub transitions: usize,
    /// Whether all of them were counted.
    pub stop: Stop,
}

/// Counts the visible states and the transitions between them, up to so many states.
pub fn count_visible(machine: &Machine, most: usize) -> Result<Count, (Failure, Count)> {
    let mut workspace = machine.workspace();
    let mut store = Store::new(machine.layout().words());
    let mut count = Count { states: 0, transitions: 0, stop: Stop::Complete };
    let initial = machine.initial_states(&mut workspace, |state| {
        count.transitions += 1;
        store.insert(&state.0, hash(&state.0));
        Visit::Continue(())
    });
    initial.map_err(|failure| (failure, count))?;
    let mut at = 0;
    while at < store.len() {
        if store.len() > most {
            count.stop = Stop::Memory;
            break;
        }
        let state = State(store.get(at as u32).into());
        at += 1;
        let outcome = machine.visible_successors(&state.0, &mut workspace, |next| {
            count.transitions += 1;
            store.insert(next, hash(next));
            Visit::Continue(())
        });
        count.states = store.len();
        outcome.map_err(|failure| (failure, count))?;
    }
    count.states = store.len();
    Ok(count)
}
