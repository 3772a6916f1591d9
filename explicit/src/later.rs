//! What a breadth-first search comes to later: an atomic section is one step for it, but as many as it has commands for the depth.
//!
//! A state at the end of a section waits until the search is that deep, because another way there may be shorter. So depths and
//! counterexamples are those of a search that goes through sections step by step.

use super::store::Store;
use super::tree::Cursor;
use super::worker::Met;
use std::collections::BTreeMap;

/// States and violations, by the depth at which their time comes.
#[derive(Debug, Default)]
pub struct Later {
    due: BTreeMap<usize, Due>,
}

/// What comes at one depth.
#[derive(Debug, Default)]
pub struct Due {
    /// Violations inside sections.
    pub violations: Vec<Met>,
    states: Option<Waiting>,
}

/// States that wait, each once.
#[derive(Debug)]
struct Waiting {
    store: Store,
    writing: Cursor,
    /// The state that each was reached from.
    parents: Vec<u32>,
}

impl Later {
    /// Whether nothing is to come.
    pub fn is_empty(&self) -> bool {
        self.due.is_empty()
    }

    /// A violation that a run of this length shows.
    pub fn violated(&mut self, depth: usize, met: Met) {
        self.due.entry(depth).or_default().violations.push(met);
    }

    /// A state at this depth, reached from another. Of several ways to it, the first counts.
    pub fn reached(&mut self, depth: usize, state: &[u64], parent: u32) {
        let due = self.due.entry(depth).or_default();
        let waiting = due.states.get_or_insert_with(|| Waiting::new(state.len()));
        if waiting.store.insert(&mut waiting.writing, state).is_new() {
            waiting.parents.push(parent);
        }
    }

    /// What comes at a depth.
    pub fn at(&mut self, depth: usize) -> Due {
        self.due.remove(&depth).unwrap_or_default()
    }

    /// How much memory all of it takes, about.
    pub fn bytes(&self) -> usize {
        let waiting = self.due.values().filter_map(|due| due.states.as_ref());
        waiting.map(|waiting| waiting.store.bytes_with(0, 0) + waiting.parents.len() * size_of::<u32>()).sum()
    }
}

impl Waiting {
    fn new(width: usize) -> Waiting {
        let store = Store::new(width);
        Waiting { writing: store.cursor(), store, parents: Vec::new() }
    }
}

impl Due {
    /// Visits the states in the order in which they were reached, each with the one that it was reached from.
    pub fn each_state(&self, mut visit: impl FnMut(&[u64], u32)) {
        let Some(Waiting { store, parents, .. }) = &self.states else { return };
        let mut reading = store.cursor();
        for (number, parent) in (0..).zip(parents) {
            store.go_to(&mut reading, number);
            visit(reading.state(), *parent);
        }
    }
}
