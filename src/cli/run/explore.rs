//! Exploring a program, and telling about it.

use super::subject::{Subject, failed, prescribed};
use super::{Choosing, CompileArgs, Leaving, RunArgs};
use crate::Error;
use crate::cli::Outcome;
use crate::cli::terminal::{self, Audience};
use crate::cli::watch::Watch;
use crate::hidden::visible;
use crate::program::{Names, document, headline, reason, violation};
use crate::report::{PropertyReport, RunReport, Written};
use crate::trace::{Document, Told};
use ::limits::{Observer, Progress};
use scheduler::{
    ExitCodes, Exploration, Limits, Options, Reduction, Strategy, Violation, context_switches, explore, follow,
};
use serde::Serialize;
use std::fmt::Write;
use std::ops::ControlFlow;

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    program: String,
    verdict: &'static str,
    /// What is wrong, or why nothing is known.
    reason: String,
    /// What is wrong.
    violation: Option<String>,
    /// The thread that it happened in.
    thread: Option<String>,
    /// The step that the last one races with, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    races_with: Option<usize>,
    /// How many pairs of places in the program race for memory.
    data_races: usize,
    /// The codes that runs have exited with.
    exit_codes: Vec<i64>,
    /// How many runs went wrong.
    wrong: u64,
    runs: u64,
    /// The runs of the exhaustive search that went to an end: this many interleavings differ, if all were explored.
    complete: u64,
    /// Its runs that ended because the rest had been explored.
    asleep: u64,
    /// Its steps, without repetitions.
    transitions: u64,
    seconds: f64,
    /// What --simplify did to the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    simplified: Option<String>,
    trace: Option<Document>,
}

pub fn run(args: &RunArgs) -> Result<Outcome, Error> {
    args.output.check()?;
    let tape = args.replay.as_deref().map(prescribed).transpose()?;
    let mut watch = Watch::start(args.timeout, Audience::of(args.json));
    let inner = watch.again();
    let subject = Subject::start(&args.program, &args.arguments, args.patience, limits(args))?;
    let mut subject = subject.ending_when(move || inner.why().is_some());
    let options = options(args);
    let exploration = match tape {
        Some((_, tape)) => follow(&mut subject.session, &options, tape),
        None => explore(&mut subject.session, &options, &mut |statistics| {
            watch.see(&Progress::Executions { runs: statistics.runs, done: statistics.done })
        }),
    };
    let mut exploration = exploration.map_err(failed)?;
    let simplified = if args.output.simplify { simplify(&mut subject, &mut exploration, &mut watch)? } else { None };
    watch.clear();
    let mut names = subject.names();
    let single = if args.replay.is_some() { "nothing went wrong" } else { "stopped by --runs" };
    let why = watch.why().map_or(single.to_owned(), |why| why.to_string());
    let seconds = watch.elapsed().as_secs_f64();
    let report = Report { simplified, ..report(args, &exploration, &why, seconds, &mut names) };
    if args.json {
        terminal::print_json("uwbmc-run", &report);
    } else {
        terminal::print(&render(&report));
    }
    args.output.write(&for_files(&report))?;
    Ok(outcome(report.verdict))
}

/// The most runs that are made to find one with fewer context switches.
const MOST_SIMPLER: u32 = 5000;

/// Replaces what was found by a run with fewer context switches; what is said about that.
fn simplify(subject: &mut Subject, exploration: &mut Exploration, watch: &mut Watch) -> Result<Option<String>, Error> {
    let Some(found) = exploration.wrong() else { return Ok(None) };
    let before = context_switches(&found.record.steps);
    let mut left = MOST_SIMPLER;
    let depth = found.record.steps.len().saturating_mul(2);
    let simpler = scheduler::simplify(&mut subject.session, found, depth, &mut || {
        left = left.saturating_sub(1);
        if left == 0 {
            ControlFlow::Break(())
        } else {
            watch.see(&Progress::Simplifying { looked: (MOST_SIMPLER - left) as usize })
        }
    });
    let Some(simpler) = simpler.map_err(failed)? else { return Ok(Some(format!("{before} context switches"))) };
    let after = context_switches(&simpler.record.steps);
    match exploration.found {
        Some(_) => exploration.found = Some(simpler),
        None => exploration.race = Some(simpler),
    }
    Ok(Some(format!("simplified to {after} context switches instead of {before}")))
}

pub fn compile(compiler: &str, args: &CompileArgs) -> Result<Outcome, Error> {
    let status = crate::program::compile(compiler, &args.arguments);
    let status = status.map_err(|error| Error::Usage(format!("{compiler}: {error}")))?;
    Ok(if status.success() { Outcome::Fine } else { Outcome::BadInput })
}

fn limits(args: &RunArgs) -> Limits {
    let memory = args.memory.map(|megabytes| megabytes.saturating_mul(1 << 20));
    Limits { memory, threads: args.threads, has_wall: args.sandbox }
}

/// A data race is wrong by itself, though what comes of it says more: where no limit is set, as many runs look for that.
const RUNS_AFTER_RACE: u64 = 1 << 14;

fn options(args: &RunArgs) -> Options {
    let strategy = match args.search {
        Choosing::Turns if args.all => Strategy::Exhaustive,
        Choosing::Turns => Strategy::Turns,
        Choosing::Exhaustive => Strategy::Exhaustive,
        Choosing::Random => Strategy::Random,
        Choosing::Pct => Strategy::Priorities,
        Choosing::Sampling => Strategy::Sampling,
        Choosing::Novelty => Strategy::Novelty,
    };
    let reduction = match args.por {
        Leaving::Optimal => Reduction::Optimal,
        Leaving::Source => Reduction::Source,
        Leaving::Sleep => Reduction::Sleep,
        Leaving::None => Reduction::None,
    };
    let reduction = args.preemptions.map_or(reduction, Reduction::Preemptions);
    let is_limited = args.all || args.timeout.is_some() || args.runs.is_some();
    Options {
        strategy,
        reduction,
        depth: args.depth,
        runs: args.runs.unwrap_or(u64::MAX),
        seed: args.seed,
        exit_codes: if args.exit_code { ExitCodes::Checked } else { ExitCodes::Ignored },
        livelock: args.livelock,
        finds_all: args.all,
        runs_after_race: if is_limited { u64::MAX } else { RUNS_AFTER_RACE },
        servers: args.jobs.get(),
    }
}

fn outcome(verdict: &str) -> Outcome {
    match verdict {
        "violated" => Outcome::Violated,
        "unknown" => Outcome::Undecided,
        _ => Outcome::Fine,
    }
}

fn report(args: &RunArgs, exploration: &Exploration, why: &str, seconds: f64, names: &mut Names) -> Report {
    let program = args.program.display().to_string();
    let wrong = exploration.wrong();
    let arguments = args.arguments.iter().map(|argument| argument.to_string_lossy().into_owned());
    let command: Vec<String> = [program.clone()].into_iter().chain(arguments).collect();
    let trace = wrong.map(|found| document(&command, found, names));
    Report {
        verdict: headline(exploration),
        reason: reason(exploration, why, names),
        violation: wrong.map(|found| violation(&found.finding.violation)),
        thread: wrong.map(|found| names.label(found.finding.lane)),
        races_with: wrong.and_then(|found| races_with(&found.finding.violation)),
        data_races: exploration.races,
        exit_codes: exploration.codes.iter().copied().collect(),
        wrong: exploration.failures,
        runs: exploration.total.runs,
        complete: exploration.search.complete,
        asleep: exploration.search.asleep,
        transitions: exploration.search.transitions,
        seconds,
        simplified: None,
        program,
        trace,
    }
}

/// The step that the last one races with, counted from 1.
fn races_with(violation: &Violation) -> Option<usize> {
    match violation {
        Violation::DataRace { first } => Some(first + 1),
        _ => None,
    }
}

fn render(report: &Report) -> String {
    let mut out = String::new();
    let program = visible(&report.program);
    let _ = match (&report.violation, &report.trace) {
        (Some(what), Some(trace)) => {
            let steps = trace.steps.len();
            writeln!(out, "{program}: violated: {} (after {steps} operations)", visible(what))
        }
        _ => writeln!(out, "{program}: {} ({})", report.verdict, visible(&report.reason)),
    };
    if let Some(trace) = report.trace.as_ref().filter(|_| !terminal::is_quiet()) {
        out.push_str(&steps(trace));
    }
    if let (Some(first), Some(trace)) = (report.races_with, &report.trace) {
        let _ = writeln!(out, "nothing orders the accesses of steps {first} and {}", trace.steps.len());
    }
    if let Some(note) = &report.simplified {
        let _ = writeln!(out, "{note}");
    }
    if report.data_races > 0 {
        let _ = writeln!(out, "{} pairs of places race for memory", report.data_races);
    }
    if let (None, [first, .., last]) = (&report.violation, &report.exit_codes[..]) {
        let _ = writeln!(out, "exit codes from {first} to {last}: they depend on the interleaving (see --exit-code)");
    }
    let _ = writeln!(
        out,
        "{} runs, {} of them to the end in the exhaustive search; sequential consistency; {:.2} s",
        report.runs, report.complete, report.seconds
    );
    out
}

/// The steps of a run, a line each, and who waits for what.
fn steps(trace: &Document) -> String {
    let mut out = String::new();
    let width = trace.steps.iter().map(|step| step.process.chars().count()).max().unwrap_or(0).max(5);
    for (index, step) in trace.steps.iter().enumerate() {
        let place = match (&step.at, step.line) {
            (Some(at), Some(line)) if line > 0 => format!("{at}:{line}"),
            (Some(at), _) => at.clone(),
            _ => String::new(),
        };
        let what = step.text.as_deref().unwrap_or_default();
        let _ = writeln!(out, "{:5}  {:width$} {:32} {}", index + 1, step.process, visible(what), visible(&place));
        for line in step.prints.iter().flat_map(|text| text.lines()) {
            let _ = writeln!(out, "       prints: {}", visible(line));
        }
    }
    if !trace.waiting.is_empty() {
        out.push_str("no thread can move\n");
    }
    for waiting in &trace.waiting {
        let _ = writeln!(out, "  {}", visible(&waiting.describe()));
    }
    out
}

/// The report in the form that the files for people and machines are made from.
fn for_files(report: &Report) -> RunReport {
    let property = PropertyReport {
        name: "run".to_owned(),
        written: Written::in_words("program", "no deadlock, failed assertion, crash or data race"),
        verdict: report.verdict,
        bound: report.trace.as_ref().map(|trace| trace.steps.len()),
        reason: Some(report.reason.clone()),
        settled: None,
        trace: report.trace.clone().map(Told::from),
        original: None,
        simplified: None,
        conjuncts: Vec::new(),
        witness: None,
        explanation: None,
        summary: format!("{} ({})", report.verdict, report.violation.as_ref().unwrap_or(&report.reason)),
    };
    RunReport {
        model: report.program.clone(),
        engine: Some("run"),
        properties: vec![property],
        seconds: report.seconds,
        ..RunReport::default()
    }
}
