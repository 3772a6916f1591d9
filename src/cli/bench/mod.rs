//! `uwbmc bench`: runs a suite and writes its tables and plots.
//!
//! Contestants take turns on each instance, so that their ratios hold on a machine that is busy with other things.

mod experiment;
mod manifest;
mod run;
mod suite;
mod summary;

use super::{Outcome, UsageError, terminal};
use crate::report::Table;
use clap::Args;
use run::Run;
use std::path::{Path, PathBuf};
use suite::{BoundByBound, Suite, stem};

#[derive(Args)]
pub struct BenchArgs {
    /// The suite.
    suite: PathBuf,
    /// Where the results go (a folder with the suite's name is made there).
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    results: PathBuf,
}

pub fn run(args: &BenchArgs) -> Result<Outcome, UsageError> {
    let suite = Suite::read(&args.suite)?;
    let name = stem(&args.suite.to_string_lossy());
    let folder = args.results.join(&name);
    std::fs::create_dir_all(&folder).map_err(|error| UsageError(format!("{}: {error}", folder.display())))?;
    let (runs, mut skipped) = measure(&suite)?;
    let mut tables = suite.tables.iter().map(|table| compare(table, &folder)).collect::<Result<Vec<String>, _>>()?;
    for experiment in &suite.experiments {
        terminal::remark(&format!("experiment {experiment:?}"));
        match experiment::run(*experiment, &folder) {
            Ok(table) => tables.push(table),
            Err(error) => skipped.push(format!("experiment {experiment:?}: {}", error.0)),
        }
    }
    if !runs.is_empty() {
        write(&folder.join("runs.csv"), &csv(&runs).render_csv())?;
        for (file, plot) in summary::plots(&suite, &runs) {
            write(&folder.join(file), &plot.render())?;
        }
    }
    write(&folder.join("manifest.json"), &manifest::render(&suite))?;
    write(&folder.join("summary.md"), &summary::render(&name, &suite, &runs, &skipped, &tables))?;
    terminal::remark(&format!("{} runs; written to {}", runs.len(), folder.display()));
    Ok(Outcome::Fine)
}

/// All runs, and what could not be run.
fn measure(suite: &Suite) -> Result<(Vec<Run>, Vec<String>), UsageError> {
    let (mut runs, mut skipped) = (Vec::new(), Vec::new());
    for (number, instance) in suite.instances.iter().enumerate() {
        let Some(text) = instance.text() else {
            skipped.push(format!("{}: the model {} is not here", instance.name(), instance.model));
            continue;
        };
        let model = std::env::temp_dir().join(format!("uwbmc-bench-{}-{number}.smv", std::process::id()));
        write(&model, &text)?;
        for seed in &suite.seeds {
            for contestant in &suite.contestants {
                let place = format!("{} of {}", number + 1, suite.instances.len());
                terminal::remark(&format!("{place}: {} by {}, seed {seed}", instance.name(), contestant.name));
                match run::run(suite, instance, contestant, *seed, &model) {
                    Some(run) => runs.push(run),
                    None => skipped.push(format!("{} by {}: not installed", instance.name(), contestant.name)),
                }
            }
        }
        for leftover in [model.clone(), model.with_extension("nusmv")] {
            let _ = std::fs::remove_file(leftover);
        }
    }
    skipped.dedup();
    Ok((runs, skipped))
}

/// One comparison bound by bound; gives its table in Markdown.
fn compare(table: &BoundByBound, folder: &Path) -> Result<String, UsageError> {
    let file = |ending: &str| folder.join(format!("{}-{}.{ending}", stem(&table.model), table.property));
    let mut command = std::process::Command::new(std::env::current_exe()?);
    command.args(["compare", &table.model, "--k", &table.k.to_string(), "--property", &table.property]);
    if table.exact {
        command.arg("--exact");
    }
    for ending in ["csv", "svg"] {
        command.arg(format!("--{ending}")).arg(file(ending));
    }
    let markdown = file("md");
    terminal::remark(&format!("comparing on {}, property {}", table.model, table.property));
    let output = command.arg("--markdown").arg(&markdown).output()?;
    if !markdown.exists() {
        return Err(UsageError(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let text = std::fs::read_to_string(&markdown)?;
    let _ = std::fs::remove_file(markdown);
    let kind = if table.exact { "runs of exactly k steps" } else { "runs of up to k steps" };
    let ratios = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter(|line| line.contains(" times the time of "))
        .fold(String::new(), |text, line| text + "- " + line + "\n");
    Ok(format!("## {}, property {}: {kind}\n\n{text}\n{ratios}\n", stem(&table.model), table.property))
}

fn csv(runs: &[Run]) -> Table {
    let mut table = Table::new(["instance", "contestant", "seed", "outcome", "depth", "cpu", "wall"]);
    for run in runs {
        table.rows.push(vec![
            run.instance.clone(),
            run.contestant.clone(),
            run.seed.to_string(),
            run.outcome.clone(),
            run.depth.map_or(String::new(), |depth| depth.to_string()),
            format!("{:.2}", run.cpu),
            format!("{:.3}", run.wall),
        ]);
    }
    table
}

fn write(path: &Path, text: &str) -> Result<(), UsageError> {
    std::fs::write(path, text).map_err(|error| UsageError(format!("{}: {error}", path.display())))
}
