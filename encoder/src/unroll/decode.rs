//! From an assignment back to a run.

use super::{Frame, Unrolling};
use crate::gate::Evaluator;
use crate::lit::Lit;
use system::{CommandId, Machine, Moved, ProcessId, Trace, Value};

impl Unrolling<'_> {
    /// The run that an assignment describes, up to the current depth. Steps in which no process moves are left out.
    pub fn decode(&self, machine: &Machine, value: impl Fn(Lit) -> bool) -> Trace {
        let mut evaluator = self.gates.evaluator(value);
        let mut trace = Trace::default();
        let mut is_new = true;
        for frame in &self.frames {
            let values = self.values(frame, &mut evaluator);
            if is_new {
                let holder = frame.control.holder.iter().position(|signal| evaluator.get(*signal));
                trace.states.push(machine.layout().pack(&values, holder.map(ProcessId::from)));
            }
            let mover = frame.selector.iter().position(|signal| evaluator.get(*signal));
            is_new = mover.is_some();
            if let Some(mover) = mover {
                let inputs = self.system.inputs().map(|(var, _)| (var, values[var.index()])).collect();
                let command = frame.fires.iter().position(|signal| evaluator.get(*signal)).map(CommandId::from);
                trace.moves.push(Moved { process: ProcessId::from(mover), command, inputs });
            }
        }
        trace
    }

    /// The values of all variables in a state.
    fn values<F: Fn(Lit) -> bool>(&self, frame: &Frame, evaluator: &mut Evaluator<'_, F>) -> Vec<Value> {
        let mut values = vec![0; self.system.variables.len()];
        for (var, variable) in self.system.variables.iter_enumerated() {
            if let Some(encoded) = &frame.values[var.index()] {
                let signals = encoded.signals();
                let bits: Vec<bool> = signals.iter().map(|signal| evaluator.get(*signal)).collect();
                let find = |signal| signals.iter().position(|other| *other == signal).is_some_and(|at| bits[at]);
                values[var.index()] = encoded.decode(&variable.domain, find);
            }
        }
        values
    }
}
