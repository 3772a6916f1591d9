//! `uwbmc trace`

use super::{Outcome, UsageError, output, simplify};
use crate::report::Format;
use crate::trace::{Document, rebuild, xml_read};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use system::{Machine, Trace};

#[derive(clap::Args)]
pub struct TraceArgs {
    #[command(subcommand)]
    command: TraceCommand,
}

#[derive(clap::Subcommand)]
enum TraceCommand {
    /// Write a trace in another format. The model is not needed.
    Convert(ConvertArgs),
    /// Look for a simpler counterexample: fewer steps, fewer context switches.
    Simplify(simplify::SimplifyArgs),
}

#[derive(clap::Args)]
struct ConvertArgs {
    /// The trace: .json as `--trace FILE.json` writes it, or .xml as NuSMV's `show_traces -p 4` does.
    trace: PathBuf,
    /// Where to write it (by default to standard output).
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The format (by default the ending of the output tells; text on standard output).
    #[arg(long, value_enum)]
    format: Option<Format>,
}

pub fn run(args: &TraceArgs) -> Result<Outcome, UsageError> {
    match &args.command {
        TraceCommand::Convert(args) => {
            output::write_or_print(args.output.as_deref(), args.format, &read(&args.trace)?)?;
            Ok(Outcome::Fine)
        }
        TraceCommand::Simplify(args) => simplify::run(args),
    }
}

/// Reads a trace: our own document, or NuSMV's XML.
pub fn read(path: &Path) -> Result<Document, UsageError> {
    let in_file = |error: &dyn std::fmt::Display| UsageError(format!("{}: {error}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| in_file(&error))?;
    let document = if is_xml(path) { xml_read::read(&text) } else { Document::from_json(&text) };
    document.map_err(|error| in_file(&error))
}

/// Reads a trace of this model. NuSMV also lists what follows from the variables: every variable of the model has to be
/// there, and the rest is not needed.
pub fn read_for(machine: &Machine, path: &Path) -> Result<(Document, Trace), UsageError> {
    let mut document = read(path)?;
    if is_xml(path) {
        let variables: HashSet<&str> = machine.system().variables.iter().map(|var| var.name.as_str()).collect();
        document.retain(|name| variables.contains(name));
    }
    let trace = rebuild(machine, &document).map_err(|error| UsageError(format!("{}: {error}", path.display())))?;
    Ok((document, trace))
}

fn is_xml(path: &Path) -> bool {
    Format::of_path(path) == Some(Format::Xml)
}
