//! `uwbmc check`, and `uwbmc MODEL --k N`

use super::find::{Found, find};
use super::model::Model;
use super::terminal::Audience;
use super::watch::Watch;
use super::{CheckArgs, Outcome, UsageError, model, proof, simplify, terminal};
use crate::diagnostic::Diagnostics;
use crate::report::{PropertyReport, RunReport, Verdict, fault};
use crate::trace;
use crate::visible::visible;
use std::sync::Arc;
use system::{Claim, Failure, Machine, Property, PropertyId, Span, System, Trace};

pub fn run(args: &CheckArgs) -> Result<Outcome, UsageError> {
    args.output.check()?;
    let Some(mut model) = model::load(&args.model)? else { return Ok(Outcome::BadInput) };
    if args.output.trail().is_some() {
        model.trail()?;
    }
    if args.deadlock {
        model.machine = with_deadlock(model.machine.system());
    }
    let wanted = chosen(model.machine.system(), &args.properties)?;
    let mut watch = Watch::start(args.timeout, Audience::of(args.json));
    let found = find(&model.machine, &wanted, args, &mut watch)?;
    watch.clear();
    if let Some((failure, trace)) = &found.fault {
        report_failure(&model, *failure, trace);
        return Ok(Outcome::BadInput);
    }
    if !found.has_initial_state {
        return Err(UsageError(format!("{}: the model has no initial state", model.source.name())));
    }
    let mut verdicts = verdicts(&model, &wanted, &found)?;
    certify(&model, &mut verdicts, args, &mut watch)?;
    let report = report(&model, &verdicts, &found, args, &mut watch)?;
    watch.clear();
    args.output.write(&report)?;
    if let (Some(path), Some((_, trace))) = (args.output.trail(), first_violation(&verdicts)) {
        model.write_trail(path, trace)?;
    }
    if args.json {
        terminal::print_json(&report);
    } else {
        print_text(&model, &report, &found, args.output.simplify);
        if args.verbose {
            print_rounds(&report);
        }
    }
    Ok(outcome(&verdicts))
}

/// Writes the proofs that are asked for, and checks them if every answer has to be checked. An answer for which there was
/// no time is none then.
fn certify(
    model: &Model,
    verdicts: &mut [(PropertyId, Verdict)],
    args: &CheckArgs,
    watch: &mut Watch,
) -> Result<(), UsageError> {
    if args.proof.is_none() && !args.certify {
        return Ok(());
    }
    let temporary = std::env::temp_dir().join(format!("uwbmc-proofs-{}", std::process::id()));
    let folder = args.proof.as_deref().unwrap_or(&temporary);
    let evidence = proof::write(&model.machine, verdicts, folder, args, watch);
    if args.proof.is_none() {
        let _ = std::fs::remove_dir_all(&temporary);
    }
    let evidence = evidence?;
    watch.clear();
    let why = watch.why().unwrap_or("interrupted");
    if args.certify {
        terminal::remark(&format!("certified: {} proofs accepted, counterexamples replayed", evidence.proofs));
    }
    for (id, verdict) in verdicts {
        let name = &model.machine.system().properties[*id].name;
        if let (Verdict::Holds(reason), true) = (&verdict, args.certify) {
            terminal::remark(&format!("not certified: that {name} holds rests on the engine ({reason})"));
        }
        let Some((_, reached)) = evidence.incomplete.iter().find(|(incomplete, _)| incomplete == id) else { continue };
        let reached = reached.map_or("no bound".to_owned(), |reached| format!("bound {reached}"));
        if args.certify {
            *verdict = Verdict::Unknown(format!("{why} while the answer was certified, up to {reached}"));
        } else {
            terminal::remark(&format!("note: {why}; proofs of {name} are there up to {reached}"));
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

pub fn chosen(system: &System, names: &[String]) -> Result<Vec<PropertyId>, UsageError> {
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
pub fn confirm(model: &Model, property: PropertyId, trace: &Trace) -> Result<(), UsageError> {
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

fn report(
    model: &Model,
    verdicts: &[(PropertyId, Verdict)],
    found: &Found,
    args: &CheckArgs,
    watch: &mut Watch,
) -> Result<RunReport, UsageError> {
    let properties = verdicts.iter().map(|(id, verdict)| property_report(model, *id, verdict, args, watch));
    Ok(RunReport {
        model: model.source.name().to_owned(),
        engine: found.engine,
        bound: args.bound,
        states: found.states,
        properties: properties.collect::<Result<_, _>>()?,
        points: found.points,
        rounds: found.rounds.clone(),
        seconds: watch.elapsed().as_secs_f64(),
    })
}

fn property_report(
    model: &Model,
    id: PropertyId,
    verdict: &Verdict,
    args: &CheckArgs,
    watch: &mut Watch,
) -> Result<PropertyReport, UsageError> {
    let name = &model.machine.system().properties[id].name;
    let describe = |trace: &Trace| trace::describe(&model.machine, &model.source, trace, Some(id));
    let Verdict::Violated(trace) = verdict else { return Ok(PropertyReport::new(name, verdict, None)) };
    let report = |trace: &Trace| PropertyReport::new(name, &Verdict::Violated(trace.clone()), Some(describe(trace)));
    if !args.output.simplify {
        return Ok(report(trace));
    }
    let simplified = simplify::simplify(model, id, trace, watch)?;
    Ok(match simplified.trace {
        None => PropertyReport { simplified: simplified.note, ..report(trace) },
        Some(simpler) => {
            PropertyReport { original: Some(describe(trace)), simplified: simplified.note, ..report(&simpler) }
        }
    })
}

fn print_text(model: &Model, report: &RunReport, found: &Found, explains: bool) {
    for property in &report.properties {
        terminal::print(&format!("{}: {}\n", visible(&property.name), visible(&property.summary)));
        if let Some(note) = &property.simplified {
            let original = if property.original.is_some() { "; the original is shown without --simplify" } else { "" };
            terminal::remark(&format!("note: {note}{original}"));
        }
        if let Some(core) = property.trace.as_ref().filter(|_| explains).and_then(simplify::core) {
            terminal::remark(&format!("note: {core}"));
        }
        if let Some(trace) = property.trace.as_ref().filter(|_| !terminal::is_quiet()) {
            terminal::print(&trace::render(trace));
        }
    }
    if report.properties.is_empty() {
        terminal::print("the model has no properties\n");
    }
    let is_violated = report.properties.iter().any(|property| property.trace.is_some());
    if !model.machine.system().fairness.is_empty() && is_violated {
        terminal::remark(
            "note: the model has fairness constraints; a counterexample to an invariant is finite and ignores them",
        );
    }
    if let Some(depth) = found.deadlock {
        terminal::remark(&format!("note: a state without successors is reached after {depth} steps"));
    }
}

/// The rounds of underapproximation-widening, one a line.
fn print_rounds(report: &RunReport) {
    for (number, round) in report.rounds.iter().enumerate() {
        terminal::print(&format!(
            "round {} at bound {}: {} of {} points restricted; blamed: {}; widened: {}\n",
            number + 1,
            round.bound,
            round.restricted,
            report.points,
            visible(&round.blamed.join(" ")),
            visible(&round.widened.join(" ")),
        ));
    }
}

/// Says that the model itself is wrong: the place, and the run that leads there.
pub fn report_failure(model: &Model, failure: Failure, trace: &Trace) {
    let mut diagnostics = Diagnostics::default();
    diagnostics.push(fault::diagnostic(model.machine.system(), failure));
    terminal::show_diagnostics(&diagnostics, &model.source);
    if !trace.states.is_empty() {
        let document = trace::describe(&model.machine, &model.source, trace, None);
        terminal::remark(trace::render(&document).trim_end());
    }
}
