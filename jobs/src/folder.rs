//! The files of a split: what is asked, the formula with its cubes, jobs, and results.
//!
//! ```text
//! manifest.json         what is asked, and which files belong to it
//! model.smv             the model, so that each machine has it; what it includes is beside it
//! formula.icnf          the formula, once, and all cubes
//! jobs/cube-01.json     a job each
//! results/cube-01.json  what came of it, once it is done; beside it the proof
//! ```

use check::model::{Additions, lower};
use check::{Error, Language, Model, Stamp, file};
use encoder::Lit;
use languages::define::Define;
use languages::smv::PcChoice;
use limits::Budget;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use system::PropertyId;

use super::hunt::Method;

/// The manifest's file.
pub const MANIFEST: &str = "manifest.json";
/// The formula's file.
pub const FORMULA: &str = "formula.icnf";
/// The folder of jobs.
pub const JOBS: &str = "jobs";
/// The folder of results.
pub const RESULTS: &str = "results";

/// What a file is, and in which version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kind {
    format: String,
    version: u32,
}

impl Kind {
    /// A file of this format, as we write it.
    pub fn new(format: &str) -> Kind {
        Kind { format: format.to_owned(), version: 1 }
    }

    fn expect(&self, format: &str) -> Result<(), String> {
        let Kind { format: found, version } = self;
        if *self == Kind::new(format) {
            return Ok(());
        }
        Err(format!("expected {format} version 1, found {found} version {version}"))
    }
}

/// What is asked: whether a run of the model violates the property within a number of steps.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Subject {
    /// The model, as it lies in the folder.
    pub model: Stamp,
    /// The files that it includes, as they lie there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub included: Vec<Stamp>,
    /// Names that get a meaning, with their values.
    pub defines: Vec<(String, Option<String>)>,
    /// Processes, with their program counters.
    pub program_counters: Vec<(String, String)>,
    /// Expressions that have to hold in every state.
    pub invariants: Vec<String>,
    /// Whether the claim is added that no state is without successors.
    pub deadlock: bool,
    /// The property.
    pub property: String,
    /// The number of steps.
    pub bound: usize,
}

impl Subject {
    /// The files of the model.
    pub fn files(&self) -> impl Iterator<Item = &Stamp> {
        std::iter::once(&self.model).chain(&self.included)
    }

    /// Reads the model from the folder and adds what is to be added.
    pub fn load(&self, folder: &Path) -> Result<(Model, PropertyId), Error> {
        let path = folder.join(&self.model.file);
        let language = Language::of_path(&path).ok_or_else(|| foreign(&path, "the ending tells no language"))?;
        let additions = Additions {
            pcs: self.program_counters.iter().cloned().map(program_counter).collect(),
            defines: self.defines.iter().cloned().map(|(name, value)| Define { name, value }).collect(),
            invariants: self.invariants.clone(),
            // Only invariants are split.
            automata: Vec::new(),
        };
        let mut model = lower(file::source(&path)?, language, &additions, &Budget::default())?;
        if self.deadlock {
            model.claim_deadlock_freedom();
        }
        let property = languages::suggest::named(model.machine.system(), &self.property).map_err(Error::Usage)?;
        Ok((model, property))
    }
}

fn program_counter((process, variable): (String, String)) -> PcChoice {
    PcChoice { process, variable }
}

/// What the files of a folder are.
#[derive(Debug, Serialize, Deserialize)]
pub struct Manifest {
    #[serde(flatten)]
    kind: Kind,
    /// What is asked.
    #[serde(flatten)]
    pub subject: Subject,
    /// The formula and the cubes.
    pub formula: Stamp,
    /// The jobs.
    pub jobs: Vec<Stamp>,
}

/// The format of manifests.
const SPLIT: &str = "uwbmc-split";

impl Manifest {
    /// What a split has.
    pub fn new(subject: Subject, formula: Stamp, jobs: Vec<Stamp>) -> Manifest {
        Manifest { kind: Kind::new(SPLIT), subject, formula, jobs }
    }

    /// Reads the manifest of a folder.
    pub fn read(folder: &Path) -> Result<Manifest, Error> {
        let path = folder.join(MANIFEST);
        let manifest: Manifest = read(&path)?;
        manifest.kind.expect(SPLIT).map_err(|why| foreign(&path, &why))?;
        Ok(manifest)
    }

    /// What tells this split from others: its formula, which names the model, the property and the bound.
    pub fn identity(&self) -> &str {
        &self.formula.hash
    }
}

/// A job.
#[derive(Debug, Serialize, Deserialize)]
pub struct JobFile {
    #[serde(flatten)]
    kind: Kind,
    /// Its name, which its result has too.
    pub name: String,
    /// The split that it belongs to.
    pub split: String,
    /// What is to be done.
    pub work: Work,
}

/// The format of jobs.
const JOB: &str = "uwbmc-job";

/// What is to be done in a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// To refute the formula under these literals, or to find a solution.
    Cube(Vec<i32>),
    /// To look for a violation.
    Hunt {
        /// How.
        method: Method,
        /// How long, by the work of the solver or the steps of walks.
        ticks: u64,
    },
}

impl Work {
    /// The job of a cube.
    pub fn of_cube(cube: &[Lit]) -> Work {
        Work::Cube(cube.iter().map(|lit| lit.to_dimacs()).collect())
    }
}

impl JobFile {
    /// A job of a split.
    pub fn new(name: String, split: &str, work: Work) -> JobFile {
        JobFile { kind: Kind::new(JOB), name, split: split.to_owned(), work }
    }

    /// Reads a job.
    pub fn read(path: &Path) -> Result<JobFile, Error> {
        let job: JobFile = read(path)?;
        job.kind.expect(JOB).map_err(|why| foreign(path, &why))?;
        Ok(job)
    }
}

/// What came of a job.
#[derive(Debug, Serialize, Deserialize)]
pub struct ResultFile {
    #[serde(flatten)]
    kind: Kind,
    /// The job.
    pub job: String,
    /// The split that it belongs to.
    pub split: String,
    /// The answer.
    pub answer: Answer,
}

/// The format of results.
const RESULT: &str = "uwbmc-result";

/// What came of a job. None of it is believed.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The formula has no solution under the cube.
    Refuted {
        /// The file of the proof, beside the result.
        proof: String,
    },
    /// It has one.
    Satisfiable {
        /// The variables that are true in it.
        positive: Vec<u32>,
    },
    /// A hunt has found a violation.
    Violated {
        /// The file of the trace, beside the result.
        trace: String,
    },
    /// A hunt has found none.
    Nothing,
}

impl ResultFile {
    /// The result of a job.
    pub fn new(job: &JobFile, answer: Answer) -> ResultFile {
        ResultFile { kind: Kind::new(RESULT), job: job.name.clone(), split: job.split.clone(), answer }
    }

    /// Reads a result.
    pub fn read(path: &Path) -> Result<ResultFile, Error> {
        let result: ResultFile = read(path)?;
        result.kind.expect(RESULT).map_err(|why| foreign(path, &why))?;
        Ok(result)
    }
}

/// The folder that a job's file is in: the one above that of the jobs.
pub fn folder_of(job: &Path) -> PathBuf {
    let jobs = job.parent().unwrap_or(Path::new(""));
    let folder = if jobs.as_os_str().is_empty() { Path::new("..") } else { jobs.parent().unwrap_or(Path::new("")) };
    if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() }
}

/// Reads a JSON document.
fn read<T: DeserializeOwned>(path: &Path) -> Result<T, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::in_file(path, &error))?;
    serde_json::from_str(&text).map_err(|error| foreign(path, &error.to_string()))
}

/// Writes a JSON document, so that there is all of it or nothing: those who are killed leave nothing half done.
pub fn write(path: &Path, document: &impl Serialize) -> Result<(), Error> {
    // Strings, numbers and lists always serialise.
    let text = serde_json::to_string_pretty(document).unwrap_or_default() + "\n";
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(format!(".{}", std::process::id()));
    std::fs::write(&unfinished, text)
        .and_then(|()| std::fs::rename(&unfinished, path))
        .map_err(|error| Error::in_file(path, &error))
}

/// A file that is none of the split.
pub fn foreign(path: &Path, why: &str) -> Error {
    Error::about(path, &why)
}
