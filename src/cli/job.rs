//! `uwbmc job`

use super::terminal::Audience;
use super::watch::Watch;
use super::{HOW, LIMITS, Outcome, seconds, terminal};
use crate::Error;
use crate::check::Solver;
use jobs::{Done, Job};
use limits::{Ended, Handle, Observer, Progress};
use std::path::PathBuf;
use std::time::Duration;

#[derive(clap::Args)]
pub struct JobArgs {
    /// A job that `uwbmc split` wrote.
    file: PathBuf,
    /// The SAT solver.
    #[arg(long, value_enum, default_value_t, help_heading = HOW)]
    solver: sat::Choice,
    /// A solver as a command, such as "kissat -q {cnf} {proof}": it reads DIMACS and writes a DRAT or LRAT proof.
    #[arg(long, value_name = "COMMAND", conflicts_with = "solver", help_heading = HOW)]
    solver_cmd: Option<String>,
    /// Where the result goes (by default the split's folder `results`).
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Give up after this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds::parse, help_heading = LIMITS)]
    timeout: Option<Duration>,
}

pub fn run(args: &JobArgs) -> Result<Outcome, Error> {
    let job = Job::read(&args.file)?;
    let solver = args.solver_cmd.clone().map_or(Solver::BuiltIn(args.solver), Solver::Command);
    let mut watch = Watch::start(args.timeout, Audience::Person);
    let mut handle = Handle::new(args.timeout, usize::MAX, &mut watch);
    let _ = handle.see(Progress::Certifying { done: 0, all: 1 });
    let done = job.run(&solver, args.output.as_deref(), &mut handle)?;
    watch.clear();
    let (what, outcome) = match done {
        Done::Refuted => ("refuted".to_owned(), Outcome::Fine),
        Done::Satisfiable => ("satisfiable".to_owned(), Outcome::Violated),
        Done::Violated(steps) => (format!("violated in {steps} steps"), Outcome::Violated),
        Done::Nothing => ("nothing found".to_owned(), Outcome::Fine),
        Done::Interrupted => (watch.why().unwrap_or(Ended::Interrupted).to_string(), Outcome::Undecided),
    };
    terminal::print(&format!("{}: {what}\n", job.name()));
    Ok(outcome)
}
