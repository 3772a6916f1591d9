//! Reading the model that the command line names.

use super::{UsageError, output, terminal};
use crate::diagnostic::Diagnostics;
use crate::smv::PcChoice;
use crate::source::{LARGEST, Source};
use crate::{promela, smv};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use system::{Machine, Trace};

/// The model and how to read it.
#[derive(clap::Args)]
pub struct ModelArgs {
    /// The model (.smv, or .pml for Promela).
    pub model: PathBuf,
    /// The program counter of a process, such as p1=state (instead of the inferred one).
    #[arg(long = "pc", value_name = "PROCESS=VARIABLE", value_parser = parse_pc)]
    pcs: Vec<PcChoice>,
    /// An expression that has to hold in every state of a Promela model (may be repeated).
    #[arg(long = "invariant", value_name = "EXPRESSION")]
    invariants: Vec<String>,
    /// The language of the model (by default the file's ending tells).
    #[arg(long, value_enum)]
    language: Option<Language>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Language {
    Smv,
    Promela,
}

fn parse_pc(text: &str) -> Result<PcChoice, String> {
    let (process, variable) = text.split_once('=').ok_or("write PROCESS=VARIABLE")?;
    Ok(PcChoice { process: process.to_owned(), variable: variable.to_owned() })
}

/// A model, ready to run.
pub struct Model {
    /// Its text.
    pub source: Source,
    /// Its meaning.
    pub machine: Machine,
    /// What there is to say about it. Errors among them are about single properties, which are not checked.
    pub diagnostics: Diagnostics,
    /// How SPIN names its steps, if it is a Promela model.
    trail: Option<promela::trail::Trail>,
}

impl Model {
    /// Writes a trace as a trail for SPIN.
    pub fn write_trail(&self, path: &Path, trace: &Trace) -> Result<(), UsageError> {
        output::write(path, &self.trail()?.render(trace))
    }

    /// How SPIN names the steps.
    pub fn trail(&self) -> Result<&promela::trail::Trail, UsageError> {
        self.trail.as_ref().ok_or_else(|| UsageError("only Promela models have trails".to_owned()))
    }
}

/// Reads a model and shows what there is to say about it. `Ok(None)` if it is wrong and that has been said.
pub fn load(args: &ModelArgs) -> Result<Option<Model>, UsageError> {
    let language = language(args)?;
    let path = args.model.display();
    let bytes = std::fs::read(&args.model).map_err(|error| UsageError(format!("{path}: {error}")))?;
    if bytes.len() > LARGEST {
        return Err(UsageError(format!("{path}: a model has at most {LARGEST} bytes")));
    }
    let mut source = Source::new(path.to_string(), &bytes);
    let (system, trail, diagnostics) = match language {
        Language::Smv => {
            if !args.invariants.is_empty() {
                return Err(UsageError("--invariant is for Promela models; an SMV model has INVARSPEC".to_owned()));
            }
            let loaded = smv::load(&source, &args.pcs);
            (loaded.system, None, loaded.diagnostics)
        }
        Language::Promela => {
            let loaded = promela::load(&mut source, &args.invariants, &read_included);
            (loaded.system, loaded.trail, loaded.diagnostics)
        }
    };
    terminal::show_diagnostics(&diagnostics, &source);
    Ok(system.map(|system| Model { source, machine: Machine::new(Arc::new(system)), diagnostics, trail }))
}

/// Reads a file that a model includes: its name is relative to the file that includes it.
fn read_included(from: &str, wanted: &str) -> Result<(String, Vec<u8>), String> {
    let path = Path::new(from).parent().unwrap_or(Path::new("")).join(wanted);
    let bytes = std::fs::read(&path).map_err(|error| error.to_string())?;
    Ok((path.display().to_string(), bytes))
}

fn language(args: &ModelArgs) -> Result<Language, UsageError> {
    if let Some(language) = args.language {
        return Ok(language);
    }
    if has_ending(&args.model, "smv") {
        return Ok(Language::Smv);
    }
    if ["pml", "prom", "promela", "pm", "spin"].iter().any(|ending| has_ending(&args.model, ending)) {
        return Ok(Language::Promela);
    }
    let path = args.model.display();
    Err(UsageError(format!("{path}: the ending does not tell the language; add --language smv or --language promela")))
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
}
