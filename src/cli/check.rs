//! `uwbmc check`, and `uwbmc MODEL --k N`

use super::arguments::Fair;
use super::model::Model;
use super::terminal::Audience;
use super::watch::Watch;
use super::{CheckArgs, Outcome, UsageError, model, say, simplify, terminal};
use crate::check::{self, Oddity, Report, Verdict};
use crate::error::Error;
use crate::report::{OddityReport, PropertyReport, RunReport, Written};
use crate::trace;
use system::{Fairness, PropertyId, Trace};

pub fn run(args: &CheckArgs) -> Result<Outcome, Error> {
    args.output.check()?;
    let Some(mut model) = model::load(&args.model)? else { return Ok(Outcome::BadInput) };
    if args.output.trail().is_some() {
        model.trail()?;
    }
    if args.deadlock {
        model.claim_deadlock_freedom();
    }
    if args.progress {
        model.claim_progress();
    }
    match args.fair {
        Some(Fair::Weak) => model.assume_fairness(Fairness::Weak),
        Some(Fair::Strong) => model.assume_fairness(Fairness::Strong),
        None => {}
    }
    let mut watch = Watch::start(args.timeout, Audience::of(args.json));
    let found = check::check(&model, &args.options(), &mut watch);
    watch.clear();
    let found = found?;
    if let Some((failure, trace)) = &found.fault {
        say::failure(&model, *failure, trace);
        return Ok(Outcome::BadInput);
    }
    found.remarks.iter().for_each(|remark| terminal::remark(remark));
    let report = report(&model, &found, args, &mut watch)?;
    watch.clear();
    args.output.write(&report)?;
    if let (Some(path), Some((_, trace))) = (args.output.trail(), found.first_violation()) {
        model.write_trail(path, trace)?;
    }
    if args.json {
        terminal::print_json("uwbmc-check", &report);
    } else {
        say::report(&model, &report, &found, args.output.simplify);
        if args.verbose {
            say::rounds(&report);
            say::formulas(&report);
        }
    }
    Ok(match outcome(&found) {
        Outcome::Undecided if model.diagnostics.has_errors() => Outcome::BadInput,
        outcome => outcome,
    })
}

/// How the run ends.
fn outcome(report: &Report) -> Outcome {
    if report.first_violation().is_some() {
        Outcome::Violated
    } else if report.is_undecided() {
        Outcome::Undecided
    } else {
        Outcome::Fine
    }
}

fn report(model: &Model, found: &Report, args: &CheckArgs, watch: &mut Watch) -> Result<RunReport, UsageError> {
    let properties =
        found.properties.iter().map(|property| property_report(model, property.id, &property.verdict, args, watch));
    Ok(RunReport {
        model: model.source.name().to_owned(),
        engine: Some(found.engine),
        bound: args.bound,
        states: found.effort.states,
        diagnostics: Vec::new(),
        fault: None,
        properties: properties.collect::<Result<_, _>>()?,
        oddities: found.oddities.iter().map(|oddity| oddity_report(model, oddity)).collect(),
        points: found.effort.points,
        rounds: found.effort.rounds.clone(),
        formulas: found.effort.formulas.clone(),
        seconds: found.elapsed.as_secs_f64(),
    })
}

fn oddity_report(model: &Model, oddity: &Oddity) -> OddityReport {
    let Oddity { kind, what, process, trace } = oddity;
    let process = model.machine.system().processes[*process].name.clone();
    let trace = trace::describe(&model.machine, &model.source, trace, None);
    OddityReport { kind, process, what: what.clone(), trace }
}

fn property_report(
    model: &Model,
    id: PropertyId,
    verdict: &Verdict,
    args: &CheckArgs,
    watch: &mut Watch,
) -> Result<PropertyReport, UsageError> {
    let name = &model.machine.system().properties[id].name;
    let written = Written::of(model.machine.system(), &model.source, id);
    let describe = |trace: &Trace| trace::describe(&model.machine, &model.source, trace, Some(id));
    let Verdict::Violated(trace) = verdict else { return Ok(PropertyReport::new(name, written, verdict, None)) };
    let report = |trace: &Trace| {
        PropertyReport::new(name, written.clone(), &Verdict::Violated(trace.clone()), Some(describe(trace)))
    };
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
