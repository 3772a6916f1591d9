//! Traces as comma-separated values (RFC 4180): a row per state, a column per variable.

use super::document::{Scalar, Step};
use super::telling::{Place, Telling};
use languages::hidden::visible;
use std::io::{self, Write};

/// The columns before those of the variables. The first five tell the step that led to the state.
const COLUMNS: [&str; 6] = ["state", "process", "at", "line", "text", "loop"];

/// Writes a trace.
pub fn write(run: Telling<'_>, out: &mut dyn Write) -> io::Result<()> {
    let document = run.about();
    let inputs = document.variables.iter().filter(|variable| variable.input);
    let names = document.shown_variables().chain(inputs.clone()).map(|variable| cell(&variable.name));
    out.write_all(row(COLUMNS.iter().map(|column| (*column).to_owned()).chain(names)).as_bytes())?;
    for Place { index, state, by, .. } in run.places() {
        let step = by.as_deref();
        let is_loop = document.loop_start == Some(index);
        let mut cells = vec![index.to_string()];
        cells.extend(step_cells(step));
        cells.push(if is_loop { "starts" } else { "" }.to_owned());
        cells.extend(document.shown_variables().map(|variable| scalar(state.get(&variable.name))));
        cells.extend(inputs.clone().map(|variable| scalar(step.and_then(|step| step.inputs.get(&variable.name)))));
        out.write_all(row(cells.into_iter()).as_bytes())?;
    }
    Ok(())
}

fn step_cells(step: Option<&Step>) -> [String; 4] {
    [
        text(step.map(|step| &step.process)),
        text(step.and_then(|step| step.at.as_ref())),
        step.and_then(|step| step.line).map_or_else(String::new, |line| line.to_string()),
        text(step.and_then(|step| step.text.as_ref())),
    ]
}

fn text(text: Option<&String>) -> String {
    text.map_or_else(String::new, |text| cell(text))
}

fn row(cells: impl Iterator<Item = String>) -> String {
    cells.collect::<Vec<_>>().join(",") + "\r\n"
}

fn scalar(value: Option<&Scalar>) -> String {
    match value {
        None => String::new(),
        Some(Scalar::Text(text)) => cell(text),
        Some(value) => value.to_string(),
    }
}

/// A text that no reader takes apart, and no spreadsheet for a formula.
fn cell(text: &str) -> String {
    let text = visible(text);
    let is_number = text.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let is_formula = text.starts_with(['=', '+', '-', '@']) && !is_number;
    let text = if is_formula { format!("'{text}") } else { text.into_owned() };
    if text.contains(['"', ',', ';']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}
