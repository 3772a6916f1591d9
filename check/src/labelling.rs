//! Formulas of CTL on states, one by one: where diagrams grow too large, there may be few of them.

use super::portfolio::Task;
use super::states::attentive;
use engine::{Cause, Findings, Verdict};
use explicit::label;
use limits::{Handle, Patience};
use std::sync::Arc;
use system::{Apart, Claim, Machine, PropertyId, Slice};

/// How often those who choose values may ask whether to go on.
const LOOKS: u32 = 2_048;

/// Whether states can be labelled with a property.
pub fn decides(machine: &Machine, property: PropertyId) -> bool {
    matches!(machine.system().properties[property].claim, Claim::Ctl(_))
}

/// Labels at most this many states. What cannot influence the formulas is left out.
pub fn search(task: Task<'_>, most: usize, handle: &mut Handle<'_>) -> Findings {
    let mut handle = handle.patient(Patience { states: most, looks: LOOKS, ..Patience::default() });
    let Some(slice) = Slice::new(task.machine.system(), task.properties, Apart::Kept) else {
        return labelled(task.machine, task.properties, &mut handle);
    };
    let part = Machine::new(Arc::new(slice.system.clone()));
    let mut found = labelled(&part, task.properties, &mut handle);
    for (_, verdict) in &mut found.verdicts {
        if let Verdict::Violated(trace) = verdict {
            let lifted = slice.lift(task.machine.system(), trace);
            *verdict = lifted.map_or_else(shown_in_part, |trace| Verdict::Violated(Arc::new(trace)));
        }
    }
    found
}

fn labelled(machine: &Machine, properties: &[PropertyId], handle: &mut Handle<'_>) -> Findings {
    label(&attentive(machine, handle), properties, handle.memory(), handle)
}

fn shown_in_part() -> Verdict {
    let reason = "it is violated, but the run that shows it was found in a part of the model only";
    Verdict::unknown(Cause::Refused, reason)
}
