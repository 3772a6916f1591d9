//! What is asked about a state of the unrolling: F(s_k) of Eq. (5).

use crate::sat::Solver;
use encoder::{Lit, Rules, Unrolling};
use system::{Claim, ExprId, Failure, Machine, PropertyId, Trace, Visit};

/// Whether the formula can say that the property is violated.
pub fn can_be_asked(machine: &Machine, property: PropertyId) -> bool {
    match machine.system().properties[property].claim {
        Claim::Invariant(_) => true,
        Claim::DeadlockFree => encoder::decides_deadlock(machine.system()),
        _ => false,
    }
}

/// The literal that says that a property is violated in the last state, or by the step to it.
pub fn violation(
    machine: &Machine,
    property: PropertyId,
    unrolling: &mut Unrolling<'_>,
    solver: &mut dyn Solver,
) -> Option<Lit> {
    if let Claim::DeadlockFree = machine.system().properties[property].claim {
        return Some(unrolling.deadlock(solver));
    }
    let expr = invariant(machine, property)?;
    if machine.is_state_invariant(property) {
        Some(unrolling.violates(expr, solver))
    } else {
        unrolling.step_violates(expr, solver)
    }
}

/// A literal that implies that one of these is true.
pub fn any_of(lits: &[Lit], solver: &mut dyn Solver) -> Lit {
    let any = solver.fresh();
    let mut clause = lits.to_vec();
    clause.push(!any);
    solver.clause(&clause);
    any
}

/// Pruning keeps the states that are reachable in each number of steps, but not the steps: an invariant over steps
/// needs all of them.
pub fn allowed_rules(machine: &Machine, properties: &[PropertyId], wanted: Rules) -> Rules {
    if properties.iter().any(|property| is_about_steps(machine, *property)) {
        Rules { valid: wanted.valid, order: wanted.order, ..Rules::default() }
    } else {
        wanted
    }
}

/// Whether a property speaks about steps rather than states.
pub fn is_about_steps(machine: &Machine, property: PropertyId) -> bool {
    invariant(machine, property).is_some() && !machine.is_state_invariant(property)
}

fn invariant(machine: &Machine, property: PropertyId) -> Option<ExprId> {
    match machine.system().properties[property].claim {
        Claim::Invariant(expr) => Some(expr),
        _ => None,
    }
}

/// What is said if [`explain`] finds nothing.
pub const UNEXPLAINED: &str =
    "a run to a state without meaning does not replay; this is a bug in uwbmc, please report it";

/// Finds the fault that a run leads to by executing its last step.
pub fn explain(machine: &Machine, mut trace: Trace) -> Option<(Failure, Trace)> {
    let mut workspace = machine.workspace();
    for property in machine.system().properties.indices() {
        if let (true, Some(last)) = (machine.is_state_invariant(property), trace.states.last())
            && let Err(failure) = machine.holds(property, &last.0, &mut workspace)
        {
            return Some((failure, trace));
        }
    }
    trace.states.pop();
    trace.moves.pop();
    let outcome = match trace.states.last() {
        Some(last) => machine.successors(&last.0, &mut workspace, |_| Visit::Continue(())),
        None => machine.initial_states(&mut workspace, |_| Visit::Continue(())),
    };
    outcome.err().map(|failure| (failure, trace))
}
