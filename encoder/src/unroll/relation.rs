//! I(s) and T(s, s') as circuits, by the same encoding as the unrolling's: assertions are kept as signals instead of
//! being emitted as clauses.

use super::fire::Movers;
use super::{Frame, Rules, Time, Unrolling, Unsupported};
use crate::gate::{Gates, Signal};
use crate::lit::Cnf;
use system::{ExprId, System};

impl<'s> Unrolling<'s> {
    /// An unrolling that keeps its assertions and has no state so far.
    fn without_states(system: &'s System) -> Result<Unrolling<'s>, Unsupported> {
        let mut unrolling = Unrolling::new(system, Rules::default(), &mut Cnf::default())?;
        unrolling.frames.clear();
        unrolling.gates = Gates::recording();
        Ok(unrolling)
    }

    /// I(s_0) as a circuit: an unrolling of depth 0 whose assertions [`Unrolling::take_asserted`] gives.
    pub fn initial_circuit(system: &'s System) -> Result<Unrolling<'s>, Unsupported> {
        let mut unrolling = Unrolling::without_states(system)?;
        unrolling.encode_initial(&mut Cnf::default());
        Ok(unrolling)
    }

    /// T(s_0, s_1) as a circuit: an unrolling of depth 1 from any state s_0 at all, every signal of which is an input
    /// or constant. That s_0 is inside the domains and satisfies definitions and constraints is not asserted: those
    /// who reach it by I and T know.
    pub fn step_circuit(system: &'s System) -> Result<Unrolling<'s>, Unsupported> {
        let mut unrolling = Unrolling::without_states(system)?;
        let mut sink = Cnf::default();
        unrolling.frames.push(Frame::new(system, Vec::new()));
        for (var, _) in system.state_variables() {
            unrolling.frames[0].values[var.index()] = Some(unrolling.fresh(var, &mut sink));
        }
        let holder = (0..unrolling.sections.holders()).map(|_| unrolling.gates.fresh(&mut sink)).collect();
        unrolling.settle_control(holder);
        unrolling.take_asserted();
        // Variables go on being numbered after those of s_0.
        unrolling.encode_step(Movers::Anybody, &mut sink);
        Ok(unrolling)
    }

    /// The conjunction of what was asserted since it was asked for last.
    pub fn take_asserted(&mut self) -> Signal {
        self.gates.take_asserted()
    }

    /// Whether an expression is false at a time, and whether it has no value.
    pub fn refutes(&mut self, expr: ExprId, time: Time) -> (Signal, Signal) {
        let evaluated = self.evaluate(time.0, expr);
        (!evaluated.value.boolean(), evaluated.fails)
    }

    /// Whether the model has no meaning in a state or in the step to it.
    pub fn meaningless(&mut self, time: Time) -> Signal {
        let faults = self.frames.get(time.0).map(|frame| frame.faults.clone()).unwrap_or_default();
        self.gates.any(&faults)
    }

    /// The gates, to be walked.
    pub fn gates(&self) -> &Gates {
        &self.gates
    }
}
