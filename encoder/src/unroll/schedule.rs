//! Scheduling constraints: partial-order reduction inside the formula.
//!
//! Peephole partial-order reduction (C. Wang, Z. Yang, V. Kahlon, A. Gupta: Peephole partial order reduction, TACAS
//! 2008): for a command a of an earlier process and a command b of a later one, ¬(b at t ∧ a at t+1) if the two are
//! independent. As b does not touch what a reads, a was enabled before b already, and the other order leads to the same
//! state. The states that are reachable in exactly k steps stay the same.

use super::Unrolling;
use crate::gate::Signal;
use crate::lit::ClauseSink;
use system::CommandId;

impl Unrolling<'_> {
    /// Forbids the wrong order of independent commands in the last two steps.
    pub(super) fn schedule(&mut self, fires: &[Signal], sink: &mut dyn ClauseSink) {
        let Some(dependency) = self.dependency.take() else { return };
        let before = std::mem::replace(&mut self.last_fires, fires.to_vec());
        for (b, earlier) in before.iter().enumerate().filter(|(_, signal)| **signal != Signal::FALSE) {
            for (a, later) in fires.iter().enumerate().filter(|(_, signal)| **signal != Signal::FALSE) {
                let (a, b) = (CommandId::from(a), CommandId::from(b));
                let commands = &self.system.commands;
                let is_wrong_order = commands[a].owner.process < commands[b].owner.process;
                if is_wrong_order && dependency.are_independent(a, b) {
                    self.gates.assert_any(&[!*earlier, !*later], sink);
                }
            }
        }
        self.dependency = Some(dependency);
    }
}
