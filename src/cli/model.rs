//! Reading the model that the command line names.

use super::net::{self, Limits};
use super::{WHAT, output, terminal};
use crate::Error;
use crate::Mistakes;
use crate::check::Stamp;
use crate::define::Define;
use crate::diagnostic::Diagnostics;
use crate::file;
use crate::hoa::{self, Automaton};
pub use crate::model::Model;
use crate::model::{self, Additions};
use crate::smv::PcChoice;
use crate::source::Source;
use jobs::Subject;
use limits::Budget;
use std::path::{Path, PathBuf};
use system::Trace;

/// The model and how to read it.
#[derive(Clone, clap::Args)]
pub struct ModelArgs {
    /// The model (.smv, or .pml for Promela), or - for standard input.
    pub model: PathBuf,
    /// A macro of a Promela model, such as N=3, or N for N=1, as `spin -D` has it; in SMV a value for a DEFINE or a
    /// FROZENVAR of main (may be repeated).
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]", help_heading = WHAT)]
    defines: Vec<Define>,
    /// The program counter of a process, such as p1=state (instead of the inferred one).
    #[arg(long = "pc", value_name = "PROCESS=VARIABLE", value_parser = parse_pc, help_heading = WHAT)]
    pcs: Vec<PcChoice>,
    /// An expression that has to hold in every state (may be repeated).
    #[arg(long = "invariant", value_name = "EXPRESSION", help_heading = WHAT)]
    invariants: Vec<String>,
    /// An automaton in the Hanoi format that no run may be accepted by; its atomic propositions are conditions in the
    /// language of the model (may be repeated).
    #[arg(long = "automaton", value_name = "FILE", help_heading = WHAT)]
    automata: Vec<PathBuf>,
    /// The language of the model (by default the file's ending tells).
    #[arg(long, value_enum, help_heading = WHAT)]
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

impl ModelArgs {
    /// A model with macros, of which nothing else is said.
    pub fn new(model: PathBuf, defines: Vec<Define>) -> ModelArgs {
        ModelArgs { model, defines, pcs: Vec::new(), invariants: Vec::new(), automata: Vec::new(), language: None }
    }

    /// What is asked about the model, for machines that have nothing but the model's text, which comes along.
    pub fn subject(&self, deadlock: bool, property: String, bound: usize) -> Result<(String, Subject), Error> {
        let ending = match language(self)? {
            model::Language::Smv => "smv",
            model::Language::Promela => "pml",
        };
        if is_standard_input(&self.model) {
            return Err(Error::Usage("standard input cannot be split; write the model to a file".to_owned()));
        }
        let defines = self.defines.iter().map(|define| (define.name.clone(), define.value.clone()));
        let pcs = self.pcs.iter().map(|choice| (choice.process.clone(), choice.variable.clone()));
        let text = read_model(&self.model)?.text().to_owned();
        let subject = Subject {
            model: Stamp::named(format!("model.{ending}")),
            included: Vec::new(),
            defines: defines.collect(),
            program_counters: pcs.collect(),
            invariants: self.invariants.clone(),
            deadlock,
            property,
            bound,
        };
        Ok((text, subject))
    }

    /// The same for another model.
    pub fn named(&self, path: &Path) -> ModelArgs {
        ModelArgs { model: path.to_owned(), ..self.clone() }
    }
}

/// Writes a trace as a trail for SPIN.
pub fn write_trail(model: &Model, path: &Path, trace: &Trace) -> Result<(), Error> {
    output::write(path, &model.trail()?.render(trace))
}

/// Reads a model and shows what there is to say about it. `Ok(None)` if it is wrong and that has been said.
pub fn load(args: &ModelArgs) -> Result<Option<Model>, Error> {
    load_until(&Budget::default(), args)
}

/// The same until the budget is used up.
pub fn load_until(budget: &Budget, args: &ModelArgs) -> Result<Option<Model>, Error> {
    match read(args, budget) {
        Ok(model) => {
            terminal::show_diagnostics(&model.diagnostics, &model.source);
            Ok(Some(model))
        }
        Err(Error::Model(mistakes)) => {
            terminal::show_diagnostics(&mistakes.diagnostics, &mistakes.source);
            Ok(None)
        }
        Err(other) => Err(other),
    }
}

/// The same within limits.
pub fn load_within(limits: &Limits, args: &ModelArgs) -> Result<Option<Model>, Error> {
    let (args, budget) = (args.clone(), limits.budget.clone());
    net::ended(limits, Error::Unread, move |_| load_until(&budget, &args))
}

/// Reads a model until the budget is used up.
pub fn read(args: &ModelArgs, budget: &Budget) -> Result<Model, Error> {
    let language = language(args)?;
    let source = read_model(&args.model)?;
    let automata = automata(args)?;
    let (pcs, defines, invariants) = (args.pcs.clone(), args.defines.clone(), args.invariants.clone());
    let additions = Additions { pcs, defines, invariants, automata };
    model::lower(source, language, &additions, budget)
}

/// Reads the automata that the command line names.
fn automata(args: &ModelArgs) -> Result<Vec<Automaton>, Error> {
    let mut automata = Vec::new();
    for path in &args.automata {
        let source = file::source(path).map_err(|error| Error::Usage(error.to_string()))?;
        let mut diagnostics = Diagnostics::default();
        match hoa::read(&source, &mut diagnostics) {
            Some(automaton) => automata.push(automaton),
            None => return Err(Error::Model(Box::new(Mistakes { source, diagnostics }))),
        }
    }
    Ok(automata)
}

fn read_model(path: &Path) -> Result<Source, Error> {
    let read = if is_standard_input(path) { file::standard_input() } else { file::source(path) };
    read.map_err(|error| Error::Usage(error.to_string()))
}

fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The language of the model: as is said, or as the ending tells.
pub fn language(args: &ModelArgs) -> Result<model::Language, Error> {
    let named = args.language.map(|language| match language {
        Language::Smv => model::Language::Smv,
        Language::Promela => model::Language::Promela,
    });
    named.or_else(|| model::Language::of_path(&args.model)).ok_or_else(|| {
        let path = args.model.display();
        let what = if is_standard_input(&args.model) { "standard input".to_owned() } else { path.to_string() };
        Error::Usage(format!("{what}: no ending tells the language; add --language smv or --language promela"))
    })
}
