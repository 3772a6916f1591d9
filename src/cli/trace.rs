//! `uwbmc trace`

use super::{Outcome, UsageError, output, simplify};
use crate::report::Format;
use crate::trace::Document;
use std::path::{Path, PathBuf};

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
    /// The trace, in JSON as `--trace FILE.json` writes it.
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

/// Reads a trace document.
pub fn read(path: &Path) -> Result<Document, UsageError> {
    let in_file = |error: &dyn std::fmt::Display| UsageError(format!("{}: {error}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| in_file(&error))?;
    Document::from_json(&text).map_err(|error| in_file(&error))
}
