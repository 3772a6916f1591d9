//! The command line: the only place that touches files, the clock and the terminal.

mod bench;
mod bounded;
mod certify;
mod check;
mod compare;
mod count;
mod explain;
mod explicit;
mod export;
mod find;
mod generate;
mod model;
mod output;
mod proof;
mod replay;
mod show;
mod simplify;
mod simulate;
pub mod spin;
mod terminal;
mod trace;

use crate::sat;
use crate::smv::PcChoice;
use clap::{Args, CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::num::NonZeroUsize;
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
    /// Say less: verdicts without counterexamples, no notes, no warnings, no progress.
    #[arg(long, short, global = true)]
    quiet: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Check the properties of a model.
    Check(CheckArgs),
    /// Compare plain bounded model checking with underapproximation-widening, bound by bound.
    Compare(compare::CompareArgs),
    /// Count the reachable states and the transitions, as SPIN does.
    Count(count::CountArgs),
    /// Run a suite of measurements, and write tables and plots.
    Bench(bench::BenchArgs),
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
    /// Work on a trace that was written before.
    Trace(trace::TraceArgs),
    /// Explain a diagnostic by its code.
    Explain(explain::ExplainArgs),
    /// Print a script that completes the command line in a shell.
    Completions(generate::CompletionsArgs),
    /// Print the manual page.
    Man,
}

/// The model and how to read it.
#[derive(Args)]
struct ModelArgs {
    /// The model (.smv, or .pml for Promela).
    model: PathBuf,
    /// The program counter of a process, such as p1=state (instead of the inferred one).
    #[arg(long = "pc", value_name = "PROCESS=VARIABLE", value_parser = parse_pc)]
    pcs: Vec<PcChoice>,
    /// An expression that has to hold in every state of a Promela model (may be repeated).
    #[arg(long = "invariant", value_name = "EXPRESSION")]
    invariants: Vec<String>,
    /// The language of the model (by default the file's ending tells).
    #[arg(long, value_enum)]
    language: Option<Language>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Language {
    Smv,
    Promela,
}

/// A way to search.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Engine {
    /// A short explicit search, and underapproximation-widening if there are many states.
    Auto,
    /// Search over states.
    Explicit,
    /// Search over runs, storing nothing but the run at hand.
    Stateless,
    /// Underapproximation-widening: from one interleaving to those that matter, with a SAT solver.
    Uw,
    /// Plain bounded model checking with a SAT solver.
    Bmc,
}

/// A procedure for underapproximation-widening.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Widening {
    /// All that is blamed is widened and stays so; hunting by parallel steps goes on beside it.
    Incremental,
    /// Grumberg, Lerda, Strichman and Theobald, POPL 2005, to the letter.
    Paper,
}

/// A part of the procedure that can be left out, to see what it is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Ingredient {
    /// Hunting by parallel steps.
    Passes,
    /// First underapproximations in other orders of the processes.
    Orders,
    /// The switches of control points: plain bounded model checking is left.
    Switches,
    /// The monotone form of `valid`: the paper's instead.
    Monotone,
    /// Scheduling constraints.
    Scheduling,
    /// Leaving out steps that change nothing.
    Idling,
    /// Widening all blamed points together: one at a time instead.
    Together,
    /// What was widened stays so at the next bound.
    Carry,
    /// One solver for all bounds.
    Incremental,
    /// Plain bounded model checking beside underapproximation-widening.
    Plain,
    /// Leaving out the variables that cannot influence the properties.
    Cone,
}

/// A part of the procedure that does not pay in general, but may for a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Extra {
    /// Looking for fewer points to blame.
    Minimise,
}

#[derive(Args)]
struct CheckArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// The bound: how many steps to look ahead (without it, until every state is visited).
    #[arg(long = "k", value_name = "N")]
    bound: Option<usize>,
    /// How to search (by default: uw with --k, explicit without).
    #[arg(long, value_enum)]
    engine: Option<Engine>,
    /// The SAT solver.
    #[arg(long, value_enum, default_value_t)]
    solver: sat::Choice,
    /// A solver as a command, such as "kissat -q {cnf} {proof}": it reads DIMACS and may write a DRAT or LRAT proof.
    #[arg(long, value_name = "COMMAND", conflicts_with = "solver")]
    solver_cmd: Option<String>,
    /// The seed of what the solver does at random, and of which states are forgotten when memory is short.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u32,
    /// How underapproximations are widened.
    #[arg(long, value_enum, default_value = "incremental")]
    widening: Widening,
    /// Leave out a part of the procedure, to see what it is good for (may be repeated).
    #[arg(long, value_enum, value_name = "PART")]
    without: Vec<Ingredient>,
    /// Add a part to the procedure that is left out by default (may be repeated).
    #[arg(long, value_enum, value_name = "PART")]
    with: Vec<Extra>,
    /// How many threads: for breadth-first search by default one for each core; for uw by default one, and with two,
    /// hunting and proving go on at the same time, so that another counterexample may be shown.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Ask about runs of exactly N steps only.
    #[arg(long)]
    exact: bool,
    /// With bmc: leave out interleavings that only reorder independent commands.
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
    #[command(flatten)]
    output: output::OutputArgs,
    /// Write, for each bound up to which a property holds, the formula and a proof that it has no solution.
    #[arg(long, value_name = "FOLDER")]
    proof: Option<PathBuf>,
    /// Check every answer before it is printed: proofs by our own checker, counterexamples by replay.
    #[arg(long)]
    certify: bool,
    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
    /// Also print the rounds: which control points were restricted, blamed and widened.
    #[arg(long, short)]
    verbose: bool,
}

#[derive(Args)]
struct CertifyArgs {
    /// The folder that `--proof` wrote.
    folder: PathBuf,
    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
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
    /// Show in the graphs which control points were widened in which round of a run that `check --json` printed.
    #[arg(long, value_name = "FILE", requires = "dot")]
    widening: Option<PathBuf>,
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
    /// Print the walk as one JSON document, the trace.
    #[arg(long, conflicts_with = "interactive")]
    json: bool,
    #[command(flatten)]
    output: output::TraceArgs,
}

#[derive(Args)]
struct ReplayArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// The trace: .json as `--trace FILE.json` writes it, or .xml as NuSMV's `show_traces -p 4` does.
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
    let cli = Cli::parse_from(with_check(std::env::args_os().collect()));
    if cli.quiet {
        terminal::say_less();
    }
    let outcome = match cli.command {
        Command::Check(args) => check::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Count(args) => count::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Certify(args) => certify::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Trace(args) => trace::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Completions(args) => generate::completions(&args),
        Command::Man => generate::man(),
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
    let is_quiet = |argument: &OsString| argument == "-q" || argument == "--quiet";
    let first = arguments.iter().skip(1).position(|argument| !is_quiet(argument)).map(|position| position + 1);
    if let Some(first) = first.filter(|first| !is_known(&arguments[*first])) {
        arguments.insert(first, "check".into());
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
