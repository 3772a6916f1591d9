//! `uwbmc replay`

use super::model::Model;
use super::run::{self, Replayed};
use super::{ModelArgs, Outcome, model, terminal, trace};
use crate::Error;
use crate::hidden::visible;
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;
use system::{Mismatch, Trace};

/// What a replay found, for machines.
#[derive(Serialize)]
struct Report {
    /// What it is a run of.
    #[serde(skip)]
    subject: &'static str,
    accepted: bool,
    steps: usize,
    /// The first state that is wrong, and why.
    state: Option<usize>,
    reason: Option<String>,
    line: Option<usize>,
    /// The properties that the trace violates, with the first violating state.
    violates: Vec<Violation>,
}

#[derive(Serialize)]
struct Violation {
    property: String,
    state: usize,
}

#[derive(clap::Args)]
pub struct ReplayArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// The trace: .json as `--trace FILE.json` writes it, .xml as NuSMV's `show_traces -p 4` does, or .trail as SPIN does. The
    /// trace of a program, which `uwbmc run --trace FILE.json` writes, is the only argument.
    trace: Option<PathBuf>,
    /// Stop the program before the last step of its trace, and look at it there with gdb.
    #[arg(long, conflicts_with_all = ["trace", "json"])]
    gdb: bool,
    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &ReplayArgs) -> Result<Outcome, Error> {
    let Some(trace) = &args.trace else { return replay_program(args) };
    let Some(model) = model::load(&args.model)? else { return Ok(Outcome::BadInput) };
    let (_, trace) = trace::read_for(&model, trace)?;
    let report = match trace.replay(&model.machine) {
        Ok(_) => accepted(&model, &trace),
        Err(mismatch) => rejected(&model, &trace, mismatch),
    };
    Ok(tell(args, &report))
}

fn tell(args: &ReplayArgs, report: &Report) -> Outcome {
    if args.json {
        terminal::print_json("uwbmc-replay", report);
    } else {
        terminal::print(&render(report));
    }
    if report.accepted { Outcome::Fine } else { Outcome::Violated }
}

/// The run of a program is executed again; its trace says which program it is.
fn replay_program(args: &ReplayArgs) -> Result<Outcome, Error> {
    let Some(Replayed { steps, result }) = run::replay(&args.model.model, args.gdb)? else { return Ok(Outcome::Fine) };
    let accepted = result.is_ok();
    let (violated, reason) = match result {
        Ok(property) => (Some(Violation { property, state: steps }), None),
        Err(reason) => (None, Some(reason)),
    };
    let violates = violated.into_iter().collect();
    Ok(tell(args, &Report { subject: "program", accepted, steps, state: None, reason, line: None, violates }))
}

fn accepted(model: &Model, trace: &Trace) -> Report {
    let system = model.machine.system();
    let violates = system.properties.iter_enumerated().filter_map(|(id, property)| {
        let state = trace.violates(&model.machine, id)?;
        Some(Violation { property: property.name.clone(), state })
    });
    let violates = violates.collect();
    Report {
        subject: "model",
        accepted: true,
        steps: trace.moves.len(),
        state: None,
        reason: None,
        line: None,
        violates,
    }
}

fn rejected(model: &Model, trace: &Trace, mismatch: Mismatch) -> Report {
    Report {
        subject: "model",
        accepted: false,
        steps: trace.moves.len(),
        state: Some(mismatch.state),
        reason: Some(mismatch.reason),
        line: mismatch.span.map(|span| model.source.line(span)),
        violates: Vec::new(),
    }
}

fn render(report: &Report) -> String {
    let mut out = String::new();
    let _ = match (&report.reason, report.state) {
        (Some(reason), Some(state)) => {
            let place = report.line.map_or(String::new(), |line| format!(" (line {line})"));
            let what =
                if state == 0 { "an initial state".to_owned() } else { format!("a successor of state {}", state - 1) };
            writeln!(out, "rejected: state {state} is not {what}: {}{place}", visible(reason))
        }
        (Some(reason), None) => writeln!(out, "rejected: {}", visible(reason)),
        _ => writeln!(out, "accepted: {} steps of the {}", report.steps, report.subject),
    };
    for violation in &report.violates {
        let _ = writeln!(out, "{} is violated in state {}", visible(&violation.property), violation.state);
    }
    if report.accepted && report.violates.is_empty() {
        let _ = writeln!(out, "no property is violated");
    }
    out
}
