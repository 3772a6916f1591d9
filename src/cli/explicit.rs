//! The explicit engines on the command line.

use super::find::{Found, Oddity};
use super::watch::Watch;
use super::{CheckArgs, UsageError};
use crate::explicit::{self, Finding, Limits, Options, Order, Search, Stateless, StepLimits, Stop};
use crate::observer::{Observer, Progress};
use crate::report::Verdict;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use system::{Machine, ProcessId, PropertyId, Refinement, Trace};

/// The most steps of a run in stateless search, unless the user says otherwise.
const DEPTH: usize = 1000;

/// How the explicit engines search.
#[derive(clap::Args)]
pub struct ExplicitArgs {
    /// In which order the explicit engine visits states (by default: breadth-first, or depth-first with a reduction).
    #[arg(long, value_enum)]
    search: Option<SearchOrder>,
    /// Which interleavings of independent commands the explicit engines leave out.
    #[arg(long, value_enum, default_value_t)]
    reduction: Reduction,
    /// Which states depth-first search stores.
    #[arg(long, value_enum, default_value_t)]
    store: Store,
    /// Which states depth-first search forgets when memory is short.
    #[arg(long, value_enum, default_value_t)]
    forget: Forget,
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

#[derive(Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Store {
    /// All.
    #[default]
    All,
    /// Those from which it makes more than one step.
    Branching,
}

impl From<Store> for explicit::Keeping {
    fn from(store: Store) -> explicit::Keeping {
        match store {
            Store::All => explicit::Keeping::Everything,
            Store::Branching => explicit::Keeping::Branching,
        }
    }
}

#[derive(Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Forget {
    /// Any.
    #[default]
    Random,
    /// Of some, the one that took the least work; often much less work in all.
    Cheapest,
}

impl From<Forget> for explicit::Forgetting {
    fn from(forget: Forget) -> explicit::Forgetting {
        match forget {
            Forget::Random => explicit::Forgetting::AtRandom,
            Forget::Cheapest => explicit::Forgetting::Cheapest,
        }
    }
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
    let order = match (args.explicit.search, args.explicit.reduction) {
        (Some(SearchOrder::Bfs), Reduction::Sleep | Reduction::Both) => {
            return Err(UsageError("sleep sets need depth-first search: --search dfs".to_owned()));
        }
        (Some(SearchOrder::Bfs), _) | (None, Reduction::None) => Order::BreadthFirst,
        (Some(SearchOrder::Dfs) | None, _) => Order::DepthFirst,
    };
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    Ok(Options {
        limits: Limits { depth: args.bound.unwrap_or(usize::MAX), memory: args.memory.saturating_mul(1_000_000) },
        order,
        reduction,
        jobs: args.jobs.unwrap_or_else(cores),
        capacity: usize::MAX,
        keeping: args.explicit.store.into(),
        forgetting: args.explicit.forget.into(),
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
            let oddities = [
                ("livelock", steps.livelock, "cannot move in more than N states in a row", livelock),
                (
                    "divergence",
                    steps.divergence,
                    "makes more than N steps in a row that concern nobody else",
                    divergence,
                ),
            ];
            let oddities =
                oddities.into_iter().filter_map(|(kind, limit, what, found)| oddity(kind, limit, what, found));
            let otherwise = stateless_verdict(&search, depth, why(watch));
            let oddities = oddities.collect();
            Found { states: None, oddities, ..found("stateless", search, otherwise) }
        }
        Err(finding) => fault("stateless", *finding),
    })
}

/// A run that is bad by a step limit of \[God97\].
fn oddity(kind: &'static str, limit: Option<usize>, what: &str, found: Option<(ProcessId, Trace)>) -> Option<Oddity> {
    let (process, trace) = found?;
    Some(Oddity { kind, what: what.replace('N', &limit?.to_string()), process, trace })
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
        has_initial_state: result.initial_states > 0 || result.stop == Stop::Interrupted,
        oddities: Vec::new(),
        rounds: Vec::new(),
        points: 0,
        formulas: None,
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
        oddities: Vec::new(),
        rounds: Vec::new(),
        points: 0,
        formulas: None,
    }
}

/// Why a search had to end.
fn why(watch: &Watch) -> &'static str {
    watch.why().unwrap_or("out of memory")
}

fn verdict(result: &Search, options: &Options, why: &str) -> Verdict {
    let is_plain = options.reduction == explicit::Reduction::default();
    let is_breadth_first = options.order == Order::BreadthFirst;
    let settled = result.settled.filter(|_| is_plain);
    let within = settled.map_or(String::new(), |steps| format!("; no violation within {steps} steps"));
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
    match result.replacement {
        Some(cost) if cost.replaced > 0 => format!(
            "all reachable states were visited; of {} states stored, {} were forgotten for want of memory",
            cost.insertions, cost.replaced
        ),
        Some(cost) if cost.stored < cost.insertions => format!(
            "all reachable states were visited, with at most {} states stored at a time and {} visits",
            cost.stored, cost.insertions
        ),
        _ if is_plain => format!("all {} reachable states were visited", result.states),
        _ => format!("{} states represent all reachable ones", result.states),
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
