//! Suites of measurements: runs them, and writes their tables and plots.
//!
//! Contestants take turns on each instance, so that their ratios hold on a machine that is busy with other things.

mod bounds;
mod cycles;
pub mod experiment;
mod formulas;
mod manifest;
mod pan;
mod papers;
mod run;
pub mod spin;
mod suite;
mod summary;

use check::Error;
use limits::{Observer, Progress};
use report::{Table, html};
pub use run::{Outcome, Run};
use serde::Serialize;
use std::path::{Path, PathBuf};
use suite::{Suite, stem};

/// Where results go.
pub struct Targets<'a> {
    /// A folder with the suite's name is made there.
    pub results: &'a Path,
    /// The summary and the plots as a page for a browser, if that is wanted.
    pub html: Option<&'a Path>,
}

/// What was measured.
#[derive(Serialize)]
pub struct Measured {
    /// The name of the suite.
    pub suite: String,
    /// Where its results are.
    pub folder: PathBuf,
    /// All runs.
    pub runs: Vec<Run>,
    /// What could not be run, and why.
    pub skipped: Vec<String>,
}

/// Runs a suite and writes its tables and plots. Where the observer ends the work, what has been measured is written.
pub fn measure(file: &Path, targets: &Targets<'_>, observer: &mut dyn Observer) -> Result<Measured, Error> {
    let suite = Suite::read(file)?;
    let name = stem(&file.to_string_lossy());
    let folder = targets.results.join(&name);
    std::fs::create_dir_all(&folder).map_err(|error| Error::about(&folder, &error))?;
    let mut work = Work::new(&suite, observer);
    let (runs, mut skipped) = runs(&suite, &mut work)?;
    let mut compared = Vec::new();
    for table in &suite.tables {
        if work.goes_on(&format!("comparing {}", table.name())) {
            compared.push(bounds::compare(&suite, table, &folder)?);
        }
    }
    let mut tables = bounds::sections(&compared);
    for experiment in &suite.experiments {
        if !work.goes_on(&format!("experiment {experiment:?}")) {
            break;
        }
        match papers::run(*experiment, &folder) {
            Ok(table) => tables.push(table),
            Err(error) => skipped.push(format!("experiment {experiment:?}: {error}")),
        }
    }
    skipped.extend(work.observer.why().map(|why| format!("what was left: {why}")));
    let measured = Measured { suite: name, folder, runs, skipped };
    measured.write(&suite, &tables, targets.html)?;
    Ok(measured)
}

impl Measured {
    /// Writes the runs, the plots and the summary.
    fn write(&self, suite: &Suite, tables: &[String], page: Option<&Path>) -> Result<(), Error> {
        let Measured { suite: name, folder, runs, skipped } = self;
        let mut figures = Vec::new();
        if !runs.is_empty() {
            write(&folder.join("runs.csv"), &csv(runs).render_csv())?;
            for (file, plot) in summary::plots(suite, runs) {
                let svg = plot.render();
                write(&folder.join(file), &svg)?;
                figures.push(html::Figure { caption: plot.title, svg });
            }
        }
        let summary = summary::render(name, suite, runs, skipped, tables);
        write(&folder.join("manifest.json"), &manifest::render(suite))?;
        write(&folder.join("summary.md"), &summary)?;
        let Some(path) = page else { return Ok(()) };
        figures.extend(suite.tables.iter().filter_map(|table| bounds::drawn(table, folder)));
        write(path, &html::sheet(name, &[html::Part::Words(&summary)], &figures))
    }
}

/// Writes a file.
fn write(path: &Path, contents: &str) -> Result<(), Error> {
    std::fs::write(path, contents).map_err(|error| Error::in_file(path, &error))
}

/// How far the work on a suite is.
struct Work<'a> {
    observer: &'a mut dyn Observer,
    done: usize,
    all: usize,
}

impl<'a> Work<'a> {
    fn new(suite: &Suite, observer: &'a mut dyn Observer) -> Work<'a> {
        let seeds = suite.seeds.iter().flat_map(|seed| suite.contestants.iter().filter(|one| one.has_seed(*seed)));
        let runs: usize =
            seeds.map(|one| suite.instances.iter().filter(|instance| one.takes_part_in(instance)).count()).sum();
        let all = runs + suite.tables.len() + suite.experiments.len();
        Work { observer, done: 0, all }
    }

    /// Shows what comes next; false if the work has to end.
    fn goes_on(&mut self, what: &str) -> bool {
        self.done += 1;
        self.observer.see(&Progress::Measuring { number: self.done, all: self.all, what: what.into() }).is_continue()
    }
}

/// All runs, and what could not be run.
fn runs(suite: &Suite, work: &mut Work<'_>) -> Result<(Vec<Run>, Vec<String>), Error> {
    let (mut runs, mut skipped) = (Vec::new(), Vec::new());
    for (number, instance) in suite.instances.iter().enumerate() {
        let Some(text) = instance.text() else {
            skipped.push(format!("{}: the model {} is not here", instance.name(), instance.model));
            continue;
        };
        let name = format!("uwbmc-bench-{}-{number}.{}", std::process::id(), instance.ending());
        let model = std::env::temp_dir().join(name);
        write(&model, &text)?;
        for seed in &suite.seeds {
            for contestant in suite.contestants.iter().filter(|contestant| contestant.has_seed(*seed)) {
                if !contestant.takes_part_in(instance) {
                    continue;
                }
                if !work.goes_on(&format!("{} by {}, seed {seed}", instance.name(), contestant.name)) {
                    break;
                }
                match run::run(suite, instance, contestant, *seed, &model) {
                    Some(run) => runs.push(run),
                    None => skipped.push(format!("{} by {}: not installed", instance.name(), contestant.name)),
                }
            }
        }
        for leftover in [model.clone(), model.with_extension("nusmv"), model.with_extension("aig")] {
            let _ = std::fs::remove_file(leftover);
        }
        let _ = std::fs::remove_dir_all(pan::folder(&model));
    }
    skipped.dedup();
    Ok((runs, skipped))
}

fn csv(runs: &[Run]) -> Table {
    let header = ["instance", "contestant", "seed", "outcome", "depth", "cpu", "wall"];
    let mut table = Table::new(header.into_iter().chain(formulas::COLUMNS));
    for run in runs {
        let mut row = vec![
            run.instance.clone(),
            run.contestant.clone(),
            run.seed.to_string(),
            run.outcome.to_string(),
            run.depth.map_or(String::new(), |depth| depth.to_string()),
            format!("{:.3}", run.cpu),
            format!("{:.3}", run.wall),
        ];
        row.extend(formulas::cells(run.formulas.as_ref()));
        table.rows.push(row);
    }
    table
}
