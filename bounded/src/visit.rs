//! Visiting states as one more engine: where there are few, nothing is faster, and every level that is done settles a
//! bound as a refutation does.

use super::progress;
use engine::{Engine, Findings, Stop, Trouble};
use explicit::{BreadthFirst, Limits, Symmetries};
use limits::{Effort, Handle, Progress, Work};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use system::{Alarm, Machine, PropertyId};

/// The most states that are expanded between two looks at the effort, and how many at first.
const CHUNK: usize = 256;
const FIRST_CHUNK: usize = 16;

/// After more work than this, fewer states are expanded before the next look.
const LONG: u64 = 100_000;

/// How often the alarm may be asked during a chunk. States with so many successors are not worth being visited one by one.
const PATIENCE: u32 = 64;

/// What a state or a transition costs in a solver's ticks, about, where steps are remembered.
const TICKS: u64 = 2;

/// How many instructions, executed where steps were not remembered, cost as much as a solver's tick.
pub(super) const INSTRUCTIONS: u64 = 16;

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
    found: Findings,
    bound: usize,
    /// How many states are expanded before the next look at the effort.
    chunk: usize,
}

impl<'a> Visit<'a> {
    /// Of a machine that loses patience, in this many bytes.
    pub fn new(machine: &'a Machine, properties: &[PropertyId], limits: Limits, patience: Patience) -> Visit<'a> {
        let search = BreadthFirst::plain(machine, properties, limits, Symmetries::Worthwhile);
        let mut found = Findings::new("explicit");
        found.cost.interchangeable.clone_from(&search.found().cost.interchangeable);
        Visit { search, patience, found, bound: limits.depth, chunk: FIRST_CHUNK }
    }

    /// Notes what the search has found.
    fn note(&mut self) {
        let known = self.found.verdicts.len();
        self.found.verdicts.extend_from_slice(&self.search.found().verdicts[known..]);
        self.found.settled = self.search.settled();
        self.found.cost.states = Some(self.search.states());
    }
}

impl Engine for Visit<'_> {
    /// Visits some states. One that has to give up says that it has nothing left to do.
    fn turn(&mut self, effort: Effort, handle: &mut Handle<'_>) -> Result<Option<Stop>, Trouble> {
        let before = self.work().ticks;
        let is_spent = |now: u64| matches!(effort, Effort::Ticks(most) if now - before >= most as u64);
        loop {
            if handle.is_over() {
                return Ok(Some(Stop::Interrupted));
            }
            self.patience.regain();
            let begun = self.work().ticks;
            let outcome = self.search.step(self.chunk);
            self.chunk = match self.work().ticks - begun > LONG {
                true => (self.chunk / 2).max(1),
                false => (self.chunk * 2).min(CHUNK),
            };
            self.note();
            match outcome {
                Ok(None) if is_spent(self.work().ticks) => return Ok(None),
                Ok(None) => {}
                Ok(Some(Stop::Bound)) => {
                    self.found.settled = Some(self.bound);
                    return Ok(Some(Stop::Bound));
                }
                Ok(Some(end @ (Stop::Complete | Stop::Decided))) => return Ok(Some(end)),
                // It has no more memory, or has lost patience.
                Ok(Some(_)) => return Ok(Some(Stop::Memory)),
                Err(fault) => {
                    self.found.fault = Some(*fault);
                    return Ok(Some(Stop::Decided));
                }
            }
        }
    }

    fn found(&self) -> &Findings {
        &self.found
    }

    fn forget(&mut self, property: PropertyId) {
        self.search.forget(property);
    }

    fn work(&self) -> Work {
        let met = self.search.found().cost.transitions + self.search.states() as u64;
        Work { conflicts: 0, ticks: met * TICKS + self.search.executed() / INSTRUCTIONS }
    }

    fn progress(&self) -> Option<Progress> {
        Some(progress(&self.found, self.work().conflicts, self.bound))
    }
}
