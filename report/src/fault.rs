//! A fault of a model: a reachable step that has no meaning.

use languages::diagnostic::{Code, Diagnostic};
use system::{Failure, Fault, Place, System};

/// Says what went wrong, and where the model says it.
pub fn diagnostic(system: &System, failure: Failure) -> Diagnostic {
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
        (_, Some(command)) => Some(system.commands[command].span),
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
