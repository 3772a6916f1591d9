//! Traces as text, in NuSMV's manner: only what changed, who moved, and where that is written.

use super::describe::{step, values};
use super::document::{Document, Step};
use super::telling::{Place, Telling};
use super::values::Values;
use super::view::{Item, View};
use super::waiting;
use languages::hidden::visible;
use languages::source::Source;
use std::fmt::Write;
use system::{Machine, Moved, State};

/// Writes a whole trace.
pub fn render(document: &Document) -> String {
    pieces(Telling::Document(document)).collect()
}

/// A whole run, piece by piece: it can be longer than memory should hold as text.
pub fn pieces(run: Telling<'_>) -> impl Iterator<Item = String> {
    let about = run.about();
    let view = View::new(about);
    let states = run.places().map(move |Place { index, state, before, by, .. }| {
        let start = if about.loop_start == Some(index) { "-- loop starts here\n" } else { "" };
        let step = by.map_or_else(String::new, |step| format!(": {}", title(&step)));
        format!("{start}state {index}{step}\n{}", state_lines(&view, before.as_ref(), &state))
    });
    states.chain(std::iter::once_with(|| waiting::render(&about.waiting)))
}

/// Writes a state of a system, or what differs from the state before it; `setting` describes the system.
pub fn render_state(setting: &Document, machine: &Machine, before: Option<&State>, state: &State) -> String {
    let before = before.map(|before| values(machine, before));
    state_lines(&View::new(setting), before.as_ref(), &values(machine, state))
}

/// Says which process moved, from which control point, and where the model says so.
pub fn who_moved(machine: &Machine, source: &Source, from: &State, moved: &Moved, to: &State) -> String {
    title(&step(machine, source, from, moved, to))
}

fn title(step: &Step) -> String {
    let mut text = format!("{} moves", visible(&step.process));
    if let Some(partner) = &step.partner {
        let _ = write!(text, " with {}", visible(partner));
    }
    if let Some(point) = step.label() {
        let _ = write!(text, " at {}", visible(point));
    }
    let _ = match (step.line, step.text.as_deref().map(visible)) {
        (Some(line), Some(source)) => write!(text, " (line {line}: {source})"),
        (Some(line), None) => write!(text, " (line {line})"),
        (None, Some(source)) => write!(text, " ({source})"),
        (None, None) => Ok(()),
    };
    if let Some(printed) = &step.prints {
        let _ = write!(text, ", prints \"{}\"", visible(printed));
    }
    for (name, value) in step.inputs.iter() {
        let _ = write!(text, ", {} = {}", visible(name), visible(&value.to_string()));
    }
    text
}

fn state_lines(view: &View<'_>, before: Option<&Values>, state: &Values) -> String {
    let mut out = String::new();
    let shown: Vec<&Item<'_>> = match before {
        None => view.items().iter().collect(),
        Some(before) => view.changes(before, state).map(|position| &view.items()[position]).collect(),
    };
    for item in shown {
        let _ = writeln!(out, "  {}", visible(&item.sentence(state)));
    }
    if out.is_empty() {
        out.push_str("  (nothing changes)\n");
    }
    out
}
