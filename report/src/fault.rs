//! A fault of a model: a reachable step that has no meaning.

use languages::diagnostic::{Code, Diagnostic};
use system::{Choice, Failure, Fault, Footprint, Machine, Place, Span, State, Trace};

/// Says what went wrong at the end of a run, and where the model says it.
pub fn diagnostic(machine: &Machine, failure: Failure, run: &Trace) -> Diagnostic {
    let system = machine.system();
    let mut message = failure.fault.describe(system);
    if let Some(command) = failure.command {
        let process = &system.processes[system.commands[command].owner.process].name;
        message = format!("{message}, in a step of {process} from a reachable state");
    }
    let span = match (failure.fault, failure.command) {
        (Fault::Gap(gap), _) => Some(system.exprs.gap_span(gap)),
        (Fault::OutsideDomain(var, _), Some(command)) => {
            let updates = &system.commands[command].updates;
            let update = updates.iter().find(|update| update.place == Place::Variable(var));
            Some(update.map_or(system.variables[var].span, |update| update.span))
        }
        (Fault::OutsideDomain(var, _), None) => Some(system.variables[var].span),
        (_, Some(command)) => {
            let assignment = run.states.last().and_then(|last| failing_assignment(machine, failure, last));
            Some(assignment.unwrap_or(system.commands[command].span))
        }
        _ => None,
    };
    let (code, help) = if failure.fault.is_limit(system) {
        ("PML030", "this is a limit and no error of the model; the run below reaches it")
    } else {
        ("RUN001", "the model has no meaning there; the run below leads to the state")
    };
    let diagnostic = Diagnostic::error(Code(code), span.unwrap_or_default(), message).help(help);
    Diagnostic { span, ..diagnostic }
}

/// The assignment of a step that has no value in the state before it, where that state alone decides its value.
fn failing_assignment(machine: &Machine, Failure { fault, command }: Failure, before: &State) -> Option<Span> {
    let system = machine.system();
    let mut workspace = machine.workspace();
    let failing = system.commands[command?].updates.iter().find(|update| match update.choice {
        Choice::Exactly(expr) | Choice::OneOf(expr) => {
            let reads = Footprint::of(&system.exprs, &[expr]);
            let is_of_the_state = reads.next.is_empty() && !reads.has_inputs(system);
            is_of_the_state && machine.evaluate(expr, before, &mut workspace) == Err(fault)
        }
        Choice::Anything => false,
    });
    failing.map(|update| update.span)
}
