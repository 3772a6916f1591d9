//! `uwbmc bench`: runs a suite and writes its tables and plots.

use super::terminal::Audience;
use super::watch::Watch;
use super::{Outcome, terminal};
use crate::Error;
use bench::{Targets, measure};
use clap::Args;
use limits::Observer;
use std::path::PathBuf;

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

pub fn run(args: &BenchArgs) -> Result<Outcome, Error> {
    let mut watch = Watch::start(None, Audience::of(args.json));
    let targets = Targets { results: &args.results, html: args.html.as_deref() };
    let measured = measure(&args.suite, &targets, &mut watch);
    watch.clear();
    let measured = measured?;
    if args.json {
        terminal::print_json("uwbmc-bench", &measured);
    } else {
        terminal::remark(&format!("{} runs; written to {}", measured.runs.len(), measured.folder.display()));
    }
    Ok(if watch.why().is_some() { Outcome::Undecided } else { Outcome::Fine })
}
