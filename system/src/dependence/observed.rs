//! What properties see of commands, besides the states that they lead to.
//!
//! An assertion is an invariant over steps: it looks at the state from which a process moves. So a process that makes such a step
//! looks at what the assertion reads, and a step that is equivalent to it violates the assertion if it does. In the same
//! way, a section that changes what an invariant over states reads looks at the rest of it, because it may pass a
//! violation that no other process sees.

use super::operation::{Operations, changes};
use crate::definition::expr::{Exprs, Node};
use crate::definition::footprint::Footprint;
use crate::definition::ids::{CommandId, ExprId, PointId, ProcessId, PropertyId};
use crate::definition::system::{Claim, System};
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether the invariant looks at nothing of a step but who makes it, and from which state.
pub fn is_about_movers(system: &System, property: PropertyId) -> bool {
    let Claim::Invariant(condition) = system.properties[property].claim else { return true };
    let reads = Footprint::of(&system.exprs, &[condition]);
    let reads_inputs = reads.has_inputs(system);
    reads.next.is_empty() && !reads.timeout && !reads_inputs
}

/// The parts of an invariant, all of which have to hold; one that can fail to have a value is a single part.
pub fn parts(exprs: &Exprs, condition: ExprId) -> Vec<ExprId> {
    if exprs.is_total(condition) { exprs.conjuncts(condition) } else { vec![condition] }
}

/// The conditions that each command is subject to by invariants over steps.
pub fn observed_by_steps(system: &System, properties: &[PropertyId]) -> Vec<(CommandId, ExprId)> {
    let mut exprs = system.exprs.clone();
    let mut observed = Vec::new();
    for property in properties {
        let Claim::Invariant(condition) = system.properties[*property].claim else { continue };
        for part in parts(&system.exprs, condition) {
            let named = named_in(&system.exprs, part);
            let concerns_all = !is_true(&mut exprs, system, part, None);
            let mut known: FxHashMap<(ProcessId, Option<PointId>), bool> = FxHashMap::default();
            for (id, command) in system.commands.iter_enumerated() {
                let place = (command.owner.process, command.owner.from);
                if !concerns_all && !named.contains(&place.0) {
                    continue;
                }
                let is_true = known.entry(place).or_insert_with(|| is_true(&mut exprs, system, part, Some(place)));
                if !*is_true {
                    observed.push((id, part));
                }
            }
        }
    }
    observed
}

/// The parts of invariants over states that a section may violate on its way: it changes something that they read.
pub fn observed_by_sections(
    system: &System,
    properties: &[PropertyId],
    followers: &[Vec<CommandId>],
    actors: &[Operations],
) -> Vec<(CommandId, ExprId)> {
    let mut observed = Vec::new();
    for property in properties {
        let Claim::Invariant(condition) = system.properties[*property].claim else { continue };
        for part in parts(&system.exprs, condition) {
            let reads = Footprint::of(&system.exprs, &[part]).now;
            for (first, _) in followers.iter().enumerate().filter(|(_, section)| !section.is_empty()) {
                if reads.iter().any(|var| changes(&actors[first], *var)) {
                    observed.push((CommandId::from(first), part));
                }
            }
        }
    }
    observed
}

/// The processes that an expression asks about whether they run.
fn named_in(exprs: &Exprs, part: ExprId) -> FxHashSet<ProcessId> {
    let nodes = exprs.reachable(&[part]).into_iter();
    nodes.filter_map(|id| if let Node::Running(process) = *exprs.node(id) { Some(process) } else { None }).collect()
}

/// Whether a condition is true whenever a process moves from a control point, or when a process that it does not name moves.
fn is_true(exprs: &mut Exprs, system: &System, part: ExprId, mover: Option<(ProcessId, Option<PointId>)>) -> bool {
    let at = mover.and_then(|(process, from)| {
        let process = &system.processes[process];
        Some((process.pc?, process.points[from?].value?))
    });
    let known = exprs.rewrite(part, |exprs, id| match (exprs.node(id).clone(), at) {
        (Node::Running(process), _) => Some(exprs.boolean(mover.is_some_and(|(mover, _)| mover == process))),
        (Node::Now(var), Some((pc, value))) if var == pc => Some(exprs.constant(value, exprs.sort(id))),
        _ => None,
    });
    exprs.constant_value(known) == Some(1)
}
