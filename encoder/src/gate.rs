//! Gates: and, exclusive or, and if-then-else, with constant folding and structural hashing.
//!
//! A gate's clauses are emitted when its literal is first asked for, so that only the cone of what is asserted
//! reaches the sink. What is equal is one gate, over the whole unrolling.

use crate::lit::{ClauseSink, Lit};
use rustc_hash::FxHashMap;
use std::ops::Not;

/// A gate's output or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signal(u32);

impl Signal {
    /// The constant false.
    pub const FALSE: Signal = Signal(0);
    /// The constant true.
    pub const TRUE: Signal = Signal(1);

    /// The constant for a boolean.
    pub fn constant(value: bool) -> Signal {
        if value { Signal::TRUE } else { Signal::FALSE }
    }

    /// The boolean that the signal is, if it is constant.
    pub fn as_constant(self) -> Option<bool> {
        match self {
            Signal::FALSE => Some(false),
            Signal::TRUE => Some(true),
            _ => None,
        }
    }

    /// The positive signal of a gate.
    pub(crate) fn positive(gate: usize) -> Signal {
        Signal((gate as u32) << 1)
    }

    pub(crate) fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the signal is the negation of a gate's output.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Negates the signal if `negate` is true.
    fn xor_sign(self, negate: bool) -> Signal {
        Signal(self.0 ^ u32::from(negate))
    }
}

impl Not for Signal {
    type Output = Signal;

    fn not(self) -> Signal {
        Signal(self.0 ^ 1)
    }
}

/// What a signal is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// The constant false.
    Constant,
    /// A variable of the formula.
    Input(Lit),
    /// Conjunction.
    And(Signal, Signal),
    /// Exclusive or.
    Xor(Signal, Signal),
    /// `if c then a else b`
    Mux(Signal, Signal, Signal),
}

/// All gates of an unrolling.
#[derive(Debug)]
pub struct Gates {
    pub(crate) gates: Vec<Gate>,
    known: FxHashMap<Gate, u32>,
    /// The literal of each gate that has been emitted.
    literals: Vec<Option<Lit>>,
    /// What has been asserted, where assertions are kept instead of emitted.
    pub(crate) asserted: Option<Vec<Vec<Signal>>>,
    /// The clause that is being made: there are too many for a vector each.
    clause: Vec<Lit>,
}

impl Default for Gates {
    fn default() -> Gates {
        Gates {
            gates: vec![Gate::Constant],
            known: FxHashMap::default(),
            literals: vec![None],
            asserted: None,
            clause: Vec::new(),
        }
    }
}

impl Gates {
    fn make(&mut self, gate: Gate) -> Signal {
        let next = self.gates.len() as u32;
        let index = *self.known.entry(gate).or_insert(next);
        if index == next {
            self.gates.push(gate);
            self.literals.push(match gate {
                Gate::Input(lit) => Some(lit),
                _ => None,
            });
        }
        Signal(index << 1)
    }

    /// The signal of a variable of the formula.
    pub fn input(&mut self, lit: Lit) -> Signal {
        let positive = if lit.is_positive() { lit } else { !lit };
        self.make(Gate::Input(positive)).xor_sign(!lit.is_positive())
    }

    /// A new variable.
    pub fn fresh(&mut self, sink: &mut dyn ClauseSink) -> Signal {
        let lit = sink.fresh();
        self.input(lit)
    }

    /// Conjunction.
    pub fn and(&mut self, a: Signal, b: Signal) -> Signal {
        match (a, b) {
            (Signal::FALSE, _) | (_, Signal::FALSE) => Signal::FALSE,
            (Signal::TRUE, other) | (other, Signal::TRUE) => other,
            _ if a == b => a,
            _ if a == !b => Signal::FALSE,
            _ => self.and_of_and(a.min(b), a.max(b)),
        }
    }

    /// Two-level rules: an operand that is itself a conjunction may decide.
    fn and_of_and(&mut self, a: Signal, b: Signal) -> Signal {
        for (outer, inner) in [(a, b), (b, a)] {
            if let Gate::And(x, y) = self.gates[inner.gate()] {
                let contained = outer == x || outer == y;
                let opposed = outer == !x || outer == !y;
                match (inner.is_negated(), contained, opposed) {
                    (false, true, _) => return inner,
                    (false, _, true) => return Signal::FALSE,
                    (true, _, true) => return outer,
                    (true, true, _) => return self.and(outer, if outer == x { !y } else { !x }),
                    _ => {}
                }
            }
        }
        self.make(Gate::And(a, b))
    }

    /// Disjunction.
    pub fn or(&mut self, a: Signal, b: Signal) -> Signal {
        !self.and(!a, !b)
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: Signal, b: Signal) -> Signal {
        match (a.as_constant(), b.as_constant()) {
            (Some(a), _) => return b.xor_sign(a),
            (_, Some(b)) => return a.xor_sign(b),
            _ if a == b => return Signal::FALSE,
            _ if a == !b => return Signal::TRUE,
            _ => {}
        }
        let negate = a.is_negated() != b.is_negated();
        let (a, b) = (a.xor_sign(a.is_negated()), b.xor_sign(b.is_negated()));
        self.make(Gate::Xor(a.min(b), a.max(b))).xor_sign(negate)
    }

    /// Equivalence.
    pub fn iff(&mut self, a: Signal, b: Signal) -> Signal {
        !self.xor(a, b)
    }

    /// `if c then a else b`
    pub fn mux(&mut self, c: Signal, a: Signal, b: Signal) -> Signal {
        match c.as_constant() {
            Some(true) => return a,
            Some(false) => return b,
            None => {}
        }
        if c.is_negated() {
            return self.mux(!c, b, a);
        }
        match (a, b) {
            _ if a == b => a,
            (Signal::TRUE, _) => self.or(c, b),
            (Signal::FALSE, _) => self.and(!c, b),
            (_, Signal::TRUE) => self.or(!c, a),
            (_, Signal::FALSE) => self.and(c, a),
            _ if a == !b => self.iff(c, a),
            _ if a == c => self.or(c, b),
            _ if b == c => self.and(c, a),
            _ if a.is_negated() => !self.make(Gate::Mux(c, !a, !b)),
            _ => self.make(Gate::Mux(c, a, b)),
        }
    }

    /// Conjunction of many, as a balanced tree.
    pub fn all(&mut self, signals: &[Signal]) -> Signal {
        match signals {
            [] => Signal::TRUE,
            [one] => *one,
            _ => {
                let (left, right) = signals.split_at(signals.len() / 2);
                let (left, right) = (self.all(left), self.all(right));
                self.and(left, right)
            }
        }
    }

    /// Disjunction of many, as a balanced tree.
    pub fn any(&mut self, signals: &[Signal]) -> Signal {
        let negated: Vec<Signal> = signals.iter().map(|signal| !*signal).collect();
        !self.all(&negated)
    }

    /// The literal of a signal; its gate and what it depends on are emitted if they were not.
    pub fn literal(&mut self, signal: Signal, sink: &mut dyn ClauseSink) -> Lit {
        if self.literals[signal.gate()].is_none() {
            self.emit_cone(signal.gate(), sink);
        }
        self.emitted(signal)
    }

    fn emit_cone(&mut self, gate: usize, sink: &mut dyn ClauseSink) {
        let mut open = vec![gate];
        while let Some(gate) = open.last().copied() {
            if self.literals[gate].is_some() {
                open.pop();
                continue;
            }
            let known = open.len();
            open.extend(self.inputs_of(gate).filter(|input| self.literals[*input].is_none()));
            if open.len() == known {
                self.literals[gate] = Some(self.emit(gate, sink));
                open.pop();
            }
        }
    }

    pub(crate) fn inputs_of(&self, gate: usize) -> impl Iterator<Item = usize> + use<> {
        let inputs: [Option<Signal>; 3] = match self.gates[gate] {
            Gate::Constant | Gate::Input(_) => [None; 3],
            Gate::And(a, b) | Gate::Xor(a, b) => [Some(a), Some(b), None],
            Gate::Mux(c, a, b) => [Some(c), Some(a), Some(b)],
        };
        inputs.into_iter().flatten().map(Signal::gate)
    }

    fn emitted(&self, signal: Signal) -> Lit {
        match self.literals[signal.gate()] {
            Some(lit) if signal.is_negated() => !lit,
            Some(lit) => lit,
            None => unreachable!("the inputs of a gate are emitted before it"),
        }
    }

    /// Tseitin's clauses for one gate.
    fn emit(&self, gate: usize, sink: &mut dyn ClauseSink) -> Lit {
        match self.gates[gate] {
            Gate::Input(lit) => lit,
            Gate::Constant => {
                let never = sink.fresh();
                sink.clause(&[!never]);
                never
            }
            Gate::And(a, b) => {
                let (out, a, b) = (sink.fresh(), self.emitted(a), self.emitted(b));
                sink.clause(&[!out, a]);
                sink.clause(&[!out, b]);
                sink.clause(&[out, !a, !b]);
                out
            }
            Gate::Xor(a, b) => {
                let (out, a, b) = (sink.fresh(), self.emitted(a), self.emitted(b));
                sink.clause(&[!out, a, b]);
                sink.clause(&[!out, !a, !b]);
                sink.clause(&[out, !a, b]);
                sink.clause(&[out, a, !b]);
                out
            }
            Gate::Mux(c, a, b) => {
                let (out, c, a, b) = (sink.fresh(), self.emitted(c), self.emitted(a), self.emitted(b));
                sink.clause(&[!c, !a, out]);
                sink.clause(&[!c, a, !out]);
                sink.clause(&[c, !b, out]);
                sink.clause(&[c, b, !out]);
                // Redundant, but it lets equal branches decide.
                sink.clause(&[!a, !b, out]);
                sink.clause(&[a, b, !out]);
                out
            }
        }
    }

    /// Evaluates signals under an assignment of the formula's variables.
    pub fn evaluator<F: Fn(Lit) -> bool>(&self, value: F) -> Evaluator<'_, F> {
        Evaluator { gates: self, value, known: FxHashMap::default() }
    }

    /// Asserts that at least one of the signals is true.
    pub fn assert_any(&mut self, signals: &[Signal], sink: &mut dyn ClauseSink) {
        if signals.contains(&Signal::TRUE) {
            return;
        }
        if let Some(asserted) = &mut self.asserted {
            asserted.push(signals.to_vec());
            return;
        }
        let mut clause = std::mem::take(&mut self.clause);
        clause.clear();
        for signal in signals.iter().filter(|signal| **signal != Signal::FALSE) {
            clause.push(self.literal(*signal, sink));
        }
        sink.clause(&clause);
        self.clause = clause;
    }
}

/// Computes gates from their inputs; it does not matter which of them were emitted.
pub struct Evaluator<'a, F> {
    gates: &'a Gates,
    value: F,
    known: FxHashMap<usize, bool>,
}

impl<F: Fn(Lit) -> bool> Evaluator<'_, F> {
    /// The value of a signal.
    pub fn get(&mut self, signal: Signal) -> bool {
        let mut open = vec![signal.gate()];
        while let Some(gate) = open.last().copied() {
            let missing: Vec<usize> =
                self.gates.inputs_of(gate).filter(|input| !self.known.contains_key(input)).collect();
            if missing.is_empty() {
                let value = self.compute(gate);
                self.known.insert(gate, value);
                open.pop();
            } else {
                open.extend(missing);
            }
        }
        self.of(signal)
    }

    fn of(&self, signal: Signal) -> bool {
        self.known[&signal.gate()] != signal.is_negated()
    }

    fn compute(&self, gate: usize) -> bool {
        match self.gates.gates[gate] {
            Gate::Constant => false,
            Gate::Input(lit) => (self.value)(lit),
            Gate::And(a, b) => self.of(a) && self.of(b),
            Gate::Xor(a, b) => self.of(a) != self.of(b),
            Gate::Mux(c, a, b) => {
                if self.of(c) {
                    self.of(a)
                } else {
                    self.of(b)
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lit::Cnf;
    use proptest::prelude::*;

    /// A random circuit as a list of operations over earlier signals.
    fn build(gates: &mut Gates, inputs: &[Signal], ops: &[(u8, usize, usize, usize)]) -> Vec<Signal> {
        let mut signals = inputs.to_vec();
        for (op, a, b, c) in ops {
            let pick = |index: &usize| signals[index % signals.len()];
            let (a, b, c) = (pick(a), pick(b), pick(c));
            let made = match op % 5 {
                0 => gates.and(a, b),
                1 => gates.or(a, !b),
                2 => gates.xor(a, b),
                3 => gates.mux(a, b, !c),
                _ => !a,
            };
            signals.push(made);
        }
        signals
    }

    /// The same circuit on booleans.
    fn simulate(inputs: &[bool], ops: &[(u8, usize, usize, usize)]) -> Vec<bool> {
        let mut values = inputs.to_vec();
        for (op, a, b, c) in ops {
            let pick = |index: &usize| values[index % values.len()];
            let (a, b, c) = (pick(a), pick(b), pick(c));
            values.push(match op % 5 {
                0 => a & b,
                1 => a | !b,
                2 => a ^ b,
                3 => {
                    if a {
                        b
                    } else {
                        !c
                    }
                }
                _ => !a,
            });
        }
        values
    }

    /// All assignments of a small formula.
    fn satisfying(cnf: &Cnf) -> Vec<u64> {
        let holds = |assignment: u64, lit: &Lit| (assignment >> (lit.variable() - 1) & 1 == 1) == lit.is_positive();
        (0..1u64 << cnf.variables)
            .filter(|assignment| cnf.clauses.iter().all(|clause| clause.iter().any(|lit| holds(*assignment, lit))))
            .collect()
    }

    proptest! {
        #[test]
        fn clauses_say_what_the_circuit_computes(ops in prop::collection::vec(any::<(u8, usize, usize, usize)>(), 1..8)) {
            let (mut gates, mut cnf) = (Gates::default(), Cnf::default());
            let inputs: Vec<Signal> = (0..3).map(|_| gates.fresh(&mut cnf)).collect();
            let signals = build(&mut gates, &inputs, &ops);
            let literals: Vec<Lit> = signals.iter().map(|signal| gates.literal(*signal, &mut cnf)).collect();
            prop_assume!(cnf.variables <= 14);
            let found = satisfying(&cnf);
            prop_assert_eq!(found.len(), 8, "every input has one extension");
            for assignment in found {
                let inputs: Vec<bool> = (0..3).map(|index| assignment >> index & 1 == 1).collect();
                for (lit, value) in literals.iter().zip(simulate(&inputs, &ops)) {
                    prop_assert_eq!((assignment >> (lit.variable() - 1) & 1 == 1) == lit.is_positive(), value);
                }
            }
        }
    }

    #[test]
    fn equal_gates_are_one() {
        let (mut gates, mut cnf) = (Gates::default(), Cnf::default());
        let (a, b) = (gates.fresh(&mut cnf), gates.fresh(&mut cnf));
        assert_eq!(gates.and(a, b), gates.and(b, a));
        assert_eq!(gates.xor(a, !b), !gates.xor(b, a));
        assert_eq!(gates.mux(!a, b, !b), gates.xor(a, b));
        assert_eq!(cnf.clauses.len(), 0, "nothing is emitted before it is asked for");
    }
}
