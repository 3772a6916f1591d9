//! Our JSON traces: versioned, self-describing, and what `uwbmc replay` reads.

use super::text::line_of;
use crate::source::Source;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use std::fmt;
use system::{Domain, Machine, Moved, State, System, Trace, Value, VarId};

const FORMAT: &str = "uwbmc-trace";
const VERSION: u32 = 1;

/// The file.
#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    version: u32,
    /// The model's file name, for people.
    model: String,
    /// The property that the trace violates, if any.
    property: Option<String>,
    states: Vec<IndexMap<String, serde_json::Value>>,
    steps: Vec<FileStep>,
    /// The state that the last state repeats, if the trace goes on for ever.
    #[serde(rename = "loop")]
    loop_start: Option<usize>,
}

#[derive(Serialize, Deserialize)]
struct FileStep {
    process: String,
    /// The control point that the process moved from.
    #[serde(default)]
    at: Option<String>,
    /// The line of the model that made the change.
    #[serde(default)]
    line: Option<usize>,
    #[serde(default)]
    inputs: IndexMap<String, serde_json::Value>,
}

/// Why a file is no trace of this model.
#[derive(Debug)]
pub struct ReadError(String);

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReadError {}

/// Writes a trace.
pub fn write(machine: &Machine, source: &Source, trace: &Trace, property: Option<&str>) -> String {
    let system = machine.system();
    let values = |pairs: Vec<(VarId, Value)>| -> IndexMap<String, serde_json::Value> {
        let entry = |(var, value): (VarId, Value)| (system.variables[var].name.clone(), to_json(system, var, value));
        pairs.into_iter().map(entry).collect()
    };
    let state = |state: &State| {
        let pairs = system.state_variables().filter_map(|(var, _)| Some((var, machine.layout().get(&state.0, var)?)));
        values(pairs.collect())
    };
    let step = |(index, moved): (usize, &Moved)| {
        let (from, to) = (&trace.states[index], &trace.states[index + 1]);
        let process = &system.processes[moved.process];
        FileStep {
            process: process.name.clone(),
            at: process.pc.and_then(|_| machine.point(moved.process, from)).map(|p| process.points[p].name.clone()),
            line: line_of(machine, source, from, moved, to),
            inputs: values(moved.inputs.clone()),
        }
    };
    let file = File {
        format: FORMAT.to_owned(),
        version: VERSION,
        model: source.name().to_owned(),
        property: property.map(str::to_owned),
        states: trace.states.iter().map(state).collect(),
        steps: trace.moves.iter().enumerate().map(step).collect(),
        loop_start: trace.loop_start,
    };
    // Strings, numbers and maps with string keys always serialise.
    serde_json::to_string_pretty(&file).unwrap_or_default()
}

/// Reads a trace of this model and the name of the property it is about.
pub fn read(machine: &Machine, text: &str) -> Result<(Trace, Option<String>), ReadError> {
    let file: File = serde_json::from_str(text).map_err(|error| ReadError(format!("this is no trace: {error}")))?;
    if file.format != FORMAT || file.version > VERSION {
        let found = format!("{} version {}", file.format, file.version);
        return Err(ReadError(format!("expected {FORMAT} version {VERSION}, found {found}")));
    }
    let states = file.states.iter().enumerate().map(|(index, values)| read_state(machine, index, values));
    let states: Vec<State> = states.collect::<Result<_, _>>()?;
    let steps = file.steps.iter().enumerate().map(|(index, step)| read_step(machine.system(), index, step));
    let moves: Vec<Moved> = steps.collect::<Result<_, _>>()?;
    Ok((Trace { states, moves, loop_start: file.loop_start }, file.property))
}

fn read_state(
    machine: &Machine,
    index: usize,
    values: &IndexMap<String, serde_json::Value>,
) -> Result<State, ReadError> {
    let system = machine.system();
    let mut packed = vec![0; system.variables.len()];
    for (var, variable) in system.state_variables() {
        let name = &variable.name;
        let value = values.get(name).ok_or_else(|| ReadError(format!("state {index} has no value for {name}")))?;
        packed[var.index()] = from_json(system, var, value)
            .ok_or_else(|| ReadError(format!("in state {index}, {name} cannot be {value}")))?;
    }
    let known = |name: &String| system.state_variables().any(|(_, variable)| variable.name == *name);
    if values.len() > system.state_variables().count()
        && let Some(unknown) = values.keys().find(|name| !known(name))
    {
        return Err(ReadError(format!("state {index} has a value for {unknown}, which the model does not have")));
    }
    Ok(machine.layout().pack(&packed, None))
}

fn read_step(system: &System, index: usize, step: &FileStep) -> Result<Moved, ReadError> {
    let number = index + 1;
    let process = system
        .process_named(&step.process)
        .ok_or_else(|| ReadError(format!("step {number} is by {}, which is no process of the model", step.process)))?;
    let mut inputs = Vec::new();
    for (var, variable) in system.inputs() {
        let name = &variable.name;
        let value = step
            .inputs
            .get(name)
            .ok_or_else(|| ReadError(format!("step {number} has no value for the input {name}")))?;
        let value = from_json(system, var, value)
            .ok_or_else(|| ReadError(format!("in step {number}, {name} cannot be {value}")))?;
        inputs.push((var, value));
    }
    Ok(Moved { process, command: None, inputs })
}

/// Booleans and integers are JSON's own; everything else is written as SMV writes it.
fn to_json(system: &System, var: VarId, value: Value) -> serde_json::Value {
    let text = system.render_value(var, value);
    match system.variables[var].domain {
        Domain::Boolean => serde_json::Value::Bool(value != 0),
        Domain::Word(_) => serde_json::Value::String(text),
        _ if text.parse() == Ok(value) => serde_json::Value::from(value),
        _ => serde_json::Value::String(text),
    }
}

fn from_json(system: &System, var: VarId, value: &serde_json::Value) -> Option<Value> {
    match value {
        serde_json::Value::Bool(value) => system.parse_value(var, if *value { "TRUE" } else { "FALSE" }),
        serde_json::Value::Number(number) => system.parse_value(var, &number.to_string()),
        serde_json::Value::String(text) => system.parse_value(var, text),
        _ => None,
    }
}
