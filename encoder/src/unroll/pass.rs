//! Parallel steps: one step is a pass over the processes, each of which runs at most one command and sees what those
//! before it did (∃-step semantics; T. Jussila; J. Dubrovin, T. Junttila, K. Heljanko, Exploiting step semantics for
//! efficient bounded model checking of asynchronous systems, 2012).
//!
//! A pass is as many ordinary steps as there are processes, in each of which the mover is known, so that its selector is
//! one bit and what the mover does not write costs nothing. What is reachable in k steps is reachable in k passes, and
//! what is reachable in k passes is reachable in N·k steps: a number of passes is no bound.

use super::fire::Movers;
use super::{Idling, Unrolling};
use crate::gate::Signal;
use crate::lit::{ClauseSink, Lit};
use system::{Motion, ProcessId, System};

/// Whether passes have the meaning that steps have: nothing but commands may change or constrain the state.
pub fn has_passes(system: &System) -> bool {
    system.processes.len() > 1
        && system.relations.is_empty()
        && system.constraints.is_empty()
        && system.variables.iter().all(|variable| variable.motion == Motion::Kept)
}

impl Unrolling<'_> {
    /// Adds the part of a process in a pass: a step in which it moves or none does. Says whether there is one: a process
    /// that cannot move has none, nor one that cannot change the state where such steps are excluded. Only for systems of which
    /// [`has_passes`] says so.
    pub fn extend_by(&mut self, process: ProcessId, sink: &mut dyn ClauseSink) -> bool {
        let can_move = self.can_process_move(process);
        if can_move {
            self.encode_step(Movers::AtMost(process), sink);
        }
        can_move
    }

    /// A literal that says that a process moves in the last step.
    pub fn moves(&mut self, sink: &mut dyn ClauseSink) -> Option<Lit> {
        let step = self.frames.len().checked_sub(2)?;
        let selector = self.frames[step].selector.clone();
        let moves = self.gates.any(&selector);
        Some(self.gates.literal(moves, sink))
    }

    /// Whether a process has a command that can change the last state, or whose guard can have no value there. Where steps that
    /// change nothing count, it need only be in place.
    fn can_process_move(&mut self, process: ProcessId) -> bool {
        if self.rules.idling != Idling::Excluded {
            return self.is_in_place(process);
        }
        self.commands[process].clone().into_iter().any(|id| {
            let place = self.in_place(id);
            place != Signal::FALSE && {
                let fails = self.evaluate_by(process, self.system.commands[id].guard).fails;
                let can_move = self.can_move(id);
                let matters = self.gates.or(can_move, fails);
                self.gates.and(place, matters) != Signal::FALSE
            }
        })
    }
}
