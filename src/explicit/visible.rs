//! Counting what SPIN counts: visible states, and the transitions between them, whatever monitors see.

use super::result::{Progress, Stop};
use super::store::{Store, hash};
use std::ops::ControlFlow;
use system::{Failure, Machine, VarId, Visit};

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

/// How many states are expanded between two looks at the limits.
const CHUNK: usize = 1 << 12;

/// Counts the visible states and the transitions between them, in at most so many bytes.
pub fn count_visible(
    machine: &Machine,
    memory: usize,
    mut progress: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Count, (Failure, Count)> {
    let mut sections = machine.sections();
    let mut unwatched = Unwatched::new(machine);
    let mut store = Store::new(machine.layout().words());
    let mut count = Count { states: 0, transitions: 0, stop: Stop::Complete };
    let initial = machine.initial_states(&mut machine.workspace(), |state| {
        count.transitions += 1;
        let state = unwatched.of(&state.0);
        store.insert(state, hash(state));
        Visit::Continue(())
    });
    count.states = store.len();
    initial.map_err(|failure| (failure, count))?;
    let mut state = vec![0; machine.layout().words()];
    let mut at = 0;
    while at < store.len() {
        if at % CHUNK == 0 {
            let bytes = store.bytes_with(CHUNK);
            if bytes > memory {
                count.stop = Stop::Memory;
                break;
            }
            if progress(Progress { states: store.len(), depth: 0, bytes }).is_break() {
                count.stop = Stop::Interrupted;
                break;
            }
        }
        state.copy_from_slice(store.get(at as u32));
        at += 1;
        let outcome = sections.visible_successors(machine, &state, |next| {
            count.transitions += 1;
            let next = unwatched.of(next);
            store.insert(next, hash(next));
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
