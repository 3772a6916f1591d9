//! Processes that no other process interferes with for a while.
//!
//! A process is secluded in a state if no other process might be the first to interact (▷, Definition 11 of \[GP93\]) with
//! one of the commands that leave its control point, or to make one able to run. Then its enabled commands are a persistent set. Unlike sets that are closed command by
//! command, it is found by looking into a few tables.

use super::dependency::{Actor, Dependency, Shared, Use};
use super::object::Object;
use crate::definition::ids::{CommandId, PointId, ProcessId};
use crate::definition::system::System;
use crate::execution::state::Layout;
use index_vec::IndexVec;

/// Whose commands do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    Unowned,
    Only(ProcessId),
    Several,
}

impl Whose {
    fn join(self, other: Whose) -> Whose {
        match (self, other) {
            (Whose::Unowned, whose) | (whose, Whose::Unowned) => whose,
            (a, b) if a == b => a,
            _ => Whose::Several,
        }
    }
}

/// Tells which processes are secluded.
#[derive(Clone, Debug)]
pub struct Seclusion {
    /// For each object, operation and value, who might interact.
    interacting: Vec<Vec<Whose>>,
    /// The same, who might be the first to make the operation defined where it is not.
    waking: Vec<Vec<Whose>>,
    /// For each process and control point, the commands that leave it.
    leaving: IndexVec<ProcessId, IndexVec<PointId, Vec<CommandId>>>,
}

impl Seclusion {
    /// The tables for a dependency relation of a system; `None` if some command is tied to all others.
    pub fn new(system: &System, dependency: &Dependency) -> Option<Seclusion> {
        if !dependency.meddling.is_empty() {
            return None;
        }
        Some(Seclusion {
            interacting: table(system, dependency, Object::interacting),
            waking: table(system, dependency, Object::waking),
            leaving: leaving(system),
        })
    }

    /// Whether a process at a control point is secluded in a state.
    pub fn has(
        &self,
        dependency: &Dependency,
        (process, point): (ProcessId, PointId),
        layout: &Layout,
        state: &[u64],
    ) -> bool {
        let is_own = |table: &[Vec<Whose>], Use { object, operation }: &Use| {
            let shared = &dependency.objects[*object as usize];
            let row = *operation as usize * shared.object.values() + shared.value(layout, state);
            match table[*object as usize][row] {
                Whose::Unowned => true,
                Whose::Only(other) => other == process,
                Whose::Several => false,
            }
        };
        let is_off = |used: &Use| {
            let shared = &dependency.objects[used.object as usize];
            shared.is_in_the_way(used.operation, layout, state) && is_own(&self.waking, used)
        };
        let is_left_alone = |command: &CommandId| {
            let uses = &dependency.uses[command.index()];
            dependency.is_waiting(command.raw())
                || uses.iter().all(|used| is_own(&self.interacting, used))
                || uses.iter().any(is_off)
        };
        self.leaving[process][point].iter().all(is_left_alone)
    }
}

/// For each object, operation and value, whose commands are told.
fn table(system: &System, dependency: &Dependency, who: fn(&Object, usize, usize) -> &[u32]) -> Vec<Vec<Whose>> {
    let owner = |actor: &Actor| match dependency.command(*actor) {
        Some(command) if !dependency.is_waiting(*actor) => Whose::Only(system.commands[command].owner.process),
        _ => Whose::Unowned,
    };
    let row = |shared: &Shared| {
        let whose = |users: &Vec<Actor>| users.iter().map(owner).fold(Whose::Unowned, Whose::join);
        let owners: Vec<Whose> = shared.users.iter().map(whose).collect();
        let places =
            (0..owners.len()).flat_map(|operation| (0..shared.object.values()).map(move |value| (operation, value)));
        let told = |(operation, value)| {
            let others = who(&shared.object, operation, value).iter();
            others.map(|other| owners[*other as usize]).fold(Whose::Unowned, Whose::join)
        };
        places.map(told).collect()
    };
    dependency.objects.iter().map(row).collect()
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
