//! Invariants and deadlock freedom without a bound: states and decision diagrams in turns, each with more than before.
//!
//! Few states are visited at once. Where there are many, diagrams may still be small; where diagrams explode, there may be
//! not so many states after all. What is allowed is counted in states and results, not in seconds, so that the same engine
//! answers every time.

use super::portfolio::Task;
use super::states::{self, Extent};
use super::symbolic;
use engine::{Findings, Trouble};
use limits::Handle;
use system::PropertyId;

/// A stage: what it leaves over goes to the next one.
#[derive(Clone, Copy)]
enum Stage {
    States(Extent),
    /// Diagrams, each attempt with this much work.
    Diagrams(u64),
}

const STAGES: [Stage; 5] = [
    Stage::States(Extent::UpTo(200_000)),
    Stage::Diagrams(1 << 24),
    Stage::States(Extent::UpTo(4_000_000)),
    Stage::Diagrams(1 << 30),
    Stage::States(Extent::All),
];

impl Stage {
    fn search(self, task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
        match self {
            Stage::States(extent) => states::search(task, extent, handle),
            Stage::Diagrams(effort) => Ok(symbolic::search_within(task, effort, handle)),
        }
    }
}

/// States and diagrams in turns.
pub fn search(task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let [first, others @ ..] = STAGES;
    let mut known = first.search(task, handle)?;
    for stage in others {
        let open = undecided(&known);
        let is_over = open.is_empty() || known.fault.is_some() || handle.why().is_some();
        if is_over || !known.has_initial_state {
            break;
        }
        known = joined(known, stage.search(Task { properties: &open, ..task }, handle)?);
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
