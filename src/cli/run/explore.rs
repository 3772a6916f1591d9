//! Exploring a program, and telling about it.

use super::{Choosing, CompileArgs, Leaving, RunArgs};
use crate::Error;
use crate::cli::Outcome;
use crate::cli::terminal::{self, Audience};
use crate::cli::watch::Watch;
use crate::hidden::visible;
use crate::program::{Compiled, Names, Places, System, choices, document, headline, is_source, reason, violation};
use crate::report::{PropertyReport, RunReport, Written};
use crate::trace::Document;
use ::limits::{Observer, Progress};
use scheduler::{
    Choice, Command, Exploration, Failure, Options, Reduction, Session, Strategy, Violation, explore, follow,
};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

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
    trace: Option<Document>,
}

pub fn run(args: &RunArgs) -> Result<Outcome, Error> {
    args.output.check()?;
    let system = described(&args.program)?;
    let compiled = compiled(&args.program)?;
    let vehicle = system.as_ref().map(System::first_program);
    let compiled_program = compiled.as_ref().map(|compiled| compiled.program.clone());
    let program = &vehicle.or(compiled_program).unwrap_or_else(|| args.program.clone());
    let mut watch = Watch::start(args.timeout, Audience::of(args.json));
    let arguments = args.arguments.clone();
    let members = system.as_ref().map(|system| system.members.clone()).unwrap_or_default();
    let command = Command { program: program.clone(), arguments, members, patience: args.patience };
    let inner = watch.again();
    let mut session = Session::start(command).map_err(failed)?.ending_when(move || inner.why().is_some());
    let options = options(args);
    let exploration = match &args.replay {
        Some(trace) => follow(&mut session, &options, prescribed(trace)?),
        None => explore(&mut session, &options, &mut |statistics| {
            watch.see(&Progress::Executions { runs: statistics.runs, done: statistics.done })
        }),
    };
    let exploration = exploration.map_err(failed)?;
    watch.clear();
    let mut names = match &system {
        Some(system) => Names::of_system(system.places(), &session.family().unwrap_or_default()),
        None => Names::new(Places::new(program, session.maps())),
    };
    let single = if args.replay.is_some() { "nothing went wrong" } else { "stopped by --runs" };
    let why = watch.why().map_or(single.to_owned(), |why| why.to_string());
    let report = report(args, &exploration, &why, watch.elapsed().as_secs_f64(), &mut names);
    if args.json {
        terminal::print_json("uwbmc-run", &report);
    } else {
        terminal::print(&render(&report));
    }
    args.output.write(&for_files(&report))?;
    Ok(outcome(report.verdict))
}

/// The system that a file describes, if it is such a file.
fn described(path: &Path) -> Result<Option<System>, Error> {
    if !System::is_described_by(path) {
        return Ok(None);
    }
    let text = std::fs::read_to_string(path).map_err(|error| Error::in_file(path, &error))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let system = System::read(&text, folder);
    system.map(Some).map_err(|mistake| Error::Usage(format!("{}: {mistake}", path.display())))
}

/// The choices of the run that a trace describes.
fn prescribed(path: &Path) -> Result<Vec<Choice>, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::in_file(path, &error))?;
    let document = Document::from_json(&text).map_err(|error| Error::Usage(format!("{}: {error}", path.display())))?;
    choices(&document).ok_or_else(|| Error::Usage(format!("{}: this is no run of a program", path.display())))
}

fn compiled(path: &Path) -> Result<Option<Compiled>, Error> {
    if !is_source(path) {
        return Ok(None);
    }
    match Compiled::of(path).map_err(|error| Error::Usage(format!("the compiler cannot be run: {error}")))? {
        Ok(compiled) => Ok(Some(compiled)),
        Err(_) => Err(Error::Usage(format!("{} does not compile", path.display()))),
    }
}

pub fn compile(compiler: &str, args: &CompileArgs) -> Result<Outcome, Error> {
    let status = crate::program::compile(compiler, &args.arguments);
    let status = status.map_err(|error| Error::Usage(format!("{compiler}: {error}")))?;
    Ok(if status.success() { Outcome::Fine } else { Outcome::BadInput })
}

fn failed(failure: Failure) -> Error {
    match failure {
        Failure::Io(what, error) => Error::in_file(Path::new(&what), &error),
        other => Error::Usage(other.to_string()),
    }
}

fn options(args: &RunArgs) -> Options {
    let strategy = match args.search {
        Choosing::Turns if args.all => Strategy::Exhaustive,
        Choosing::Turns => Strategy::Turns,
        Choosing::Exhaustive => Strategy::Exhaustive,
        Choosing::Random => Strategy::Random,
        Choosing::Pct => Strategy::Priorities,
    };
    let reduction = match args.por {
        Leaving::Optimal => Reduction::Optimal,
        Leaving::Source => Reduction::Source,
        Leaving::Sleep => Reduction::Sleep,
        Leaving::None => Reduction::None,
    };
    let reduction = args.preemptions.map_or(reduction, Reduction::Preemptions);
    Options {
        strategy,
        reduction,
        depth: args.depth,
        runs: args.runs.unwrap_or(u64::MAX),
        seed: args.seed,
        checks_exit: args.exit_code,
        finds_all: args.all,
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
    let trace = wrong.map(|found| document(&program, found, names));
    Report {
        verdict: headline(exploration),
        reason: reason(exploration, why),
        violation: wrong.map(|found| violation(&found.finding.violation)),
        thread: wrong.map(|found| names.label(found.finding.lane)),
        races_with: wrong.and_then(|found| races_with(&found.finding.violation)),
        data_races: exploration.races,
        wrong: exploration.failures,
        runs: exploration.total.runs,
        complete: exploration.search.complete,
        asleep: exploration.search.asleep,
        transitions: exploration.search.transitions,
        seconds,
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
    if report.data_races > 0 {
        let _ = writeln!(out, "{} pairs of places race for memory", report.data_races);
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
    for (index, step) in trace.steps.iter().enumerate() {
        let place = match (&step.at, step.line) {
            (Some(at), Some(line)) if line > 0 => format!("{at}:{line}"),
            (Some(at), _) => at.clone(),
            _ => String::new(),
        };
        let what = step.text.as_deref().unwrap_or_default();
        let _ = writeln!(out, "{:5}  {:5} {:32} {}", index + 1, step.process, visible(what), visible(&place));
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
        trace: report.trace.clone(),
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
