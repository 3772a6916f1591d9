//! The engines that visit states: `explicit`, which stores them, and `stateless`, which does not.

use super::effort::Effort;
use super::engine::{Engine, Task, is_invariant};
use super::fault;
use super::findings::{Findings, Oddity};
use super::handle::Handle;
use super::options::Options;
use super::verdict::Verdict;
use crate::error::Error;
use explicit::{Finding, Limits, Order, Reduction, Search, Stop};
use limits::Progress;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use system::{Machine, ProcessId, PropertyId, Trace};

/// Search over states.
pub struct Explicit(pub Extent);

/// About how many choices of values are made between two looks at an alarm.
const CHOICES_PER_LOOK: usize = 1 << 12;

/// How many states are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All, as far as memory allows.
    All,
    /// About this many, one after the other, and as many choices of values.
    UpTo(usize),
}

/// Search over runs.
pub struct Stateless;

impl Engine for Explicit {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn decides(&self, machine: &Machine, property: PropertyId) -> bool {
        is_invariant(machine, property)
    }

    fn run(&self, task: &Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Error> {
        let mut options = how(task.options)?;
        let mut machine = attentive(task, handle);
        let mut most = usize::MAX;
        if let Extent::UpTo(states) = self.0 {
            most = states;
            options.jobs = NonZeroUsize::MIN;
            // A single state can have as many choices of values.
            let looks = u32::try_from(states / CHOICES_PER_LOOK).unwrap_or(u32::MAX);
            machine.heed(handle.alarm(task.options.memory).or_after(looks));
        }
        let outcome = explicit::run(&machine, task.properties, &options, |now| {
            handle.see(&Progress::States { states: now.states, depth: now.depth })?;
            if now.states > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        Ok(match outcome {
            Ok(result) => {
                let otherwise = verdict(&result, &options, why(handle));
                let states = Some(result.states);
                let findings = found(self, task, result, &otherwise);
                Findings { effort: Effort { states, ..Effort::default() }, ..findings }
            }
            Err(finding) => faulty(self, task, *finding),
        })
    }
}

impl Engine for Stateless {
    fn name(&self) -> &'static str {
        "stateless"
    }

    fn decides(&self, machine: &Machine, property: PropertyId) -> bool {
        is_invariant(machine, property)
    }

    fn run(&self, task: &Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Error> {
        let (options, visiting) = (task.options, task.options.visiting);
        let limits = Limits { depth: options.bound.unwrap_or(visiting.depth), memory: options.memory };
        let machine = attentive(task, handle);
        let see = |now: explicit::Progress| handle.see(&Progress::Runs { visits: now.states, depth: now.depth });
        let outcome = explicit::stateless(&machine, task.properties, limits, visiting.reduction, visiting.steps, see);
        Ok(match outcome {
            Ok(explicit::Stateless { search, livelock, divergence }) => {
                let oddities = [
                    oddity("livelock", visiting.steps.livelock, "cannot move in more than N states in a row", livelock),
                    oddity(
                        "divergence",
                        visiting.steps.divergence,
                        "makes more than N steps in a row that concern no other process",
                        divergence,
                    ),
                ];
                let otherwise = stateless_verdict(&search, limits.depth, why(handle));
                let oddities = oddities.into_iter().flatten().collect();
                Findings { oddities, ..found(self, task, search, &otherwise) }
            }
            Err(finding) => faulty(self, task, *finding),
        })
    }
}

/// A machine that ends its work when the run has to end.
fn attentive(task: &Task<'_>, handle: &Handle<'_>) -> Machine {
    let mut machine = task.machine.anew();
    machine.heed(handle.alarm(task.options.memory));
    machine
}

/// How to search.
fn how(options: &Options) -> Result<explicit::Options, Error> {
    let reduction = options.visiting.reduction;
    let order = match options.visiting.order {
        Some(Order::BreadthFirst) if reduction.sleeps() => {
            return Err(Error::Usage("sleep sets need depth-first search: --search dfs".to_owned()));
        }
        Some(order) => order,
        None if reduction == Reduction::default() => Order::BreadthFirst,
        None => Order::DepthFirst,
    };
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    Ok(explicit::Options {
        limits: Limits { depth: options.bound.unwrap_or(usize::MAX), memory: options.memory },
        order,
        reduction,
        jobs: options.jobs.unwrap_or_else(cores),
        capacity: usize::MAX,
        keeping: options.visiting.keeping,
        forgetting: options.visiting.forgetting,
        seed: u64::from(options.seed),
    })
}

/// A run that is bad by a step limit of \[God97\].
fn oddity(kind: &'static str, limit: Option<usize>, what: &str, found: Option<(ProcessId, Trace)>) -> Option<Oddity> {
    let (process, trace) = found?;
    Some(Oddity { kind, what: what.replace('N', &limit?.to_string()), process, trace })
}

fn found(engine: &impl Engine, task: &Task<'_>, result: Search, otherwise: &Verdict) -> Findings {
    Findings {
        verdicts: Findings::decide(task.properties, result.violations, otherwise),
        deadlock: result.deadlock,
        has_initial_state: result.initial_states > 0 || result.stop == Stop::Interrupted,
        ..Findings::new(engine.name())
    }
}

/// What was found before a fault.
fn faulty(engine: &impl Engine, task: &Task<'_>, finding: Finding) -> Findings {
    let otherwise = Verdict::settled(fault::reason(task.machine.system(), finding.failure), finding.settled);
    Findings {
        verdicts: Findings::decide(task.properties, finding.violations, &otherwise),
        fault: Some((finding.failure, finding.trace)),
        ..Findings::new(engine.name())
    }
}

/// Why a search had to end.
fn why(handle: &Handle<'_>) -> &'static str {
    handle.why().unwrap_or("out of memory")
}

fn verdict(result: &Search, options: &explicit::Options, why: &str) -> Verdict {
    let is_plain = options.reduction == Reduction::default();
    let is_breadth_first = options.order == Order::BreadthFirst;
    let settled = result.settled.filter(|_| is_plain);
    match result.stop {
        Stop::Complete | Stop::Decided => Verdict::Holds(coverage(result, is_plain)),
        Stop::Depth if is_breadth_first && is_plain => Verdict::HoldsUpTo(options.limits.depth),
        Stop::Depth => Verdict::unknown("runs were cut off; only plain breadth-first search tells up to which bound"),
        Stop::Memory if is_breadth_first => {
            Verdict::settled("the memory limit was reached; --search dfs can do with less", settled)
        }
        Stop::Memory => {
            let longest = result.replacement.map_or(0, |cost| cost.longest_path);
            Verdict::unknown(format!("the path of {longest} states alone does not fit into memory"))
        }
        Stop::Interrupted => Verdict::settled(why, settled),
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
            Verdict::unknown(format!("the depth limit of {depth} steps was hit, after {steps} steps in all"))
        }
        Stop::Memory => Verdict::unknown("the memory limit was reached"),
        Stop::Interrupted => Verdict::unknown(format!("{why}, after {steps} steps in all")),
    }
}
