//! I(s_0): the initial states.

use super::successor::Destination;
use super::{Frame, Unrolling, is_state};
use crate::gate::Signal;
use crate::lit::ClauseSink;
use crate::value::{Encoded, fresh_variable};
use system::{Choice, Footprint, Motion, Place, VarId};

impl Unrolling<'_> {
    pub(super) fn encode_initial(&mut self, sink: &mut dyn ClauseSink) {
        let system = self.system;
        self.frames.push(Frame::new(system, Vec::new()));
        for update in &system.initial_values {
            if let (Place::Variable(var), Choice::Exactly(expr)) = (update.place, update.choice)
                && let Some(value) = system.exprs.constant_value(expr)
                && self.domain(var).contains(value)
            {
                self.frames[0].values[var.index()] = Some(self.known(var, value));
            }
        }
        for (var, variable) in system.state_variables() {
            if variable.motion != Motion::Defined && self.frames[0].values[var.index()].is_none() {
                self.frames[0].values[var.index()] = Some(self.fresh(var, sink));
            }
        }
        self.define(0, sink);
        for update in &system.initial_values {
            let Place::Variable(var) = update.place else { continue };
            let is_known =
                super::expression(update.choice).is_some_and(|expr| system.exprs.constant_value(expr).is_some());
            if !is_known || !self.is_inside(var, update.choice) {
                self.store(0, Destination { frame: 0, var, when: Signal::TRUE }, update.choice, sink);
            }
        }
        for condition in system.initial.iter().chain(&system.constraints) {
            self.assert(0, condition.holds, sink);
        }
        self.settle_control(vec![Signal::FALSE; self.sections.holders()]);
    }

    fn is_inside(&self, var: VarId, choice: Choice) -> bool {
        match choice {
            Choice::Exactly(expr) => {
                self.system.exprs.constant_value(expr).is_some_and(|value| self.domain(var).contains(value))
            }
            _ => false,
        }
    }

    /// A variable with a known value, in its own form.
    fn known(&self, var: VarId, value: system::Value) -> Encoded {
        use crate::value::Form;
        match self.forms[var.index()] {
            Form::OneHot => Encoded::OneHot(vec![(value, Signal::TRUE)]),
            Form::Binary => Encoded::constant(value, self.domain(var).sort()),
        }
    }

    /// A variable with new signals.
    pub(super) fn fresh(&mut self, var: VarId, sink: &mut dyn ClauseSink) -> Encoded {
        let domain = self.domain(var);
        fresh_variable(&mut self.gates, sink, domain, self.forms[var.index()], |_| true)
    }

    /// The variables that follow from others.
    pub(super) fn define(&mut self, time: usize, sink: &mut dyn ClauseSink) {
        for definition in &self.system.definitions {
            let var = definition.variable;
            let value = self.fresh(var, sink);
            self.frames[time].values[var.index()] = Some(value);
            self.store(time, Destination { frame: time, var, when: Signal::TRUE }, definition.choice, sink);
        }
    }

    /// Inputs of the step out of the last state.
    pub(super) fn fresh_inputs(&mut self, sink: &mut dyn ClauseSink) {
        let last = self.frames.len() - 1;
        for (var, variable) in self.system.variables.iter_enumerated() {
            if !is_state(variable.motion) {
                let value = self.fresh(var, sink);
                self.frames[last].values[var.index()] = Some(value);
            }
        }
    }

    /// Whether an expression speaks of the next state.
    pub(super) fn reads_next(&self, expr: system::ExprId) -> bool {
        !Footprint::of(&self.system.exprs, &[expr]).next.is_empty()
    }
}
