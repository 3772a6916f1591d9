//! Processes that never do anything, such as `main` in most SMV models or those outside a cone of influence.
//!
//! A step of one of them is a step of any other. Where one of them stands for all, no run is lost but who is named in it.

use super::expression;
use super::progress::moving_by_themselves;
use system::{Claim, Command, CommandId, Condition, ExprId, Footprint, Node, ProcessId, System};

/// The processes that are never selected, because another one does the same nothing.
pub(super) fn represented(system: &System) -> Vec<ProcessId> {
    if system.has_atomic_sections || tells_who_runs(system) {
        return Vec::new();
    }
    always_idle(system).into_iter().skip(1).collect()
}

/// Whether from every state that a step has led to there is a step that changes nothing: a process idles, nothing changes by
/// itself, and what relations there are speak of the next state only, which the step before has satisfied. In a formula, a
/// step without meaning leads to some state that satisfies all that is said of states, and so one can wait there, too.
pub fn can_wait(system: &System) -> bool {
    !system.has_atomic_sections
        && system.inputs().next().is_none()
        && system.relations.iter().all(|relation| is_about_next(system, relation))
        && !always_idle(system).is_empty()
}

fn is_about_next(system: &System, relation: &Condition) -> bool {
    let reads = Footprint::of(&system.exprs, &[relation.holds]);
    reads.now.is_empty() && !reads.running && !reads.timeout
}

/// The processes that can always make a step, and none of whose steps has an effect.
fn always_idle(system: &System) -> Vec<ProcessId> {
    if !moving_by_themselves(system).is_empty() {
        return Vec::new();
    }
    let commands = system.commands_by_process();
    let idle = commands.iter_enumerated().filter(|(process, own)| is_always_idle(system, *process, own));
    idle.map(|(process, _)| process).collect()
}

fn is_always_idle(system: &System, process: ProcessId, own: &[CommandId]) -> bool {
    let own: Vec<&Command> = own.iter().map(|command| &system.commands[*command]).collect();
    let mut points = system.processes[process].points.indices();
    own.iter().all(|command| command.does_nothing() && *system.exprs.node(command.guard) == Node::Constant(1))
        && !own.is_empty()
        && points.all(|point| own.iter().any(|command| command.owner.from.is_none_or(|from| from == point)))
}

/// Whether anything depends on which process makes a step.
fn tells_who_runs(system: &System) -> bool {
    let conditions = system.initial.iter().chain(&system.constraints).chain(&system.relations);
    let mut exprs: Vec<ExprId> = conditions.map(|condition| condition.holds).collect();
    exprs.extend(system.definitions.iter().filter_map(|definition| expression(definition.choice)));
    for command in &system.commands {
        exprs.push(command.guard);
        exprs.extend(command.relation);
        exprs.extend(command.updates.iter().filter_map(|update| expression(update.choice)));
    }
    exprs.extend(system.properties.iter().filter_map(|property| match property.claim {
        Claim::Invariant(invariant) => Some(invariant),
        _ => None,
    }));
    Footprint::of(&system.exprs, &exprs).running
}
