//! Traces as text, in NuSMV's manner: only what changed, who moved, and where that is written.

use super::describe::{step, values};
use super::document::{Document, Step};
use super::values::Values;
use super::view::{Item, View};
use super::waiting;
use languages::hidden::visible;
use languages::source::Source;
use std::fmt::Write;
use system::{Machine, Moved, State};

/// Writes a whole trace.
pub fn render(document: &Document) -> String {
    pieces(document).collect()
}

/// A whole trace, piece by piece: it can be longer than memory should hold as text.
pub fn pieces(document: &Document) -> impl Iterator<Item = String> {
    let view = View::new(document);
    let states = (0..document.states.len()).map(move |index| piece(document, &view, index));
    states.chain(std::iter::once_with(|| waiting::render(&document.waiting)))
}

/// A state, and the step that led to it.
fn piece(document: &Document, view: &View<'_>, index: usize) -> String {
    let mut out = String::new();
    if document.loop_start == Some(index) {
        out.push_str("-- loop starts here\n");
    }
    let before = index.checked_sub(1).map(|before| &document.states[before]);
    match before {
        None => out.push_str("state 0\n"),
        Some(_) => {
            let _ = writeln!(out, "state {index}: {}", title(&document.steps[index - 1]));
        }
    }
    out + &state_lines(view, before, &document.states[index])
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
