//! Atomic sections as single steps: what a command and the section that it begins do to objects.
//!
//! From a state where no process is inside a section, a command that keeps control is followed by other commands of the process that has
//! control, up to the end of the section or to where it blocks. The states in between are not seen, so the whole is one
//! step, enabled where its first command is. Of an object that only one of its commands uses, what it does is known as
//! well as that of the command, except that a command further on may run or not; otherwise it sees the value and makes
//! anything of it.

use super::object::{Effect, Ends, Operation, Values, first_values, members};
use super::operation::{Operations, anything, value_count};
use crate::definition::ids::{CommandId, VarId};
use crate::definition::system::{Command, Move, System};
use std::collections::{BTreeMap, BTreeSet};

/// For each command, those that can follow it in its section, in order.
pub fn followers(system: &System) -> Vec<Vec<CommandId>> {
    let next: Vec<Vec<CommandId>> = system.commands.iter().map(|command| next_inside(system, command)).collect();
    next.iter().map(|start| reachable(&next, start)).collect()
}

/// Some commands and those that come after them, in order.
fn reachable(next: &[Vec<CommandId>], start: &[CommandId]) -> Vec<CommandId> {
    let mut found = BTreeSet::new();
    let mut open = start.to_vec();
    while let Some(command) = open.pop() {
        if found.insert(command) {
            open.extend(&next[command.index()]);
        }
    }
    found.into_iter().collect()
}

/// The commands that can come directly after one that keeps control.
fn next_inside(system: &System, command: &Command) -> Vec<CommandId> {
    let Some(holder) = command.holder_afterwards() else { return Vec::new() };
    let moves = command.parts();
    let to = moves.filter(|part| part.process == holder).find_map(|part: Move| part.to);
    let own = system.commands.iter_enumerated().filter(|(_, other)| other.owner.process == holder);
    own.filter(|(_, Command { owner: Move { from, .. }, .. })| to.is_none() || from.is_none() || *from == to)
        .map(|(id, _)| id)
        .collect()
}

/// Makes one operation of all that a command and its section do to each object.
pub fn join_sections(system: &System, followers: &[Vec<CommandId>], actors: &mut [Operations]) {
    let alone = actors.to_vec();
    for (first, section) in followers.iter().enumerate().filter(|(_, section)| !section.is_empty()) {
        let mut uses: BTreeMap<VarId, Vec<CommandId>> = BTreeMap::new();
        for command in std::iter::once(CommandId::from(first)).chain(section.iter().copied()) {
            for var in alone[command.index()].keys() {
                uses.entry(*var).or_default().push(command);
            }
        }
        actors[first] = uses
            .into_iter()
            .map(|(var, users)| {
                let joined = match users.as_slice() {
                    [only] if !followers[only.index()].contains(only) => {
                        let operation = &alone[only.index()][&var];
                        if only.index() == first { operation.clone() } else { perhaps(system, var, operation) }
                    }
                    _ => blurred(system, var, first, &users, &alone),
                };
                (var, joined)
            })
            .collect();
    }
}

/// An operation that is carried out or not.
fn perhaps(system: &System, var: VarId, operation: &Operation) -> Operation {
    let values = operation.classes.len();
    if (0..values).any(|value| operation.is_defined(value) && operation.results(value) == 0) {
        return seeing_all(system, var, operation.effect != Effect::Keep, operation.ends);
    }
    // Whether it can be carried out decides how the section goes on.
    let classes = (0..values).map(|value| 2 * operation.classes[value] + u32::from(operation.is_defined(value)));
    let effect = match operation.effect {
        Effect::Keep => Effect::Keep,
        _ => Effect::Relation((0..values).map(|value| 1 << value | results(operation, value)).collect()),
    };
    Operation { defined: first_values(values), classes: classes.collect(), effect, ends: operation.ends }
}

/// What an operation makes of a value; nothing where it is not defined.
fn results(operation: &Operation, value: usize) -> Values {
    if operation.is_defined(value) { operation.results(value) } else { 0 }
}

/// What several commands of a section do to one object.
fn blurred(system: &System, var: VarId, first: usize, users: &[CommandId], alone: &[Operations]) -> Operation {
    let operations = users.iter().map(|command| &alone[command.index()][&var]);
    let ends = operations.clone().fold(Ends::default(), |all, Operation { ends, .. }| Ends {
        appends: all.appends | ends.appends,
        takes: all.takes | ends.takes,
        peeks: all.peeks | ends.peeks,
    });
    let changes = operations.clone().any(|operation| operation.effect != Effect::Keep);
    let effect = if changes { one_of_their_results(operations) } else { Effect::Keep };
    let defined = alone[first].get(&var).map_or(first_values(value_count(system, var)), |operation| operation.defined);
    Operation { defined, effect, ..seeing_all(system, var, changes, ends) }
}

/// The effect of carrying out some operations, each any number of times: the value stays, or one of them was the last.
fn one_of_their_results<'a>(operations: impl Iterator<Item = &'a Operation>) -> Effect {
    let (mut values, mut made) = (0, 0);
    for operation in operations.filter(|operation| operation.effect != Effect::Keep) {
        values = operation.classes.len();
        made |= members(operation.defined).fold(0, |set, value| set | operation.results(value));
    }
    Effect::Relation((0..values).map(|value| made | 1 << value).collect())
}

/// The operation that sees the value and, if it changes it, makes anything of it.
fn seeing_all(system: &System, var: VarId, changes: bool, ends: Ends) -> Operation {
    let values = value_count(system, var);
    let effect = if changes { anything(system, var) } else { Effect::Keep };
    Operation { defined: first_values(values), classes: (0..values as u32).collect(), effect, ends }
}
