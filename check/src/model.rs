//! Models: a text and what it means.

use crate::automata;
use crate::error::{Error, Mistakes};
use crate::file;
use crate::options::Options;
use languages::define::Define;
use languages::diagnostic::Diagnostics;
use languages::hoa::Automaton;
use languages::smv::PcChoice;
use languages::source::{LARGEST, Source};
use languages::{promela, smv};
use limits::net::{self, Limits};
use limits::{Budget, Ended, Observer};
use std::path::Path;
use std::sync::Arc;
use system::{Claim, Fairness, Machine, ProcessId, Property, Span, System};

/// The language of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// SMV, as NuSMV reads it.
    Smv,
    /// Promela, as SPIN reads it.
    Promela,
}

impl Language {
    /// The language that the ending of a file's name stands for.
    pub fn of_path(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "smv" => Some(Language::Smv),
            "pml" | "promela" | "prom" | "prm" | "pr" | "pm" | "spin" => Some(Language::Promela),
            _ => None,
        }
    }
}

/// What is added to a model when it is read.
#[derive(Clone, Debug, Default)]
pub struct Additions {
    /// Program counters that are not the inferred ones (SMV).
    pub pcs: Vec<PcChoice>,
    /// Names that get a meaning: macros (Promela), a DEFINE or a FROZENVAR of main (SMV).
    pub defines: Vec<Define>,
    /// Expressions that have to hold in every state.
    pub invariants: Vec<String>,
    /// Automata that no run may be accepted by.
    pub automata: Vec<Automaton>,
}

/// Reads models, until time or memory is over or the user has enough.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    budget: Budget,
}

impl Reader {
    /// Reads a model from a file, whose ending tells the language.
    pub fn load(&self, path: impl AsRef<Path>) -> Result<Model, Error> {
        let path = path.as_ref();
        let name = path.display();
        let language = Language::of_path(path)
            .ok_or_else(|| Error::Usage(format!("{name}: the ending does not tell the language")))?;
        self.read(file::source(path)?, language)
    }

    /// Reads a model from a text.
    pub fn parse(&self, text: &str, language: Language) -> Result<Model, Error> {
        self.read(Source::new("model", text.as_bytes()), language)
    }

    fn read(&self, source: Source, language: Language) -> Result<Model, Error> {
        if source.text().len() > LARGEST {
            return Err(Error::Usage(format!("{}: a model has at most {LARGEST} bytes", source.name())));
        }
        lower(source, language, &Additions::default(), &self.budget)
    }
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
    /// Reads a model from a file, whose ending tells the language.
    pub fn load(path: impl AsRef<Path>) -> Result<Model, Error> {
        Reader::default().load(path)
    }

    /// Reads a model from a text.
    pub fn parse(text: &str, language: Language) -> Result<Model, Error> {
        Reader::default().parse(text, language)
    }

    /// Does one of the above, in the time and memory of these options and until the observer interrupts it.
    ///
    /// The reader asks now and then whether it may go on. Where it does not ask soon enough, it is left to itself on a thread
    /// of its own, and what comes of it is lost.
    ///
    /// ```
    /// use uwbmc::{Language, Model, Options};
    ///
    /// let text = "MODULE main VAR x : boolean; INVARSPEC x | !x";
    /// let model = Model::within(&Options::default(), &(), |reader| reader.parse(text, Language::Smv))?;
    /// assert_eq!(model.machine.system().properties.len(), 1);
    /// # Ok::<(), uwbmc::Error>(())
    /// ```
    pub fn within(
        options: &Options,
        observer: &dyn Observer,
        read: impl FnOnce(&Reader) -> Result<Model, Error> + Send + 'static,
    ) -> Result<Model, Error> {
        let memory = options.memory as u64;
        let budget = Budget::new(options.timeout, observer.interrupt()).with_memory(memory);
        let reader = Reader { budget: budget.clone() };
        net::under(&Limits { budget, memory }, move |_| read(&reader)).unwrap_or_else(|why| Err(Error::Unread(why)))
    }

    /// A model that was built by hand.
    pub fn from_system(system: System) -> Model {
        let machine = Machine::new(Arc::new(system));
        let (source, diagnostics) = (Source::new("model", b""), Diagnostics::default());
        Model { source, machine, diagnostics, trail: None }
    }

    /// Adds the claim that no reachable state is without successors.
    pub fn claim_deadlock_freedom(&mut self) {
        let mut system = self.machine.system().clone();
        let name = "deadlock".to_owned();
        system.properties.push(Property::new(name, Claim::DeadlockFree, Span::default()));
        self.machine = Machine::new(Arc::new(system));
    }

    /// Adds the claim that every infinite run passes a progress label again and again, unless the model makes it by having
    /// such labels: without any, that no run is infinite.
    pub fn claim_progress(&mut self) {
        let mut system = self.machine.system().clone();
        let name = "non_progress_cycles".to_owned();
        let is_there = |property: &Property| matches!(property.claim, Claim::Progress(_)) || property.name == name;
        if system.properties.iter().any(is_there) {
            return;
        }
        let claim = Claim::Progress(system.exprs.boolean(false));
        system.properties.push(Property::new(name, claim, Span::default()).beside_claim());
        self.machine = Machine::new(Arc::new(system));
    }

    /// From now on temporal properties are about runs that are fair to every process in this way.
    pub fn assume_fairness(&mut self, fair: impl Fn(ProcessId) -> Fairness) {
        let mut system = self.machine.system().clone();
        system.fairness.extend(system.processes.indices().map(fair));
        self.machine = Machine::new(Arc::new(system));
    }

    /// How SPIN names the steps of a Promela model.
    pub fn trail(&self) -> Result<&promela::trail::Trail, Error> {
        self.trail.as_ref().ok_or_else(|| Error::Usage("only Promela models have trails".to_owned()))
    }
}

/// Finds out what a text means, until the budget is used up.
pub fn lower(mut source: Source, language: Language, additions: &Additions, budget: &Budget) -> Result<Model, Error> {
    let alarm = budget.alarm();
    let Additions { pcs, defines, invariants, automata } = additions;
    let predicates = &automata::predicates(automata);
    let (mut system, trail, mut diagnostics) = match language {
        Language::Smv => {
            let loaded = smv::load_with(
                &mut source,
                smv::Settings { pcs, defines, invariants, predicates, alarm: Some(&alarm) },
            );
            (loaded.system, None, loaded.diagnostics)
        }
        Language::Promela => {
            let name = source.name().to_owned();
            let settings = promela::Settings { defines, invariants, predicates, alarm: Some(&alarm) };
            let loaded = promela::load(&mut source, settings, &|from, wanted| file::included(&name, from, wanted));
            (loaded.system, loaded.trail, loaded.diagnostics)
        }
    };
    if let Some(system) = &mut system {
        automata::claim(system, automata, &mut diagnostics);
    }
    match system.filter(|_| !diagnostics.is_rejected()) {
        Some(system) => {
            let machine = Machine::until(Arc::new(system), &alarm).ok_or_else(|| unread(budget))?;
            Ok(Model { source, machine, diagnostics, trail })
        }
        None if diagnostics.is_interrupted() => Err(unread(budget)),
        None => Err(Error::Model(Box::new(Mistakes { source, diagnostics }))),
    }
}

/// Why reading had to end. The alarm also rings when the process takes too much memory.
fn unread(budget: &Budget) -> Error {
    Error::Unread(budget.reason().unwrap_or(Ended::Memory))
}
