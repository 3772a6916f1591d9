//! What is asked about a state of the unrolling: F(s_k) of Eq. (5).

use super::lasso;
use encoder::{Idling, Lit, Rules, Scheduling, Unrolling};
use engine::Trouble;
use sat::Solver;
use system::{
    Claim, ExprId, Failure, Fairness, Footprint, Halt, Machine, Moved, PropertyId, State, System, Trace, Visit,
};

/// Whether the formula can say that the property is violated.
pub fn can_be_asked(machine: &Machine, property: PropertyId) -> bool {
    match machine.system().properties[property].claim {
        Claim::Invariant(_) => true,
        Claim::DeadlockFree => encoder::decides_deadlock(machine.system()),
        Claim::Ltl(_) | Claim::Never(_) | Claim::Progress(_) => lasso::refuses(machine.system(), property).is_none(),
        _ => false,
    }
}

/// What a violation is looked for in, once the formula has this many steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The last state.
    State,
    /// The last step.
    Behind,
    /// A step that could be made from the last state, one more than the formula has.
    Ahead,
    /// An infinite run: the last state equals an earlier one.
    Lasso,
    /// Every infinite run that begins like this one, up to the last state.
    Prefix,
}

impl View {
    /// What tells whether a property is violated.
    pub fn of(machine: &Machine, property: PropertyId) -> View {
        match invariant(machine, property) {
            None if lasso::is_temporal(machine.system(), property) => View::Lasso,
            Some(_) if !machine.is_state_invariant(property) => {
                if encoder::tells_ahead(machine.system(), property) {
                    View::Ahead
                } else {
                    View::Behind
                }
            }
            _ => View::State,
        }
    }

    /// What else tells, if it is violated by infinite runs: finite ones, where they count.
    pub fn beside(machine: &Machine, property: PropertyId) -> Option<View> {
        lasso::has_prefixes(machine.system(), property).then_some(View::Prefix)
    }

    /// The same for runs of exactly as many steps as the formula has.
    pub fn of_exact_runs(machine: &Machine, property: PropertyId) -> View {
        match View::of(machine, property) {
            View::Ahead => View::Behind,
            view => view,
        }
    }
}

/// The literal that says that a property is violated, as far as the view goes.
pub fn violation(
    machine: &Machine,
    (property, view): (PropertyId, View),
    unrolling: &mut Unrolling<'_>,
    solver: &mut dyn Solver,
) -> Option<Lit> {
    if let Claim::DeadlockFree = machine.system().properties[property].claim {
        return Some(unrolling.deadlock(solver));
    }
    let expr = invariant(machine, property)?;
    match view {
        View::State => Some(unrolling.violates(expr, solver)),
        View::Behind => unrolling.step_violates(expr, solver),
        View::Ahead => Some(unrolling.may_violate(expr, solver)),
        View::Lasso | View::Prefix => None,
    }
}

/// A literal for each part of a property of which a violation of the property is one: where two states agree on what a part reads,
/// they have the same literal, as the same expression of the same signals is encoded once.
pub fn violations(
    machine: &Machine,
    (property, view): (PropertyId, View),
    unrolling: &mut Unrolling<'_>,
    solver: &mut dyn Solver,
) -> Vec<Lit> {
    let exprs = &machine.system().exprs;
    match invariant(machine, property) {
        // Where a part can fail to have a value, what counts is the whole.
        Some(expr) if view == View::State && exprs.is_total(expr) => {
            exprs.conjuncts(expr).into_iter().map(|part| unrolling.violates(part, solver)).collect()
        }
        _ => violation(machine, (property, view), unrolling, solver).into_iter().collect(),
    }
}

/// Makes the step that a violation was looked for in, if it was ahead of the run.
pub fn complete(machine: &Machine, (property, view): (PropertyId, View), mut trace: Trace) -> Option<Trace> {
    if view != View::Ahead {
        return Some(trace);
    }
    let mut last = None;
    let looked = machine.successors(&trace.states.last()?.0, &mut machine.workspace(), |mut successor| {
        if successor.step_holds(property) != Ok(false) {
            return Visit::Continue(());
        }
        let step = successor.step();
        let process = machine.system().commands[step.command].owner.process;
        let moved = Moved { process, command: Some(step.command), inputs: step.inputs };
        last = Some((moved, State(successor.state.into())));
        Visit::Break(())
    });
    let (moved, state) = looked.ok().and(last)?;
    trace.push(moved, state);
    Some(trace)
}

/// A literal that implies that one of these is true.
pub fn any_of(lits: &[Lit], solver: &mut dyn Solver) -> Lit {
    let any = solver.fresh();
    let mut clause = lits.to_vec();
    clause.push(!any);
    solver.clause(&clause);
    any
}

/// Pruning keeps the states that are reachable in each number of steps, but not the steps: who looks back at them needs
/// all of them. Lassos have rules of their own.
pub fn allowed_rules(machine: &Machine, open: &[(PropertyId, View)], wanted: Rules) -> Rules {
    let mut lassos = open.iter().filter(|(_, view)| *view == View::Lasso).map(|(property, _)| *property).peekable();
    if open.iter().any(|(_, view)| *view == View::Behind) {
        Rules { scheduling: Scheduling::Free, idling: Idling::Allowed, ..wanted }
    } else if lassos.peek().is_some() {
        lasso::rules(machine.system(), lassos, wanted)
    } else {
        wanted
    }
}

fn invariant(machine: &Machine, property: PropertyId) -> Option<ExprId> {
    match machine.system().properties[property].claim {
        Claim::Invariant(expr) => Some(expr),
        _ => None,
    }
}

/// What is said if [`explain`] finds nothing.
pub fn unexplained() -> Trouble {
    Trouble::Bug("a run to a state without meaning does not replay".to_owned())
}

/// Finds the fault that a run leads to by executing its last step.
pub fn explain(machine: &Machine, mut trace: Trace) -> Option<(Failure, Trace)> {
    if let Some(failure) = meaningless(machine, &trace) {
        return Some((failure, trace));
    }
    trace.states.pop();
    trace.moves.pop();
    explain_next(machine, trace)
}

/// Finds the fault of a step that could come after a run.
pub fn explain_next(machine: &Machine, trace: Trace) -> Option<(Failure, Trace)> {
    let failure = match trace.states.last() {
        Some(last) => failing_step(machine, last),
        None => machine.initial_states(&mut machine.workspace(), |_| Visit::Continue(())).err().and_then(Halt::failure),
    };
    let failure = failure.or_else(|| meaningless(machine, &trace))?;
    Some((failure, trace))
}

/// Why a step from a state has no meaning, or else why an invariant over steps has no value on one.
fn failing_step(machine: &Machine, state: &State) -> Option<Failure> {
    let properties = machine.system().properties.indices();
    let over_steps: Vec<PropertyId> = properties
        .filter(|property| invariant(machine, *property).is_some() && !machine.is_state_invariant(*property))
        .collect();
    let mut unvalued = None;
    let made = machine.successors(&state.0, &mut machine.workspace(), |mut successor| {
        if unvalued.is_none() {
            unvalued = over_steps.iter().find_map(|property| successor.step_holds(*property).err());
        }
        Visit::Continue(())
    });
    made.err().and_then(Halt::failure).or(unvalued)
}

/// Why an invariant, or a condition of a formula or of fairness, has no value in the last state, if one has none.
fn meaningless(machine: &Machine, trace: &Trace) -> Option<Failure> {
    let last = trace.states.last()?;
    let mut workspace = machine.workspace();
    let properties = machine.system().properties.indices();
    let mut invariants = properties.filter(|property| machine.is_state_invariant(*property));
    let failing = invariants.find_map(|property| machine.holds(property, &last.0, &mut workspace).err());
    failing.or_else(|| {
        let mut conditions = conditions(machine.system()).into_iter();
        let fault = conditions.find_map(|condition| machine.evaluate(condition, last, &mut workspace).err())?;
        Some(Failure { fault, command: None })
    })
}

/// What formulas about infinite runs and fairness look at in single states.
fn conditions(system: &System) -> Vec<ExprId> {
    let formulas = system.properties.iter().filter_map(|property| match property.claim {
        Claim::Ltl(formula) => Some(system.formulas.states(formula)),
        _ => None,
    });
    let fairness = system.fairness.iter().map(|constraint| match *constraint {
        Fairness::Justice(often) => vec![often],
        Fairness::Compassion(often, then) => vec![often, then],
        Fairness::Weak(_) | Fairness::Strong(_) => Vec::new(),
    });
    let sees_step = |expr: &ExprId| Footprint::of(&system.exprs, &[*expr]).has_step(system);
    formulas.chain(fairness).flatten().filter(|expr| !sees_step(expr)).collect()
}
