//! Telling what is violated while the rest is looked at.

use super::confirm::confirm;
use super::options::Options;
use super::report::Checked;
use engine::{Findings, Verdict};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use system::{Machine, Slice};

/// Tells at once what is violated: to decide the other properties may take longer than there is time.
pub struct Herald<'a> {
    machine: &'a Machine,
    slice: Option<&'a Slice>,
    options: &'a Options,
    /// How many violations have been told.
    told: AtomicUsize,
}

impl<'a> Herald<'a> {
    /// For a machine, and a slice of it in which violations are found.
    pub fn new(machine: &'a Machine, slice: Option<&'a Slice>, options: &'a Options) -> Herald<'a> {
        Herald { machine, slice, options, told: AtomicUsize::new(0) }
    }

    /// Tells what is violated and has not been told.
    pub fn tell(&self, found: &Findings) {
        let violations = found.verdicts.iter().filter_map(|(property, verdict)| match verdict {
            Verdict::Violated(trace) => Some((property, trace)),
            _ => None,
        });
        let told = self.told.fetch_max(violations.clone().count(), Ordering::Relaxed);
        for (property, trace) in violations.skip(told) {
            let lifted = match self.slice {
                Some(slice) => slice.lift(self.machine.system(), trace).map(Arc::new),
                None => Some(Arc::clone(trace)),
            };
            // One that does not replay is dealt with in the end.
            if let Some(trace) = lifted.filter(|trace| confirm(self.machine, *property, trace).is_ok())
                && !self.options.proofs.are_checked()
            {
                let name = self.machine.system().properties[*property].name.clone();
                self.options.known.learn(&[Checked {
                    id: *property,
                    name,
                    verdict: Verdict::Violated(trace),
                    explanation: None,
                }]);
            }
        }
    }
}
