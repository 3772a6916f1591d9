//! Visiting states as one more engine: where there are few, nothing is faster, and every level that is done settles a
//! bound as a refutation does.

use super::Engine;
use super::outcome::{Bounded, Stop};
use explicit::{BreadthFirst, Limits};
use sat::{Effort, Work};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use system::{Alarm, Machine, PropertyId};

/// How many states are expanded between two looks at the effort.
const CHUNK: usize = 256;

/// How often the alarm may be asked during a chunk. States with so many successors are not worth being visited one by one.
const PATIENCE: u32 = 64;

/// What a state or a transition costs in a solver's ticks, about.
const TICKS: u64 = 2;

/// How much longer patience lasts.
#[derive(Clone, Default)]
pub(super) struct Patience(Arc<AtomicU32>);

impl Patience {
    /// The same machine; it loses patience with states that have too many successors.
    pub fn machine(&self, machine: &Machine) -> Machine {
        let left = Arc::clone(&self.0);
        let mut machine = machine.anew();
        machine.heed(Alarm::new(move || {
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err()
        }));
        machine
    }

    /// Has patience again.
    pub fn regain(&self) {
        self.0.store(PATIENCE, Ordering::Relaxed);
    }
}

/// A breadth-first search up to the bound.
pub(super) struct Visit<'a> {
    search: BreadthFirst<'a>,
    patience: Patience,
    found: Bounded,
    bound: usize,
}

impl<'a> Visit<'a> {
    /// Of a machine that loses patience, in this many bytes.
    pub fn new(machine: &'a Machine, properties: &[PropertyId], limits: Limits, patience: Patience) -> Visit<'a> {
        let search = BreadthFirst::plain(machine, properties, limits);
        Visit { search, patience, found: Bounded::nothing(0), bound: limits.depth }
    }

    /// Notes what the search has found.
    fn note(&mut self) {
        let found = self.search.found();
        let known = self.found.violations.len();
        self.found.violations.extend_from_slice(&found.violations[known..]);
        self.found.bound = self.search.settled();
        self.found.states = Some(self.search.states());
    }
}

impl Engine for Visit<'_> {
    /// Visits some states. One that has to give up says that it has nothing left to do.
    fn step(&mut self, effort: Effort, stop: &mut dyn FnMut() -> bool) -> Option<Stop> {
        let before = self.work().ticks;
        let is_spent = |now: u64| matches!(effort, Effort::Ticks(most) if now - before >= most as u64);
        loop {
            if stop() {
                return Some(Stop::Interrupted);
            }
            self.patience.regain();
            let outcome = self.search.step(CHUNK);
            self.note();
            match outcome {
                Ok(None) if is_spent(self.work().ticks) => return None,
                Ok(None) => {}
                Ok(Some(explicit::Stop::Complete)) => return Some(Stop::AllStates),
                Ok(Some(explicit::Stop::Decided)) => return Some(Stop::Decided),
                Ok(Some(explicit::Stop::Depth)) => {
                    self.found.bound = Some(self.bound);
                    return Some(Stop::Bound);
                }
                Ok(Some(explicit::Stop::Memory | explicit::Stop::Interrupted)) => return Some(Stop::Bound),
                Err(finding) if finding.is_interruption() => return Some(Stop::Bound),
                Err(finding) => {
                    self.found.fault = Some((finding.failure, finding.trace));
                    return Some(Stop::Decided);
                }
            }
        }
    }

    fn found(&self) -> &Bounded {
        &self.found
    }

    fn forget(&mut self, property: PropertyId) {
        self.search.forget(property);
    }

    fn work(&self) -> Work {
        Work { conflicts: 0, ticks: (self.search.found().transitions + self.search.states() as u64) * TICKS }
    }
}
