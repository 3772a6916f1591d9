//! Traces in the Informal Trace Format: <https://apalache-mc.org/docs/adr/015adr-trace.html>.
//!
//! Integers are written as `{"#bigint": "7"}`, as the revision of 2023 demands. In ITF a loop goes from the last state
//! back to the state `loop`; ours ends in a repetition of that state, which is therefore left out. A loop that comes back with other
//! values of variables that decide nothing is written as the finite run that it is to ITF.

use super::document::{Scalar, Step, Variable};
use super::telling::{Each, Place, Telling};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// Writes a trace.
pub fn write(run: Telling<'_>, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &Itf(run))?;
    writeln!(out)
}

/// A run as the format has it. Its parts come in the order of their names.
struct Itf<'a>(Telling<'a>);

impl Serialize for Itf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Itf(run) = *self;
        let vars: Vec<(&Variable, String)> = run.about().shown_variables().map(|var| (var, name(&var.name))).collect();
        let loop_start = run.exact_loop_start();
        let written = run.length() - usize::from(loop_start.is_some());
        let mut trace = serializer.serialize_map(None)?;
        trace.serialize_entry("#meta", &about(run, loop_start))?;
        if let Some(start) = loop_start {
            trace.serialize_entry("loop", &start)?;
        }
        trace.serialize_entry("states", &Each(|| run.places().take(written).map(|place| state(&vars, &place))))?;
        trace.serialize_entry("vars", &vars.iter().map(|(_, name)| name).collect::<Vec<_>>())?;
        trace.end()
    }
}

/// What is said of the whole run.
fn about(run: Telling<'_>, loop_start: Option<usize>) -> Map<String, Value> {
    let document = run.about();
    let mut meta = Map::new();
    meta.insert("format".to_owned(), json!("ITF"));
    meta.insert("format-description".to_owned(), json!("https://apalache-mc.org/docs/adr/015adr-trace.html"));
    meta.insert("source".to_owned(), json!(document.model));
    if let Some(property) = &document.property {
        meta.insert("status".to_owned(), json!("violation"));
        meta.insert("property".to_owned(), json!(property));
    }
    let closing = loop_start.and_then(|_| run.steps().last());
    closing.iter().for_each(|step| drop(meta.insert("closing-step".to_owned(), step_meta(step).into())));
    meta
}

fn state(vars: &[(&Variable, String)], place: &Place) -> Map<String, Value> {
    let mut meta = place.by.as_deref().map_or_else(Map::new, step_meta);
    meta.insert("index".to_owned(), json!(place.index));
    let mut state = Map::new();
    state.insert("#meta".to_owned(), meta.into());
    for (variable, name) in vars {
        if let Some(value) = place.state.get(&variable.name) {
            state.insert(name.clone(), scalar(value));
        }
    }
    state
}

/// Who made the step to a state: ITF leaves the contents of `#meta` to the tools.
fn step_meta(step: &Step) -> Map<String, Value> {
    let mut meta = Map::new();
    meta.insert("process".to_owned(), json!(step.process));
    meta.insert("at".to_owned(), json!(step.at));
    meta.insert("line".to_owned(), json!(step.line));
    step.prints.iter().for_each(|printed| drop(meta.insert("prints".to_owned(), json!(printed))));
    if !step.inputs.is_empty() {
        let inputs: Map<String, Value> =
            step.inputs.iter().map(|(name, value)| (name.clone(), scalar(value))).collect();
        meta.insert("inputs".to_owned(), inputs.into());
    }
    meta
}

fn scalar(value: &Scalar) -> Value {
    match value {
        Scalar::Boolean(value) => json!(value),
        Scalar::Integer(value) => json!({ "#bigint": value.to_string() }),
        Scalar::Text(text) => json!(text),
    }
}

/// Names that begin with `#` are the format's own.
fn name(name: &str) -> String {
    if name.starts_with('#') { format!("_{name}") } else { name.to_owned() }
}
