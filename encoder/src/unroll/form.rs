//! How the variables of states are encoded.

use super::expression;
use crate::value::Form;
use std::collections::BTreeSet;
use system::{Binary, Domain, ExprId, Motion, Node, System, VarId};

/// Enumerations and small program counters that are numbers are one-hot, and so is what behaves like a program counter.
/// The others are binary. Booleans and words have one form only, also as program counters.
pub(super) fn forms(system: &System) -> Vec<Form> {
    let (counters, stepped) = (system.program_counters(), stepped(system));
    let forms = system.variables.iter_enumerated().map(|(var, variable)| match variable.domain {
        Domain::Values(_) => Form::OneHot,
        Domain::Range { .. } if counters.contains(var) && variable.domain.size() <= 64 => Form::OneHot,
        Domain::Range { .. } if stepped.contains(&var) => Form::OneHot,
        _ => Form::Binary,
    });
    forms.collect()
}

/// The variables that are sent from one known value to another whenever they are written, as the number of processes is
/// when one is created or dies.
fn stepped(system: &System) -> BTreeSet<VarId> {
    let (mut stepped, mut others) = (BTreeSet::new(), BTreeSet::new());
    for command in &system.commands {
        let known = known_values(system, command.guard);
        for update in &command.updates {
            let is_constant = expression(update.choice).is_some_and(|expr| system.exprs.constant_value(expr).is_some());
            for var in update.place.variables() {
                let is_stepped = is_constant && known.contains(&var);
                if is_stepped {
                    stepped.insert(var)
                } else {
                    others.insert(var)
                };
            }
        }
    }
    stepped.retain(|var| !others.contains(var) && system.variables[*var].motion == Motion::Kept);
    stepped
}

/// The variables of which a condition says which value they have.
fn known_values(system: &System, condition: ExprId) -> BTreeSet<VarId> {
    let parts = system.exprs.conjuncts(condition).into_iter();
    parts.filter_map(|part| known_value(system, part)).collect()
}

/// The variable of which an equation says which value it has.
fn known_value(system: &System, equation: ExprId) -> Option<VarId> {
    let exprs = &system.exprs;
    let Node::Binary(Binary::Equal, a, b) = *exprs.node(equation) else { return None };
    match (exprs.node(a), exprs.node(b)) {
        (Node::Now(var), Node::Constant(_)) | (Node::Constant(_), Node::Now(var)) => Some(*var),
        _ => None,
    }
}
