//! Traces in the Informal Trace Format: <https://apalache-mc.org/docs/adr/015adr-trace.html>.
//!
//! Integers are written as `{"#bigint": "7"}`, as the revision of 2023 demands. In ITF a loop goes from the last state
//! back to the state `loop`; ours ends in a repetition of that state, which is therefore left out. A loop that comes back with other
//! values of variables that decide nothing is written as the finite run that it is to ITF.

use super::document::{Document, Scalar, Step, Variable};
use serde_json::{Map, Value, json};

/// Writes a trace.
pub fn render(document: &Document) -> String {
    let vars: Vec<(&Variable, String)> = document.shown_variables().map(|var| (var, name(&var.name))).collect();
    let written = document.states.len() - usize::from(document.exact_loop_start().is_some());
    let states: Vec<Value> = (0..written).map(|index| state(document, &vars, index)).collect();
    let mut meta = Map::new();
    meta.insert("format".to_owned(), json!("ITF"));
    meta.insert("format-description".to_owned(), json!("https://apalache-mc.org/docs/adr/015adr-trace.html"));
    meta.insert("source".to_owned(), json!(document.model));
    if let Some(property) = &document.property {
        meta.insert("status".to_owned(), json!("violation"));
        meta.insert("property".to_owned(), json!(property));
    }
    let mut trace = Map::new();
    let closing = document.exact_loop_start().and(document.steps.last());
    closing.map(step_meta).into_iter().for_each(|step| drop(meta.insert("closing-step".to_owned(), step.into())));
    trace.insert("#meta".to_owned(), meta.into());
    trace.insert("vars".to_owned(), vars.iter().map(|(_, name)| json!(name)).collect());
    trace.insert("states".to_owned(), states.into());
    if let Some(start) = document.exact_loop_start() {
        trace.insert("loop".to_owned(), json!(start));
    }
    serde_json::to_string_pretty(&Value::from(trace)).unwrap_or_default() + "\n"
}

fn state(document: &Document, vars: &[(&Variable, String)], index: usize) -> Value {
    let mut meta = index.checked_sub(1).map_or_else(Map::new, |before| step_meta(&document.steps[before]));
    meta.insert("index".to_owned(), json!(index));
    let mut state = Map::new();
    state.insert("#meta".to_owned(), meta.into());
    for (variable, name) in vars {
        if let Some(value) = document.states[index].get(&variable.name) {
            state.insert(name.clone(), scalar(value));
        }
    }
    state.into()
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
