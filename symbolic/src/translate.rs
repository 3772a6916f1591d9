//! From the encoder's gates to diagrams.

use super::space::When;
use diagrams::{Diagram, Exhausted, Manager, Variable as Bit};
use encoder::{Gate, Gates, Lit, Signal};
use rustc_hash::FxHashMap;

/// The input of a circuit that stands for a bit.
pub fn literal(bit: Bit, when: When) -> Lit {
    Lit::numbered(2 * bit + if when == When::Now { 1 } else { 2 })
}

/// The diagrams of the signals of one circuit.
#[derive(Default)]
pub struct Translation {
    known: FxHashMap<Signal, Diagram>,
}

impl Translation {
    /// The diagram of a signal.
    pub fn diagram(&mut self, manager: &mut Manager, gates: &Gates, signal: Signal) -> Result<Diagram, Exhausted> {
        let mut open = vec![positive(signal)];
        while let Some(root) = open.last().copied() {
            let missing: Vec<Signal> =
                operands(gates.gate(root)).map(positive).filter(|input| !self.known.contains_key(input)).collect();
            if missing.is_empty() {
                open.pop();
                if !self.known.contains_key(&root) {
                    let diagram = self.compute(manager, gates.gate(root))?;
                    self.known.insert(root, diagram);
                }
            } else {
                open.extend(missing);
            }
        }
        self.of(manager, signal)
    }

    fn of(&self, manager: &mut Manager, signal: Signal) -> Result<Diagram, Exhausted> {
        let known = self.known[&positive(signal)].clone();
        if signal.is_negated() { manager.not(&known) } else { Ok(known) }
    }

    fn compute(&self, manager: &mut Manager, gate: Gate) -> Result<Diagram, Exhausted> {
        match gate {
            Gate::Constant => Ok(manager.never()),
            Gate::Input(lit) => {
                let number = lit.variable() - 1;
                if number.is_multiple_of(2) { manager.now(number / 2) } else { manager.next(number / 2) }
            }
            Gate::And(a, b) => {
                let (a, b) = (self.of(manager, a)?, self.of(manager, b)?);
                manager.and(&a, &b)
            }
            Gate::Xor(a, b) => {
                let (a, b) = (self.of(manager, a)?, self.of(manager, b)?);
                manager.xor(&a, &b)
            }
            Gate::Mux(c, a, b) => {
                let (c, a, b) = (self.of(manager, c)?, self.of(manager, a)?, self.of(manager, b)?);
                manager.choose(&c, &a, &b)
            }
        }
    }
}

fn positive(signal: Signal) -> Signal {
    if signal.is_negated() { !signal } else { signal }
}

fn operands(gate: Gate) -> impl Iterator<Item = Signal> {
    let operands = match gate {
        Gate::Constant | Gate::Input(_) => [None; 3],
        Gate::And(a, b) | Gate::Xor(a, b) => [Some(a), Some(b), None],
        Gate::Mux(c, a, b) => [Some(c), Some(a), Some(b)],
    };
    operands.into_iter().flatten()
}
