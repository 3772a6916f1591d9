//! Dependency between commands, by what they read and write.
//!
//! Two commands of different processes are independent (Definition 1 of \[GP93\], for every state) if neither can enable,
//! disable or influence the other: running one leaves the other's guard and effect alone, and the two orders lead to the
//! same state. Constant dependency by footprints is a first approximation, and a safe one.

use crate::footprint::{Footprint, VarSet};
use crate::ids::{CommandId, ExprId, VarId};
use crate::system::{Choice, Command, Motion, Place, System};
use index_vec::IndexVec;

/// What a command reads and writes.
#[derive(Clone, Debug)]
struct Access {
    reads: VarSet,
    writes: VarSet,
}

/// The dependency relation of a system's commands.
#[derive(Clone, Debug)]
pub struct Dependency {
    accesses: IndexVec<CommandId, Access>,
    /// Whether something outside the commands ties every step to everything: relations, timeouts, atomic sections.
    entangled: bool,
}

impl Dependency {
    /// Computes the relation.
    pub fn new(system: &System) -> Dependency {
        let constraints: Vec<Vec<VarId>> = system
            .constraints
            .iter()
            .flat_map(|constraint| system.exprs.conjuncts(constraint.holds))
            .map(|part| Footprint::of(&system.exprs, &[part]).now)
            .collect();
        let accesses: IndexVec<CommandId, Access> =
            system.commands.iter().map(|command| access(system, command, &constraints)).collect();
        let waits = system.commands.iter().any(|command| Footprint::of(&system.exprs, &[command.guard]).timeout);
        Dependency { accesses, entangled: waits || !system.relations.is_empty() || system.has_atomic_sections }
    }

    /// Whether two commands of different processes are independent in every state.
    pub fn are_independent(&self, a: CommandId, b: CommandId) -> bool {
        let (a, b) = (&self.accesses[a], &self.accesses[b]);
        !self.entangled
            && !a.writes.intersects(&b.reads)
            && !a.writes.intersects(&b.writes)
            && !b.writes.intersects(&a.reads)
    }
}

fn access(system: &System, command: &Command, constraints: &[Vec<VarId>]) -> Access {
    let count = system.variables.len();
    let mut access = Access { reads: VarSet::new(count), writes: VarSet::new(count) };
    let mut exprs: Vec<ExprId> = vec![command.guard];
    exprs.extend(command.relation);
    for update in &command.updates {
        for var in update.place.variables() {
            access.writes.insert(var);
        }
        if let Place::Element { index, .. } = update.place {
            exprs.push(index);
        }
        if let Choice::Exactly(expr) | Choice::OneOf(expr) = update.choice {
            exprs.push(expr);
        }
    }
    for part in [Some(command.owner), command.partner].into_iter().flatten() {
        if let Some(pc) = system.processes[part.process].pc {
            access.reads.insert(pc);
            if part.to.is_some() {
                access.writes.insert(pc);
            }
        }
    }
    let footprint = Footprint::of(&system.exprs, &exprs);
    for var in footprint.now.iter().chain(&footprint.next) {
        access.reads.insert(*var);
    }
    let moves_anyway = |motion: Motion| matches!(motion, Motion::Free | Motion::Defined);
    for (var, variable) in system.variables.iter_enumerated() {
        if moves_anyway(variable.motion) {
            access.writes.insert(var);
        }
    }
    // A constraint can forbid a step, depending on all the variables that it mentions.
    for constraint in constraints {
        if constraint.iter().any(|var| access.writes.contains(*var)) {
            for var in constraint {
                access.reads.insert(*var);
            }
        }
    }
    access
}
