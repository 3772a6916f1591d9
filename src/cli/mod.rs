//! The command line: the only place that touches files, the clock and the terminal.

mod arguments;
mod bench;
mod certify;
mod check;
mod colour;
mod compare;
mod count;
mod effect;
mod explain;
mod explicit;
mod export;
mod flags;
mod generate;
mod job;
mod join;
mod model;
mod net;
mod options;
mod output;
mod replay;
mod run;
mod say;
mod seconds;
mod show;
mod simplify;
mod simulate;
mod split;
mod terminal;
mod trace;
mod watch;
mod width;

use crate::Error;
use crate::suggest::nearest;
use arguments::{CheckArgs, Engine, Extra, Ingredient, Widening};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use colour::Colour;
use model::ModelArgs;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// The headings under which options are listed.
pub const WHAT: &str = "What to check";
/// How it is searched.
pub const HOW: &str = "How to search";
/// When to give up.
pub const LIMITS: &str = "Limits";
/// What is said and written.
pub const OUTPUT: &str = "Output";

/// How a run ends: exit codes 0 to 4.
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
    /// Something failed that the user cannot help: a solver, a disk, or this program.
    Failed,
}

impl Outcome {
    /// How several runs end together. A violation is certain, whatever else went wrong.
    fn worst(self, other: Outcome) -> Outcome {
        std::cmp::max_by_key(self, other, badness)
    }

    /// How a run ends that could not do what it was asked to.
    fn of(error: &Error) -> Outcome {
        match error {
            Error::Usage(_) | Error::Model(_) => Outcome::BadInput,
            Error::Unread(_) | Error::Limit(_) => Outcome::Undecided,
            _ => Outcome::Failed,
        }
    }
}

fn badness(outcome: &Outcome) -> u8 {
    match outcome {
        Outcome::Fine => 0,
        Outcome::Undecided => 1,
        Outcome::BadInput => 2,
        Outcome::Failed => 3,
        Outcome::Violated => 4,
    }
}

/// A model checker for multi-process systems.
///
/// `uwbmc MODEL --k N` checks every property of the model for runs of up to N steps. Exit code: 0 no violation
/// found, 1 a property is violated, 2 bad input or usage, 3 undecided, 4 a failure that is not the user's (a solver, a
/// full disk, a bug).
#[derive(Parser)]
#[command(name = "uwbmc", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Say less: verdicts without counterexamples, no notes, no warnings, no progress.
    #[arg(long, short, global = true, help_heading = OUTPUT)]
    quiet: bool,
    /// When to use colours (by default on a terminal, unless NO_COLOR is set).
    #[arg(long, value_enum, value_name = "WHEN", global = true, hide_default_value = true, default_value_t, help_heading = OUTPUT)]
    color: Colour,
}

#[derive(Subcommand)]
enum Command {
    /// Check the properties of a model.
    Check(CheckArgs),
    /// Compare plain bounded model checking with underapproximation-widening, bound by bound.
    Compare(compare::CompareArgs),
    /// Count the reachable states and the transitions, as SPIN does.
    Count(count::CountArgs),
    /// Run a program under control, and explore how its threads can interleave.
    Run(run::RunArgs),
    /// Compile a program in C so that `run` sees its accesses to memory: the arguments are those of `cc`.
    Cc(run::CompileArgs),
    /// Compile a program in C++ so that `run` sees its accesses to memory: the arguments are those of `c++`.
    #[command(name = "c++")]
    Cxx(run::CompileArgs),
    /// Print the flags that a compiler needs so that `run` sees accesses to memory.
    Flags(flags::FlagsArgs),
    /// Run a suite of measurements, and write tables and plots.
    Bench(bench::BenchArgs),
    /// Show processes, control points, variables and properties.
    Show(show::ShowArgs),
    /// Walk through a model, at random or step by step.
    Simulate(simulate::SimulateArgs),
    /// Check the proofs that `--proof` wrote.
    Certify(certify::CertifyArgs),
    /// Split a bound into jobs for several machines.
    Split(split::SplitArgs),
    /// Do a job of a split.
    Job(job::JobArgs),
    /// Join the results of a split: check all of them, and give the verdict.
    Join(join::JoinArgs),
    /// Re-execute a trace and say whether it is a run of the model.
    Replay(replay::ReplayArgs),
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

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    let outcome = match Cli::command().try_get_matches_from(with_fairness(with_check(std::env::args_os().collect()))) {
        Ok(matches) => obey_all(&matches),
        // Help and the version are results like others.
        Err(wanted) if !wanted.use_stderr() => {
            terminal::print(&colour::rendered(&wanted.render()));
            Outcome::Fine
        }
        Err(error) => error.exit(),
    };
    match terminal::unprinted() {
        Some(why) => {
            terminal::complain(&format!("standard output: {why}"));
            exit(Outcome::Failed)
        }
        None => exit(outcome),
    }
}

/// Does what the arguments say.
fn obey_all(matches: &ArgMatches) -> Outcome {
    let cli = Cli::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
    colour::choose(cli.color);
    if cli.quiet {
        terminal::say_less();
    }
    obey(cli.command, matches).unwrap_or_else(|error| {
        terminal::complain(&error.to_string());
        Outcome::of(&error)
    })
}

fn obey(command: Command, matches: &ArgMatches) -> Result<Outcome, Error> {
    match command {
        Command::Check(args) => {
            matches.subcommand_matches("check").map_or(Ok(()), |given| effect::refuse_idle(&args, given))?;
            check::run(args)
        }
        Command::Compare(args) => compare::run(&args),
        Command::Count(args) => count::run(args),
        Command::Run(args) => run::run(&args),
        Command::Cc(args) => run::compile("cc", &args),
        Command::Cxx(args) => run::compile("c++", &args),
        Command::Flags(args) => flags::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Certify(args) => certify::run(&args),
        Command::Split(args) => split::run(&args),
        Command::Job(args) => job::run(&args),
        Command::Join(args) => join::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Trace(args) => trace::run(args),
        Command::Explain(args) => explain::run(&args),
        Command::Completions(args) => generate::completions(&args),
        Command::Man => generate::man(),
    }
}

/// `uwbmc MODEL --k N` is `uwbmc check MODEL --k N`.
fn with_check(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let first = first_word(&arguments);
    if let Some(first) = first.filter(|first| !is_command(&arguments[*first])) {
        arguments.insert(first, "check".into());
    }
    arguments
}

/// `--fair strong` is `--fair=strong`: a word that may be left out would otherwise be taken for a model.
fn with_fairness(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_check = first_word(&arguments).is_some_and(|first| arguments[first] == "check");
    let is_how = |word: &OsString| (word == "weak" || word == "strong") && !Path::new(word).exists();
    let found = arguments.windows(2).position(|pair| pair[0] == "--fair" && is_how(&pair[1]));
    if let Some(at) = found.filter(|_| is_check) {
        let how = arguments.remove(at + 1);
        arguments[at].push("=");
        arguments[at].push(how);
    }
    arguments
}

/// Where the command or the model is, after the options that may stand before any command.
fn first_word(arguments: &[OsString]) -> Option<usize> {
    let mut at = 1;
    loop {
        let argument = arguments.get(at)?.to_string_lossy();
        match argument.as_ref() {
            "-q" | "--quiet" => at += 1,
            "--color" => at += 2,
            other if other.starts_with("--color=") => at += 1,
            _ => return Some(at),
        }
    }
}

/// Whether a word is a command, or meant to be one: then what there is to say about it is said by the parser.
fn is_command(word: &OsString) -> bool {
    let text = word.to_string_lossy();
    let command = Cli::command();
    let known: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    let is_name = !text.contains(['.', '/', '-']) && !Path::new(word).exists();
    matches!(text.as_ref(), "-h" | "--help" | "-V" | "--version" | "help")
        || known.contains(&text.as_ref())
        || is_name && nearest(&text, known).is_some()
}

fn exit(outcome: Outcome) -> ExitCode {
    ExitCode::from(match outcome {
        Outcome::Fine => 0,
        Outcome::Violated => 1,
        Outcome::BadInput => 2,
        Outcome::Undecided => 3,
        Outcome::Failed => 4,
    })
}
