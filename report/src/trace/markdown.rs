//! Traces as a Markdown table, for issues and reviews: a row per state with what changed.

use super::document::Step;
use super::telling::{Place, Telling};
use super::values::Values;
use super::view::{Item, View};
use languages::hidden::visible;
use std::io::{self, Write};

/// Writes a trace.
pub fn write(run: Telling<'_>, out: &mut dyn Write) -> io::Result<()> {
    let document = run.about();
    let view = View::new(document);
    writeln!(out, "| state | process | at | line | changes |\n|---:|---|---|---|---|")?;
    for place in run.places() {
        let index = place.index;
        let mark = if document.loop_start == Some(index) { " (loop starts here)" } else { "" };
        writeln!(out, "| {index}{mark} | {} | {} |", step_cells(place.by.as_deref()), changes(&view, &place))?;
    }
    if let Some(start) = document.loop_start {
        writeln!(out, "\nThe last state is state {start}: the run goes on from there for ever.")?;
    }
    if !document.waiting.is_empty() {
        writeln!(out, "\nNo process can move:\n")?;
    }
    document.waiting.iter().try_for_each(|process| writeln!(out, "- {}", code(&process.describe())))
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

fn changes(view: &View<'_>, place: &Place) -> String {
    let (state, step) = (&place.state, place.by.as_deref());
    let mut parts: Vec<String> = match &place.before {
        None => view.items().iter().map(|item| code(&item.sentence(state))).collect(),
        Some(before) => {
            view.changes(before, state).map(|position| change(&view.items()[position], before, state)).collect()
        }
    };
    let inputs = step.map(|step| &step.inputs);
    parts.extend(
        inputs.into_iter().flat_map(Values::iter).map(|(name, value)| code(&format!("input {name} = {value}"))),
    );
    let printed = step.and_then(|step| step.prints.as_ref());
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
            out.push_str(&format!("&#{};", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out + "</code>"
}
