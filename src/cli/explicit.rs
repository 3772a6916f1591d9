//! The explicit engines on the command line.

use super::find::Found;
use super::watch::Watch;
use super::{CheckArgs, UsageError, terminal};
use crate::explicit::{self, Finding, Limits, Options, Order, Search, Stateless, StepLimits, Stop};
use crate::observer::{Observer, Progress};
use crate::report::Verdict;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use system::{Machine, ProcessId, PropertyId, Refinement, Trace};

/// The most steps of a run in stateless search, unless the user says otherwise.
const DEPTH: usize = 1000;

/// How many states a short search visits before it gives up.
const SHORT: usize = 200_000;

/// How the explicit engines search.
#[derive(clap::Args)]
pub struct ExplicitArgs {
    /// In which order the explicit engine visits states (by default: breadth-first, or depth-first with sleep sets).
    #[arg(long, value_enum)]
    search: Option<SearchOrder>,
    /// Which interleavings of independent commands the explicit engines leave out.
    #[arg(long, value_enum, default_value_t)]
    reduction: Reduction,
    /// The most steps of a run in stateless search.
    #[arg(long, value_name = "N", default_value_t = DEPTH)]
    depth: usize,
    /// In stateless search, report a process that cannot move in more than so many states in a row.
    #[arg(long, value_name = "N")]
    livelock: Option<usize>,
    /// In stateless search, report a process that makes more than so many steps in a row which concern nobody else.
    #[arg(long, value_name = "N")]
    divergence: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum SearchOrder {
    /// Breadth-first: counterexamples are as short as can be.
    Bfs,
    /// Depth-first: states that do not fit into memory are forgotten.
    Dfs,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Reduction {
    /// None.
    #[default]
    None,
    /// Those outside persistent sets.
    Persistent,
    /// Those that sleep sets rule out.
    Sleep,
    /// Both.
    Both,
}

impl From<Reduction> for explicit::Reduction {
    fn from(reduction: Reduction) -> explicit::Reduction {
        explicit::Reduction {
            persistent: matches!(reduction, Reduction::Persistent | Reduction::Both),
            sleep: matches!(reduction, Reduction::Sleep | Reduction::Both),
            refinement: Refinement::Operations,
        }
    }
}

fn options(args: &CheckArgs) -> Result<Options, UsageError> {
    let reduction = explicit::Reduction::from(args.explicit.reduction);
    let order = match (args.explicit.search, reduction.sleep) {
        (Some(SearchOrder::Bfs), true) => {
            return Err(UsageError("sleep sets need depth-first search: --search dfs".to_owned()));
        }
        (Some(SearchOrder::Dfs), _) | (None, true) => Order::DepthFirst,
        (Some(SearchOrder::Bfs) | None, false) => Order::BreadthFirst,
    };
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    Ok(Options {
        limits: Limits { depth: args.bound.unwrap_or(usize::MAX), memory: args.memory.saturating_mul(1_000_000) },
        order,
        reduction,
        jobs: args.jobs.unwrap_or_else(cores),
        capacity: usize::MAX,
        seed: u64::from(args.seed),
    })
}

/// Runs the engine `explicit`.
pub fn find(
    machine: &Machine,
    properties: &[PropertyId],
    args: &CheckArgs,
    watch: &mut Watch,
) -> Result<Found, UsageError> {
    let options = options(args)?;
    let outcome = explicit::run(machine, properties, &options, |now| see_states(watch, now));
    Ok(match outcome {
        Ok(result) => {
            let otherwise = verdict(&result, &options, why(watch));
            found("explicit", result, otherwise)
        }
        Err(finding) => fault("explicit", *finding),
    })
}

/// Runs a short breadth-first search; nothing if there are too many states for it.
pub fn find_shortly(
    machine: &Machine,
    properties: &[PropertyId],
    args: &CheckArgs,
    watch: &mut Watch,
) -> Result<Option<Found>, UsageError> {
    let mut options = options(args)?;
    options.order = Order::BreadthFirst;
    options.reduction = explicit::Reduction::default();
    let outcome = explicit::run(machine, properties, &options, |now| {
        if now.states > SHORT { ControlFlow::Break(()) } else { see_states(watch, now) }
    });
    Ok(match outcome {
        Ok(result) if matches!(result.stop, Stop::Interrupted | Stop::Memory) => None,
        Ok(result) => {
            let otherwise = verdict(&result, &options, why(watch));
            Some(found("explicit", result, otherwise))
        }
        Err(finding) => Some(fault("explicit", *finding)),
    })
}

/// Runs the engine `stateless`.
pub fn find_stateless(
    machine: &Machine,
    properties: &[PropertyId],
    args: &CheckArgs,
    watch: &mut Watch,
) -> Result<Found, UsageError> {
    let depth = args.bound.unwrap_or(args.explicit.depth);
    let limits = Limits { depth, memory: args.memory.saturating_mul(1_000_000) };
    let steps = StepLimits { livelock: args.explicit.livelock, divergence: args.explicit.divergence };
    let reduction = explicit::Reduction::from(args.explicit.reduction);
    let see = |now: explicit::Progress| watch.see(&Progress::Runs { visits: now.states, depth: now.depth });
    let outcome = explicit::stateless(machine, properties, limits, reduction, steps, see);
    Ok(match outcome {
        Ok(Stateless { search, livelock, divergence }) => {
            report("livelock", "cannot move in so many states in a row", machine, livelock);
            report("divergence", "makes so many steps in a row that concern nobody else", machine, divergence);
            let otherwise = stateless_verdict(&search, depth, why(watch));
            Found { states: None, ..found("stateless", search, otherwise) }
        }
        Err(finding) => fault("stateless", *finding),
    })
}

/// Says that a run is bad by the step limits of \[God97\].
fn report(kind: &str, what: &str, machine: &Machine, found: Option<(ProcessId, Trace)>) {
    let Some((process, trace)) = found else { return };
    let name = |process: ProcessId| machine.system().processes[process].name.as_str();
    let run: Vec<&str> = trace.moves.iter().map(|moved| name(moved.process)).collect();
    let steps = run.len();
    terminal::remark(&format!("{kind}: {} {what}, at the end of {steps} steps by {}", name(process), run.join(" ")));
}

pub fn see_states(watch: &mut Watch, now: explicit::Progress) -> ControlFlow<()> {
    watch.see(&Progress::States { states: now.states, depth: now.depth })
}

fn found(engine: &'static str, result: Search, otherwise: Verdict) -> Found {
    Found {
        otherwise,
        violations: result.violations,
        fault: None,
        engine,
        states: Some(result.states),
        deadlock: result.deadlock,
        has_initial_state: result.initial_states > 0,
        rounds: Vec::new(),
        points: 0,
    }
}

fn fault(engine: &'static str, finding: Finding) -> Found {
    Found {
        violations: Vec::new(),
        fault: Some((finding.failure, finding.trace)),
        otherwise: Verdict::Unknown("the model has a fault".to_owned()),
        engine,
        states: None,
        deadlock: None,
        has_initial_state: true,
        rounds: Vec::new(),
        points: 0,
    }
}

/// Why a search had to end.
fn why(watch: &Watch) -> &'static str {
    watch.why().unwrap_or("interrupted")
}

fn verdict(result: &Search, options: &Options, why: &str) -> Verdict {
    let is_plain = options.reduction == explicit::Reduction::default();
    let is_breadth_first = options.order == Order::BreadthFirst;
    let within = if is_breadth_first && is_plain {
        format!("; no violation within {} steps", result.depth)
    } else {
        String::new()
    };
    match result.stop {
        Stop::Complete | Stop::Decided => Verdict::Holds(coverage(result, is_plain)),
        Stop::Depth if is_breadth_first && is_plain => Verdict::HoldsUpTo(options.limits.depth),
        Stop::Depth => {
            Verdict::Unknown("runs were cut off; only plain breadth-first search tells up to which bound".to_owned())
        }
        Stop::Memory if is_breadth_first => {
            Verdict::Unknown(format!("the memory limit was reached; --search dfs can do with less{within}"))
        }
        Stop::Memory => {
            let longest = result.replacement.map_or(0, |cost| cost.longest_path);
            Verdict::Unknown(format!("the path of {longest} states alone does not fit into memory"))
        }
        Stop::Interrupted => Verdict::Unknown(format!("{why}{within}")),
    }
}

/// How a search covered all the states, and what forgetting some of them cost.
fn coverage(result: &Search, is_plain: bool) -> String {
    match result.replacement.filter(|cost| cost.replaced > 0) {
        Some(cost) => format!(
            "all reachable states were visited; of {} states stored, {} were forgotten for want of memory",
            cost.insertions, cost.replaced
        ),
        None if is_plain => format!("all {} reachable states were visited", result.states),
        None => format!("{} states represent all reachable ones", result.states),
    }
}

fn stateless_verdict(result: &Search, depth: usize, why: &str) -> Verdict {
    let steps = result.transitions;
    match result.stop {
        Stop::Complete | Stop::Decided => Verdict::Holds(format!("all runs were tried, {steps} steps in all")),
        Stop::Depth => {
            Verdict::Unknown(format!("the depth limit of {depth} steps was hit, after {steps} steps in all"))
        }
        Stop::Memory => Verdict::Unknown("the memory limit was reached".to_owned()),
        Stop::Interrupted => Verdict::Unknown(format!("{why}, after {steps} steps in all")),
    }
}
