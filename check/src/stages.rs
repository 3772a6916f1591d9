//! Invariants and deadlock freedom without a bound: states and decision diagrams in turns, each with more than before.
//!
//! Few states are visited at once. Where there are many, diagrams may still be small; where diagrams explode, there may be
//! not so many states after all. What is allowed is counted in states and results, not in seconds, so that the same engine
//! answers every time.

use super::portfolio::{Engine, Task, is_invariant};
use super::states::{Explicit, Extent};
use super::symbolic::{Asked, Symbolic};
use crate::error::Error;
use engine::Findings;
use limits::Handle;
use system::{Machine, PropertyId};

/// States and diagrams in turns.
pub struct Stages;

/// The stages: what is left over goes to the next one.
fn stages() -> [Box<dyn Engine>; 5] {
    let states = |most| Box::new(Explicit(Extent::UpTo(most)));
    let diagrams = |effort| Box::new(Symbolic { asked: Asked::Everything, effort });
    [states(200_000), diagrams(1 << 24), states(4_000_000), diagrams(1 << 30), Box::new(Explicit(Extent::All))]
}

impl Engine for Stages {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn decides(&self, machine: &Machine, property: PropertyId) -> bool {
        is_invariant(machine, property)
    }

    fn run(&self, task: &Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Error> {
        let [first, others @ ..] = stages();
        let mut known = first.run(task, handle)?;
        for engine in others {
            let open = undecided(&known);
            let is_over = open.is_empty() || known.fault.is_some() || handle.why().is_some();
            if is_over || !known.has_initial_state {
                break;
            }
            known = joined(known, engine.run(&Task { properties: &open, ..*task }, handle)?);
        }
        Ok(known)
    }
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
    known.remarks.extend(found.remarks);
    if has_decided || known.fault.is_some() {
        (known.engine, known.cost) = (found.engine, found.cost);
    }
    known
}
