//! Whether running a system can fail: a value outside its domain, an index out of bounds, an expression without a value.

use super::object::{Effect, Operation, members};
use super::operation::{Operations, is_fine};
use super::slice::can_fail;
use crate::definition::expr::Node;
use crate::definition::ids::ExprId;
use crate::definition::sort::Sort;
use crate::definition::system::{Choice, Command, Definition, Fairness, Place, System, Update};

/// Whether the form of a system alone tells that nothing in it can fail, whatever its states are.
pub fn never_fails(system: &System) -> bool {
    let conditions = [&system.initial, &system.constraints, &system.relations].into_iter().flatten();
    let conditions = conditions.map(|condition| condition.holds);
    let commands = system.commands.iter();
    let guards = commands.clone().flat_map(|command| [command.guard].into_iter().chain(command.relation));
    let fairness = system.fairness.iter().flat_map(|constraint| match *constraint {
        Fairness::Justice(expr) => vec![expr],
        Fairness::Compassion(often, then) => vec![often, then],
        Fairness::Weak(_) | Fairness::Strong(_) => Vec::new(),
    });
    let of_commands = commands.flat_map(|command| command.updates.iter().map(|update| (update, Some(command.guard))));
    let mut updates = of_commands.chain(system.initial_values.iter().map(|update| (update, None)));
    let is_safe = |(update, guard): (&Update, Option<ExprId>)| match update.place {
        Place::Variable(var) => !can_fail(system, var, update.choice, guard),
        Place::Element { .. } => false,
    };
    let is_defined = |definition: &Definition| !can_fail(system, definition.variable, definition.choice, None);
    conditions.chain(guards).chain(fairness).all(|expr| system.exprs.is_total(expr))
        && updates.all(is_safe)
        && system.definitions.iter().all(is_defined)
}

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
