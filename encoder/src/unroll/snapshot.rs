//! Snapshots: a state with variables of its own, which states of the unrolling are tied to.
//!
//! That the last state of a run equals an earlier one would be as many equations as there are pairs of states. With a
//! snapshot in between it is one for each state: A. Biere, K. Heljanko, T. Junttila, T. Latvala, V. Schuppan, Linear
//! encodings of bounded LTL model checking, Logical Methods in Computer Science 2, 2006, \[BHJLS06\].

use super::{Time, Unrolling, is_state};
use crate::arithmetic::sign_extend;
use crate::gate::Signal;
use crate::lit::{ClauseSink, Lit};
use crate::value::{Encoded, fresh_variable};
use system::ExprId;

/// A state that is none of the unrolling's.
pub struct Snapshot {
    /// By variable; inputs have none.
    values: Vec<Option<Encoded>>,
    /// Who has control of an atomic section, by process.
    holder: Vec<Signal>,
}

impl Unrolling<'_> {
    /// Any state.
    pub fn snapshot(&mut self, sink: &mut dyn ClauseSink) -> Snapshot {
        let mut values = Vec::new();
        for (var, variable) in self.system.variables.iter_enumerated() {
            let form = self.forms[var.index()];
            values.push(
                is_state(variable.motion)
                    .then(|| fresh_variable(&mut self.gates, sink, &variable.domain, form, |_| true)),
            );
        }
        let holder = (0..self.sections.holders()).map(|_| self.gates.fresh(sink)).collect();
        Snapshot { values, holder }
    }

    /// Where the condition is true, the state at a time is the snapshot.
    pub fn tie(&mut self, time: Time, snapshot: &Snapshot, condition: Lit, sink: &mut dyn ClauseSink) {
        let condition = self.gates.input(condition);
        for (var, wanted) in snapshot.values.iter().enumerate() {
            let Some((wanted, value)) = wanted.as_ref().zip(self.frames[time.0].values[var].clone()) else { continue };
            let equations = self.equations(&value, wanted);
            self.equate(condition, equations, sink);
        }
        let holder = self.frames[time.0].control.holder.clone();
        self.equate(condition, holder.into_iter().zip(snapshot.holder.clone()).collect(), sink);
    }

    /// Where the condition is true, these are equal.
    fn equate(&mut self, condition: Signal, equations: Vec<(Signal, Signal)>, sink: &mut dyn ClauseSink) {
        for (a, b) in equations {
            self.gates.assert_any(&[!condition, !a, b], sink);
            self.gates.assert_any(&[!condition, a, !b], sink);
        }
    }

    /// Signals that are pairwise equal if and only if two values are.
    fn equations(&mut self, value: &Encoded, wanted: &Encoded) -> Vec<(Signal, Signal)> {
        match wanted {
            Encoded::OneHot(values) => {
                values.iter().map(|(number, signal)| (value.equals(&mut self.gates, *number), *signal)).collect()
            }
            Encoded::Integer(bits) => {
                let width = bits.len().max(value.signals().len());
                value.integer(&mut self.gates, width).into_iter().zip(sign_extend(bits, width)).collect()
            }
            Encoded::Boolean(_) | Encoded::Word(_) => value.signals().into_iter().zip(wanted.signals()).collect(),
        }
    }

    /// Whether a condition holds at a time that is followed by a step: it may speak of the step, too. Where it has no value,
    /// that is a fault of the step.
    pub fn holds_at(&mut self, time: Time, condition: ExprId, sink: &mut dyn ClauseSink) -> Lit {
        let evaluated = self.evaluate(time.0, condition);
        self.frames[time.0 + 1].faults.push(evaluated.fails);
        self.gates.literal(evaluated.value.boolean(), sink)
    }
}
