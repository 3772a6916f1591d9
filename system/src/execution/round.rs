//! Loops of programs that come back to where they began, except for variables that decide nothing: counters, say, that are only
//! counted up.
//!
//! If the variables that differ after a round, and all that is computed from them, are read by no guard and no fairness constraint, and no
//! value that is computed from them can fail to be stored, then the same commands make one round after the other. A formula sees
//! the same in each if it reads none of them either.

use super::machine::Machine;
use super::state::State;
use crate::definition::footprint::{Footprint, VarSet};
use crate::definition::ids::{ExprId, VarId};
use crate::definition::system::{Choice, Fairness, Place, System, Update};

impl Machine {
    /// Whether a run from the first state to the second can be gone on for ever by the same commands.
    pub fn comes_back(&self, from: &State, to: &State) -> bool {
        self.carried(from, to).is_some()
    }

    /// The variables that may have other values after each round of a loop from the first state to the second; `None` if the
    /// next round may be another one.
    pub(crate) fn carried(&self, from: &State, to: &State) -> Option<VarSet> {
        let system = self.system();
        let mut carried = VarSet::new(system.variables.len());
        if from == to {
            return Some(carried);
        }
        let is_same_holder = self.layout().holder(&from.0) == self.layout().holder(&to.0);
        let (before, after) = (self.values(from), self.values(to));
        for (var, _) in system.state_variables().filter(|(var, _)| before[var.index()] != after[var.index()]) {
            carried.insert(var);
        }
        while spread(system, &mut carried) {}
        (is_same_holder && system.has_statements && decide_nothing(system, &carried)).then_some(carried)
    }
}

/// Adds what is computed from some variables; says whether there was anything new.
fn spread(system: &System, carried: &mut VarSet) -> bool {
    let mut is_new = false;
    for update in system.commands.iter().flat_map(|command| &command.updates) {
        if reads(system, &sources(*update), carried) {
            update.place.variables().for_each(|var| is_new |= carried.insert(var));
        }
    }
    is_new
}

/// Whether no run depends on the values of some variables.
fn decide_nothing(system: &System, carried: &VarSet) -> bool {
    let has_more = !system.relations.is_empty() || !system.constraints.is_empty() || !system.definitions.is_empty();
    let is_somewhere = system.program_counters().intersects(carried);
    let is_read = system.commands.iter().any(|command| {
        let guards: Vec<ExprId> = command.relation.into_iter().chain([command.guard]).collect();
        reads(system, &guards, carried)
    });
    let is_fairness = system.fairness.iter().any(|constraint| match *constraint {
        Fairness::Justice(often) => reads(system, &[often], carried),
        Fairness::Compassion(often, then) => reads(system, &[often, then], carried),
        Fairness::Weak(_) | Fairness::Strong(_) => false,
    });
    let mut updates = system.commands.iter().flat_map(|command| &command.updates);
    !has_more && !is_somewhere && !is_read && !is_fairness && updates.all(|update| is_safe(system, *update, carried))
}

/// Whether an update can be made whatever the values of some variables are.
fn is_safe(system: &System, update: Update, carried: &VarSet) -> bool {
    if !reads(system, &sources(update), carried) {
        return true;
    }
    let stores = |var: VarId, value: ExprId| system.variables[var].domain.covers(system.exprs.sort(value));
    match (update.place, update.choice) {
        (_, Choice::Anything) => true,
        (Place::Variable(var), Choice::Exactly(value)) => system.exprs.is_total(value) && stores(var, value),
        _ => false,
    }
}

/// What an update computes with.
fn sources(update: Update) -> Vec<ExprId> {
    let index = match update.place {
        Place::Variable(_) => None,
        Place::Element { index, .. } => Some(index),
    };
    let value = match update.choice {
        Choice::Exactly(value) | Choice::OneOf(value) => Some(value),
        Choice::Anything => None,
    };
    index.into_iter().chain(value).collect()
}

/// Whether expressions mention one of some variables.
pub(crate) fn reads(system: &System, exprs: &[ExprId], vars: &VarSet) -> bool {
    let footprint = Footprint::of(&system.exprs, exprs);
    footprint.now.iter().chain(&footprint.next).any(|var| vars.contains(*var))
}
