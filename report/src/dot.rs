//! Control-flow graphs in Graphviz's language.

use languages::hidden::visible;
use std::collections::BTreeMap;
use std::fmt::Write;
use system::{System, control_flows};

/// The round in which each control point was widened, by its name as in `p1@waiting`.
pub type Widened = BTreeMap<String, usize>;

/// One graph with a cluster per process; control points that were widened are filled and say in which round.
pub fn render(system: &System, widened: &Widened) -> String {
    let mut out = String::from("digraph processes {\n  node [shape=box, fontname=\"sans-serif\"];\n");
    let flows = control_flows(system);
    for (id, process) in system.processes.iter_enumerated() {
        let _ = writeln!(out, "  subgraph cluster_{} {{\n    label={};", id.index(), quoted(&process.name));
        for (point, info) in process.points.iter_enumerated() {
            let shape = if info.end { ", peripheries=2" } else { "" };
            let (label, fill) = match widened.get(&format!("{}@{}", process.name, info.name)) {
                Some(round) => (format!("{}, round {round}", info.name), ", style=filled, fillcolor=\"#f0c060\""),
                None => (info.name.clone(), ""),
            };
            let _ = writeln!(out, "    n{}_{} [label={}{shape}{fill}];", id.index(), point.index(), quoted(&label));
        }
        for (from, to) in &flows[id] {
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
