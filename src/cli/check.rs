//! `uwbmc check`, and `uwbmc MODEL --k N`

use super::arguments::Fair;
use super::model::Model;
use super::net::{self, Limits};
use super::terminal::Audience;
use super::watch::Watch;
use super::{CheckArgs, ModelArgs, Outcome, model, say, simplify, terminal};
use crate::Error;
use crate::check::{self, Checked as Property, Fault, Known, Oddity, Options, Report, Verdict};
use crate::hidden::visible;
use crate::report::{
    self, DiagnosticReport, ExplanationReport, FaultReport, OddityReport, PropertyReport, RoundReport, RunReport, Runs,
    Written,
};
use crate::trace::{self, Run, Told};
use limits::{Budget, Ended};
use serde::Serialize;
use std::sync::{Arc, OnceLock};
use system::{Claim, Fairness, Trace};

pub fn run(args: CheckArgs) -> Result<Outcome, Error> {
    args.output.check()?;
    let args = Arc::new(args);
    let models = args.models();
    let [model] = models.as_slice() else { return run_all(&models, &args) };
    let checked = Checked::of(model, &args);
    checked.say(&args);
    if args.json {
        terminal::print_json("uwbmc-check", &checked.report);
    }
    checked.write(&args)?;
    Ok(checked.outcome)
}

/// Checks several models, one after the other.
fn run_all(models: &[ModelArgs], args: &Arc<CheckArgs>) -> Result<Outcome, Error> {
    args.output.check_for_several()?;
    if args.proof.is_some() {
        return Err(Error::Usage("--proof is for a single model".to_owned()));
    }
    let (mut reports, mut outcome) = (Vec::new(), Outcome::Fine);
    for model in models {
        if !args.json {
            terminal::print(&format!("{}:\n", visible(&model.model.display().to_string())));
        }
        let checked = Checked::of(model, args);
        checked.say(args);
        outcome = outcome.worst(checked.outcome);
        reports.push(checked.report);
    }
    if args.json {
        let models = reports.iter().map(|report| terminal::versioned("uwbmc-check", report)).collect();
        terminal::print_json("uwbmc-check-several", &Several { models });
    }
    args.output.write_several(&reports)?;
    Ok(outcome)
}

/// What `--json` prints for several models.
#[derive(Serialize)]
struct Several<'a> {
    models: Vec<terminal::Versioned<'a, RunReport>>,
}

/// What came of checking a model.
struct Checked {
    report: RunReport,
    outcome: Outcome,
    /// The model and what was found, unless it was rejected.
    found: Option<(Arc<Model>, Arc<Report>)>,
    /// Why there is no answer.
    error: Option<Error>,
}

/// What there is while a model is being checked, for the case that the check has to be left alone.
#[derive(Clone, Default)]
struct Begun {
    /// The model, once it is read.
    model: Arc<OnceLock<Arc<Model>>>,
    /// What is known of its properties.
    known: Known,
    /// What was found in the end, with counterexamples that may be too long to be put into words.
    found: Arc<OnceLock<Arc<Report>>>,
}

/// How much of a counterexample is put into words.
enum Words<'a> {
    /// All of it, and a simpler one if that is wanted.
    All(&'a mut Watch),
    /// Only if it is short: the run had to end, for this reason.
    Few(Ended),
}

/// How many values of variables a counterexample has at most that is put into words when the run had to end.
const FEW_VALUES: usize = 200_000;

/// Whether a run has few values.
fn is_short(model: &Model, run: &Trace) -> bool {
    run.states.len().saturating_mul(model.machine.system().variables.len()) <= FEW_VALUES
}

impl Checked {
    fn of(args: &ModelArgs, check: &Arc<CheckArgs>) -> Checked {
        let name = args.model.display().to_string();
        let watch = Watch::start(check.timeout, Audience::of(check.json));
        let limits = Limits { budget: watch.budget().clone(), memory: check.options().memory as u64 };
        let begun = Begun::default();
        let (args, asked, begins) = (args.clone(), Arc::clone(check), begun.clone());
        let checked = net::under(&limits, move |_| {
            let mut watch = watch;
            let checked = Checked::try_of(&args, &asked, &mut watch, &begins);
            watch.clear();
            checked
        });
        let checked = checked.unwrap_or_else(|why| {
            terminal::clear_line();
            Checked::left_alone(&begun, check, why)
        });
        checked.unwrap_or_else(|error| Checked::failed(&name, error))
    }

    fn try_of(args: &ModelArgs, check: &CheckArgs, watch: &mut Watch, begun: &Begun) -> Result<Checked, Error> {
        let model = Arc::new(prepared(args, check, watch.budget())?);
        let model = begun.model.get_or_init(|| model);
        if check.witness {
            refuse_idle_witness(model, check)?;
        }
        // Reading the model has taken some of the time.
        let timeout = check.timeout.map(|timeout| timeout.saturating_sub(watch.elapsed()));
        let mut found =
            check::check(model, &Options { timeout, known: begun.known.clone(), ..check.options() }, watch)?;
        simplify::shorten(model, &mut found, watch)?;
        let found = begun.found.get_or_init(|| Arc::new(found));
        Checked::found(model, found, check, &mut Words::All(watch))
    }

    /// What was known when the check was left alone.
    fn left_alone(begun: &Begun, check: &CheckArgs, why: Ended) -> Result<Checked, Error> {
        let Some(model) = begun.model.get() else { return Err(Error::Unread(why)) };
        let system = model.machine.system();
        let wanted = check::chosen(system, &check.properties)?;
        let found = match begun.found.get() {
            Some(found) => Arc::clone(found),
            None => Arc::new(Report::unfinished(system, &wanted, &begun.known.so_far(), why)),
        };
        Checked::found(model, &found, check, &mut Words::Few(why))
    }

    fn found(
        model: &Arc<Model>,
        found: &Arc<Report>,
        check: &CheckArgs,
        words: &mut Words<'_>,
    ) -> Result<Checked, Error> {
        let report = report(model, found, check, words)?;
        let (outcome, found) = (outcome(model, found), (Arc::clone(model), Arc::clone(found)));
        Ok(Checked { report, outcome, found: Some(found), error: None })
    }

    fn failed(name: &str, error: Error) -> Checked {
        let diagnostics = match &error {
            Error::Model(mistakes) => DiagnosticReport::all(&mistakes.diagnostics, &mistakes.source),
            other => vec![DiagnosticReport::without_place(other.code(), other.to_string())],
        };
        let report = RunReport::rejected(name, diagnostics);
        Checked { report, outcome: Outcome::of(&error), found: None, error: Some(error) }
    }

    /// Tells people about it.
    fn say(&self, args: &CheckArgs) {
        match &self.error {
            Some(Error::Model(mistakes)) => terminal::show_diagnostics(&mistakes.diagnostics, &mistakes.source),
            Some(error) => terminal::complain(&error.to_string()),
            None => {}
        }
        let Some((model, found)) = &self.found else { return };
        terminal::show_diagnostics(&model.diagnostics, &model.source);
        found.remarks.iter().for_each(|remark| terminal::remark(remark));
        if !args.json {
            say::report(model, &self.report, found, args.output.simplify);
            if args.verbose {
                say::rounds(&self.report);
                say::formulas(&self.report);
            }
        }
        found.faults.iter().for_each(|fault| say::fault(model, fault));
    }

    /// Writes the files that are asked for.
    fn write(&self, args: &CheckArgs) -> Result<(), Error> {
        args.output.write(&self.report)?;
        let Some(((model, found), path)) = self.found.as_ref().zip(args.output.trail()) else { return Ok(()) };
        let violation = found.first_violation().map(|(_, trace)| trace);
        let trace = violation.or_else(|| found.faults.first().map(|fault| &fault.trace));
        trace.map_or(Ok(()), |trace| model::write_trail(model, path, trace))
    }
}

/// Reads a model, with what the arguments add to it.
fn prepared(args: &ModelArgs, check: &CheckArgs, budget: &Budget) -> Result<Model, Error> {
    let mut model = model::read(args, budget)?;
    if check.output.trail().is_some() {
        model.trail()?;
    }
    if check.deadlock {
        model.claim_deadlock_freedom();
    }
    if check.progress {
        model.claim_progress();
    }
    match check.fair {
        Some(Fair::Weak) => model.assume_fairness(Fairness::Weak),
        Some(Fair::Strong) => model.assume_fairness(Fairness::Strong),
        None => {}
    }
    Ok(model)
}

/// How the run ends: what is violated is violated, whatever else is wrong with the model.
fn outcome(model: &Model, report: &Report) -> Outcome {
    if report.first_violation().is_some() {
        Outcome::Violated
    } else if report.faults.iter().any(|fault| !is_limit(model, fault))
        || report.is_undecided() && model.diagnostics.has_errors()
    {
        Outcome::BadInput
    } else if report.is_undecided() {
        Outcome::Undecided
    } else {
        Outcome::Fine
    }
}

/// Whether a run ends at a limit of the tool, which is no mistake of the model.
fn is_limit(model: &Model, fault: &Fault) -> bool {
    fault.failure.fault.is_limit(model.machine.system())
}

fn report(model: &Arc<Model>, found: &Report, args: &CheckArgs, words: &mut Words<'_>) -> Result<RunReport, Error> {
    let properties = found.properties.iter().map(|property| property_report(model, property, args, words));
    Ok(RunReport {
        model: model.source.name().to_owned(),
        engine: Some(found.engine),
        bound: args.bound,
        states: found.cost.states,
        diagnostics: DiagnosticReport::all(&model.diagnostics, &model.source),
        fault: found.faults.first().map(|fault| fault_report(model, fault)),
        properties: properties.collect::<Result<_, _>>()?,
        oddities: found.oddities.iter().map(|oddity| oddity_report(model, oddity)).collect(),
        points: found.cost.points,
        rounds: found.cost.rounds.iter().map(|round| RoundReport::new(model.machine.system(), round)).collect(),
        formulas: found.cost.formulas.clone(),
        seconds: found.elapsed.as_secs_f64(),
    })
}

fn fault_report(model: &Model, fault: &Fault) -> FaultReport {
    FaultReport {
        diagnostic: DiagnosticReport::new(&say::diagnostic(model, fault), &model.source),
        trace: trace::describe(&model.machine, &model.source, &fault.trace, None).into(),
    }
}

fn oddity_report(model: &Model, oddity: &Oddity) -> OddityReport {
    let Oddity { kind, what, process, trace } = oddity;
    let process = model.machine.system().processes[*process].name.clone();
    let trace = trace::describe(&model.machine, &model.source, trace, None).into();
    OddityReport { kind, process, what: what.clone(), trace }
}

/// Refuses to look for witnesses where no property that is asked about is a formula of CTL.
fn refuse_idle_witness(model: &Model, args: &CheckArgs) -> Result<(), Error> {
    let system = model.machine.system();
    let asked = check::chosen(system, &args.properties)?;
    if asked.iter().any(|id| matches!(system.properties[*id].claim, Claim::Ctl(_))) {
        return Ok(());
    }
    let message =
        "--witness has no effect: it is for formulas of CTL with other operators than AG, and none is checked";
    Err(Error::Usage(message.to_owned()))
}

/// What is known of a property, and why.
fn property_report(
    model: &Arc<Model>,
    property: &Property,
    args: &CheckArgs,
    words: &mut Words<'_>,
) -> Result<PropertyReport, Error> {
    let is_brief = matches!(words, Words::Few(_));
    let is_shown = |run: &Trace| !is_brief || is_short(model, run);
    let mut verdict = verdict_report(model, property, args, words)?;
    let explanation = property.explanation.as_ref().filter(|shown| is_shown(shown.run()));
    let runs = match explanation {
        Some(shown) if shown.branches.iter().all(|branch| is_shown(&branch.run)) => Runs::Described,
        _ => Runs::LeftOut,
    };
    let (machine, source) = (&model.machine, &model.source);
    let holds = matches!(property.verdict, Verdict::Holds(_));
    let witness = explanation.filter(|shown| holds && shown.shows_steps());
    Ok(PropertyReport {
        conjuncts: if verdict.trace.is_some() { report::failing(machine, source, property) } else { Vec::new() },
        witness: witness.map(|shown| trace::describe(machine, source, shown.run(), None).into()),
        explanation: explanation
            .map(|shown| ExplanationReport::new(machine, source, shown, runs))
            .or_else(|| verdict.explanation.take()),
        ..verdict
    })
}

fn verdict_report(
    model: &Arc<Model>,
    Property { id, verdict, .. }: &Property,
    args: &CheckArgs,
    words: &mut Words<'_>,
) -> Result<PropertyReport, Error> {
    let id = *id;
    let name = &model.machine.system().properties[id].name;
    let written = Written::of(model.machine.system(), &model.source, id);
    let describe = |trace: &Arc<Trace>| Told::from(Run::new(model, trace, Some(id)));
    let Verdict::Violated(trace) = verdict else { return Ok(PropertyReport::new(name, written, verdict, None)) };
    let unmet = |trace: &Arc<Trace>| {
        let unmet = check::unmet(&model.machine, id, trace);
        unmet.map(|unmet| ExplanationReport::new(&model.machine, &model.source, &unmet, Runs::LeftOut))
    };
    let report = |trace: &Arc<Trace>| PropertyReport {
        explanation: unmet(trace),
        ..PropertyReport::new(name, written.clone(), &Verdict::Violated(Arc::clone(trace)), Some(describe(trace)))
    };
    let watch = match words {
        Words::Few(why) if !is_short(model, trace) => {
            let reason = Some(format!("its counterexample is too long to be put into words before the end: {why}"));
            return Ok(PropertyReport { reason, ..PropertyReport::new(name, written, verdict, None) });
        }
        Words::All(watch) if args.output.simplify => watch,
        _ => return Ok(report(trace)),
    };
    let simplified = simplify::simplify(model, id, trace, watch)?;
    Ok(match simplified.trace {
        None => PropertyReport { simplified: simplified.note, ..report(trace) },
        Some(simpler) => {
            PropertyReport { original: Some(describe(trace)), simplified: simplified.note, ..report(&simpler) }
        }
    })
}
