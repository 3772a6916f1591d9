//! Formulas of CTL on states, one by one: where diagrams grow too large, there may be few of them.

use super::portfolio::Task;
use super::states::attentive;
use engine::{Cause, Findings, Verdict};
use explicit::label;
use limits::{Handle, Patience};
use std::sync::Arc;
use system::{Apart, Claim, Machine, PropertyId, Slice, Trace};

/// How much is labelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// At most this many states.
    pub states: usize,
    /// How often those who choose values may ask whether to go on, which they do after some thousand choices.
    pub looks: u32,
}

/// Whether states can be labelled with a property.
pub fn decides(machine: &Machine, property: PropertyId) -> bool {
    matches!(machine.system().properties[property].claim, Claim::Ctl(_))
}

/// Labels states as far as the extent allows. What cannot influence the formulas is left out.
pub fn search(task: Task<'_>, Extent { states, looks }: Extent, handle: &mut Handle<'_>) -> Findings {
    let mut handle = handle.patient(Patience { states, looks, ..Patience::default() });
    let Some(slice) = Slice::new(task.machine.system(), task.properties, Apart::Kept) else {
        return labelled(task.machine, task, &mut handle);
    };
    let part = Machine::new(Arc::new(slice.system.clone()));
    let mut found = labelled(&part, task, &mut handle);
    let lifted = |run: &Trace| slice.lift(task.machine.system(), run);
    let shown = std::mem::take(&mut found.explanations).into_iter();
    found.explanations = shown.filter_map(|(property, shown)| Some((property, shown.with_runs(lifted)?))).collect();
    for (_, verdict) in &mut found.verdicts {
        if let Verdict::Violated(trace) = verdict {
            *verdict = lifted(trace).map_or_else(shown_in_part, |trace| Verdict::Violated(Arc::new(trace)));
        }
    }
    found
}

/// Labels the states of the task's machine, or of a part of it.
fn labelled(machine: &Machine, task: Task<'_>, handle: &mut Handle<'_>) -> Findings {
    label(&attentive(machine, handle), task.properties, task.options.witnesses, handle.memory(), handle)
}

fn shown_in_part() -> Verdict {
    let reason = "it is violated, but the run that shows it was found in a part of the model only";
    Verdict::unknown(Cause::Refused, reason)
}
