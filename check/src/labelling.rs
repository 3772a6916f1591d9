//! Formulas of CTL on states, one by one: where diagrams grow too large, there may be few of them.

use super::cycles::see;
use super::effort::Effort;
use super::engine::{Engine, Task};
use super::findings::Findings;
use super::handle::Handle;
use super::verdict::Verdict;
use crate::error::Error;
use explicit::{Branching, Labelled, label};
use std::ops::ControlFlow;
use std::sync::Arc;
use system::{Apart, Claim, Machine, PropertyId, Slice, Trace};

/// How often those who choose values may ask whether to go on.
const PATIENCE: u32 = 2_048;

/// Labelling of at most this many states.
pub struct Labelling(pub usize);

impl Engine for Labelling {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn decides(&self, machine: &Machine, property: PropertyId) -> bool {
        matches!(machine.system().properties[property].claim, Claim::Ctl(_))
    }

    /// What cannot influence the formulas is left out.
    fn run(&self, task: &Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Error> {
        let slice = Slice::new(task.machine.system(), task.properties, Apart::Kept);
        let Some(slice) = slice else {
            let labelled = self.label(task.machine.anew(), task, handle);
            return Ok(self.found(task, labelled, handle, Some));
        };
        let labelled = self.label(Machine::new(Arc::new(slice.system.clone())), task, handle);
        Ok(self.found(task, labelled, handle, |trace| slice.lift(task.machine.system(), &trace)))
    }
}

impl Labelling {
    fn label(&self, mut machine: Machine, task: &Task<'_>, handle: &mut Handle<'_>) -> Labelled {
        machine.heed(handle.alarm(task.options.memory).or_after(PATIENCE));
        label(&machine, task.properties, task.options.memory, |now| match see(handle, now) {
            ControlFlow::Continue(()) if now.states <= self.0 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        })
    }

    fn found(
        &self,
        task: &Task<'_>,
        labelled: Labelled,
        handle: &Handle<'_>,
        lift: impl Fn(Trace) -> Option<Trace>,
    ) -> Findings {
        let undecided = |why: &str| {
            let open = task.properties.iter().map(|property| (*property, Verdict::unknown(why)));
            Findings { verdicts: open.collect(), ..Findings::new(self.name()) }
        };
        let (verdicts, states) = match labelled {
            Labelled::Decided { verdicts, states } => (verdicts, states),
            Labelled::Failed(_) => return undecided("something has no value in a reachable state"),
            Labelled::Memory => return undecided("the memory limit was reached"),
            Labelled::Interrupted => return undecided(handle.why().unwrap_or("there are too many states to label")),
            Labelled::Refused(why) => return undecided(&why),
        };
        let worded = |found: Branching| match found {
            Branching::Holds => Verdict::Holds(format!("all {states} states were labelled")),
            Branching::Violated(trace) => match lift(trace) {
                Some(trace) => Verdict::Violated(trace),
                None => {
                    Verdict::unknown("it is violated, but the run that shows it was found in a part of the model only")
                }
            },
        };
        Findings {
            verdicts: verdicts.into_iter().map(|(property, found)| (property, worded(found))).collect(),
            effort: Effort { states: Some(states), ..Effort::default() },
            ..Findings::new(self.name())
        }
    }
}
