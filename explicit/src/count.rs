//! Counting what SPIN counts: visible states, and the transitions between them, whatever monitors see.

use super::store::Store;
use engine::Stop;
use limits::{Handle, Progress};
use system::{Failure, Halt, Machine, VarId, Visit};

/// What a count found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// How many visible states there are: those where no process is inside an atomic section and can go on.
    pub states: usize,
    /// How many transitions lead to them, the initial states included.
    pub transitions: usize,
    /// Whether all of them were counted.
    pub stop: Stop,
}

impl Count {
    /// What was counted before states could not be computed.
    fn halted(self, halt: Halt) -> Result<Count, (Failure, Count)> {
        match halt {
            Halt::Failed(failure) => Err((failure, self)),
            Halt::Interrupted => Ok(Count { stop: Stop::Interrupted, ..self }),
        }
    }
}

/// How many states are expanded between two looks at the limits.
pub(super) const CHUNK: usize = 1 << 12;

/// How many words of new states are collected before they are stored.
const ENOUGH: usize = 1 << 10;

/// Counts the visible states and the transitions between them, in at most this many bytes.
pub fn count_visible(machine: &Machine, memory: usize, handle: &mut Handle<'_>) -> Result<Count, (Failure, Count)> {
    let mut sections = machine.sections();
    let unwatched = Unwatched::new(machine);
    let mut store = Store::new(machine.layout().words());
    let (mut reading, mut writing) = (store.cursor(), store.cursor());
    let mut count = Count { states: 0, transitions: 0, stop: Stop::Complete };
    // States that are not stored yet.
    let mut pending = Vec::new();
    let initial = machine.initial_states(&mut machine.workspace(), |state| {
        count.transitions += 1;
        unwatched.add(&state.0, &mut pending);
        Visit::Continue(())
    });
    count.states = store.len();
    if let Err(halt) = initial {
        return count.halted(halt);
    }
    store.insert_all(&mut writing, &std::mem::take(&mut pending), |_| ());
    let mut at = 0;
    while at < store.len() {
        if at % CHUNK == 0 {
            let bytes = store.bytes_with(CHUNK, CHUNK) + sections.bytes();
            if bytes > memory {
                count.stop = Stop::Memory;
                break;
            }
            if handle.see(Progress::States { states: store.len(), depth: 0 }).is_break() {
                count.stop = Stop::Interrupted;
                break;
            }
        }
        store.go_to(&mut reading, at as u32);
        at += 1;
        let outcome = sections.visible_successors(machine, reading.state(), |next| {
            count.transitions += 1;
            unwatched.add(next, &mut pending);
        });
        if pending.len() >= ENOUGH || at == store.len() || outcome.is_err() {
            store.insert_all(&mut writing, &pending, |_| ());
            pending.clear();
        }
        count.states = store.len();
        if let Err(halt) = outcome {
            return count.halted(halt);
        }
    }
    count.states = store.len();
    Ok(count)
}

/// Takes out of states what monitors know, which nothing else depends on.
pub(super) struct Unwatched<'a> {
    machine: &'a Machine,
    monitors: &'a [VarId],
}

impl<'a> Unwatched<'a> {
    pub(super) fn new(machine: &'a Machine) -> Unwatched<'a> {
        Unwatched { machine, monitors: &machine.system().monitors }
    }

    /// Appends a state.
    pub(super) fn add(&self, state: &[u64], states: &mut Vec<u64>) {
        let start = states.len();
        states.extend_from_slice(state);
        for monitor in self.monitors {
            self.machine.layout().set(&mut states[start..], *monitor, 0);
        }
    }
}
