//! Control-flow graphs in Graphviz's language.

use crate::visible::visible;
use std::fmt::Write;
use system::{System, control_flow};

/// One graph with a cluster per process.
pub fn render(system: &System) -> String {
    let mut out = String::from("digraph processes {\n  node [shape=box, fontname=\"sans-serif\"];\n");
    for (id, process) in system.processes.iter_enumerated() {
        let _ = writeln!(out, "  subgraph cluster_{} {{\n    label={};", id.index(), quoted(&process.name));
        for (point, info) in process.points.iter_enumerated() {
            let shape = if info.end { ", peripheries=2" } else { "" };
            let _ = writeln!(out, "    n{}_{} [label={}{shape}];", id.index(), point.index(), quoted(&info.name));
        }
        for (from, to) in control_flow(system, id) {
            let _ = writeln!(out, "    n{0}_{1} -> n{0}_{2};", id.index(), from.index(), to.index());
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}

/// A string that Graphviz reads back as it is.
fn quoted(text: &str) -> String {
    format!("\"{}\"", visible(text).replace('\\', "\\\\").replace('"', "\\\""))
}
