//! States and decision diagrams in turns, each with more than before: invariants and deadlock freedom without a bound, and CTL.
//!
//! Few states are visited at once. Where there are many, diagrams may still be small; where diagrams explode, there may be
//! not so many states after all. What is allowed is counted in states and results, not in seconds, so that the same engine
//! answers every time.

use super::labelling;
use super::portfolio::Task;
use super::states::{self, Extent};
use super::symbolic::{self, Effort};
use engine::{Findings, Trouble};
use limits::Handle;
use system::PropertyId;

/// A stage: what it leaves over goes to the next one.
#[derive(Clone, Copy)]
enum Stage {
    /// Visiting states.
    States(Extent),
    /// Diagrams.
    Diagrams(Effort),
    /// Labelling of at most this many states.
    Labelling(usize),
}

/// Diagrams whose attempts are this much work, at least and at most.
const fn diagrams(least: u64, most: u64) -> Stage {
    Stage::Diagrams(Effort { least, most })
}

/// For invariants and deadlock freedom. Each stage takes about as long as the one before, or a few times as long, so that a
/// million states are not kept waiting by diagrams that explode.
const INVARIANTS: [Stage; 7] = [
    Stage::States(Extent::UpTo(200_000)),
    diagrams(0, 1 << 20),
    Stage::States(Extent::UpTo(2_000_000)),
    diagrams(1 << 23, 1 << 23),
    Stage::States(Extent::UpTo(8_000_000)),
    diagrams(1 << 25, 1 << 30),
    Stage::States(Extent::All),
];

/// For formulas of CTL, and COMPUTE.
const BRANCHING: [Stage; 3] = [diagrams(0, 1 << 24), Stage::Labelling(300_000), diagrams(1 << 26, u64::MAX)];

impl Stage {
    fn decides(self, task: Task<'_>, property: PropertyId) -> bool {
        match self {
            Stage::States(_) | Stage::Diagrams(_) => true,
            Stage::Labelling(_) => labelling::decides(task.machine, property),
        }
    }

    fn search(self, task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
        match self {
            Stage::States(extent) => states::search(task, extent, handle),
            Stage::Diagrams(effort) => Ok(symbolic::search_within(task, effort, handle)),
            Stage::Labelling(most) => Ok(labelling::search(task, most, handle)),
        }
    }
}

/// Decides invariants and deadlock freedom.
pub fn search_invariants(task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    search(&INVARIANTS, task, handle)
}

/// Decides formulas of CTL, and COMPUTE.
pub fn search_branching(task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    search(&BRANCHING, task, handle)
}

fn search(stages: &[Stage], task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let (first, others) = stages.split_at(1);
    let mut known = first[0].search(task, handle)?;
    for stage in others {
        let mut open = undecided(&known);
        open.retain(|property| stage.decides(task, *property));
        let is_over = known.fault.is_some() || handle.why().is_some() || !known.has_initial_state;
        if !is_over && !open.is_empty() {
            known = joined(known, stage.search(Task { properties: &open, ..task }, handle)?);
        }
    }
    Ok(known)
}

fn undecided(findings: &Findings) -> Vec<PropertyId> {
    let verdicts = findings.verdicts.iter();
    verdicts.filter(|(_, verdict)| verdict.is_unknown()).map(|(property, _)| *property).collect()
}

/// What a stage adds to what is known. The engine that is named is the one that decided last.
fn joined(mut known: Findings, found: Findings) -> Findings {
    let has_decided = undecided(&found).len() < found.verdicts.len();
    for (property, verdict) in found.verdicts {
        known.verdicts.retain(|(other, _)| *other != property);
        known.verdicts.push((property, verdict));
    }
    known.fault = known.fault.or(found.fault);
    known.deadlock = known.deadlock.or(found.deadlock);
    known.has_initial_state &= found.has_initial_state;
    known.stop = found.stop;
    known.remarks.extend(found.remarks);
    if has_decided || known.fault.is_some() {
        (known.engine, known.cost) = (found.engine, found.cost);
    }
    known
}
