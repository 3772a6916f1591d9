//! The command line: the only place that touches files, the clock and the terminal.

mod certify;
mod check;
mod explicit;
mod export;
mod find;
mod model;
mod proof;
mod replay;
mod show;
mod simulate;
pub mod spin;
mod terminal;

use crate::sat;
use crate::smv::PcChoice;
use clap::{Args, CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// How a run ends: exit codes 0, 1, 2 and 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing is wrong, as far as was looked.
    Fine,
    /// A property is violated, or a trace does not replay.
    Violated,
    /// The input or the command line is wrong.
    BadInput,
    /// A property is undecided.
    Undecided,
}

/// A model checker for multi-process systems.
///
/// `uwbmc MODEL --k N` checks every property of the model for runs of up to N steps. Exit code: 0 no violation
/// found, 1 a property is violated, 2 bad input or usage, 3 undecided.
#[derive(Parser)]
#[command(name = "uwbmc", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check the properties of a model.
    Check(CheckArgs),
    /// Show processes, control points, variables and properties.
    Show(ShowArgs),
    /// Walk through a model, at random or step by step.
    Simulate(SimulateArgs),
    /// Check the proofs that `--proof` wrote.
    Certify(CertifyArgs),
    /// Re-execute a trace and say whether it is a run of the model.
    Replay(ReplayArgs),
    /// Write a model for other tools: DIMACS, AIGER or BTOR2.
    Export(export::ExportArgs),
}

/// The model and how to read it.
#[derive(Args)]
struct ModelArgs {
    /// The model (.smv).
    model: PathBuf,
    /// The program counter of a process, such as p1=state (instead of the inferred one).
    #[arg(long = "pc", value_name = "PROCESS=VARIABLE", value_parser = parse_pc)]
    pcs: Vec<PcChoice>,
    /// The language of the model (by default the file's ending tells).
    #[arg(long, value_enum)]
    language: Option<Language>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Language {
    Smv,
}

/// A way to search.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Engine {
    /// A short explicit search, and bounded model checking if there are many states.
    Auto,
    /// Search over states.
    Explicit,
    /// Search over runs, storing nothing but the run at hand.
    Stateless,
    /// Bounded model checking with a SAT solver.
    Bmc,
}

#[derive(Args)]
struct CheckArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// The bound: how many steps to look ahead (without it, until every state is visited).
    #[arg(long = "k", value_name = "N")]
    bound: Option<usize>,
    /// How to search (by default: bmc with --k, explicit without).
    #[arg(long, value_enum)]
    engine: Option<Engine>,
    /// The SAT solver.
    #[arg(long, value_enum, default_value_t)]
    solver: sat::Choice,
    /// A solver as a command, such as "kissat -q {cnf} {proof}": it reads DIMACS and may write a DRAT or LRAT proof.
    #[arg(long, value_name = "COMMAND", conflicts_with = "solver")]
    solver_cmd: Option<String>,
    /// Leave out interleavings that only reorder independent commands.
    #[arg(long)]
    por: bool,
    /// Start over at each bound instead of extending the formula.
    #[arg(long)]
    fresh: bool,
    #[command(flatten)]
    explicit: explicit::ExplicitArgs,
    /// Check only this property (may be repeated).
    #[arg(long = "property", value_name = "NAME")]
    properties: Vec<String>,
    /// Also check that no state is without successors.
    #[arg(long)]
    deadlock: bool,
    /// Give up after so many seconds.
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<f64>,
    /// Use at most so many megabytes for states.
    #[arg(long, value_name = "MB", default_value_t = 4000)]
    memory: usize,
    /// Write the first counterexample to a file, in JSON.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Write, for each bound up to which a property holds, the formula and a proof that it has no solution.
    #[arg(long, value_name = "FOLDER")]
    proof: Option<PathBuf>,
    /// Check every answer before it is printed: proofs by our own checker, counterexamples by replay.
    #[arg(long)]
    certify: bool,
    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct CertifyArgs {
    /// The folder that `--proof` wrote.
    folder: PathBuf,
}

#[derive(Args)]
struct ShowArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// Print the system in guarded commands.
    #[arg(long)]
    system: bool,
    /// Print the control-flow graphs for Graphviz.
    #[arg(long, conflicts_with = "system")]
    dot: bool,
    /// Print one JSON document.
    #[arg(long, conflicts_with_all = ["system", "dot"])]
    json: bool,
}

#[derive(Args)]
struct SimulateArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// How many steps a random walk has.
    #[arg(long, default_value_t = 10, value_name = "N")]
    steps: usize,
    /// The seed of a random walk.
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    seed: u64,
    /// Choose each step yourself.
    #[arg(long, short)]
    interactive: bool,
    /// Write the walk to a file, in JSON.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

#[derive(Args)]
struct ReplayArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// The trace, in JSON.
    trace: PathBuf,
    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

fn parse_pc(text: &str) -> Result<PcChoice, String> {
    let (process, variable) = text.split_once('=').ok_or("write PROCESS=VARIABLE")?;
    Ok(PcChoice { process: process.to_owned(), variable: variable.to_owned() })
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    let command = Cli::parse_from(with_check(std::env::args_os().collect())).command;
    let outcome = match command {
        Command::Check(args) => check::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Certify(args) => certify::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Export(args) => export::run(&args),
    };
    match outcome {
        Ok(outcome) => exit(outcome),
        Err(error) => {
            terminal::complain(&error.0);
            exit(Outcome::BadInput)
        }
    }
}

/// `uwbmc MODEL --k N` is `uwbmc check MODEL --k N`.
fn with_check(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_known = |first: &OsString| {
        let first = first.to_string_lossy();
        matches!(first.as_ref(), "-h" | "--help" | "-V" | "--version" | "help")
            || Cli::command().get_subcommands().any(|command| command.get_name() == first)
    };
    if arguments.get(1).is_some_and(|first| !is_known(first)) {
        arguments.insert(1, "check".into());
    }
    arguments
}

fn exit(outcome: Outcome) -> ExitCode {
    ExitCode::from(match outcome {
        Outcome::Fine => 0,
        Outcome::Violated => 1,
        Outcome::BadInput => 2,
        Outcome::Undecided => 3,
    })
}

/// Something that the user has to change: the message says what.
#[derive(Debug)]
pub struct UsageError(String);

impl From<std::io::Error> for UsageError {
    fn from(error: std::io::Error) -> UsageError {
        UsageError(error.to_string())
    }
}
