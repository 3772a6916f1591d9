//! The beginning of a program, as long as there is one step from each state.
//!
//! All runs begin like this. If the conditions of a formula have the same values in all of these states that formulas see, a run
//! satisfies it if and only if what is left of the run does, as repeating a state makes no difference. Fairness is about what comes again
//! and again.

use super::live::{Live, nothing};
use std::sync::Arc;
use system::{Choice, ExprId, Machine, Moved, Place, State, System, Trace, Update, Value, Visit};

/// Longer beginnings are not followed.
const LONGEST: usize = 1_000;

/// The run from the initial state to the last state of the beginning in which no process has control; `None` if there are several
/// initial states.
pub fn of(system: &System, conditions: &[ExprId]) -> Option<Trace> {
    let machine = Machine::new(Arc::new(system.clone()));
    let first = initial_state(&machine)?;
    let seen = look(&machine, conditions, &first)?;
    let (mut run, mut length) = (Trace::starting(first), 0);
    while run.moves.len() < LONGEST {
        let last = run.states.last()?;
        let Some(mut steps) = few_steps(&machine, last) else { break };
        let (Some((moved, next)), true) = (steps.pop(), steps.is_empty()) else { break };
        // Who has control and cannot go on has lost it, and formulas see that state.
        let has_lost_control = machine.layout().holder(&last.0).is_some_and(|holder| holder != moved.process);
        let is_seen = machine.layout().holder(&next.0).is_none();
        if has_lost_control || is_seen && look(&machine, conditions, &next).as_ref() != Some(&seen) {
            break;
        }
        run.push(moved, next);
        length = if is_seen { run.moves.len() } else { length };
    }
    run.truncate(length);
    Some(run)
}

/// The program that begins where that ends. Commands that can never run from there on do nothing.
pub fn after(system: &System, beginning: &Trace) -> Option<System> {
    let machine = Machine::new(Arc::new(system.clone()));
    let first = beginning.states.last()?;
    let mut after = system.clone();
    let live = Live::from(&machine, first);
    for id in system.commands.indices().filter(|id| !live.can_run(&system.commands[*id])) {
        after.commands[id] = nothing(&mut after.exprs, &system.commands[id]);
    }
    let variables: Vec<_> = system.state_variables().map(|(var, variable)| (var, variable.domain.sort())).collect();
    after.initial_values.retain(|update| update.place.variables().any(|var| system.is_input(var)));
    for (var, sort) in variables {
        let value = machine.layout().get(&first.0, var)?;
        let choice = Choice::Exactly(after.exprs.constant(value, sort));
        after.initial_values.push(Update { place: Place::Variable(var), choice, span: system.variables[var].span });
    }
    Some(after)
}

/// The only initial state.
fn initial_state(machine: &Machine) -> Option<State> {
    let mut states = Vec::new();
    let looked = machine.initial_states(&mut machine.workspace(), |state| {
        states.push(state);
        if states.len() < 2 { Visit::Continue(()) } else { Visit::Break(()) }
    });
    let first = states.pop().filter(|_| looked.is_ok() && states.is_empty())?;
    machine.layout().holder(&first.0).is_none().then_some(first)
}

/// The values of conditions in a state.
fn look(machine: &Machine, conditions: &[ExprId], state: &State) -> Option<Vec<Value>> {
    let workspace = &mut machine.workspace();
    conditions.iter().map(|condition| machine.evaluate(*condition, state, workspace).ok()).collect()
}

/// The successors of a state, at most two, each as a step; `None` if the program has no meaning there.
fn few_steps(machine: &Machine, state: &State) -> Option<Vec<(Moved, State)>> {
    const ENOUGH: usize = 2;
    let mut steps = Vec::new();
    let looked = machine.successors(&state.0, &mut machine.workspace(), |successor| {
        let step = successor.step();
        let process = machine.system().commands[step.command].owner.process;
        let moved = Moved { process, command: Some(step.command), inputs: step.inputs };
        steps.push((moved, State(successor.state.into())));
        if steps.len() < ENOUGH { Visit::Continue(()) } else { Visit::Break(()) }
    });
    looked.ok().map(|()| steps)
}
