//! From an assignment back to a run.

use super::{Unrolling, is_state};
use crate::lit::Lit;
use system::{Machine, Moved, ProcessId, Trace};

impl Unrolling<'_> {
    /// The run that an assignment describes, up to the current depth.
    pub fn decode(&self, machine: &Machine, value: impl Fn(Lit) -> bool) -> Trace {
        let mut evaluator = self.gates.evaluator(value);
        let mut trace = Trace::default();
        for (time, frame) in self.frames.iter().enumerate() {
            let mut values = vec![0; self.system.variables.len()];
            for (var, variable) in self.system.variables.iter_enumerated() {
                if let Some(encoded) = &frame.values[var.index()] {
                    let bits: Vec<bool> = encoded.signals().into_iter().map(|signal| evaluator.get(signal)).collect();
                    let signals = encoded.signals();
                    let find = |signal| signals.iter().position(|other| *other == signal).is_some_and(|at| bits[at]);
                    values[var.index()] = encoded.decode(&variable.domain, find);
                }
            }
            trace.states.push(machine.layout().pack(&values, None));
            if time + 1 < self.frames.len() {
                let mover = frame.selector.iter().position(|signal| evaluator.get(*signal)).unwrap_or(0);
                let inputs = self.system.variables.iter_enumerated().filter(|(_, variable)| !is_state(variable.motion));
                let inputs = inputs.map(|(var, _)| (var, values[var.index()])).collect();
                trace.moves.push(Moved { process: ProcessId::from(mover), command: None, inputs });
            }
        }
        trace
    }
}
