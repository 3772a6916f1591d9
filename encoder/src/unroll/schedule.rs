//! Scheduling constraints: partial-order reduction inside the formula.
//!
//! Peephole partial-order reduction (C. Wang, Z. Yang, V. Kahlon, A. Gupta: Peephole partial order reduction, TACAS
//! 2008): for a command a of an earlier process and a command b of a later one, ¬(b at t ∧ a at t+1) if the two are
//! independent. As b does not touch what a reads, a was enabled before b already, and the other order leads to the same
//! state. The states that are reachable in exactly k steps stay the same.

use super::Unrolling;
use crate::gate::Signal;
use crate::lit::ClauseSink;
use std::collections::BTreeSet;
use system::{CommandId, Dependency, ProcessId, System};

/// One command, or whichever command of a process runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mover {
    Process(ProcessId),
    Command(CommandId),
}

/// The orders that are forbidden: what must not be followed directly by what.
#[derive(Clone, Debug)]
pub(super) struct Forbidden(Vec<(Mover, Mover)>);

impl Forbidden {
    /// Where a command is independent of everything that a process does, one constraint says so for all of it.
    pub fn new(system: &System) -> Forbidden {
        let dependency = Dependency::new(system);
        let own = |process: ProcessId| -> Vec<CommandId> {
            system.commands.iter_enumerated().filter(|(_, c)| c.owner.process == process).map(|(id, _)| id).collect()
        };
        let commands: Vec<Vec<CommandId>> = system.processes.indices().map(own).collect();
        let mut forbidden = BTreeSet::new();
        for later in system.processes.indices() {
            for earlier in system.processes.indices().filter(|earlier| *earlier < later) {
                let (first, second) = (&commands[earlier.index()], &commands[later.index()]);
                let pair = Pair { earlier, later, first, second };
                pair.forbid(&dependency, &mut forbidden);
            }
        }
        Forbidden(forbidden.into_iter().collect())
    }
}

/// Two processes in their order, and their commands.
struct Pair<'a> {
    earlier: ProcessId,
    later: ProcessId,
    first: &'a [CommandId],
    second: &'a [CommandId],
}

impl Pair<'_> {
    fn forbid(&self, dependency: &Dependency, forbidden: &mut BTreeSet<(Mover, Mover)>) {
        let is_free = |command: CommandId, others: &[CommandId]| {
            others.iter().all(|other| dependency.are_independent(command, *other))
        };
        let all_free = self.first.iter().all(|a| is_free(*a, self.second));
        for b in self.second {
            for a in self.first.iter().filter(|a| dependency.are_independent(**a, *b)) {
                forbidden.insert(match (is_free(*a, self.second), is_free(*b, self.first)) {
                    _ if all_free => (Mover::Process(self.later), Mover::Process(self.earlier)),
                    (_, true) => (Mover::Command(*b), Mover::Process(self.earlier)),
                    (true, false) => (Mover::Process(self.later), Mover::Command(*a)),
                    (false, false) => (Mover::Command(*b), Mover::Command(*a)),
                });
            }
        }
    }
}

impl Unrolling<'_> {
    /// Forbids the wrong order of independent commands in the last two steps.
    pub(super) fn schedule(&mut self, sink: &mut dyn ClauseSink) {
        let Some(forbidden) = self.forbidden.take() else { return };
        if let Some(step) = self.frames.len().checked_sub(2) {
            for (b, a) in &forbidden.0 {
                let (earlier, later) = (self.runs(*b, step), self.runs(*a, step + 1));
                self.gates.assert_any(&[!earlier, !later], sink);
            }
        }
        self.forbidden = Some(forbidden);
    }

    /// Whether a command, or any of a process, runs in the step out of a state.
    fn runs(&self, mover: Mover, step: usize) -> Signal {
        match mover {
            Mover::Process(process) => self.frames[step].selector[process.index()],
            Mover::Command(command) => self.frames[step].fires[command.index()],
        }
    }
}
