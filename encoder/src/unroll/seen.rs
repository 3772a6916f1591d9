//! What is seen of an infinite run from outside: the states between steps, but not those inside an atomic section that goes
//! on; who moves, and who could.

use super::decides_deadlock;
use super::progress::moving_by_themselves;
use super::{Time, Unrolling};
use crate::gate::Signal;
use crate::lit::{ClauseSink, Lit};
use system::{ExprId, Fairness, ProcessId, System};

/// Whether a run can stay in its last state: guards alone say who can move, and nothing changes by itself.
pub fn can_stay(system: &System) -> bool {
    decides_deadlock(system) && moving_by_themselves(system).is_empty()
}

impl Unrolling<'_> {
    /// Says that a loop begins in the last state if the literal is true: then the order of the steps before it and after it
    /// is not limited.
    pub fn may_begin_loop(&mut self, begins: Lit) {
        self.loop_begins = Some(self.gates.input(begins));
    }

    /// Whether others see the state at a time, before the step out of it; none if every state is seen. Where the step is left out, as in a
    /// pass, it is the state after it that is seen.
    pub fn is_seen(&mut self, time: Time, sink: &mut dyn ClauseSink) -> Option<Lit> {
        let goes_on = self.inside_section(time.0);
        let hidden = self.gates.or(goes_on, self.frames[time.0].left_out);
        (hidden != Signal::FALSE).then(|| self.gates.literal(!hidden, sink))
    }

    /// Whether it is known that a condition does not hold at a time that is followed by a step.
    pub fn never_holds_at(&mut self, time: Time, condition: ExprId) -> bool {
        let evaluated = self.evaluate(time.0, condition);
        evaluated.fails == Signal::FALSE && evaluated.value.boolean() == Signal::FALSE
    }

    /// Whether a process makes the step out of the state at a time.
    pub fn is_moved_by(&mut self, time: Time, process: ProcessId, sink: &mut dyn ClauseSink) -> Lit {
        let selected = self.frames[time.0].selector[process.index()];
        self.gates.literal(selected, sink)
    }

    /// Whether a process could make the step out of the state at a time, if fairness asks that of it.
    pub fn could_be_moved_by(&mut self, time: Time, process: ProcessId, sink: &mut dyn ClauseSink) -> Option<Lit> {
        let able = *self.frames[time.0].able.get(process.index())?;
        Some(self.gates.literal(able, sink))
    }

    /// Notes who could make the step out of the last state, as far as fairness asks.
    pub(super) fn note_able(&mut self) {
        let mut able = vec![Signal::FALSE; self.system.processes.len()];
        let mut is_asked = false;
        for constraint in &self.system.fairness {
            if let Fairness::Weak(process) | Fairness::Strong(process) = *constraint {
                able[process.index()] = self.can_run(process);
                is_asked = true;
            }
        }
        let last = self.frames.len() - 1;
        self.frames[last].able = if is_asked { able } else { Vec::new() };
    }
}
