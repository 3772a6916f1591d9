//! The engines that visit states: `explicit`, which stores them, and `stateless`, which does not.

use super::cone::{self, joined, undecided};
use super::options::{Options, Visiting};
use super::portfolio::Task;
use engine::{Findings, Trouble};
use explicit::{Limits, Order, Reduction, Sets, Symmetries};
use limits::{Handle, Patience};
use std::num::NonZeroUsize;
use system::{Machine, Refinement};

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

impl Extent {
    fn patience(self) -> Patience {
        match self {
            Extent::All => Patience::default(),
            // A single state can have as many choices of values.
            Extent::UpTo(states) => {
                let looks = u32::try_from(states / CHOICES_PER_LOOK).unwrap_or(u32::MAX);
                Patience { states, looks, ..Patience::default() }
            }
        }
    }
}

/// How many states are a look at the whole model: enough that only what is slow to visit is cut, and too few to wait for.
const LOOK: Extent = Extent::UpTo(20_000);

/// Search over states where no other engine helps. There is a look at the whole model first, and a search of the cone of influence
/// for what that leaves open. So of a small model all is told that there is to tell, such as how many states it has and where none of them can go on;
/// in a large one, what cannot influence the properties does not multiply them.
pub fn search_alone(task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    if !cone::is_smaller(task) {
        return search(task, Extent::All, handle);
    }
    let mut known = search(task, LOOK, handle)?;
    let open = undecided(&known);
    if open.is_empty() || known.fault.is_some() || handle.why().is_some() {
        return Ok(known);
    }
    known.remarks.clear();
    let task = Task { properties: &open, ..task };
    let found = match cone::search(task, |task, _| search(task, Extent::All, handle))? {
        Some(found) => found,
        None => search(task, Extent::All, handle)?,
    };
    Ok(joined(known, found))
}

/// Search over states.
pub fn search(task: Task<'_>, extent: Extent, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let mut options = how(task.options)?;
    if let Extent::UpTo(_) = extent {
        options.jobs = NonZeroUsize::MIN;
    }
    let mut handle = handle.patient(extent.patience());
    let machine = attentive(task.machine, &handle);
    Ok(explicit::run(&machine, task.properties, &options, &mut handle))
}

/// Search over states, where those that differ in interchangeable processes only have one that stands for them if that is worth the work.
pub fn search_alike(task: Task<'_>, extent: Extent, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let visiting = Visiting { symmetries: Symmetries::Worthwhile, ..task.options.visiting };
    let options = Options { visiting, ..task.options.clone() };
    search(Task { options: &options, ..task }, extent, handle)
}

/// Search over about this many states of a program that stand for all: of interleavings that differ in nothing that matters, some
/// are tried, depth-first, with persistent and sleep sets.
pub fn search_representatives(task: Task<'_>, most: usize, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let reduction = Reduction { sets: Sets::Both, refinement: Refinement::Operations };
    let visiting = Visiting { reduction, ..task.options.visiting };
    let options = Options { visiting, ..task.options.clone() };
    search(Task { options: &options, ..task }, Extent::UpTo(most), handle)
}

/// Search over runs, without storing states.
pub fn search_runs(task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let (options, visiting) = (task.options, task.options.visiting);
    if visiting.symmetries == Symmetries::Exploited {
        return Err(Trouble::Usage("symmetry needs states that are stored: --engine explicit".to_owned()));
    }
    let limits = Limits { depth: options.bound.unwrap_or(visiting.depth), memory: options.memory };
    let how = explicit::Stateless { limits, reduction: visiting.reduction, steps: visiting.steps };
    Ok(explicit::stateless(&attentive(task.machine, handle), task.properties, how, handle))
}

/// A machine for the same system that ends its work when the run has to end.
pub(super) fn attentive(machine: &Machine, handle: &Handle<'_>) -> Machine {
    let mut machine = machine.anew();
    machine.heed(handle.alarm());
    machine
}

fn cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// How to search.
fn how(options: &Options) -> Result<explicit::Options, Trouble> {
    let reduction = options.visiting.reduction;
    let order = match options.visiting.order {
        Some(Order::BreadthFirst) if reduction.sleeps() => {
            return Err(Trouble::Usage("sleep sets need depth-first search: --search dfs".to_owned()));
        }
        Some(order) => order,
        None if reduction == Reduction::default() => Order::BreadthFirst,
        None => Order::DepthFirst,
    };
    if order == Order::DepthFirst && options.visiting.symmetries == Symmetries::Exploited {
        return Err(Trouble::Usage("symmetry needs breadth-first search: --search bfs".to_owned()));
    }
    Ok(explicit::Options {
        limits: Limits { depth: options.bound.unwrap_or(usize::MAX), memory: options.memory },
        order,
        reduction,
        symmetries: options.visiting.symmetries,
        jobs: options.jobs.unwrap_or_else(cores),
        capacity: usize::MAX,
        keeping: options.visiting.keeping,
        forgetting: options.visiting.forgetting,
        seed: u64::from(options.seed),
    })
}
