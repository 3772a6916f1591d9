//! Whether some commands can bring a system back to a state where it was.
//!
//! On a run that comes back, the value of every variable goes round a closed walk, which the commands of the run make with what
//! they do to it ([`Operation`]). So a command that takes a variable to values from where the others do not lead back is on no
//! such run: a process that leaves a part of its control flow for good, a send on a channel from which none of them receives.
//! Without it, others are no more on one. What remains in the end may come back; if nothing does, no run of these commands does.

use super::object::{Effect, Operation, Values, closure, first_values, members};
use super::operation::{is_fine, of_command, scattered, value_count};
use crate::definition::ids::{CommandId, VarId};
use crate::definition::system::System;
use index_vec::IndexVec;
use indexmap::IndexSet;
use std::collections::BTreeMap;

/// How often all in all operations and values may be looked at.
const MOST_LOOKS: usize = 20_000_000;

/// A variable, what commands do to it, and which of them do it.
struct Object {
    values: usize,
    operations: IndexSet<Operation>,
    /// The commands with their operations.
    users: Vec<(CommandId, usize)>,
    /// Which operations were used when it was last looked, and which of all came back then.
    looked: Option<(Vec<bool>, Vec<bool>)>,
}

/// The commands of a system, by what they do to variables.
pub struct Circulation {
    objects: Vec<Object>,
    /// How much looking is left.
    looks: usize,
}

impl Circulation {
    pub fn new(system: &System) -> Circulation {
        let scattered = scattered(system);
        let mut objects: BTreeMap<VarId, Object> = BTreeMap::new();
        for (id, command) in system.commands.iter_enumerated() {
            let operations = of_command(system, command, &scattered).into_iter();
            for (var, operation) in operations.filter(|(var, _)| is_fine(system, *var)) {
                let object = objects.entry(var).or_insert_with(|| Object {
                    values: value_count(system, var),
                    operations: IndexSet::new(),
                    users: Vec::new(),
                    looked: None,
                });
                let (number, _) = object.operations.insert_full(operation);
                object.users.push((id, number));
            }
        }
        Circulation { objects: objects.into_values().filter(changes).collect(), looks: MOST_LOOKS }
    }

    /// Those of some commands that can be on a run of them that comes back to a state; all of them where looking takes too long.
    pub fn of(&mut self, commands: &IndexVec<CommandId, bool>) -> IndexVec<CommandId, bool> {
        let mut left = commands.clone();
        loop {
            let mut changed = false;
            for object in &mut self.objects {
                let cost = object.users.len() + object.values;
                if self.looks < cost {
                    return commands.clone();
                }
                self.looks -= cost;
                changed |= object.prune(&mut left);
            }
            if !changed {
                return left;
            }
        }
    }
}

/// Whether an operation on the object changes it.
fn changes(object: &Object) -> bool {
    object.operations.iter().any(|operation| operation.effect != Effect::Keep)
}

impl Object {
    /// Removes the commands that take the variable to where the others do not lead back; says whether there are any.
    fn prune(&mut self, commands: &mut IndexVec<CommandId, bool>) -> bool {
        let mut used = vec![false; self.operations.len()];
        for (_, operation) in self.users.iter().filter(|(command, _)| commands[*command]) {
            used[*operation] = true;
        }
        let stays = match self.looked.take() {
            Some((before, stays)) if before == used => stays,
            _ => {
                let components = self.components(&used);
                self.operations.iter().map(|operation| comes_back(operation, &components)).collect()
            }
        };
        let mut changed = false;
        for (command, _) in self.users.iter().filter(|(_, operation)| !stays[*operation]) {
            changed |= std::mem::replace(&mut commands[*command], false);
        }
        self.looked = Some((used, stays));
        changed
    }

    /// For each value, those that can be reached from it and from which it can be reached, itself included.
    fn components(&self, used: &[bool]) -> Vec<Values> {
        let mut steps: Vec<Values> = (0..self.values).map(|value| 1 << value).collect();
        for (operation, _) in self.operations.iter().zip(used).filter(|(_, used)| **used) {
            for value in members(operation.defined & first_values(self.values)) {
                steps[value] |= operation.results(value);
            }
        }
        let reached: Vec<Values> = (0..self.values).map(|value| closure(&steps, value)).collect();
        (0..self.values).map(|value| component(&reached, value)).collect()
    }
}

/// The values that a value leads to and that lead back to it.
fn component(reached: &[Values], value: usize) -> Values {
    let members = members(reached[value]).filter(|other| reached[*other] >> value & 1 == 1);
    members.fold(0, |set, other| set | 1 << other)
}

/// Whether an operation leads from some value to one of the same component.
fn comes_back(operation: &Operation, components: &[Values]) -> bool {
    let mut defined = members(operation.defined & first_values(components.len()));
    defined.any(|value| operation.results(value) & components[value] != 0)
}
