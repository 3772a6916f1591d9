//! `uwbmc bench`: runs a suite and writes its tables and plots.
//!
//! Contestants take turns on each instance, so that their ratios hold on a machine that is busy with other things.

mod experiment;
mod formulas;
mod manifest;
mod run;
mod suite;
mod summary;

use super::output::write;
use super::terminal::Audience;
use super::watch::Watch;
use super::{Outcome, UsageError, terminal};
use crate::observer::{Observer, Progress};
use crate::report::{Table, html};
use clap::Args;
use run::Run;
use serde::Serialize;
use std::path::{Path, PathBuf};
use suite::{BoundByBound, Suite, stem};

#[derive(Args)]
pub struct BenchArgs {
    /// The suite.
    suite: PathBuf,
    /// Where the results go (a folder with the suite's name is made there).
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    results: PathBuf,
    /// Write the summary and the plots as a page for a browser.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print one JSON document: the runs, and what could not be run.
    #[arg(long)]
    json: bool,
}

/// What was measured, for machines.
#[derive(Serialize)]
struct Report<'a> {
    suite: &'a str,
    folder: String,
    runs: &'a [Run],
    skipped: &'a [String],
}

pub fn run(args: &BenchArgs) -> Result<Outcome, UsageError> {
    let suite = Suite::read(&args.suite)?;
    let name = stem(&args.suite.to_string_lossy());
    let folder = args.results.join(&name);
    std::fs::create_dir_all(&folder).map_err(|error| UsageError(format!("{}: {error}", folder.display())))?;
    let mut work = Work::new(&suite, Audience::of(args.json));
    let (runs, mut skipped) = measure(&suite, &mut work)?;
    let mut tables = Vec::new();
    for table in &suite.tables {
        if work.goes_on(&format!("comparing on {}, property {}", table.model, table.property)) {
            tables.push(compare(table, &folder)?);
        }
    }
    for experiment in &suite.experiments {
        if !work.goes_on(&format!("experiment {experiment:?}")) {
            break;
        }
        match experiment::run(*experiment, &folder) {
            Ok(table) => tables.push(table),
            Err(error) => skipped.push(format!("experiment {experiment:?}: {}", error)),
        }
    }
    work.watch.clear();
    skipped.extend(work.watch.why().map(|why| format!("what was left: {why}")));
    if !runs.is_empty() {
        write(&folder.join("runs.csv"), &csv(&runs).render_csv())?;
    }
    let plots = if runs.is_empty() { Vec::new() } else { summary::plots(&suite, &runs) };
    let mut figures = Vec::new();
    for (file, plot) in plots {
        let svg = plot.render();
        write(&folder.join(file), &svg)?;
        figures.push(html::Figure { caption: plot.title, svg });
    }
    let summary = summary::render(&name, &suite, &runs, &skipped, &tables);
    write(&folder.join("manifest.json"), &manifest::render(&suite))?;
    write(&folder.join("summary.md"), &summary)?;
    if let Some(path) = &args.html {
        figures.extend(suite.tables.iter().filter_map(|table| drawn(table, &folder)));
        write(path, &html::sheet(&name, &summary, &figures))?;
    }
    if args.json {
        let folder = folder.display().to_string();
        terminal::print_json("uwbmc-bench", &Report { suite: &name, folder, runs: &runs, skipped: &skipped });
    } else {
        terminal::remark(&format!("{} runs; written to {}", runs.len(), folder.display()));
    }
    Ok(if work.watch.why().is_some() { Outcome::Undecided } else { Outcome::Fine })
}

/// How far the work on a suite is.
struct Work {
    watch: Watch,
    done: usize,
    all: usize,
}

impl Work {
    fn new(suite: &Suite, audience: Audience) -> Work {
        let runs = suite.instances.len() * suite.seeds.len() * suite.contestants.len();
        let all = runs + suite.tables.len() + suite.experiments.len();
        Work { watch: Watch::start(None, audience), done: 0, all }
    }

    /// Shows what comes next; false if the work has to end.
    fn goes_on(&mut self, what: &str) -> bool {
        self.done += 1;
        self.watch.see(&Progress::Measuring { number: self.done, all: self.all, what }).is_continue()
    }
}

/// All runs, and what could not be run.
fn measure(suite: &Suite, work: &mut Work) -> Result<(Vec<Run>, Vec<String>), UsageError> {
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
            for contestant in &suite.contestants {
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
    }
    skipped.dedup();
    Ok((runs, skipped))
}

/// A file about a comparison bound by bound.
fn file(table: &BoundByBound, folder: &Path, ending: &str) -> PathBuf {
    folder.join(format!("{}-{}.{ending}", stem(&table.model), table.property))
}

/// The plot that a comparison has drawn.
fn drawn(table: &BoundByBound, folder: &Path) -> Option<html::Figure> {
    let svg = std::fs::read_to_string(file(table, folder, "svg")).ok()?;
    Some(html::Figure { caption: format!("{}, property {}: time at each bound", table.model, table.property), svg })
}

/// One comparison bound by bound; gives its table in Markdown.
fn compare(table: &BoundByBound, folder: &Path) -> Result<String, UsageError> {
    let mut command = std::process::Command::new(std::env::current_exe()?);
    command.args(["compare", &table.model, "--k", &table.k.to_string(), "--property", &table.property]);
    if table.exact {
        command.arg("--exact");
    }
    for ending in ["csv", "svg"] {
        command.arg(format!("--{ending}")).arg(file(table, folder, ending));
    }
    let markdown = file(table, folder, "md");
    let output = command.arg("--markdown").arg(&markdown).output()?;
    if !markdown.exists() {
        return Err(UsageError(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let text = std::fs::read_to_string(&markdown)?;
    let _ = std::fs::remove_file(markdown);
    let kind = if table.exact { "runs of exactly k steps" } else { "runs of up to k steps" };
    Ok(format!("## {}, property {}: {kind}\n\n{text}\n", stem(&table.model), table.property))
}

fn csv(runs: &[Run]) -> Table {
    let header = ["instance", "contestant", "seed", "outcome", "depth", "cpu", "wall"];
    let mut table = Table::new(header.into_iter().chain(formulas::COLUMNS));
    for run in runs {
        let mut row = vec![
            run.instance.clone(),
            run.contestant.clone(),
            run.seed.to_string(),
            run.outcome.clone(),
            run.depth.map_or(String::new(), |depth| depth.to_string()),
            format!("{:.3}", run.cpu),
            format!("{:.3}", run.wall),
        ];
        row.extend(formulas::cells(run.formulas.as_ref()));
        table.rows.push(row);
    }
    table
}
