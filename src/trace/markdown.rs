//! Traces as a Markdown table, for issues and reviews: a row per state with what changed.

use super::document::{Document, Step};
use crate::visible::visible;
use std::fmt::Write;

/// Writes a trace.
pub fn render(document: &Document) -> String {
    let mut out = String::from("| state | process | at | line | changes |\n|---:|---|---|---|---|\n");
    for index in 0..document.states.len() {
        let mark = if document.loop_start == Some(index) { " (loop starts here)" } else { "" };
        let step = index.checked_sub(1).map(|before| &document.steps[before]);
        let _ = writeln!(out, "| {index}{mark} | {} | {} |", step_cells(step), changes(document, index));
    }
    if let Some(start) = document.loop_start {
        let _ = writeln!(out, "\nThe last state is state {start}: the run goes on from there for ever.");
    }
    out
}

fn step_cells(step: Option<&Step>) -> String {
    let Some(step) = step else { return " | | ".to_owned() };
    let text = |text: Option<&String>| text.map_or_else(String::new, |text| code(text));
    let place = step.line.map_or_else(String::new, |line| format!("{line}: "));
    format!("{} | {} | {place}{}", code(&step.process), text(step.at.as_ref()), text(step.text.as_ref()))
}

fn changes(document: &Document, index: usize) -> String {
    let mut parts: Vec<String> = if index == 0 {
        document.states[0].iter().map(|(name, value)| code(&format!("{name} = {value}"))).collect()
    } else {
        let change =
            |(variable, old, new): (&super::Variable, _, _)| code(&format!("{}: {old} → {new}", variable.name));
        document.changes(index).map(change).collect()
    };
    let inputs = index.checked_sub(1).map(|before| &document.steps[before].inputs);
    parts.extend(inputs.into_iter().flatten().map(|(name, value)| code(&format!("input {name} = {value}"))));
    let printed = index.checked_sub(1).and_then(|before| document.steps[before].prints.as_ref());
    parts.extend(printed.map(|printed| code(&format!("prints \"{printed}\""))));
    parts.join(", ")
}

/// A code span; where that would not hold what it should in a table, the same with every special sign as an entity.
fn code(text: &str) -> String {
    let text = visible(text);
    if !text.contains(['`', '|', '\\']) && !text.trim().is_empty() {
        return format!("`{text}`");
    }
    let mut out = String::from("<code>");
    for c in text.chars() {
        if c.is_ascii_punctuation() {
            let _ = write!(out, "&#{};", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out + "</code>"
}
