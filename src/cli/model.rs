//! Reading the model that the command line names.

use super::{UsageError, output, terminal};
use crate::define::Define;
use crate::file;
pub use crate::model::Model;
use crate::model::{self, Additions};
use crate::promela;
use crate::smv::PcChoice;
use crate::source::Source;
use std::path::{Path, PathBuf};
use system::Trace;

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
    let source = read_model(&args.model)?;
    if language == model::Language::Smv && !args.invariants.is_empty() {
        return Err(UsageError("--invariant is for Promela models; an SMV model has INVARSPEC".to_owned()));
    }
    if language == model::Language::Smv && !args.defines.is_empty() {
        return Err(UsageError("-D is for Promela models".to_owned()));
    }
    let additions =
        Additions { pcs: args.pcs.clone(), defines: args.defines.clone(), invariants: args.invariants.clone() };
    match model::lower(source, language, &additions) {
        Ok(model) => {
            terminal::show_diagnostics(&model.diagnostics, &model.source);
            Ok(Some(model))
        }
        Err(mistakes) => {
            terminal::show_diagnostics(&mistakes.diagnostics, &mistakes.source);
            Ok(None)
        }
    }
}

fn read_model(path: &Path) -> Result<Source, UsageError> {
    let read = if is_standard_input(path) { file::standard_input() } else { file::source(path) };
    read.map_err(|error| UsageError(error.to_string()))
}

fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn language(args: &ModelArgs) -> Result<model::Language, UsageError> {
    let named = args.language.map(|language| match language {
        Language::Smv => model::Language::Smv,
        Language::Promela => model::Language::Promela,
    });
    named.or_else(|| model::Language::of_path(&args.model)).ok_or_else(|| {
        let path = args.model.display();
        let what = if is_standard_input(&args.model) { "standard input".to_owned() } else { path.to_string() };
        UsageError(format!("{what}: no ending tells the language; add --language smv or --language promela"))
    })
}
