//! Scheduling constraints: partial-order reduction inside the formula.
//!
//! Peephole partial-order reduction (C. Wang, Z. Yang, V. Kahlon, A. Gupta: Peephole partial order reduction, TACAS
//! 2008): for a command a of an earlier process and a command b of a later one, ¬(b at t ∧ a at t+1) if the two are
//! independent. As b does not touch what a reads, a was enabled before b already, and the other order leads to the same
//! state. The states that are reachable in exactly k steps stay the same.

use super::Unrolling;
use crate::gate::Signal;
use crate::lit::ClauseSink;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use system::{CommandId, Dependency, IndexVec, ProcessId, System};

/// Two processes have at most so many pairs of commands looked at: what is not forbidden costs time only.
const MOST_PAIRS: usize = 1 << 14;

/// One command, or whichever command of a process runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mover {
    Process(ProcessId),
    Command(CommandId),
}

/// What must not be followed directly by what.
type Orders = BTreeSet<(Mover, Mover)>;

/// The commands of each process that can run in a step.
type Possible = IndexVec<ProcessId, Vec<CommandId>>;

/// Which orders of commands are forbidden. They are found out for the commands that can run at all, and kept as long as
/// these are the same.
pub(super) struct Forbidden {
    dependency: Dependency,
    before: Option<Possible>,
    known: FxHashMap<(ProcessId, ProcessId), Known>,
}

/// The forbidden orders of two processes, if these of their commands can run.
struct Known {
    second: Vec<CommandId>,
    first: Vec<CommandId>,
    orders: Vec<(Mover, Mover)>,
}

impl Forbidden {
    pub fn new(system: &System) -> Forbidden {
        Forbidden { dependency: Dependency::new(system), before: None, known: FxHashMap::default() }
    }

    /// The orders that are forbidden for a process and one before it, of which these commands can run.
    fn orders(&mut self, pair: &Pair<'_>) -> &[(Mover, Mover)] {
        let dependency = &self.dependency;
        let find = || Known {
            second: pair.second.to_vec(),
            first: pair.first.to_vec(),
            orders: pair.forbid(dependency).into_iter().collect(),
        };
        let known = self.known.entry((pair.later, pair.earlier)).or_insert_with(find);
        if known.second != pair.second || known.first != pair.first {
            *known = find();
        }
        &known.orders
    }
}

/// Two processes in their order, and the commands that can run: of the later one first, then of the earlier one.
struct Pair<'a> {
    earlier: ProcessId,
    later: ProcessId,
    first: &'a [CommandId],
    second: &'a [CommandId],
}

impl Pair<'_> {
    /// Where a command is independent of everything that a process does, one constraint says so for all of it.
    fn forbid(&self, dependency: &Dependency) -> Orders {
        let mut forbidden = Orders::new();
        if self.first.len() * self.second.len() > MOST_PAIRS {
            return forbidden;
        }
        let is_free = |command: CommandId, others: &[CommandId]| {
            others.iter().all(|other| dependency.are_independent(command, *other))
        };
        let free_first: Vec<bool> = self.first.iter().map(|a| is_free(*a, self.second)).collect();
        let all_free = free_first.iter().all(|free| *free);
        for b in self.second {
            let is_free_second = is_free(*b, self.first);
            for (a, is_free_first) in self.first.iter().zip(&free_first) {
                if dependency.are_independent(*a, *b) {
                    forbidden.insert(match (is_free_first, is_free_second) {
                        _ if all_free => (Mover::Process(self.later), Mover::Process(self.earlier)),
                        (_, true) => (Mover::Command(*b), Mover::Process(self.earlier)),
                        (true, false) => (Mover::Process(self.later), Mover::Command(*a)),
                        (false, false) => (Mover::Command(*b), Mover::Command(*a)),
                    });
                }
            }
        }
        forbidden
    }
}

impl Unrolling<'_> {
    /// Forbids the wrong order of independent commands in the last two steps.
    pub(super) fn schedule(&mut self, sink: &mut dyn ClauseSink) {
        let Some(mut forbidden) = self.forbidden.take() else { return };
        let step = self.frames.len() - 1;
        let possible = self.possible(step);
        if let Some(before) = forbidden.before.replace(possible.clone()) {
            for (later, second) in before.iter_enumerated().filter(|(_, commands)| !commands.is_empty()) {
                for (earlier, first) in possible.iter_enumerated().take_while(|(earlier, _)| *earlier < later) {
                    for (b, a) in forbidden.orders(&Pair { earlier, later, first, second }) {
                        let (earlier, later) = (self.runs(*b, step - 1), self.runs(*a, step));
                        self.gates.assert_any(&[!earlier, !later], sink);
                    }
                }
            }
        }
        self.forbidden = Some(forbidden);
    }

    /// The commands that can run in the step out of a state.
    fn possible(&self, step: usize) -> Possible {
        let fires = &self.frames[step].fires;
        let runs = |id: &CommandId| fires[id.index()] != Signal::FALSE;
        self.commands.iter().map(|own| own.iter().copied().filter(runs).collect()).collect()
    }

    /// Whether a command, or any of a process, runs in the step out of a state.
    fn runs(&self, mover: Mover, step: usize) -> Signal {
        match mover {
            Mover::Process(process) => self.frames[step].selector[process.index()],
            Mover::Command(command) => self.frames[step].fires[command.index()],
        }
    }
}
