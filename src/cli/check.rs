//! `uwbmc check`, and `uwbmc MODEL --k N`

use super::find::{Found, Oddity, engine, find};
use super::model::Model;
use super::terminal::Audience;
use super::watch::Watch;
use super::{CheckArgs, Engine, Outcome, UsageError, model, say, simplify, terminal, verdicts};
use crate::report::{OddityReport, PropertyReport, RunReport, Verdict};
use crate::trace;
use std::sync::Arc;
use system::{Alarm, Claim, Machine, Property, PropertyId, Span, System, Trace};

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
    if matches!(engine(&model.machine, &wanted, args), Engine::Explicit | Engine::Stateless) {
        model.machine.heed(watch.alarm(args.memory.saturating_mul(1_000_000)));
    }
    let found = find(&model.machine, &wanted, args, &mut watch)?;
    model.machine.heed(Alarm::default());
    watch.clear();
    if let Some((failure, trace)) = &found.fault {
        say::failure(&model, *failure, trace);
        return Ok(Outcome::BadInput);
    }
    if !found.has_initial_state {
        return Err(UsageError(format!("{}: the model has no initial state", model.source.name())));
    }
    let mut verdicts = verdicts::verdicts(&model, &wanted, &found)?;
    verdicts::certify(&model, &mut verdicts, args, &mut watch)?;
    let report = report(&model, &verdicts, &found, args, &mut watch)?;
    watch.clear();
    args.output.write(&report)?;
    if let (Some(path), Some((_, trace))) = (args.output.trail(), verdicts::first_violation(&verdicts)) {
        model.write_trail(path, trace)?;
    }
    if args.json {
        terminal::print_json(&report);
    } else {
        say::report(&model, &report, &found, args.output.simplify);
        if args.verbose {
            say::rounds(&report);
            say::formulas(&report);
        }
    }
    Ok(match verdicts::outcome(&verdicts) {
        Outcome::Undecided if model.diagnostics.has_errors() => Outcome::BadInput,
        outcome => outcome,
    })
}

/// The same system, with deadlock freedom among its properties.
fn with_deadlock(system: &System) -> Machine {
    let mut system = system.clone();
    let name = "deadlock".to_owned();
    system.properties.push(Property { name, claim: Claim::DeadlockFree, span: Span::default() });
    Machine::new(Arc::new(system))
}

/// The properties with these names; all of them without names.
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
        oddities: found.oddities.iter().map(|oddity| oddity_report(model, oddity)).collect::<Result<_, _>>()?,
        points: found.points,
        rounds: found.rounds.clone(),
        formulas: found.formulas.clone(),
        seconds: watch.elapsed().as_secs_f64(),
    })
}

/// As with counterexamples: what does not replay is a bug of ours.
fn oddity_report(model: &Model, oddity: &Oddity) -> Result<OddityReport, UsageError> {
    let Oddity { kind, what, process, trace } = oddity;
    verdicts::replays(model, kind, trace)?;
    let process = model.machine.system().processes[*process].name.clone();
    let trace = trace::describe(&model.machine, &model.source, trace, None);
    Ok(OddityReport { kind, process, what: what.clone(), trace })
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
