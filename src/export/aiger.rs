//! AIGER 1.9, in ASCII (`aag`) or binary (`aig`): see A. Biere, K. Heljanko, S. Wieringa, AIGER 1.9 and beyond, 2011.
//!
//! One bad-state property, no outputs and no constraints; [`super::circuit`] says what the latches mean. A latch whose
//! reset is itself has no initial value. ABC would take it as false, with a warning: after `read_aiger`, the commands
//! `logic; undc; strash` make it read such latches right.

use super::aig::{Circuit, Edge, Node, Reset};
use std::fmt::Write;

/// The circuit in ASCII.
pub fn ascii(circuit: &Circuit) -> String {
    let numbered = Numbered::new(circuit);
    let mut text = numbered.header("aag");
    for input in 1..=circuit.inputs.len() {
        let _ = writeln!(text, "{}", 2 * input);
    }
    for (index, latch) in circuit.latches.iter().enumerate() {
        let _ = writeln!(text, "{} {}", numbered.latch(index), numbered.latch_line(index, latch.next, latch.reset));
    }
    let _ = writeln!(text, "{}", numbered.literal(circuit.bad));
    for [out, a, b] in numbered.gates() {
        let _ = writeln!(text, "{out} {a} {b}");
    }
    text + &symbols(circuit)
}

/// The circuit in the binary format.
pub fn binary(circuit: &Circuit) -> Vec<u8> {
    let numbered = Numbered::new(circuit);
    let mut text = numbered.header("aig");
    for (index, latch) in circuit.latches.iter().enumerate() {
        let _ = writeln!(text, "{}", numbered.latch_line(index, latch.next, latch.reset));
    }
    let _ = writeln!(text, "{}", numbered.literal(circuit.bad));
    let mut bytes = text.into_bytes();
    for [out, a, b] in numbered.gates() {
        push_number(&mut bytes, out - a);
        push_number(&mut bytes, a - b);
    }
    bytes.extend(symbols(circuit).bytes());
    bytes
}

/// Seven bits a byte, the low ones first; the eighth says that there are more.
fn push_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn symbols(circuit: &Circuit) -> String {
    let mut text = String::new();
    for (index, name) in circuit.inputs.iter().enumerate() {
        let _ = writeln!(text, "i{index} {name}");
    }
    for (index, latch) in circuit.latches.iter().enumerate() {
        let _ = writeln!(text, "l{index} {}", latch.name);
    }
    let _ = writeln!(text, "b0 {}", circuit.goal);
    let _ = writeln!(text, "c\n{}", circuit.remarks.join("\n"));
    text
}

/// A circuit with AIGER's numbers: inputs, then latches, then gates.
struct Numbered<'c> {
    circuit: &'c Circuit,
    variables: Vec<u32>,
    gates: usize,
}

impl<'c> Numbered<'c> {
    fn new(circuit: &'c Circuit) -> Numbered<'c> {
        let (inputs, latches) = (circuit.inputs.len(), circuit.latches.len());
        let mut gates = 0;
        let mut number = |node: &Node| match node {
            Node::Constant => 0,
            Node::Input(index) => index + 1,
            Node::Latch(index) => inputs + index + 1,
            Node::And(..) => {
                gates += 1;
                inputs + latches + gates
            }
        };
        let variables = circuit.nodes.iter().map(|node| number(node) as u32).collect();
        Numbered { circuit, variables, gates }
    }

    fn header(&self, format: &str) -> String {
        let (inputs, latches) = (self.circuit.inputs.len(), self.circuit.latches.len());
        format!("{format} {} {inputs} {latches} 0 {} 1\n", inputs + latches + self.gates, self.gates)
    }

    fn literal(&self, edge: Edge) -> u32 {
        2 * self.variables[edge.node()] + u32::from(edge.is_negated())
    }

    fn latch(&self, index: usize) -> usize {
        2 * (self.circuit.inputs.len() + index + 1)
    }

    /// The next value, and the reset value where it is not false.
    fn latch_line(&self, index: usize, next: Edge, reset: Reset) -> String {
        let next = self.literal(next);
        match reset {
            Reset::To(false) => next.to_string(),
            Reset::To(true) => format!("{next} 1"),
            Reset::Free => format!("{next} {}", self.latch(index)),
        }
    }

    /// The gates as output and inputs, the greater input first.
    fn gates(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.circuit.nodes.iter().zip(&self.variables).filter_map(|(node, variable)| match node {
            Node::And(a, b) => {
                let (a, b) = (self.literal(*a), self.literal(*b));
                Some([2 * variable, a.max(b), a.min(b)])
            }
            _ => None,
        })
    }
}
