//! Traces in NuSMV's XML, for its `read_trace` and `execute_traces`.

use super::document::{Document, Scalar, Step};
use languages::hidden::visible;
use std::fmt::Write;

/// The input variable by which NuSMV says which process moves.
pub(super) const SELECTOR: &str = "_process_selector_";

/// What a description begins with that says which property is violated.
pub(super) const VIOLATES: &str = "violates ";

/// Writes a trace. NuSMV counts states from 1, and the input with number i + 1 is the step from state i to i + 1.
pub fn render(document: &Document) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let about = document.property.as_ref().map_or_else(|| "run".to_owned(), |name| format!("{VIOLATES}{name}"));
    let _ = writeln!(out, "<counter-example type=\"0\" desc=\"{}\">", escaped(&about));
    for (index, state) in document.states.iter().enumerate() {
        let _ = writeln!(out, "\t<node>\n\t\t<state id=\"{}\">", index + 1);
        for (name, value) in state.iter() {
            value_line(&mut out, name, value);
        }
        out.push_str("\t\t</state>\n");
        if let Some(step) = document.steps.get(index) {
            input(&mut out, document, index + 2, step);
        }
        out.push_str("\t</node>\n");
    }
    let loops = document.loop_start.map_or_else(String::new, |start| format!("{} ", start + 1));
    let _ = writeln!(out, "\t<loops> {loops}</loops>\n</counter-example>");
    out
}

fn input(out: &mut String, document: &Document, number: usize, step: &Step) {
    // A model without processes has one, `main`, and no selector.
    let has_selector = document.processes.len() > 1;
    if !has_selector && step.inputs.is_empty() {
        return;
    }
    let _ = writeln!(out, "\t\t<input id=\"{number}\">");
    if has_selector {
        value_line(out, SELECTOR, &Scalar::Text(step.process.clone()));
    }
    for (name, value) in step.inputs.iter() {
        value_line(out, name, value);
    }
    out.push_str("\t\t</input>\n");
}

fn value_line(out: &mut String, name: &str, value: &Scalar) {
    let value = escaped(&value.to_string());
    let _ = writeln!(out, "\t\t\t<value variable=\"{}\">{value}</value>", escaped(name));
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
