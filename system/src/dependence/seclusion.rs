//! Processes that no other process interferes with for a while.
//!
//! A process is secluded in a state if no other process might be the first to interact (▷, Definition 11 of \[GP93\]) with
//! one of the commands that leave its control point, or to make one able to run. Then its enabled commands are a persistent set. Unlike sets that are closed command by
//! command, it is found by looking into a few tables. Another process counts only if it can still come to where it would
//! interact: what init does at the beginning concerns no process later on.

use super::dependency::{Dependency, Shared, Use};
use super::future::{Commander, Futures};
use super::object::Object;
use crate::definition::ids::{CommandId, PointId, ProcessId};
use crate::definition::system::System;
use crate::execution::state::Layout;
use index_vec::IndexVec;
use rustc_hash::FxHashMap;

/// For an object, who might concern each of its operations for each value: the place in the table of groups.
type Rows = Vec<u32>;

/// Tells which processes are secluded.
#[derive(Clone, Debug)]
pub struct Seclusion {
    /// For each object, operation and value, who might interact.
    interacting: Vec<Rows>,
    /// The same, who might be the first to make the operation defined where it is not.
    enabling: Vec<Rows>,
    /// The groups that the rows name: who it is, by process.
    groups: Vec<Vec<Commander>>,
    /// For each process and control point, the commands that leave it.
    leaving: IndexVec<ProcessId, IndexVec<PointId, Vec<CommandId>>>,
}

impl Seclusion {
    /// The tables for a dependency relation of a system; `None` if some command is tied to all others.
    pub fn new(system: &System, dependency: &Dependency) -> Option<Seclusion> {
        if !dependency.dependent_on_all.is_empty() {
            return None;
        }
        let mut tables = Tables { system, dependency, futures: Futures::new(system), groups: Vec::new() };
        let interacting = dependency.objects.iter().map(|shared| tables.rows(shared, Object::interacting)).collect();
        let enabling = dependency.objects.iter().map(|shared| tables.rows(shared, Object::enabling)).collect();
        Some(Seclusion { interacting, enabling, groups: tables.groups, leaving: leaving(system) })
    }

    /// Whether a process at a control point is secluded in a state.
    pub fn has(
        &self,
        dependency: &Dependency,
        (process, point): (ProcessId, PointId),
        layout: &Layout,
        state: &[u64],
    ) -> bool {
        let place = Place { seclusion: self, dependency, process, layout, state };
        self.leaving[process][point].iter().all(|command| place.leaves_alone(*command))
    }
}

/// Where a process is, and in which state.
struct Place<'a> {
    seclusion: &'a Seclusion,
    dependency: &'a Dependency,
    process: ProcessId,
    layout: &'a Layout,
    state: &'a [u64],
}

impl Place<'_> {
    /// Whether no other process can make a difference to a command.
    fn leaves_alone(&self, command: CommandId) -> bool {
        let uses = &self.dependency.uses[command.index()];
        self.dependency.is_waiting(command.raw())
            || uses.iter().all(|used| self.is_own(&self.seclusion.interacting, used))
            || uses.iter().any(|used| self.is_off(used))
    }

    /// Whether an operation is not defined, and no other process can make it so.
    fn is_off(&self, used: &Use) -> bool {
        let shared = &self.dependency.objects[used.object as usize];
        shared.is_in_the_way(used.operation, self.layout, self.state) && self.is_own(&self.seclusion.enabling, used)
    }

    /// Whether those whom a table names for an operation are of this process, or cannot come to where they would matter.
    fn is_own(&self, table: &[Rows], Use { object, operation }: &Use) -> bool {
        let shared = &self.dependency.objects[*object as usize];
        let row = *operation as usize * shared.object.values() + shared.value(self.layout, self.state);
        let group = &self.seclusion.groups[table[*object as usize][row] as usize];
        group.iter().all(|other| other.process == self.process || !other.may_come(self.layout, self.state))
    }
}

/// What the rows are made with.
struct Tables<'a> {
    system: &'a System,
    dependency: &'a Dependency,
    futures: Futures,
    groups: Vec<Vec<Commander>>,
}

impl Tables<'_> {
    /// For each operation on an object and each value, the group of those who are told.
    fn rows(&mut self, shared: &Shared, who: fn(&Object, usize, usize) -> &[u32]) -> Rows {
        let mut known: FxHashMap<&[u32], u32> = FxHashMap::default();
        let mut rows = Rows::new();
        for operation in 0..shared.users.len() {
            for value in 0..shared.object.values() {
                let others = who(&shared.object, operation, value);
                rows.push(*known.entry(others).or_insert_with(|| {
                    self.groups.push(self.group(shared, others));
                    self.groups.len() as u32 - 1
                }));
            }
        }
        rows
    }

    /// Who uses some operations on an object, unless only by a timeout.
    fn group(&self, shared: &Shared, operations: &[u32]) -> Vec<Commander> {
        let users = operations.iter().flat_map(|operation| &shared.users[*operation as usize]);
        let commands = users.filter(|actor| !self.dependency.is_waiting(**actor));
        let commands = commands.filter_map(|actor| self.dependency.command(*actor));
        self.futures.commanders(self.system, commands)
    }
}

fn leaving(system: &System) -> IndexVec<ProcessId, IndexVec<PointId, Vec<CommandId>>> {
    let mut leaving: IndexVec<ProcessId, IndexVec<PointId, Vec<CommandId>>> =
        system.processes.iter().map(|process| process.points.iter().map(|_| Vec::new()).collect()).collect();
    for (id, command) in system.commands.iter_enumerated() {
        for (point, commands) in leaving[command.owner.process].iter_mut_enumerated() {
            if command.owner.from.is_none_or(|from| from == point) {
                commands.push(id);
            }
        }
    }
    leaving
}
