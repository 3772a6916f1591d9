//! `uwbmc run`: programs under control.

#[cfg(not(target_os = "linux"))]
use super::Outcome;
use super::output::OutputArgs;
use super::{HOW, LIMITS, OUTPUT, WHAT, seconds};
#[cfg(not(target_os = "linux"))]
use crate::Error;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[cfg(target_os = "linux")]
mod explore;
#[cfg(target_os = "linux")]
mod replay;
#[cfg(target_os = "linux")]
mod simulate;
#[cfg(target_os = "linux")]
mod subject;
#[cfg(target_os = "linux")]
pub use {
    explore::{compile, run},
    replay::replay,
    simulate::simulate,
};

/// What interleavings an exhaustive search leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Leaving {
    /// All but one of each kind: optimal dynamic partial-order reduction.
    Optimal,
    /// Source sets and sleep sets.
    Source,
    /// Sleep sets alone.
    Sleep,
    /// None.
    None,
}

/// How runs are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Choosing {
    /// All of the following in turns, and runs that bring conflicting operations together.
    Turns,
    /// One after the other, until all are explored.
    Exhaustive,
    /// At random.
    Random,
    /// By random priorities that change now and then.
    Pct,
    /// By random priorities of operations, drawn again where they conflict.
    Sampling,
    /// At random, after the beginnings of runs in which operations met in a new order.
    Novelty,
}

#[derive(clap::Args)]
pub struct RunArgs {
    /// The program, or a file in C, C++ or Rust that is compiled first so that its accesses to memory are visible.
    pub program: PathBuf,
    /// The arguments of the program.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<OsString>,
    /// A nonzero exit code is a violation.
    #[arg(long, help_heading = WHAT)]
    pub exit_code: bool,
    /// A thread that cannot move in more than N successive states is a violation: a livelock.
    #[arg(long, value_name = "N", help_heading = WHAT)]
    pub livelock: Option<usize>,
    /// Go on after a violation, and count how many interleavings are wrong.
    #[arg(long, help_heading = WHAT)]
    pub all: bool,
    /// Execute the run of a trace again, which `--trace FILE.json` has written, and nothing else.
    #[arg(long, value_name = "FILE", help_heading = HOW, conflicts_with_all = ["search", "por", "all"])]
    pub replay: Option<PathBuf>,
    /// How runs are chosen.
    #[arg(long, value_enum, value_name = "WAY", default_value = "turns", help_heading = HOW)]
    pub search: Choosing,
    /// What the exhaustive search leaves out.
    #[arg(long, value_enum, value_name = "WHAT", default_value = "optimal", help_heading = HOW)]
    pub por: Leaving,
    /// The exhaustive search leaves out nothing but interleavings in which threads are preempted more often.
    #[arg(long, value_name = "N", conflicts_with = "por", help_heading = LIMITS)]
    pub preemptions: Option<u32>,
    /// How many runs are executed at the same time, each on a core of its own; what is found is the same.
    #[arg(long, value_name = "N", default_value = "1", help_heading = HOW)]
    pub jobs: NonZeroUsize,
    /// Where random choices start from.
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = HOW)]
    pub seed: u64,
    /// How many operations a run may have.
    #[arg(long, value_name = "N", default_value_t = 30_000, help_heading = LIMITS)]
    pub depth: usize,
    /// How many runs there may be.
    #[arg(long, value_name = "N", help_heading = LIMITS)]
    pub runs: Option<u64>,
    /// Give up after this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds::parse, help_heading = LIMITS)]
    pub timeout: Option<Duration>,
    /// How many seconds a thread may go on without a visible operation.
    #[arg(long, value_name = "SECONDS", value_parser = seconds::parse, default_value = "10", help_heading = LIMITS)]
    pub patience: Duration,
    /// How many megabytes of memory each process of the program may have, stacks of threads included.
    #[arg(long, value_name = "MB", help_heading = LIMITS)]
    pub memory: Option<u64>,
    /// How many threads and processes a run may have (at most 256).
    #[arg(long, value_name = "N", help_heading = LIMITS)]
    pub threads: Option<usize>,
    /// Keep the program from changing files, from the network and from System V objects of others.
    #[arg(long, help_heading = LIMITS)]
    pub sandbox: bool,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Print one JSON document instead of text.
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,
}

#[derive(clap::Args)]
pub struct CompileArgs {
    /// The arguments of the compiler.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    pub arguments: Vec<OsString>,
}

/// What a run that was executed again came to.
pub struct Replayed {
    /// How many operations it has.
    pub steps: usize,
    /// What went wrong in it, or why it is no run of the program.
    pub result: Result<String, String>,
}

/// How the steps of a run are chosen.
#[derive(Clone, Copy, Debug)]
pub enum Walking {
    /// By the user.
    Interactively,
    /// At random.
    AtRandom {
        /// At most as many.
        steps: usize,
        /// Where random choices start from.
        seed: u64,
    },
}

/// Whether a file is a program, the text of one, or a system of programs.
pub fn is_program(path: &Path) -> bool {
    let is_text =
        path.extension().is_some_and(|ending| ["c", "cc", "cpp", "cxx", "toml"].iter().any(|end| ending == *end));
    let mut head = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    is_text || read.is_ok() && head == *b"\x7fELF"
}

/// What is said where programs cannot be controlled.
#[cfg(not(target_os = "linux"))]
pub const ELSEWHERE: &str = "programs can be run under control on Linux only; models work everywhere";

#[cfg(not(target_os = "linux"))]
pub fn run(_: &RunArgs) -> Result<Outcome, Error> {
    Err(Error::Usage(ELSEWHERE.to_owned()))
}

#[cfg(not(target_os = "linux"))]
pub fn replay(_: &Path, _: bool) -> Result<Option<Replayed>, Error> {
    Err(Error::Usage(ELSEWHERE.to_owned()))
}

#[cfg(not(target_os = "linux"))]
pub fn simulate(_: &Path, _: &[OsString], _: Walking) -> Result<Outcome, Error> {
    Err(Error::Usage(ELSEWHERE.to_owned()))
}

#[cfg(not(target_os = "linux"))]
pub fn compile(_: &str, _: &CompileArgs) -> Result<Outcome, Error> {
    Err(Error::Usage(ELSEWHERE.to_owned()))
}
