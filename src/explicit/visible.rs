//! Counting what SPIN counts: visible states, and the transitions between them, whatever monitors see.

use super::result::Stop;
use super::store::{Store, hash};
use system::{Failure, Machine, State, VarId, Visit};

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
    let mut unwatched = Unwatched::new(machine);
    let mut store = Store::new(machine.layout().words());
    let mut count = Count { states: 0, transitions: 0, stop: Stop::Complete };
    let initial = machine.initial_states(&mut workspace, |state| {
        count.transitions += 1;
        let state = unwatched.of(&state.0);
        store.insert(state, hash(state));
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
            let next = unwatched.of(next);
            store.insert(next, hash(next));
            Visit::Continue(())
        });
        count.states = store.len();
        outcome.map_err(|failure| (failure, count))?;
    }
    count.states = store.len();
    Ok(count)
}

/// States without what monitors know, which nothing else depends on.
struct Unwatched<'a> {
    machine: &'a Machine,
    monitors: &'a [VarId],
    state: Vec<u64>,
}

impl<'a> Unwatched<'a> {
    fn new(machine: &'a Machine) -> Unwatched<'a> {
        Unwatched { machine, monitors: &machine.system().monitors, state: Vec::new() }
    }

    fn of<'s>(&'s mut self, state: &'s [u64]) -> &'s [u64] {
        if self.monitors.is_empty() {
            return state;
        }
        self.state.clear();
        self.state.extend_from_slice(state);
        for monitor in self.monitors {
            self.machine.layout().set(&mut self.state, *monitor, 0);
        }
        &self.state
    }
}
