//! Traces as a Markdown table, for issues and reviews: a row per state with what changed.

use super::document::{Document, Step};
use super::values::Values;
use super::view::{Item, View};
use languages::hidden::visible;
use std::fmt::Write;

/// Writes a trace.
pub fn render(document: &Document) -> String {
    let view = View::new(document);
    let mut out = String::from("| state | process | at | line | changes |\n|---:|---|---|---|---|\n");
    for index in 0..document.states.len() {
        let mark = if document.loop_start == Some(index) { " (loop starts here)" } else { "" };
        let step = index.checked_sub(1).map(|before| &document.steps[before]);
        let _ = writeln!(out, "| {index}{mark} | {} | {} |", step_cells(step), changes(document, &view, index));
    }
    if let Some(start) = document.loop_start {
        let _ = writeln!(out, "\nThe last state is state {start}: the run goes on from there for ever.");
    }
    if !document.waiting.is_empty() {
        out.push_str("\nNo process can move:\n\n");
    }
    for process in &document.waiting {
        let _ = writeln!(out, "- {}", code(&process.describe()));
    }
    out
}

fn step_cells(step: Option<&Step>) -> String {
    let Some(step) = step else { return " | | ".to_owned() };
    let place = step.line.map_or_else(String::new, |line| format!("{line}: "));
    format!(
        "{} | {} | {place}{}",
        code(&step.process),
        step.label().map_or_else(String::new, code),
        text(step.text.as_ref())
    )
}

fn text(text: Option<&String>) -> String {
    text.map_or_else(String::new, |text| code(text))
}

fn changes(document: &Document, view: &View<'_>, index: usize) -> String {
    let state = &document.states[index];
    let mut parts: Vec<String> = match index.checked_sub(1).map(|before| &document.states[before]) {
        None => view.items().iter().map(|item| code(&item.sentence(state))).collect(),
        Some(before) => {
            view.changes(before, state).map(|position| change(&view.items()[position], before, state)).collect()
        }
    };
    let inputs = index.checked_sub(1).map(|before| &document.steps[before].inputs);
    parts.extend(
        inputs.into_iter().flat_map(Values::iter).map(|(name, value)| code(&format!("input {name} = {value}"))),
    );
    let printed = index.checked_sub(1).and_then(|before| document.steps[before].prints.as_ref());
    parts.extend(printed.map(|printed| code(&format!("prints \"{printed}\""))));
    parts.join(", ")
}

fn change(item: &Item<'_>, before: &Values, state: &Values) -> String {
    match item {
        // Where a process was is said in its own column.
        Item::Counter(..) => code(&item.sentence(state)),
        _ => code(&format!("{}: {} → {}", item.name(), item.value(before), item.value(state))),
    }
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
