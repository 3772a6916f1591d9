//! Whether a property holds of all runs of a program, fair or not.
//!
//! Without fairness, interleavings and processes that are alike can be left out, which fairness tells apart. A property that no run violates is
//! violated by no fair one, so that it is decided then.

use super::{Interleavings, find_cycle};
use engine::{Findings, Verdict};
use limits::{Handle, Patience};
use std::sync::Arc;
use system::{Machine, PropertyId};

/// The search for runs that violate a property, fair or not.
pub struct Unfair {
    /// The program without fairness, as long as no run is known that violates the property.
    machine: Option<Machine>,
    property: PropertyId,
}

impl Unfair {
    /// Nothing is known; where there is no fairness, or no program, there is nothing to be gained.
    pub fn new(machine: &Machine, property: PropertyId) -> Unfair {
        let system = machine.system();
        let machine = (system.has_statements && !system.fairness.is_empty()).then(|| {
            let mut system = system.clone();
            system.fairness.clear();
            Machine::new(Arc::new(system))
        });
        Unfair { machine, property }
    }

    /// Whether no run violates the property; `None` if some run does, or if that is not known after this many states.
    pub fn holds(&mut self, most: usize, memory: usize, handle: &mut Handle<'_>) -> Option<Findings> {
        let machine = self.machine.as_ref()?;
        let handle = &mut handle.patient(Patience::of_states(most));
        let found = find_cycle(machine, self.property, Interleavings::Fewest, memory, handle);
        match found.verdict(self.property) {
            Some(Verdict::Holds(_)) => return Some(found),
            Some(Verdict::Unknown(_)) => {}
            _ => self.machine = None,
        }
        None
    }
}
