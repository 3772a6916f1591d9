//! What a search says of the properties that it found no violation of.

use super::options::{Options, Order, Reduction};
use engine::{Cause, Findings, Stop, Verdict};
use limits::{Ended, Handle};
use system::{Machine, PropertyId};

/// A search that has visited more initial states than this and made no step does not get further.
const MANY: usize = 1 << 12;

/// Where a search is before the first step, and what to do.
const BEGINNING: &str =
    "before the first step: states are visited one by one, initial ones too; --engine symbolic has sets of them";

/// Why a search had to end.
pub fn why(handle: &Handle<'_>) -> Ended {
    handle.why().unwrap_or(Ended::Memory)
}

/// The end of a search that stores states.
pub fn conclude(
    mut found: Findings,
    (machine, properties): (&Machine, &[PropertyId]),
    options: &Options,
    handle: &Handle<'_>,
) -> Findings {
    let is_plain = options.reduction == Reduction::default();
    let otherwise = match &found.fault {
        Some((failure, _)) => Verdict::no_meaning(machine.system(), *failure, found.settled),
        None => verdict(&found, options, why(handle)),
    };
    found.settled = found.settled.filter(|_| is_plain);
    found.conclude(properties, &otherwise);
    found
}

/// The end of a search that stores none, with a limit on the depth.
pub fn conclude_stateless(
    mut found: Findings,
    (machine, properties): (&Machine, &[PropertyId]),
    depth: usize,
    handle: &Handle<'_>,
) -> Findings {
    let otherwise = match &found.fault {
        Some((failure, _)) => Verdict::no_meaning(machine.system(), *failure, None),
        None => stateless_verdict(&found, depth, why(handle)),
    };
    found.conclude(properties, &otherwise);
    found
}

fn verdict(found: &Findings, options: &Options, why: Ended) -> Verdict {
    let is_plain = options.reduction == Reduction::default();
    let is_whole = is_plain && found.cost.interchangeable.is_empty();
    let is_breadth_first = options.order == Order::BreadthFirst;
    let settled = found.settled.filter(|_| is_plain);
    let is_at_beginning = found.cost.transitions == 0 && found.states() > MANY;
    match found.stop {
        Stop::Complete | Stop::Decided | Stop::NoLongerRuns => Verdict::Holds(coverage(found, is_whole)),
        Stop::Bound if is_breadth_first && is_plain => Verdict::HoldsUpTo(options.limits.depth),
        Stop::Bound | Stop::Refused => {
            let reason = "runs were cut off; only plain breadth-first search tells up to which bound";
            Verdict::unknown(Cause::CutOff, reason)
        }
        Stop::Memory if is_at_beginning => {
            Verdict::unknown(Cause::Memory, format!("the memory limit was reached {BEGINNING}"))
        }
        Stop::Interrupted if is_at_beginning => Verdict::unknown(Cause::Ended(why), format!("{why} {BEGINNING}")),
        Stop::Memory if is_breadth_first => {
            let reason = "the memory limit was reached; --search dfs can do with less";
            Verdict::settled(Cause::Memory, reason, settled)
        }
        Stop::Memory => {
            let longest = found.cost.replacement.map_or(0, |cost| cost.longest_path);
            Verdict::unknown(Cause::Memory, format!("the path of {longest} states alone does not fit into memory"))
        }
        Stop::Interrupted => Verdict::ended(why, settled),
    }
}

/// How a search covered all the states, and what forgetting some of them cost.
fn coverage(found: &Findings, is_whole: bool) -> String {
    match found.cost.replacement {
        Some(cost) if cost.replaced > 0 => format!(
            "all reachable states were visited; of {} states stored, {} were forgotten for want of memory",
            cost.insertions, cost.replaced
        ),
        Some(cost) if cost.stored < cost.insertions => format!(
            "all reachable states were visited, with at most {} states stored at a time and {} visits",
            cost.stored, cost.insertions
        ),
        _ if is_whole => format!("all {} reachable states were visited", found.states()),
        _ => format!("{} states represent all reachable ones", found.states()),
    }
}

fn stateless_verdict(found: &Findings, depth: usize, why: Ended) -> Verdict {
    let steps = found.cost.transitions;
    match found.stop {
        Stop::Complete | Stop::Decided | Stop::NoLongerRuns => {
            Verdict::Holds(format!("all runs were tried, {steps} steps in all"))
        }
        Stop::Bound | Stop::Refused => {
            let reason = format!("the depth limit of {depth} steps was hit, after {steps} steps in all");
            Verdict::unknown(Cause::CutOff, reason)
        }
        Stop::Memory => Verdict::unknown(Cause::Memory, "the memory limit was reached"),
        Stop::Interrupted => Verdict::unknown(Cause::Ended(why), format!("{why}, after {steps} steps in all")),
    }
}
