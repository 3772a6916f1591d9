//! Commands without which no run comes back to a state where it was.
//!
//! A run that comes back has taken some process round a cycle of its control flow. So it is enough to choose commands such that
//! the others, by themselves, have no cycle in the control flow of any process: static partial-order reduction (R. Kurshan,
//! V. Levin, M. Minea, D. Peled, H. Yenigün, TACAS 1998) has them as sticky transitions. They also see that where processes go
//! round together, one of them is enough: a process that receives what another one sends comes back only if that one does
//! ([`Circulation`]).

use super::circulation::Circulation;
use super::section::followers;
use crate::definition::ids::{CommandId, PointId, ProcessId};
use crate::definition::system::{Command, Move, Place, System};
use index_vec::IndexVec;
use std::collections::{BTreeMap, BTreeSet};

/// An edge of the control flow of a process.
type Edge = (ProcessId, PointId, PointId);

/// Chooses commands such that every cycle of steps, atomic sections being single steps, has one that begins with a command
/// that is chosen here or has been before. Those with little weight are spared where that is possible.
pub fn turning(
    system: &System,
    is_chosen: impl Fn(CommandId) -> bool,
    weight: impl Fn(CommandId) -> usize,
) -> IndexVec<CommandId, bool> {
    let followers = followers(system);
    let mut turning: IndexVec<CommandId, bool> = system.commands.iter().map(|_| true).collect();
    let mut spared = Spared::new(system);
    let mut open: Vec<CommandId> = system.commands.indices().filter(|command| !is_chosen(*command)).collect();
    open.sort_by_key(|command| (weight(*command), *command));
    for command in open {
        let section = std::iter::once(command).chain(followers[command.index()].iter().copied()).collect();
        turning[command] = !spared.add(system, section);
    }
    turning
}

/// Commands that, by themselves, do not come back.
struct Spared {
    /// Those that begin a step.
    first: IndexVec<CommandId, bool>,
    /// Those that are part of one.
    members: IndexVec<CommandId, bool>,
    flow: Flow,
    circulation: Circulation,
}

impl Spared {
    fn new(system: &System) -> Spared {
        let none: IndexVec<CommandId, bool> = system.commands.iter().map(|_| false).collect();
        let circulation = Circulation::new(system);
        Spared { first: none.clone(), members: none, flow: Flow::default(), circulation }
    }

    /// Adds a section, unless a run of those that are there could come back then.
    fn add(&mut self, system: &System, section: Vec<CommandId>) -> bool {
        let commands: Vec<&Command> = section.iter().map(|member| &system.commands[*member]).collect();
        let Some(edges) = edges(system, &commands) else { return false };
        let new: Vec<CommandId> = section.iter().copied().filter(|member| !self.members[*member]).collect();
        new.iter().for_each(|member| self.members[*member] = true);
        self.first[section[0]] = true;
        if self.flow.add(&edges) {
            return true;
        }
        let may_come_back = self.circulation.of(&self.members);
        if !self.first.indices().any(|command| self.first[command] && may_come_back[command]) {
            self.flow.force(edges);
            return true;
        }
        new.iter().for_each(|member| self.members[*member] = false);
        self.first[section[0]] = false;
        false
    }
}

/// Where a command and those that can follow it in its section may take processes; nothing if that cannot be told.
fn edges(system: &System, members: &[&Command]) -> Option<Vec<Edge>> {
    let mut updates = members.iter().flat_map(|command| &command.updates);
    if updates.any(|update| is_program_counter(system, update.place)) {
        return None;
    }
    let mut sources: BTreeMap<ProcessId, BTreeSet<PointId>> = BTreeMap::new();
    let mut goals: BTreeMap<ProcessId, BTreeSet<PointId>> = BTreeMap::new();
    let first: Vec<ProcessId> = members.first()?.parts().map(|part| part.process).collect();
    for (index, command) in members.iter().enumerate() {
        for Move { process, from, to } in command.parts() {
            goals.entry(process).or_default().insert(to?);
            if index == 0 || !first.contains(&process) {
                sources.entry(process).or_default().insert(from?);
            }
        }
    }
    let mut edges = Vec::new();
    for (process, goals) in &goals {
        for from in sources.get(process).into_iter().flatten() {
            edges.extend(goals.iter().map(|to| (*process, *from, *to)));
        }
    }
    Some(edges)
}

fn is_program_counter(system: &System, place: Place) -> bool {
    match place {
        Place::Variable(var) => system.processes.iter().any(|process| process.pc == Some(var)),
        Place::Element { .. } => false,
    }
}

/// Control flow.
#[derive(Default)]
struct Flow(BTreeMap<(ProcessId, PointId), BTreeSet<PointId>>);

impl Flow {
    /// Adds some edges, unless they close a cycle.
    fn add(&mut self, edges: &[Edge]) -> bool {
        let mut added = Vec::new();
        for (process, from, to) in edges.iter().copied() {
            if self.leads(process, to, from) {
                added.into_iter().for_each(|edge| self.remove(edge));
                return false;
            }
            if self.0.entry((process, from)).or_default().insert(to) {
                added.push((process, from, to));
            }
        }
        true
    }

    /// Adds some edges, also if they close a cycle.
    fn force(&mut self, edges: Vec<Edge>) {
        for (process, from, to) in edges {
            self.0.entry((process, from)).or_default().insert(to);
        }
    }

    fn remove(&mut self, (process, from, to): Edge) {
        if let Some(goals) = self.0.get_mut(&(process, from)) {
            goals.remove(&to);
        }
    }

    fn leads(&self, process: ProcessId, from: PointId, to: PointId) -> bool {
        let (mut seen, mut open) = (BTreeSet::from([from]), vec![from]);
        while let Some(at) = open.pop() {
            if at == to {
                return true;
            }
            open.extend(self.0.get(&(process, at)).into_iter().flatten().copied().filter(|next| seen.insert(*next)));
        }
        false
    }
}
