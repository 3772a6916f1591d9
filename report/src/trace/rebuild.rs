//! From a document back to a run of a system, for its replay.

use super::document::{Document, ReadError, Step};
use super::values::Values;
use system::{Machine, Moved, State, System, Trace, Value, VarId};

/// The trace that a document claims to be a run of this system.
pub fn rebuild(machine: &Machine, document: &Document) -> Result<Trace, ReadError> {
    let states = document.states.iter().enumerate().map(|(index, values)| state(machine, index, values));
    let states = states.collect::<Result<_, _>>()?;
    let steps = document.steps.iter().enumerate().map(|(index, step)| moved(machine.system(), index, step));
    let moves = steps.collect::<Result<_, _>>()?;
    Ok(Trace { states, moves, loop_start: document.loop_start })
}

fn state(machine: &Machine, index: usize, values: &Values) -> Result<State, ReadError> {
    let system = machine.system();
    let place = format!("state {index}");
    let mut unpacked = vec![0; system.variables.len()];
    for (var, _) in system.state_variables() {
        unpacked[var.index()] = value(system, var, values, &place)?;
    }
    if values.len() > system.state_variables().count()
        && let Some(unknown) =
            values.names().find(|name| system.state_variables().all(|(_, variable)| variable.name != **name))
    {
        return Err(ReadError(format!("{place} has a value for {unknown}, which the model does not have")));
    }
    Ok(machine.layout().pack(&unpacked, None))
}

fn moved(system: &System, index: usize, step: &Step) -> Result<Moved, ReadError> {
    let place = format!("step {}", index + 1);
    let process = system
        .process_named(&step.process)
        .ok_or_else(|| ReadError(format!("{place} is by {}, which is no process of the model", step.process)))?;
    let inputs = system.inputs().map(|(var, _)| Ok((var, value(system, var, &step.inputs, &place)?)));
    Ok(Moved { process, command: None, inputs: inputs.collect::<Result<_, _>>()? })
}

fn value(system: &System, var: VarId, values: &Values, place: &str) -> Result<Value, ReadError> {
    let name = &system.variables[var].name;
    let value = values.get(name).ok_or_else(|| ReadError(format!("{place} has no value for {name}")))?;
    let found = system.parse_value(var, &value.to_string());
    found.ok_or_else(|| ReadError(format!("in {place}, {name} cannot be {value}")))
}
