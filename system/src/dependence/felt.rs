//! Commands by which a process may change whether another one can move.
//!
//! Fairness is about who can move and who does. Runs that differ in the order of independent steps have the same steps of each process, but
//! not the same states, and a process may be able to move in all states of one of them and not in all of the other. The order of the steps
//! that are found here decides that; the others change nothing of it.

use super::section::followers;
use crate::definition::footprint::Footprint;
use crate::definition::ids::{CommandId, ProcessId, VarId};
use crate::definition::system::{Choice, Command, Fairness, System};
use index_vec::IndexVec;
use std::collections::{BTreeMap, BTreeSet};

/// For each command, whether it, or what follows it in its atomic section, may change whether another process than its own can move;
/// `None` if that is not known: where fairness is not about processes, a process waits until no other can move, or more than guards
/// decides which steps there are.
pub fn felt_by_others(system: &System) -> Option<IndexVec<CommandId, bool>> {
    let is_about_processes = |fairness: &Fairness| matches!(fairness, Fairness::Weak(_) | Fairness::Strong(_));
    let is_plain = system.definitions.is_empty() && system.constraints.is_empty() && system.relations.is_empty();
    if !is_plain || !system.fairness.iter().all(is_about_processes) {
        return None;
    }
    let mut readers: BTreeMap<VarId, BTreeSet<ProcessId>> = BTreeMap::new();
    for command in &system.commands {
        for var in deciding(system, command)? {
            readers.entry(var).or_default().insert(command.owner.process);
        }
    }
    let sections = followers(system);
    let is_felt = |(first, command): (CommandId, &Command)| {
        let members = std::iter::once(first).chain(sections[first.index()].iter().copied());
        let mut written = members.flat_map(|member| written(system, &system.commands[member]));
        written.any(|var| {
            let mut readers = readers.get(&var).into_iter().flatten();
            readers.any(|reader| *reader != command.owner.process)
        })
    };
    Some(system.commands.iter_enumerated().map(is_felt).collect())
}

/// What decides whether a command can run.
fn deciding(system: &System, command: &Command) -> Option<Vec<VarId>> {
    let mut exprs = vec![command.guard];
    exprs.extend(command.updates.iter().filter_map(|update| match update.choice {
        Choice::OneOf(values) => Some(values),
        Choice::Exactly(_) | Choice::Anything => None,
    }));
    let reads = Footprint::of(&system.exprs, &exprs);
    if reads.timeout || command.relation.is_some() {
        return None;
    }
    Some(reads.now.into_iter().chain(counters(system, command)).collect())
}

/// What a command may change.
fn written(system: &System, command: &Command) -> Vec<VarId> {
    let places = command.updates.iter().flat_map(|update| update.place.variables());
    places.chain(counters(system, command)).collect()
}

/// The program counters of those who make a step together.
fn counters(system: &System, command: &Command) -> Vec<VarId> {
    command.parts().filter_map(|part| system.processes[part.process].pc).collect()
}
