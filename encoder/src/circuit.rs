//! Gates as a circuit, for those who want the graph itself instead of clauses.

use crate::gate::{Gate, Gates, Signal};

impl Gates {
    /// No gates so far; what is asserted is kept as signals, and no clause is ever emitted for it.
    pub fn recording() -> Gates {
        let mut gates = Gates::default();
        gates.asserted = Some(Vec::new());
        gates
    }

    /// The conjunction of all that was asserted and kept so far, which is forgotten.
    pub fn take_asserted(&mut self) -> Signal {
        let clauses = self.asserted.as_mut().map(std::mem::take).unwrap_or_default();
        let clauses: Vec<Signal> = clauses.iter().map(|clause| self.any(clause)).collect();
        self.all(&clauses)
    }

    /// What a signal, or what it negates, is made of.
    pub fn gate(&self, signal: Signal) -> Gate {
        self.gates[signal.gate()]
    }

    /// The gates that signals depend on, each after its own inputs and with its positive signal.
    pub fn cone(&self, roots: &[Signal]) -> Vec<(Signal, Gate)> {
        let mut cone = Vec::new();
        let mut is_done = vec![false; self.gates.len()];
        let mut open: Vec<usize> = roots.iter().rev().map(|root| root.gate()).collect();
        while let Some(gate) = open.last().copied() {
            let missing: Vec<usize> = self.inputs_of(gate).filter(|input| !is_done[*input]).collect();
            if is_done[gate] || missing.is_empty() {
                open.pop();
                if !std::mem::replace(&mut is_done[gate], true) {
                    cone.push((Signal::positive(gate), self.gates[gate]));
                }
            } else {
                open.extend(missing);
            }
        }
        cone
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lit::Cnf;

    #[test]
    fn a_cone_lists_inputs_before_the_gates_that_read_them() {
        let (mut gates, mut cnf) = (Gates::default(), Cnf::default());
        let (a, b) = (gates.fresh(&mut cnf), gates.fresh(&mut cnf));
        let unused = gates.fresh(&mut cnf);
        let both = gates.and(a, !b);
        let root = gates.xor(both, b);
        let cone: Vec<Signal> = gates.cone(&[!root, root]).into_iter().map(|(signal, _)| signal).collect();
        assert_eq!(cone.len(), 4);
        let place = |wanted| cone.iter().position(|signal| *signal == wanted);
        assert!(place(a) < place(both) && place(b) < place(both) && place(both) < place(root));
        assert_eq!(place(unused), None);
    }

    #[test]
    fn what_is_recorded_is_not_emitted() {
        let (mut gates, mut cnf) = (Gates::recording(), Cnf::default());
        let (a, b) = (gates.fresh(&mut cnf), gates.fresh(&mut cnf));
        gates.assert_any(&[a, !b], &mut cnf);
        gates.assert_any(&[b], &mut cnf);
        assert!(cnf.clauses.is_empty());
        assert_eq!(gates.take_asserted(), gates.and(a, b), "(a or not b) and b");
        assert_eq!(gates.take_asserted(), Signal::TRUE);
    }
}
