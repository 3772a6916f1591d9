//! Bounded FIFO channels, recognised in what commands do.
//!
//! A channel is a number n from 0 to N and one or more arrays of N places. A command that touches one of them does one of these:
//!
//!  * sends: where n < N, stores into the place n of some arrays and adds 1 to n;
//!  * receives: where n > 0, moves every place of each array one down, clears the last one, subtracts 1 from n, and may
//!    look at the first places;
//!  * looks: at n, and where n > 0 at the first places.
//!
//! Then the places need no objects of their own: the channel is one object, whose value is n and whose two ends are worked
//! on apart (Example 5 of \[GP93\]). Sending and receiving commute while the channel is neither empty nor full, since the
//! place n before the others move down is the place n - 1 after they did.

use super::object::{Effect, Ends, Operation, Values, first_values};
use super::operation::Operations;
use crate::definition::expr::Node;
use crate::definition::footprint::Footprint;
use crate::definition::ids::{CommandId, ExprId, VarId};
use crate::definition::sort::Domain;
use crate::definition::system::{Choice, Command, Place, System, Update};
use std::collections::{BTreeMap, BTreeSet};

/// A channel that commands send to.
#[derive(Clone, Debug)]
struct Channel {
    length: VarId,
    capacity: u32,
    /// The first place of each array.
    heads: BTreeSet<VarId>,
}

/// Makes one object of every channel: operations on its places become operations on its ends. A channel into which a
/// property looks is left as it is.
pub fn join_channels(system: &System, observed: &[(CommandId, ExprId)], actors: &mut [Operations]) {
    let observed: BTreeSet<ExprId> = observed.iter().map(|(_, part)| *part).collect();
    let observed = Footprint::of(&system.exprs, &observed.into_iter().collect::<Vec<ExprId>>()).now;
    for channel in candidates(system) {
        let commands = system.commands.indices();
        let ends: Option<Vec<Ends>> = commands.map(|id| channel.ends(system, id, &actors[id.index()])).collect();
        let watched = &actors[system.commands.len()..];
        let is_seen = channel
            .places()
            .any(|place| observed.contains(&place) || watched.iter().any(|watcher| watcher.contains_key(&place)));
        if let Some(ends) = ends.filter(|_| !is_seen) {
            for ((actor, ends), command) in actors.iter_mut().zip(ends).zip(&system.commands) {
                channel.places().for_each(|place| drop(actor.remove(&place)));
                if let Some(operation) = actor.get_mut(&channel.length) {
                    operation.ends = ends;
                    if ends.appends && !channel.sees_length(system, command) {
                        operation.classes.fill(0);
                    }
                }
            }
        }
    }
}

/// Everything that some command stores into like a channel.
fn candidates(system: &System) -> Vec<Channel> {
    let mut found: BTreeMap<VarId, Channel> = BTreeMap::new();
    for update in system.commands.iter().flat_map(|command| &command.updates) {
        if let Place::Element { first, length: capacity, low: 0, index } = update.place
            && let Node::Now(length) = *system.exprs.node(index)
            && system.variables[length].domain == (Domain::Range { low: 0, high: i64::from(capacity) })
        {
            let channel = found.entry(length).or_insert_with(|| Channel { length, capacity, heads: BTreeSet::new() });
            if channel.capacity == capacity {
                channel.heads.insert(first);
            }
        }
    }
    found.into_values().collect()
}

impl Channel {
    fn places(&self) -> impl Iterator<Item = VarId> {
        self.heads.iter().flat_map(move |head| (0..self.capacity).map(move |index| place(head, index)))
    }

    fn is_place(&self, var: VarId) -> bool {
        self.places().any(|place| place == var)
    }

    /// On which ends of the channel a command works; `None` if it does something that channels do not allow.
    fn ends(&self, system: &System, id: CommandId, operations: &Operations) -> Option<Ends> {
        let command = &system.commands[id];
        let touches = self.places().any(|place| operations.contains_key(&place));
        if !touches {
            return Some(Ends::default());
        }
        let operation = operations.get(&self.length)?;
        let mut written =
            command.updates.iter().filter(|update| update.place.variables().any(|var| self.is_place(var)));
        let takes_or_appends = written.clone().next().is_some();
        let appends = written.any(|update| matches!(update.place, Place::Element { .. }));
        let takes = takes_or_appends && !appends;
        let is_right = if appends {
            self.is_send(system, command, operation)
        } else {
            let peeks_only = operation.defined & 1 == 0;
            peeks_only && (!takes || self.is_receive(system, command, operation))
        };
        let peeks = self.peeks(system, command)?;
        (is_right && !(appends && peeks)).then_some(Ends { appends, takes, peeks })
    }

    /// Whether a command that sends sees the length otherwise than for testing it and for finding the place.
    fn sees_length(&self, system: &System, command: &Command) -> bool {
        let conjuncts = system.exprs.conjuncts(command.guard).into_iter();
        let compares = conjuncts
            .map(|conjunct| reads(system, conjunct))
            .any(|reads| reads.len() > 1 && reads.contains(&self.length));
        let stores =
            command.updates.iter().filter(|update| update.place != Place::Variable(self.length)).any(|update| {
                let value = match update.choice {
                    Choice::Exactly(value) | Choice::OneOf(value) => Some(value),
                    Choice::Anything => None,
                };
                let index = match update.place {
                    Place::Element { first, index, .. } if !self.heads.contains(&first) => Some(index),
                    _ => None,
                };
                value.iter().chain(&index).any(|expr| reads(system, *expr).contains(&self.length))
            });
        compares || stores || command.relation.is_some()
    }

    /// Whether the length changes by so much wherever the command is defined.
    fn changes_length(&self, operation: &Operation, by: i8) -> bool {
        let Effect::Function(map) = &operation.effect else { return false };
        let is_right = |value: usize| {
            let next = value.checked_add_signed(by.into());
            operation.defined >> value & 1 == 0 || next.is_some_and(|next| map[value] == Some(next as u8))
        };
        (0..=self.capacity as usize).all(is_right)
    }

    fn is_send(&self, system: &System, command: &Command, operation: &Operation) -> bool {
        let full: Values = first_values(self.capacity as usize + 1) & !first_values(self.capacity as usize);
        operation.defined & full == 0
            && self.changes_length(operation, 1)
            && command.updates.iter().all(|update| self.is_append(system, update))
    }

    /// Whether an update writes nothing of the channel but the place behind the last message.
    fn is_append(&self, system: &System, update: &Update) -> bool {
        match update.place {
            Place::Variable(var) => self.places().all(|place| place != var),
            Place::Element { first, length, low, index } => {
                let is_ours = self.heads.contains(&first) && length == self.capacity && low == 0;
                let is_foreign = update.place.variables().all(|var| self.places().all(|place| place != var));
                is_foreign || is_ours && *system.exprs.node(index) == Node::Now(self.length)
            }
        }
    }

    fn is_receive(&self, system: &System, command: &Command, operation: &Operation) -> bool {
        let places = self.heads.iter().flat_map(|head| (0..self.capacity).map(move |index| (head, index)));
        let all_move = places.into_iter().all(|(head, index)| self.moves_up(system, command, head, index));
        all_move && self.changes_length(operation, -1) && command.relation.is_none()
    }

    /// Whether a command puts into a place what was in the one behind it.
    fn moves_up(&self, system: &System, command: &Command, head: &VarId, index: u32) -> bool {
        let update = command.updates.iter().find(|update| update.place == Place::Variable(place(head, index)));
        match update.map(|update| update.choice) {
            Some(Choice::Exactly(value)) if index + 1 < self.capacity => {
                *system.exprs.node(value) == Node::Now(place(head, index + 1))
            }
            Some(Choice::Exactly(value)) => system.exprs.constant_value(value).is_some(),
            _ => false,
        }
    }

    /// Whether a command looks at the first places, apart from moving them; `None` if it looks at others.
    fn peeks(&self, system: &System, command: &Command) -> Option<bool> {
        let mut seen: Vec<ExprId> = vec![command.guard];
        seen.extend(command.relation);
        for update in &command.updates {
            let moves = matches!(update.place, Place::Variable(var) if self.is_place(var));
            if let Place::Element { index, .. } = update.place {
                seen.push(index);
            }
            if let (Choice::Exactly(value) | Choice::OneOf(value), false) = (update.choice, moves) {
                seen.push(value);
            }
        }
        let footprint = Footprint::of(&system.exprs, &seen);
        if footprint.next.iter().any(|var| self.is_place(*var)) {
            return None;
        }
        let mut looked_at = footprint.now.iter().filter(|var| self.is_place(**var));
        let peeks = looked_at.clone().next().is_some();
        looked_at.all(|var| self.heads.contains(var)).then_some(peeks)
    }
}

/// The place of a queue at an index.
fn place(head: &VarId, index: u32) -> VarId {
    VarId::from(head.index() + index as usize)
}

/// The variables that an expression reads in the state before a step.
fn reads(system: &System, expr: ExprId) -> Vec<VarId> {
    Footprint::of(&system.exprs, &[expr]).now
}
