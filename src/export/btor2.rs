//! BTOR2, bit by bit: see A. Niemetz, M. Preiner, C. Wolf, A. Biere, BTOR2, BtorMC and Boolector 3.0, 2018.
//!
//! Every latch of the circuit is a state of one bit and every gate an `and`; [`super::circuit`] says what they mean.
//! A negated operand has a minus sign, as the format allows.

use super::aig::{Circuit, Edge, Node, Reset};
use std::fmt::Write;

/// The ids of the sort and the constants.
const SORT: i64 = 1;
const ZERO: i64 = 2;
const ONE: i64 = 3;

/// The circuit in BTOR2.
pub fn export(circuit: &Circuit) -> String {
    let mut text = String::new();
    for remark in &circuit.remarks {
        let _ = writeln!(text, "; {remark}");
    }
    let _ = write!(text, "{SORT} sort bitvec 1\n{ZERO} zero {SORT}\n{ONE} one {SORT}\n");
    let mut writer = Writer { text, last: ONE, ids: Vec::new() };
    let mut latches = vec![0; circuit.latches.len()];
    for node in &circuit.nodes {
        let id = match node {
            Node::Constant => ZERO,
            Node::Input(index) => writer.line(&format!("input {SORT} {}", circuit.inputs[*index])),
            Node::Latch(index) => {
                latches[*index] = writer.line(&format!("state {SORT} {}", circuit.latches[*index].name));
                latches[*index]
            }
            Node::And(a, b) => {
                let (a, b) = (writer.operand(*a), writer.operand(*b));
                writer.line(&format!("and {SORT} {a} {b}"))
            }
        };
        writer.ids.push(id);
    }
    for (state, latch) in latches.into_iter().zip(&circuit.latches) {
        if let Reset::To(value) = latch.reset {
            writer.line(&format!("init {SORT} {state} {}", if value { ONE } else { ZERO }));
        }
        let next = writer.operand(latch.next);
        writer.line(&format!("next {SORT} {state} {next}"));
    }
    let bad = writer.operand(circuit.bad);
    writer.line(&format!("bad {bad} {}", circuit.goal));
    writer.text
}

struct Writer {
    text: String,
    last: i64,
    /// The id of each node.
    ids: Vec<i64>,
}

impl Writer {
    /// Adds a line; its id.
    fn line(&mut self, text: &str) -> i64 {
        self.last += 1;
        let _ = writeln!(self.text, "{} {text}", self.last);
        self.last
    }

    fn operand(&self, edge: Edge) -> i64 {
        let id = self.ids[edge.node()];
        if edge.is_negated() { -id } else { id }
    }
}
