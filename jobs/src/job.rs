//! Doing a job, on any machine that has the folder.

use super::folder::{self, Answer, FORMULA, JobFile, Manifest, RESULTS, ResultFile, Work};
use super::hunt::{Method, hunt};
use super::icnf::Icnf;
use check::{Error, Solver, Stamp, confirm};
use encoder::{Cnf, Lit};
use limits::{Effort, Handle};
use report::trace::describe;
use sat::{Attempt, External, Files, Model, Setup};
use std::path::{Path, PathBuf};

/// A job, read from its file.
pub struct Job {
    folder: PathBuf,
    manifest: Manifest,
    file: JobFile,
}

/// What came of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    /// The cube is refuted.
    Refuted,
    /// The cube has a solution.
    Satisfiable,
    /// A hunt has found a violation, after this many steps.
    Violated(usize),
    /// A hunt has found none.
    Nothing,
    /// There was not enough time; there is no result.
    Interrupted,
}

/// What a solver made of a cube.
enum Solved {
    /// It is refuted; here is the proof.
    Refuted(PathBuf),
    Satisfiable(Model),
    Interrupted,
}

impl Job {
    /// Reads a job, which has to be the one that was written.
    pub fn read(path: &Path) -> Result<Job, Error> {
        let folder = folder::folder_of(path);
        let manifest = Manifest::read(&folder)?;
        let file = JobFile::read(path)?;
        let name = path.file_name().map(|name| format!("{}/{}", folder::JOBS, name.to_string_lossy()));
        let Some(stamp) = manifest.jobs.iter().find(|stamp| Some(&stamp.file) == name.as_ref()) else {
            return Err(folder::foreign(path, "the manifest does not name it; it belongs to another split"));
        };
        let read: Vec<&Stamp> = match &file.work {
            Work::Cube(_) => vec![&manifest.formula],
            Work::Hunt { .. } => manifest.subject.files().collect(),
        };
        if let Some(problem) = std::iter::once(stamp).chain(read).find_map(|stamp| stamp.problem(&folder)) {
            return Err(Error::Usage(problem));
        }
        Ok(Job { folder, manifest, file })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// What is to be done.
    pub fn work(&self) -> &Work {
        &self.file.work
    }

    /// Does it. The result goes to a folder, or else to the split's.
    pub fn run(&self, solver: &Solver, results: Option<&Path>, handle: &mut Handle<'_>) -> Result<Done, Error> {
        let results = results.map_or_else(|| self.folder.join(RESULTS), Path::to_owned);
        std::fs::create_dir_all(&results).map_err(|error| Error::in_file(&results, &error))?;
        match &self.file.work {
            Work::Cube(cube) => {
                let scratch = results.join(format!(".{}-{}", self.file.name, std::process::id()));
                std::fs::create_dir_all(&scratch).map_err(|error| Error::in_file(&scratch, &error))?;
                let done = self.refute(cube, solver, (&results, &scratch), handle);
                let _ = std::fs::remove_dir_all(&scratch);
                done
            }
            Work::Hunt { method, ticks } => self.hunt((*method, *ticks), &results, handle),
        }
    }

    /// Refutes the formula under a cube.
    fn refute(
        &self,
        cube: &[i32],
        solver: &Solver,
        (results, scratch): (&Path, &Path),
        handle: &mut Handle<'_>,
    ) -> Result<Done, Error> {
        let path = self.folder.join(FORMULA);
        let text = std::fs::read_to_string(&path).map_err(|error| Error::in_file(&path, &error))?;
        let mut formula = Icnf::parse(&text).map_err(|why| folder::foreign(&path, &why))?.formula;
        formula.clauses.extend(units(cube));
        match solve(&formula, solver, scratch, handle)? {
            Solved::Refuted(proof) => {
                let name = format!("{}.proof", self.file.name);
                let kept = results.join(&name);
                std::fs::rename(&proof, &kept).map_err(|error| Error::in_file(&kept, &error))?;
                self.finish(results, Answer::Refuted { proof: name })?;
                Ok(Done::Refuted)
            }
            Solved::Satisfiable(model) => {
                let variables = 1..=formula.variables;
                let positive = variables.filter(|variable| model.holds(Lit::numbered(*variable))).collect();
                self.finish(results, Answer::Satisfiable { positive })?;
                Ok(Done::Satisfiable)
            }
            Solved::Interrupted => Ok(Done::Interrupted),
        }
    }

    /// Looks for a violation.
    fn hunt(&self, how: (Method, u64), results: &Path, handle: &mut Handle<'_>) -> Result<Done, Error> {
        let (model, property) = self.manifest.subject.load(&self.folder)?;
        let found = hunt(&model.machine, (property, self.manifest.subject.bound), how, handle)?;
        let Some(found) = found else {
            if handle.is_over() {
                return Ok(Done::Interrupted);
            }
            self.finish(results, Answer::Nothing)?;
            return Ok(Done::Nothing);
        };
        confirm(&model.machine, property, &found)?;
        let name = format!("{}.trace", self.file.name);
        let document = describe(&model.machine, &model.source, &found, Some(property));
        folder::write(&results.join(&name), &document)?;
        self.finish(results, Answer::Violated { trace: name })?;
        Ok(Done::Violated(found.moves.len()))
    }

    fn finish(&self, results: &Path, answer: Answer) -> Result<(), Error> {
        let path = results.join(format!("{}.json", self.file.name));
        folder::write(&path, &ResultFile::new(&self.file, answer))
    }
}

/// A cube as clauses.
pub fn units(cube: &[i32]) -> impl Iterator<Item = Vec<Lit>> + '_ {
    cube.iter().filter_map(|number| Lit::from_dimacs(*number)).map(|lit| vec![lit])
}

/// Refutes a formula or finds a solution, with files in a folder.
fn solve(formula: &Cnf, solver: &Solver, scratch: &Path, handle: &mut Handle<'_>) -> Result<Solved, Error> {
    match solver {
        Solver::BuiltIn(choice) => built_in(formula, *choice, scratch, handle),
        Solver::Command(command) => external(formula, command, scratch, handle),
    }
}

fn built_in(formula: &Cnf, choice: sat::Choice, scratch: &Path, handle: &mut Handle<'_>) -> Result<Solved, Error> {
    let (path, proof) = (scratch.join("query.cnf"), scratch.join("query.proof"));
    std::fs::write(&path, formula.render()).map_err(|error| Error::in_file(&path, &error))?;
    match choice.prove(formula, Files { formula: &path, proof: &proof }, handle) {
        Attempt::Refuted => Ok(Solved::Refuted(proof)),
        Attempt::Interrupted => Ok(Solved::Interrupted),
        Attempt::Failed => Err(Error::Io(format!("{}: no proof could be written", proof.display()))),
        // Who writes proofs does not tell solutions.
        Attempt::Satisfiable => answer(choice.start(Setup::default()).as_mut(), formula, &proof, handle),
    }
}

fn external(formula: &Cnf, command: &str, scratch: &Path, handle: &mut Handle<'_>) -> Result<Solved, Error> {
    if !command.contains("{proof}") {
        let why = "what a job refutes needs a proof; say with {proof} where the solver writes it";
        return Err(Error::Usage(format!("--solver-cmd: {why}")));
    }
    let mut solver = External::new(command.to_owned(), scratch.to_owned());
    let proof = solver.proof();
    answer(&mut solver, formula, &proof, handle)
}

/// What a solver answers; the proof, if there is one, is in a file.
fn answer(solver: &mut dyn sat::Solver, formula: &Cnf, proof: &Path, handle: &mut Handle<'_>) -> Result<Solved, Error> {
    for _ in 0..formula.variables {
        solver.fresh();
    }
    formula.clauses.iter().for_each(|clause| solver.clause(clause));
    match solver.solve(&[], Effort::Unlimited, handle) {
        sat::Answer::Sat(model) => Ok(Solved::Satisfiable(model)),
        sat::Answer::Unsat(_) if proof.exists() => Ok(Solved::Refuted(proof.to_owned())),
        sat::Answer::Unsat(_) => Err(Error::Solver("it says unsatisfiable and wrote no proof".to_owned())),
        sat::Answer::Interrupted | sat::Answer::Exhausted => Ok(Solved::Interrupted),
        sat::Answer::Failed(why) => Err(Error::Solver(why)),
    }
}
