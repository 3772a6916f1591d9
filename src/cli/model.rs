//! Reading the model that the command line names.

use super::{UsageError, file, output, terminal};
use crate::define::Define;
use crate::smv::PcChoice;
use crate::source::Source;
use crate::{promela, smv};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use system::{Machine, Trace};

/// The model and how to read it.
#[derive(clap::Args)]
pub struct ModelArgs {
    /// The model (.smv, or .pml for Promela), or - for standard input.
    pub model: PathBuf,
    /// A macro of a Promela model, such as N=3, or N for N=1, as `spin -D` has it (may be repeated).
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]")]
    defines: Vec<Define>,
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
    let mut source = read_model(&args.model)?;
    let (system, trail, diagnostics) = match language {
        Language::Smv => {
            if !args.invariants.is_empty() {
                return Err(UsageError("--invariant is for Promela models; an SMV model has INVARSPEC".to_owned()));
            }
            if !args.defines.is_empty() {
                return Err(UsageError("-D is for Promela models".to_owned()));
            }
            let loaded = smv::load(&source, &args.pcs);
            (loaded.system, None, loaded.diagnostics)
        }
        Language::Promela => {
            let settings = promela::Settings { defines: &args.defines, invariants: &args.invariants };
            let loaded = promela::load(&mut source, settings, &read_included);
            (loaded.system, loaded.trail, loaded.diagnostics)
        }
    };
    terminal::show_diagnostics(&diagnostics, &source);
    Ok(system.map(|system| Model { source, machine: Machine::new(Arc::new(system)), trail }))
}

/// Reads the text of a model. What is no text is refused here, since a parser would only stumble over its first byte.
fn read_model(path: &Path) -> Result<Source, UsageError> {
    let (name, bytes) = if is_standard_input(path) {
        ("<stdin>".to_owned(), file::read_limited(std::io::stdin().lock()))
    } else {
        (path.display().to_string(), file::read(path))
    };
    let bytes = bytes.and_then(file::as_text).map_err(|error| UsageError(format!("{name}: {error}")))?;
    Ok(Source::new(name, &bytes))
}

fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads a file that a model includes: its name is relative to the file that includes it.
fn read_included(from: &str, wanted: &str) -> Result<(String, Vec<u8>), String> {
    let path = Path::new(from).parent().unwrap_or(Path::new("")).join(wanted);
    let bytes = file::read(&path).and_then(file::as_text)?;
    Ok((path.display().to_string(), bytes))
}

fn language(args: &ModelArgs) -> Result<Language, UsageError> {
    if let Some(language) = args.language {
        return Ok(language);
    }
    if has_ending(&args.model, "smv") {
        return Ok(Language::Smv);
    }
    if ["pml", "promela", "prom", "prm", "pr", "pm", "spin"].iter().any(|ending| has_ending(&args.model, ending)) {
        return Ok(Language::Promela);
    }
    let add = "add --language smv or --language promela";
    if is_standard_input(&args.model) {
        return Err(UsageError(format!("standard input has no ending that tells the language; {add}")));
    }
    Err(UsageError(format!("{}: the ending does not tell the language; {add}", args.model.display())))
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
}
