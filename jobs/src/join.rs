//! The verdict on what came of the jobs, none of which is believed.

use super::cover::{Cover, cover};
use super::folder::{self, Answer, FORMULA, JobFile, Manifest, RESULTS, ResultFile, Work};
use super::icnf::Icnf;
use super::job::units;
use super::split;
use bounded::Within;
use check::{Error, Model, Options, Verdict, admit, confirm};
use encoder::{Cnf, Lit};
use engine::Cause;
use limits::{Ended, Handle, Progress};
use proof::check_either;
use report::trace::{Document, rebuild};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use system::{Machine, PropertyId, Trace};

/// What the jobs came to.
pub struct Joined {
    /// The model.
    pub model: Model,
    /// The property.
    pub property: PropertyId,
    /// The verdict.
    pub verdict: Verdict,
    /// What it rests on.
    pub tally: Tally,
}

/// What a verdict rests on.
#[derive(Debug, Default)]
pub struct Tally {
    /// How many proofs were accepted, that of the cover included.
    pub proofs: usize,
    /// Results that were not accepted, and why.
    pub rejected: Vec<String>,
    /// The cubes that no accepted result settles.
    pub missing: Vec<String>,
}

/// Joins the results of a split: checks that the formula is the model's and has its runs, that the cubes cover all solutions,
/// each proof, and each run.
pub fn join(folder: &Path, handle: &mut Handle<'_>) -> Result<Joined, Error> {
    let manifest = Manifest::read(folder)?;
    let mut stamps = manifest.subject.files().chain([&manifest.formula]).chain(&manifest.jobs);
    if let Some(problem) = stamps.find_map(|stamp| stamp.problem(folder)) {
        return Err(Error::Usage(problem));
    }
    let (model, property) = manifest.subject.load(folder)?;
    let mut tally = Tally::default();
    let split = Split { folder, manifest: &manifest, machine: &model.machine, property };
    let verdict = split.verdict(&mut tally, handle)?;
    Ok(Joined { model, property, verdict, tally })
}

/// A split, as far as it is known to be what was written.
struct Split<'a> {
    folder: &'a Path,
    manifest: &'a Manifest,
    machine: &'a Machine,
    property: PropertyId,
}

/// What an accepted result says.
enum Settled {
    /// The cube of a job is refuted.
    Cube(String),
    /// The property is violated.
    Violation(Trace),
    /// Nothing was found.
    Nothing,
}

/// What results are compared with.
struct Formulas<'a> {
    /// The formula of the model.
    within: Within<'a>,
    /// What the jobs are about.
    jobs: BTreeMap<String, Work>,
    /// The formula as the checker has it.
    cnf: proof::Cnf,
}

impl Split<'_> {
    fn verdict(&self, tally: &mut Tally, handle: &mut Handle<'_>) -> Result<Verdict, Error> {
        let formula = self.formula()?;
        let within = self.within(&formula)?;
        let mut formulas = Formulas { within, jobs: self.jobs()?, cnf: for_checker(&formula) };
        let (files, mut settled) = (self.results()?, BTreeSet::new());
        for (done, file) in files.iter().enumerate() {
            if handle.see(Progress::Certifying { done, all: files.len() }).is_break() {
                break;
            }
            match self.accept(&mut formulas, file) {
                Ok(Settled::Violation(trace)) => return Ok(Verdict::Violated(Arc::new(trace))),
                Ok(Settled::Cube(name)) => drop(settled.insert(name)),
                Ok(Settled::Nothing) => {}
                Err(why) => tally.rejected.push(format!("{}: rejected: {why}", file.display())),
            }
        }
        tally.proofs = settled.len();
        let cubes: Vec<(&String, Vec<Lit>)> = formulas.jobs.iter().filter_map(cube).collect();
        tally.missing = cubes.iter().map(|(name, _)| *name).filter(|name| !settled.contains(*name)).cloned().collect();
        match tally.missing.len() {
            0 => {
                let cubes: Vec<Vec<Lit>> = cubes.into_iter().map(|(_, cube)| cube).collect();
                self.covered(&formula, &cubes, tally, handle)
            }
            missing => {
                Ok(Verdict::unknown(Cause::CutOff, format!("{missing} of {} cubes are not refuted", cubes.len())))
            }
        }
    }

    /// The formula in the folder.
    fn formula(&self) -> Result<Cnf, Error> {
        let path = self.folder.join(FORMULA);
        let text = std::fs::read_to_string(&path).map_err(|error| Error::in_file(&path, &error))?;
        Ok(Icnf::parse(&text).map_err(|why| folder::foreign(&path, &why))?.formula)
    }

    /// The formula of the model, which has to be the one in the folder.
    fn within(&self, formula: &Cnf) -> Result<Within<'_>, Error> {
        let within = split::formula(self.machine, &self.manifest.subject)?;
        within.filter(|within| within.formula.clauses == formula.clauses).ok_or_else(|| {
            let why = "this is not the formula that this version of uwbmc makes of the model";
            folder::foreign(&self.folder.join(FORMULA), why)
        })
    }

    /// What the jobs are about.
    fn jobs(&self) -> Result<BTreeMap<String, Work>, Error> {
        let mut jobs = BTreeMap::new();
        for stamp in &self.manifest.jobs {
            let job = JobFile::read(&self.folder.join(&stamp.file))?;
            jobs.insert(job.name, job.work);
        }
        Ok(jobs)
    }

    /// The files of results, in order.
    fn results(&self) -> Result<Vec<PathBuf>, Error> {
        let folder = self.folder.join(RESULTS);
        let entries = std::fs::read_dir(&folder).map_err(|error| Error::in_file(&folder, &error))?;
        let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
        files.sort();
        Ok(files)
    }

    /// What a result says, or why it says nothing.
    fn accept(&self, formulas: &mut Formulas<'_>, file: &Path) -> Result<Settled, String> {
        let result = ResultFile::read(file).map_err(|error| reason(&error))?;
        if result.split != self.manifest.identity() {
            return Err("it belongs to another split".to_owned());
        }
        let work = formulas.jobs.get(&result.job).ok_or_else(|| format!("there is no job {}", result.job))?;
        match (work, result.answer) {
            (Work::Cube(cube), Answer::Refuted { proof }) => {
                let bytes = std::fs::read(beside(file, &proof)?).map_err(|error| format!("{proof}: {error}"))?;
                let all = formulas.cnf.clauses.len();
                formulas.cnf.clauses.extend(for_checker(&Cnf { variables: 0, clauses: units(cube).collect() }).clauses);
                let outcome = check_either(&formulas.cnf, &bytes);
                formulas.cnf.clauses.truncate(all);
                outcome.map(|_| Settled::Cube(result.job)).map_err(|why| format!("{proof}: {why}"))
            }
            (Work::Cube(_), Answer::Satisfiable { positive }) => {
                let positive: BTreeSet<u32> = positive.into_iter().collect();
                let run = formulas.within.run(|lit: Lit| positive.contains(&lit.variable()) == lit.is_positive());
                self.violation(run.ok_or("its assignment is no solution")?)
            }
            (Work::Hunt { .. }, Answer::Violated { trace }) => {
                let text =
                    std::fs::read_to_string(beside(file, &trace)?).map_err(|error| format!("{trace}: {error}"))?;
                let document = Document::from_json(&text).map_err(|error| format!("{trace}: {error}"))?;
                self.violation(rebuild(self.machine, &document).map_err(|error| format!("{trace}: {error}"))?)
            }
            (Work::Hunt { .. }, Answer::Nothing) => Ok(Settled::Nothing),
            _ => Err("this is no answer to its job".to_owned()),
        }
    }

    /// A run that replays and violates the property.
    fn violation(&self, run: Trace) -> Result<Settled, String> {
        match confirm(self.machine, self.property, &run) {
            Ok(()) => Ok(Settled::Violation(run)),
            Err(error) => Err(format!("its run is no counterexample: {}", reason(&error))),
        }
    }

    /// The verdict where all cubes are refuted: they have to leave nothing out, and the formula has to have runs of the model.
    fn covered(
        &self,
        formula: &Cnf,
        cubes: &[Vec<Lit>],
        tally: &mut Tally,
        handle: &mut Handle<'_>,
    ) -> Result<Verdict, Error> {
        let now = Progress::Certifying { done: tally.proofs, all: tally.proofs + 1 };
        let _ = handle.see(now);
        let scratch = std::env::temp_dir().join(format!("uwbmc-join-{}", std::process::id()));
        std::fs::create_dir_all(&scratch).map_err(|error| Error::in_file(&scratch, &error))?;
        let covered = cover(formula, cubes, &scratch, handle);
        let _ = std::fs::remove_dir_all(&scratch);
        match covered? {
            Cover::Everything => tally.proofs += 1,
            Cover::NotAll => return Ok(Verdict::unknown(Cause::CutOff, "the cubes leave out some runs")),
            Cover::Interrupted => {
                let reason = "interrupted while checking that the cubes leave nothing out";
                return Ok(Verdict::unknown(Cause::Ended(handle.why().unwrap_or(Ended::Interrupted)), reason));
            }
        }
        let bound = self.manifest.subject.bound;
        admit(self.machine, (self.property, bound), &Options::default(), handle)?;
        Ok(Verdict::HoldsUpTo(bound))
    }
}

/// The cube of a job, if it is about one.
fn cube<'a>((name, work): (&'a String, &Work)) -> Option<(&'a String, Vec<Lit>)> {
    match work {
        Work::Cube(cube) => Some((name, units(cube).flatten().collect())),
        Work::Hunt { .. } => None,
    }
}

/// A formula as the checker has it.
fn for_checker(formula: &Cnf) -> proof::Cnf {
    let clauses = formula.clauses.iter().map(|clause| clause.iter().copied().filter_map(lit_for_checker).collect());
    proof::Cnf { variables: formula.variables, clauses: clauses.collect() }
}

fn lit_for_checker(lit: Lit) -> Option<proof::Lit> {
    proof::Lit::new(i64::from(lit.to_dimacs()))
}

/// The file with a name beside another one. A name with a path in it is none that we wrote.
fn beside(file: &Path, name: &str) -> Result<PathBuf, String> {
    match Path::new(name).file_name().is_some_and(|only| only == name) {
        true => Ok(file.with_file_name(name)),
        false => Err(format!("{name}: this is not the name of a file")),
    }
}

/// Why something is not accepted. What would be a bug in an answer of ours is none in a file from elsewhere.
fn reason(error: &Error) -> String {
    match error {
        Error::Bug(what) => what.clone(),
        other => other.to_string(),
    }
}
