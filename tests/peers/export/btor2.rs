//! Reading the part of BTOR2 back that is written: one sort, every id defined before it is used.

use super::netlist::{Netlist, Register};
use std::collections::BTreeMap;

/// Reads a file of bits.
pub fn parse(text: &str) -> Netlist {
    let mut reader = Reader::default();
    let mut last = 0;
    for line in text.lines().filter(|line| !line.starts_with(';')) {
        let mut words = line.split(' ');
        let id: i64 = words.next().and_then(|id| id.parse().ok()).unwrap_or_else(|| panic!("no id: {line}"));
        assert!(id > last, "ids grow: {line}");
        last = id;
        let words: Vec<&str> = words.collect();
        reader.line(id, &words);
    }
    assert_eq!(reader.bad, 1, "one bad property");
    reader.netlist
}

#[derive(Default)]
struct Reader {
    netlist: Netlist,
    sort: Option<i64>,
    /// The literal of each node, and for states the place among the registers.
    literals: BTreeMap<i64, u32>,
    states: BTreeMap<i64, usize>,
    bad: usize,
}

impl Reader {
    fn line(&mut self, id: i64, words: &[&str]) {
        match *words {
            ["sort", "bitvec", "1"] => self.sort = Some(id),
            ["bad", operand, _name] => {
                self.netlist.bad = self.operand(operand);
                self.bad += 1;
            }
            [tag, sort, ref rest @ ..] => {
                assert_eq!(sort.parse().ok(), self.sort, "the sort is defined: {words:?}");
                self.node(id, tag, rest);
            }
            _ => panic!("unknown line: {words:?}"),
        }
    }

    fn node(&mut self, id: i64, tag: &str, rest: &[&str]) {
        match (tag, rest) {
            ("zero", []) => self.define(id, 0),
            ("one", []) => self.define(id, 1),
            ("input", [name]) => {
                let literal = self.fresh(id);
                self.netlist.inputs.push(literal);
                self.netlist.names.insert(literal, (*name).to_owned());
            }
            ("state", [name]) => {
                let literal = self.fresh(id);
                self.states.insert(id, self.netlist.registers.len());
                self.netlist.registers.push(Register { literal, next: literal, reset: None });
                self.netlist.names.insert(literal, (*name).to_owned());
            }
            ("and", [a, b]) => {
                let (a, b) = (self.operand(a), self.operand(b));
                let out = self.fresh(id);
                self.netlist.gates.push([out, a, b]);
            }
            ("init", [state, value]) => {
                let value_id: i64 = value.parse().expect("an id");
                let id: i64 = state.parse().expect("an id");
                assert!(value_id < id, "an initial value is defined before its state");
                let value = self.operand(value);
                assert!(value < 2, "a constant");
                self.register(id).reset = Some(value == 1);
            }
            ("next", [state, value]) => {
                let value = self.operand(value);
                self.register(state.parse().expect("an id")).next = value;
            }
            _ => panic!("unknown line: {tag} {rest:?}"),
        }
    }

    fn register(&mut self, state: i64) -> &mut Register {
        &mut self.netlist.registers[self.states[&state]]
    }

    fn define(&mut self, id: i64, literal: u32) {
        assert!(self.literals.insert(id, literal).is_none(), "{id} is defined once");
    }

    fn fresh(&mut self, id: i64) -> u32 {
        self.netlist.variables += 1;
        let literal = 2 * self.netlist.variables;
        self.define(id, literal);
        literal
    }

    fn operand(&self, text: &str) -> u32 {
        let id: i64 = text.parse().unwrap_or_else(|_| panic!("no operand: {text}"));
        let literal = self.literals.get(&id.abs()).unwrap_or_else(|| panic!("{text} is used before it is defined"));
        literal ^ u32::from(id < 0)
    }
}
