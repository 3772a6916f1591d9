//! Traces in NuSMV's XML, for its `read_trace` and `execute_traces`.

use super::document::{Document, Scalar, Step};
use super::telling::{Place, Telling};
use languages::hidden::visible;
use std::io::{self, Write};

/// The input variable by which NuSMV says which process moves.
pub(super) const SELECTOR: &str = "_process_selector_";

/// What a description begins with that says which property is violated.
pub(super) const VIOLATES: &str = "violates ";

/// Writes a trace. NuSMV counts states from 1, and the input with number i + 1 is the step from state i to i + 1.
pub fn write(run: Telling<'_>, out: &mut dyn Write) -> io::Result<()> {
    let document = run.about();
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    let about = document.property.as_ref().map_or_else(|| "run".to_owned(), |name| format!("{VIOLATES}{name}"));
    writeln!(out, "<counter-example type=\"0\" desc=\"{}\">", escaped(&about))?;
    for Place { index, state, next, .. } in run.places() {
        writeln!(out, "\t<node>\n\t\t<state id=\"{}\">", index + 1)?;
        for (name, value) in state.iter() {
            value_line(out, name, value)?;
        }
        writeln!(out, "\t\t</state>")?;
        if let Some(step) = next {
            input(out, document, index + 2, &step)?;
        }
        writeln!(out, "\t</node>")?;
    }
    let loops = document.loop_start.map_or_else(String::new, |start| format!("{} ", start + 1));
    writeln!(out, "\t<loops> {loops}</loops>\n</counter-example>")
}

fn input(out: &mut dyn Write, document: &Document, number: usize, step: &Step) -> io::Result<()> {
    // A model without processes has one, `main`, and no selector.
    let has_selector = document.processes.len() > 1;
    if !has_selector && step.inputs.is_empty() {
        return Ok(());
    }
    writeln!(out, "\t\t<input id=\"{number}\">")?;
    if has_selector {
        value_line(out, SELECTOR, &Scalar::Text(step.process.clone()))?;
    }
    for (name, value) in step.inputs.iter() {
        value_line(out, name, value)?;
    }
    writeln!(out, "\t\t</input>")
}

fn value_line(out: &mut dyn Write, name: &str, value: &Scalar) -> io::Result<()> {
    let value = escaped(&value.to_string());
    writeln!(out, "\t\t\t<value variable=\"{}\">{value}</value>", escaped(name))
}

/// Text for an element or an attribute. XML cannot hold control characters at all, so those are spelled out.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}
