//! Partial-order reduction, for formulas that cannot tell how often a state is repeated.
//!
//! From a state, the commands of a secluded process ([`Seclusion`]) or of another persistent set ([`Persistent`]) are tried alone if
//! none of them can change a condition of the formula (visibility), and none is needed for runs to come back to a state
//! ([`turning`]): so on every cycle there is a state from which everything is tried, and nothing is put off for ever. What is tried
//! depends on the state of the system alone, neither on that of the automaton nor on the order of the search. Where it does,
//! automata have to be of a special form (S. Siegel, What's wrong with on-the-fly partial order reduction, CAV 2019). To try more than that
//! in some states, because sets do not pay there, adds runs of the system and takes none away.
//!
//! Fairness to processes is kept, too, if none of the commands that are tried alone can change whether another process can move
//! ([`felt_by_others`]). A fair run then always has a command of the set: as nothing else on it interferes with the set, the process of such a
//! command could move for ever otherwise, and would. So what is visited of it has the same steps in another order, in which each process moves as often, and
//! those who stop moving are able to as long as before.
//!
//! Where one state stands for others that differ in interchangeable processes, a cycle is a run to a state that another one stands
//! for; what such processes need to come back is then needed of all of them (E. A. Emerson, S. Jha, D. Peled, Combining partial order and
//! symmetry reductions, TACAS 1997).

use crate::persistent::{Enabled, Persistent};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use system::{
    Command, CommandId, Dependency, ExprId, Footprint, Granularity, Machine, Move, ProcessId, Refinement, Seclusion,
    Symmetry, System, Watched, felt_by_others, turning,
};

/// Which of the commands that are enabled in a state are to be tried.
pub enum Chosen<'a> {
    /// Those of a process.
    Of(ProcessId),
    /// These.
    These(&'a [CommandId]),
}

impl Chosen<'_> {
    /// Whether a command is one of them.
    pub fn has(&self, system: &System, command: CommandId) -> bool {
        match self {
            Chosen::Of(process) => system.commands[command].owner.process == *process,
            Chosen::These(commands) => commands.contains(&command),
        }
    }
}

/// What is known of the commands of a system, for some conditions.
#[derive(Clone)]
pub struct Reduction {
    known: Rc<Known>,
    /// For closing sets command by command, where that pays.
    sets: Persistent<Rc<Dependency>>,
    enabled: Vec<Enabled>,
}

struct Known {
    dependency: Rc<Dependency>,
    seclusion: Option<Seclusion>,
    /// For each command, whether it is tried only where all are: it may change a condition, or it closes cycles.
    together: Vec<bool>,
}

impl Reduction {
    /// Computes it, unless nothing would be gained, or a condition is about who moves. Fairness that is about processes makes visible
    /// what decides whether others can move.
    pub fn new(system: &System, conditions: &[ExprId], symmetry: &Symmetry) -> Option<Reduction> {
        let reads = Footprint::of(&system.exprs, conditions);
        let sees_steps = reads.running || reads.timeout || reads.has_inputs(system);
        if sees_steps || !system.relations.is_empty() || system.processes.len() < 2 {
            return None;
        }
        let felt = if system.fairness.is_empty() { None } else { Some(felt_by_others(system)?) };
        let watched = Watched { conditions, ..Watched::default() };
        let dependency = Dependency::watching(system, watched, Refinement::Operations, Granularity::Sections);
        let seclusion = Seclusion::new(system, &dependency);
        let is_felt = |command| felt.as_ref().is_some_and(|felt| felt[command]);
        let is_seen = |command| dependency.is_watched(command) || is_felt(command);
        let mut together = turning(system, is_seen, |command| dependency.company(command)).raw;
        if !symmetry.is_trivial() {
            treat_alike(system, symmetry, &mut together);
        }
        if together.iter().all(|together| *together) {
            return None;
        }
        let dependency = Rc::new(dependency);
        let sets = Persistent::thrifty(dependency.clone());
        Some(Reduction { known: Rc::new(Known { dependency, seclusion, together }), sets, enabled: Vec::new() })
    }

    /// Whether a few tables tell that the commands of a process that are enabled in a state can be tried alone.
    pub fn is_alone(&self, machine: &Machine, state: &[u64], of_process: &[CommandId]) -> bool {
        of_process.first().is_some_and(|first| {
            let place = machine.system().commands[*first].owner;
            self.known.is_secluded(machine, state, (place, of_process))
        })
    }

    /// Which of the commands that are enabled in a state are to be tried; `None` for all of them. The processes of the first `others` commands
    /// are known not to be [alone](Reduction::is_alone), and have no further ones.
    pub fn choose(
        &mut self,
        machine: &Machine,
        state: &[u64],
        (others, commands): (usize, &[CommandId]),
    ) -> Option<Chosen<'_>> {
        let known = self.known.clone();
        if commands.first().is_none_or(|command| known.dependency.runs_by_timeout(*command)) {
            return None;
        }
        if let Some(process) = known.secluded(machine, state, &commands[others..]) {
            let is_all = commands.iter().all(|command| machine.system().commands[*command].owner.process == process);
            return (!is_all).then_some(Chosen::Of(process));
        }
        self.persistent(machine, state, commands).map(Chosen::These)
    }

    /// A persistent set of commands that can be tried alone.
    fn persistent(&mut self, machine: &Machine, state: &[u64], commands: &[CommandId]) -> Option<&[CommandId]> {
        let Reduction { known, sets, enabled } = self;
        enabled.clear();
        enabled.extend(commands.iter().map(|command| Enabled { command: *command, moves: true }));
        enabled.dedup();
        let is_alone = |chosen: &[CommandId]| chosen.iter().all(|command| !known.together[command.index()]);
        sets.choose(machine, state, enabled, is_alone)
    }
}

impl Known {
    /// The first process that is secluded in a state and can be tried alone.
    fn secluded(&self, machine: &Machine, state: &[u64], commands: &[CommandId]) -> Option<ProcessId> {
        let owner = |command: &CommandId| machine.system().commands[*command].owner;
        let mut groups = commands.chunk_by(|a, b| owner(a).process == owner(b).process);
        let found = groups.find(|group| self.is_secluded(machine, state, (owner(&group[0]), group)))?;
        let process = owner(&found[0]).process;
        let is_whole = commands.iter().filter(|command| owner(command).process == process).count() == found.len();
        is_whole.then_some(process)
    }

    /// Whether a process at a place is secluded in a state, and its commands that are enabled there can be tried alone.
    fn is_secluded(&self, machine: &Machine, state: &[u64], (place, group): (Move, &[CommandId])) -> bool {
        let Some((seclusion, point)) = self.seclusion.as_ref().zip(place.from) else { return false };
        group.iter().all(|command| !self.together[command.index()] && !self.dependency.runs_by_timeout(*command))
            && seclusion.has(&self.dependency, (place.process, point), machine.layout(), state)
    }
}

/// What is so for a command is so for those that processes that can change places have in its stead: all between the same points of
/// processes of the same classes.
fn treat_alike(system: &System, symmetry: &Symmetry, together: &mut [bool]) {
    let mut alike: Vec<ProcessId> = system.processes.indices().collect();
    for class in symmetry.classes() {
        class.iter().for_each(|process| alike[process.index()] = class[0]);
    }
    let way = |command: &Command| -> Vec<_> {
        command.parts().map(|part| (alike[part.process.index()], part.from, part.to)).collect()
    };
    let chosen: FxHashSet<_> = system
        .commands
        .iter()
        .zip(&*together)
        .filter(|(_, together)| **together)
        .map(|(command, _)| way(command))
        .collect();
    for (command, together) in system.commands.iter().zip(together) {
        *together |= chosen.contains(&way(command));
    }
}
