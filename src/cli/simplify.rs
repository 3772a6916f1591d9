//! `--simplify`, and `uwbmc trace simplify`

use super::model::Model;
use super::net::{self, Limits, Net};
use super::terminal::Audience;
use super::watch::Watch;
use super::{ModelArgs, Outcome, model, output, seconds, terminal};
use crate::Error;
use crate::check::{self, Verdict, confirm};
use crate::hidden::visible;
use crate::report::Format;
use crate::suggest::named;
use crate::trace::{self, Core, Document, context_switches};
use limits::{Ended, Observer};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use system::{PropertyId, Trace};

/// What came of looking for a simpler counterexample.
pub struct Simplified {
    /// A simpler one, if there is one.
    pub trace: Option<Arc<Trace>>,
    /// What is simpler about it, and whether the search for it had to end early.
    pub note: Option<String>,
}

/// Simplifies a counterexample. The result is confirmed like any counterexample.
pub fn simplify(model: &Model, property: PropertyId, trace: &Trace, watch: &mut Watch) -> Result<Simplified, Error> {
    let simpler = trace::simplify(&model.machine, property, trace, watch);
    watch.clear();
    let gained = match &simpler {
        Some(simpler) => {
            confirm(&model.machine, property, &simpler.trace)?;
            Some(format!("simplified to {}", note(trace, &simpler.trace, simpler.is_fewest)))
        }
        None => None,
    };
    let note = match (gained, watch.why()) {
        (gained, None) => gained,
        (Some(gained), Some(why)) => Some(format!("{gained}, until the search for a simpler one ended: {why}")),
        (None, Some(why)) => Some(format!("not simplified: {why}")),
    };
    Ok(Simplified { trace: simpler.map(|simpler| Arc::new(simpler.trace)), note })
}

/// Counterexamples of walks and passes have steps that nothing depends on: these are left out.
pub fn shorten(model: &Model, found: &mut check::Report, watch: &mut Watch) -> Result<(), Error> {
    if !matches!(found.engine, "walk" | "uw") {
        return Ok(());
    }
    for property in &mut found.properties {
        let Verdict::Violated(trace) = &mut property.verdict else { continue };
        if let Some(short) = trace::shorten(&model.machine, property.id, trace, watch) {
            confirm(&model.machine, property.id, &short)?;
            *trace = Arc::new(short);
        }
    }
    Ok(())
}

/// A number of things, and how many there were before.
fn compared([one, many]: [&str; 2], before: usize, after: usize) -> String {
    let what = if after == 1 { one } else { many };
    let instead = if before == after { String::new() } else { format!(" instead of {before}") };
    format!("{after} {what}{instead}")
}

fn note(from: &Trace, to: &Trace, is_fewest: bool) -> String {
    let steps = compared(["step", "steps"], from.moves.len(), to.moves.len());
    let switches = compared(["context switch", "context switches"], context_switches(from), context_switches(to));
    let fewest = if is_fewest { " (no order of these steps has fewer)" } else { "" };
    format!("{steps}, {switches}{fewest}")
}

/// What a violation depends on, in a line; `all` is the number of steps of the run.
pub fn core(core: &Core, all: usize) -> String {
    /// The most variables that are named.
    const MOST_NAMES: usize = 12;
    let names: Vec<_> = core.variables.iter().take(MOST_NAMES).map(|name| visible(name)).collect();
    let more = core.variables.len().saturating_sub(MOST_NAMES);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    let steps = core.steps.len();
    format!("the violation depends on {steps} of {all} steps, and on {}{rest}", names.join(", "))
}

#[derive(clap::Args)]
pub struct SimplifyArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// The trace: .json as `--trace FILE.json` writes it, .xml as NuSMV's `show_traces -p 4` does, or .trail as SPIN does.
    trace: PathBuf,
    /// The property that it violates (by default the one that it names, or the first one).
    #[arg(long, value_name = "NAME")]
    property: Option<String>,
    /// Where to write the simpler trace (by default to standard output).
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The format (by default the ending of the output tells; text on standard output).
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Give up after this many seconds, with what was found until then.
    #[arg(long, value_name = "SECONDS", value_parser = seconds::parse)]
    timeout: Option<Duration>,
    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// What came of it, for machines.
#[derive(Serialize)]
struct Report<'a> {
    simplified: Option<String>,
    trace: &'a Document,
    original: Option<Document>,
}

pub fn run(args: SimplifyArgs) -> Result<Outcome, Error> {
    let mut watch = Watch::start(args.timeout, Audience::of(args.json));
    let limits = Limits { budget: watch.budget().clone(), memory: u64::MAX };
    net::ended(&limits, unended, move |net| simplify_file(&args, &mut watch, net))
}

fn unended(why: Ended) -> Error {
    Error::Limit(format!("the trace was not simplified: {why}"))
}

fn simplify_file(args: &SimplifyArgs, watch: &mut Watch, net: &Net) -> Result<Outcome, Error> {
    let Some(model) = model::load(&args.model)? else { return Ok(Outcome::BadInput) };
    let (document, trace) = super::trace::read_for(&model, &args.trace)?;
    trace.replay(&model.machine).map_err(|mismatch| {
        let why = format!("this is no run of the model: state {}: {}", mismatch.state, mismatch.reason);
        Error::about(&args.trace, &why)
    })?;
    if let Some(name) = &args.property {
        named(model.machine.system(), name).map_err(Error::Usage)?;
    }
    let wanted = args.property.as_ref().or(document.property.as_ref());
    let property = violated(&model, &trace, wanted)
        .ok_or_else(|| Error::about(&args.trace, &"the trace violates no such property"))?;
    let Simplified { trace: simpler, note } = simplify(&model, property, &trace, watch)?;
    net.leave();
    let describe = |trace: &Trace| trace::describe(&model.machine, &model.source, trace, Some(property));
    let original = simpler.is_some().then(|| describe(&trace));
    let document = describe(simpler.as_deref().unwrap_or(&trace));
    if args.json {
        terminal::print_json("uwbmc-simplify", &Report { simplified: note, trace: &document, original });
        return args.output.as_ref().map_or(Ok(Outcome::Fine), |path| {
            output::write_or_print(Some(path), args.format, &document).map(|()| Outcome::Fine)
        });
    }
    terminal::remark(note.as_deref().unwrap_or("nothing is simpler within reach"));
    if let Some(needed) = &document.core {
        terminal::remark(&core(needed, document.steps.len()));
    }
    output::write_or_print(args.output.as_deref(), args.format, &document)?;
    Ok(Outcome::Fine)
}

/// The property with this name, or the first one, that the trace violates.
fn violated(model: &Model, trace: &Trace, name: Option<&String>) -> Option<PropertyId> {
    let properties = &model.machine.system().properties;
    properties.indices().find(|id| {
        name.is_none_or(|name| properties[*id].name == *name) && trace.violates(&model.machine, *id).is_some()
    })
}
