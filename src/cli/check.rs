//! `uwbmc check`, and `uwbmc MODEL --k N`

use super::find::{Found, find};
use super::model::Model;
use super::{CheckArgs, Outcome, UsageError, model, proof, terminal};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::report::Verdict;
use crate::trace;
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};
use system::{Claim, Failure, Machine, Property, PropertyId, Span, System, Trace};

/// A run of the checker, for machines.
#[derive(Serialize)]
struct Report {
    model: String,
    engine: &'static str,
    bound: Option<usize>,
    /// Visited states, from engines that visit states.
    states: Option<usize>,
    seconds: f64,
    properties: Vec<PropertyReport>,
}

#[derive(Serialize)]
struct PropertyReport {
    name: String,
    verdict: &'static str,
    bound: Option<usize>,
    reason: Option<String>,
    trace: Option<serde_json::Value>,
}

pub fn run(args: &CheckArgs) -> Result<Outcome, UsageError> {
    let Some(mut model) = model::load(&args.model)? else { return Ok(Outcome::BadInput) };
    if args.deadlock {
        model.machine = with_deadlock(model.machine.system());
    }
    let wanted = chosen(model.machine.system(), &args.properties)?;
    let start = Instant::now();
    let found = find(&model.machine, &wanted, args)?;
    if let Some((failure, trace)) = &found.fault {
        report_failure(&model, *failure, trace);
        return Ok(Outcome::BadInput);
    }
    if !found.has_initial_state {
        return Err(UsageError(format!("{}: the model has no initial state", model.source.name())));
    }
    let verdicts = verdicts(&model, &wanted, &found)?;
    certify(&model, &verdicts, args)?;
    if let (Some(path), Some((id, trace))) = (&args.trace, first_violation(&verdicts)) {
        let name = &model.machine.system().properties[id].name;
        model.write_trace(path, trace, Some(name))?;
    }
    if args.json {
        print_json(&model, &verdicts, &found, args, start.elapsed());
    } else {
        print_text(&model, &verdicts, &found);
    }
    Ok(outcome(&verdicts))
}

/// Writes the proofs that are asked for, and checks them if every answer has to be checked.
fn certify(model: &Model, verdicts: &[(PropertyId, Verdict)], args: &CheckArgs) -> Result<(), UsageError> {
    if args.proof.is_none() && !args.certify {
        return Ok(());
    }
    let temporary = std::env::temp_dir().join(format!("uwbmc-proofs-{}", std::process::id()));
    let folder = args.proof.as_deref().unwrap_or(&temporary);
    let formulas = proof::write(&model.machine, verdicts, folder, args)?;
    let checked = if args.certify { formulas.iter().try_for_each(|formula| proof::check(formula)) } else { Ok(()) };
    if args.proof.is_none() {
        let _ = std::fs::remove_dir_all(&temporary);
    }
    checked?;
    if args.certify {
        terminal::remark(&format!("certified: {} proofs accepted, counterexamples replayed", formulas.len()));
        for (id, verdict) in verdicts {
            if let Verdict::Holds(reason) = verdict {
                let name = &model.machine.system().properties[*id].name;
                terminal::remark(&format!("not certified: that {name} holds rests on the engine ({reason})"));
            }
        }
    }
    Ok(())
}

/// The same system, with deadlock freedom among its properties.
fn with_deadlock(system: &System) -> Machine {
    let mut system = system.clone();
    let name = "deadlock".to_owned();
    system.properties.push(Property { name, claim: Claim::DeadlockFree, span: Span::default() });
    Machine::new(Arc::new(system))
}

fn chosen(system: &System, names: &[String]) -> Result<Vec<PropertyId>, UsageError> {
    if names.is_empty() {
        return Ok(system.properties.indices().collect());
    }
    let find = |name: &String| {
        system.properties.position(|property| property.name == *name).ok_or_else(|| {
            let known: Vec<&str> = system.properties.iter().map(|property| property.name.as_str()).collect();
            UsageError(format!("there is no property {name}; there are: {}", known.join(", ")))
        })
    };
    names.iter().map(find).collect()
}

fn verdicts(model: &Model, wanted: &[PropertyId], found: &Found) -> Result<Vec<(PropertyId, Verdict)>, UsageError> {
    let system = model.machine.system();
    let mut verdicts = Vec::new();
    for property in wanted {
        let violation = found.violations.iter().find(|(violated, _)| violated == property);
        let verdict = match (violation, &system.properties[*property].claim) {
            (Some((_, trace)), _) => {
                confirm(model, *property, trace)?;
                Verdict::Violated(trace.clone())
            }
            (None, Claim::Ltl(_)) => Verdict::Unknown("LTL is not checked yet".to_owned()),
            (None, Claim::Ctl(_)) => Verdict::Unknown("CTL is not checked yet".to_owned()),
            (None, Claim::Unsupported(why)) => Verdict::Unknown(why.clone()),
            (None, Claim::Invariant(_) | Claim::DeadlockFree) => found.otherwise.clone(),
        };
        verdicts.push((*property, verdict));
    }
    Ok(verdicts)
}

/// No counterexample leaves before it has replayed. One that does not is a bug of ours, never a verdict.
fn confirm(model: &Model, property: PropertyId, trace: &Trace) -> Result<(), UsageError> {
    let name = &model.machine.system().properties[property].name;
    let bug = |what: String| {
        UsageError(format!(
            "this is a bug in uwbmc, please report it with the model: the counterexample to {name} {what}"
        ))
    };
    trace
        .replay(&model.machine)
        .map_err(|mismatch| bug(format!("does not replay: state {}: {}", mismatch.state, mismatch.reason)))?;
    match trace.violates(&model.machine, property) {
        Some(_) => Ok(()),
        None => Err(bug("does not violate it".to_owned())),
    }
}

fn first_violation(verdicts: &[(PropertyId, Verdict)]) -> Option<(PropertyId, &Trace)> {
    verdicts.iter().find_map(|(id, verdict)| match verdict {
        Verdict::Violated(trace) => Some((*id, trace)),
        _ => None,
    })
}

fn outcome(verdicts: &[(PropertyId, Verdict)]) -> Outcome {
    if first_violation(verdicts).is_some() {
        Outcome::Violated
    } else if verdicts.iter().any(|(_, verdict)| matches!(verdict, Verdict::Unknown(_))) {
        Outcome::Undecided
    } else {
        Outcome::Fine
    }
}

fn print_text(model: &Model, verdicts: &[(PropertyId, Verdict)], found: &Found) {
    let system = model.machine.system();
    for (id, verdict) in verdicts {
        terminal::print(&format!("{}: {}\n", system.properties[*id].name, verdict.describe()));
        if let Verdict::Violated(trace) = verdict {
            terminal::print(&trace::render(&model.machine, &model.source, trace));
        }
    }
    if verdicts.is_empty() {
        terminal::print("the model has no properties\n");
    }
    if !system.fairness.is_empty() && first_violation(verdicts).is_some() {
        terminal::remark(
            "note: the model has fairness constraints; a counterexample to an invariant is finite and ignores them",
        );
    }
    if let Some(depth) = found.deadlock {
        terminal::remark(&format!("note: a state without successors is reached after {depth} steps"));
    }
}

fn print_json(model: &Model, verdicts: &[(PropertyId, Verdict)], found: &Found, args: &CheckArgs, elapsed: Duration) {
    let system = model.machine.system();
    let property = |(id, verdict): &(PropertyId, Verdict)| {
        let name = system.properties[*id].name.clone();
        let (bound, reason, trace) = match verdict {
            Verdict::Violated(trace) => {
                let text = trace::write(&model.machine, &model.source, trace, Some(&name));
                (Some(trace.moves.len()), None, serde_json::from_str(&text).ok())
            }
            Verdict::Holds(reason) | Verdict::Unknown(reason) => (None, Some(reason.clone()), None),
            Verdict::HoldsUpTo(bound) => (Some(*bound), None, None),
        };
        PropertyReport { name, verdict: verdict.word(), bound, reason, trace }
    };
    let report = Report {
        model: model.source.name().to_owned(),
        engine: found.engine,
        bound: args.bound,
        states: found.states,
        seconds: elapsed.as_secs_f64(),
        properties: verdicts.iter().map(property).collect(),
    };
    terminal::print(&(serde_json::to_string_pretty(&report).unwrap_or_default() + "\n"));
}

/// Says that the model itself is wrong: the place, and the run that leads there.
pub fn report_failure(model: &Model, failure: Failure, trace: &Trace) {
    let system = model.machine.system();
    let mut message = failure.fault.describe(system);
    if let Some(command) = failure.command {
        let process = &system.processes[system.commands[command].owner.process].name;
        message = format!("{message}, in a step of {process} from a reachable state");
    }
    let span = match (failure.fault, failure.command) {
        (system::Fault::Gap(gap), _) => Some(system.exprs.gap_span(gap)),
        (system::Fault::OutsideDomain(var), Some(command)) => {
            let updates = &system.commands[command].updates;
            let update = updates.iter().find(|update| update.place == system::Place::Variable(var));
            Some(update.map_or(system.variables[var].span, |update| update.span))
        }
        (system::Fault::OutsideDomain(var), None) => Some(system.variables[var].span),
        (_, Some(command)) => Some(system.commands[command].span),
        _ => None,
    };
    let mut diagnostics = Diagnostics::default();
    let help = "the model has no meaning there; the run below leads to the state";
    let diagnostic = Diagnostic::error(Code("RUN001"), span.unwrap_or_default(), message).help(help);
    diagnostics.push(Diagnostic { span, ..diagnostic });
    terminal::show_diagnostics(&diagnostics, &model.source);
    if !trace.states.is_empty() {
        terminal::remark(trace::render(&model.machine, &model.source, trace).trim_end());
    }
}
