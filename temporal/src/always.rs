//! `G p` and invariants: the same where every finite run goes on for ever and can do so fairly.

use super::arena::Arena;
use super::history::History;
use super::kind::invariant;
use super::normal::normalise;
use system::{Claim, Fairness, Node, PropertyId, System};

/// Whether every finite run is the beginning of an infinite fair one, as far as the form of the system tells: nothing
/// forbids a step, and fairness asks for no more than that processes move.
pub fn every_run_goes_on(system: &System) -> bool {
    system.never_blocks() && system.fairness.iter().all(|constraint| is_about_who_runs(system, *constraint))
}

/// Whether a constraint asks for no more than that a process moves.
fn is_about_who_runs(system: &System, constraint: Fairness) -> bool {
    match constraint {
        Fairness::Justice(expr) => matches!(system.exprs.node(expr), Node::Running(_)),
        Fairness::Compassion(..) => false,
        Fairness::Weak(_) | Fairness::Strong(_) => true,
    }
}

/// For a property that says `G p` in some words, the system with the invariant p in its place. An invariant is about every state, and
/// formulas do not see those inside atomic sections: where there are such, it is not the same.
pub fn always(system: &System, property: PropertyId) -> Option<System> {
    if system.has_atomic_sections {
        return None;
    }
    let Claim::Ltl(formula) = system.properties[property].claim else { return None };
    let mut arena = Arena::default();
    let root = normalise(system, formula, &mut arena).ok()?;
    let inside = invariant(&arena, root)?;
    let mut system = system.clone();
    let claim = History::default().expression(&mut system, &arena, inside).ok()?;
    system.properties[property].claim = Claim::Invariant(claim);
    Some(system)
}
