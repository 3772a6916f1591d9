//! `uwbmc trace`

use super::model::Model;
use super::{ModelArgs, Outcome, model, output, simplify};
use crate::Error;
use crate::define::Define;
use crate::report::Format;
use crate::trace::{Document, describe, rebuild, xml_read};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use system::{PropertyId, Trace};

#[derive(clap::Args)]
pub struct TraceArgs {
    #[command(subcommand)]
    command: TraceCommand,
}

#[derive(clap::Subcommand)]
enum TraceCommand {
    /// Write a trace in another format. The model is needed only for SPIN's trails.
    Convert(ConvertArgs),
    /// Look for a simpler counterexample: fewer steps, fewer context switches.
    Simplify(simplify::SimplifyArgs),
}

#[derive(clap::Args)]
struct ConvertArgs {
    /// The trace: .json as `--trace FILE.json` writes it, .xml as NuSMV's `show_traces -p 4` does, or .trail as SPIN does.
    trace: PathBuf,
    /// The model of a trail (by default the trail's name without .trail).
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// A macro of that model, as for `uwbmc check` (may be repeated).
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]")]
    defines: Vec<Define>,
    /// Where to write it (by default to standard output).
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The format (by default the ending of the output tells; text on standard output).
    #[arg(long, value_enum)]
    format: Option<Format>,
}

pub fn run(args: TraceArgs) -> Result<Outcome, Error> {
    match args.command {
        TraceCommand::Convert(args) => convert(&args),
        TraceCommand::Simplify(args) => simplify::run(args),
    }
}

fn convert(args: &ConvertArgs) -> Result<Outcome, Error> {
    let document = if is_trail(&args.trace) {
        let path = args.model.clone().unwrap_or_else(|| args.trace.with_extension(""));
        let model = ModelArgs::new(path, args.defines.clone());
        let Some(model) = model::load(&model)? else { return Ok(Outcome::BadInput) };
        read_for(&model, &args.trace)?.0
    } else if args.model.is_some() || !args.defines.is_empty() {
        return Err(Error::Usage("--model and -D are for trails; this trace needs no model".to_owned()));
    } else {
        read(&args.trace)?
    };
    output::write_or_print(args.output.as_deref(), args.format, &document)?;
    Ok(Outcome::Fine)
}

/// Reads a trace that needs no model: our own document, or NuSMV's XML.
fn read(path: &Path) -> Result<Document, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::about(path, &error))?;
    let document = if is_xml(path) { xml_read::read(&text) } else { Document::from_json(&text) };
    document.map_err(|error| Error::about(path, &error))
}

/// Reads a trace of this model. NuSMV also lists what follows from the variables: every variable of the model has to be
/// there, and the rest is not needed.
pub fn read_for(model: &Model, path: &Path) -> Result<(Document, Trace), Error> {
    if is_trail(path) {
        return follow(model, path);
    }
    let machine = &model.machine;
    let mut document = read(path)?;
    if is_xml(path) {
        let variables: HashSet<&str> = machine.system().variables.iter().map(|var| var.name.as_str()).collect();
        document.retain(|name| variables.contains(name));
    }
    let trace = rebuild(machine, &document).map_err(|error| Error::about(path, &error))?;
    Ok((document, trace))
}

/// Follows a trail of SPIN's, or ours, through the model. Which does not say whether a claim ran beside the processes: if both fit, the one
/// where something is violated is meant.
fn follow(model: &Model, path: &Path) -> Result<(Document, Trace), Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::about(path, &error))?;
    let through =
        |machine| model.trail()?.follow(machine, &model.source, &text).map_err(|error| Error::about(path, &error));
    let alone = through(&model.machine);
    let beside = model.machine.beside_claim().and_then(|machine| through(machine).ok());
    let (trace, property) = match (alone, beside) {
        (alone, None) => violating(model, alone?),
        (Err(_), Some(beside)) => violating(model, beside),
        (Ok(alone), Some(beside)) => match violating(model, beside) {
            (beside, Some(property)) => (beside, Some(property)),
            _ => violating(model, alone),
        },
    };
    Ok((describe(&model.machine, &model.source, &trace, property), trace))
}

/// A run, and the first property that it violates.
fn violating(model: &Model, trace: Trace) -> (Trace, Option<PropertyId>) {
    let mut properties = model.machine.system().properties.indices();
    let violated = properties.find(|property| trace.violates(&model.machine, *property).is_some());
    (trace, violated)
}

fn is_trail(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("trail"))
}

fn is_xml(path: &Path) -> bool {
    Format::of_path(path) == Some(Format::Xml)
}
