//! Whether running a system can fail: a value outside its domain, an index out of bounds, an expression without a value.

use super::object::{Effect, Operation, members};
use super::operation::{Operations, is_fine};
use crate::definition::expr::Node;
use crate::definition::ids::ExprId;
use crate::definition::sort::Sort;
use crate::definition::system::{Choice, Command, Place, System, Update};

/// Whether some command may fail, given the operations of each; yes if that is not known.
pub fn may_fail(system: &System, operations: &[Operations]) -> bool {
    let has_more = !system.relations.is_empty() || !system.constraints.is_empty() || !system.definitions.is_empty();
    has_more
        || system.commands.iter().zip(operations).any(|(command, operations)| command_may(system, command, operations))
}

fn command_may(system: &System, command: &Command, operations: &Operations) -> bool {
    let is_total = system.exprs.is_total(command.guard) && command.relation.is_none();
    !is_total || command.updates.iter().any(|update| update_may(system, update, operations))
}

fn update_may(system: &System, update: &Update, operations: &Operations) -> bool {
    let place_may = match update.place {
        Place::Variable(_) => false,
        Place::Element { length, low, index, .. } => {
            !is_inside(system, operations, index, low, low + i64::from(length) - 1)
        }
    };
    let value_may = match update.choice {
        Choice::Anything => false,
        Choice::Exactly(value) | Choice::OneOf(value) => {
            let sort = system.exprs.sort(value);
            let fits = update.place.variables().all(|var| system.variables[var].domain.covers(sort));
            let is_function = match update.place {
                Place::Variable(var) => is_fine(system, var) && operations.get(&var).is_some_and(never_leaves),
                Place::Element { .. } => false,
            };
            !system.exprs.is_total(value) || !(fits || is_function)
        }
    };
    place_may || value_may
}

/// Whether an operation is a function that stays inside the domain wherever it is defined.
fn never_leaves(operation: &Operation) -> bool {
    let Effect::Function(map) = &operation.effect else { return false };
    members(operation.defined).all(|value| map[value].is_some())
}

/// Whether an index stays between two bounds wherever the command is defined.
fn is_inside(system: &System, operations: &Operations, index: ExprId, low: i64, high: i64) -> bool {
    if let Sort::Integer { low: least, high: most } = system.exprs.sort(index)
        && low <= least
        && most <= high
    {
        return system.exprs.is_total(index);
    }
    let Node::Now(var) = *system.exprs.node(index) else { return false };
    let domain = &system.variables[var].domain;
    let Some(operation) = operations.get(&var).filter(|_| is_fine(system, var)) else { return false };
    members(operation.defined).all(|at| (low..=high).contains(&domain.value_at(at as u64)))
}
