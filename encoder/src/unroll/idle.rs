//! Processes that never do anything, such as `main` in most SMV models or those outside a cone of influence.
//!
//! A step of one of them is a step of any other. Where one of them stands for all, no run is lost but who is named in it.

use super::progress::moving_by_themselves;
use system::{Choice, Claim, Command, CommandId, Condition, ExprId, Footprint, Node, ProcessId, System};

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
    let is_about_next = |relation: &Condition| {
        let reads = Footprint::of(&system.exprs, &[relation.holds]);
        reads.now.is_empty() && !reads.running && !reads.timeout
    };
    !system.has_atomic_sections
        && system.inputs().next().is_none()
        && system.relations.iter().all(is_about_next)
        && !always_idle(system).is_empty()
}

/// The processes that can always make a step, and none of whose steps has an effect.
fn always_idle(system: &System) -> Vec<ProcessId> {
    if !moving_by_themselves(system).is_empty() {
        return Vec::new();
    }
    let is_free = |command: &Command| *system.exprs.node(command.guard) == Node::Constant(1);
    let is_idle = |(process, own): &(ProcessId, &Vec<CommandId>)| {
        let own: Vec<&Command> = own.iter().map(|command| &system.commands[*command]).collect();
        let covers = |point| own.iter().any(|command| command.owner.from.is_none_or(|from| from == point));
        own.iter().all(|command| command.does_nothing() && is_free(command))
            && !own.is_empty()
            && system.processes[*process].points.indices().all(covers)
    };
    system.commands_by_process().iter_enumerated().filter(is_idle).map(|(process, _)| process).collect()
}

/// Whether anything depends on which process makes a step.
fn tells_who_runs(system: &System) -> bool {
    let choice = |choice: Choice| super::expression(choice);
    let conditions = system.initial.iter().chain(&system.constraints).chain(&system.relations);
    let mut exprs: Vec<ExprId> = conditions.map(|condition| condition.holds).collect();
    exprs.extend(system.definitions.iter().filter_map(|definition| choice(definition.choice)));
    for command in &system.commands {
        exprs.push(command.guard);
        exprs.extend(command.relation);
        exprs.extend(command.updates.iter().filter_map(|update| choice(update.choice)));
    }
    exprs.extend(system.properties.iter().filter_map(|property| match property.claim {
        Claim::Invariant(invariant) => Some(invariant),
        _ => None,
    }));
    Footprint::of(&system.exprs, &exprs).running
}
