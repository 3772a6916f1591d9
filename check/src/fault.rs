//! Faults: runs to where the model, or one of its properties, has no meaning.

use super::confirm::replays;
use crate::error::Error;
use system::{Failure, Machine, PropertyId, System, Trace, Visit};

/// A run to where something has no meaning.
#[derive(Clone, Debug)]
pub struct Fault {
    /// What goes wrong.
    pub failure: Failure,
    /// The run. It is empty if there is no initial state without a fault.
    pub trace: Trace,
    /// The property that has no value there; none if it is the model that has no meaning.
    pub property: Option<PropertyId>,
}

impl Fault {
    /// A fault at the end of a run, with the one of some properties that is to blame for it, if it is not the model.
    pub fn new(
        machine: &Machine,
        properties: &[PropertyId],
        (failure, trace): (Failure, Trace),
    ) -> Result<Fault, Error> {
        if !trace.states.is_empty() {
            replays(machine, "run to a fault", &trace)?;
        }
        let property = properties.iter().copied().find(|property| has_no_value(machine, *property, &trace));
        Ok(Fault { failure, trace, property })
    }
}

/// Why a property is undecided that has no value in a reachable state.
pub fn reason_of_property(system: &System, failure: Failure) -> String {
    format!("it has no value in a reachable state: RUN001 {}", failure.fault.describe(system))
}

/// Whether a property has no value in the last state of a run, or on a step from there.
fn has_no_value(machine: &Machine, property: PropertyId, trace: &Trace) -> bool {
    let Some(last) = trace.states.last() else { return false };
    let mut workspace = machine.workspace();
    if machine.is_state_invariant(property) {
        return machine.holds(property, &last.0, &mut workspace).is_err();
    }
    let mut fails = false;
    let stepped = machine.successors(&last.0, &mut workspace, |mut successor| {
        fails |= successor.step_holds(property).is_err();
        Visit::Continue(())
    });
    // A step that itself has no meaning is the model's fault.
    fails && stepped.is_ok()
}
