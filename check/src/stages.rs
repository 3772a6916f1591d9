//! States and decision diagrams in turns, each with more than before: invariants and deadlock freedom without a bound, and CTL.
//!
//! Few states are visited at once. Where there are many, diagrams may still be small; where diagrams explode, there may be
//! not so many states after all. What is allowed is counted in states and results, not in seconds, so that the same engine
//! answers every time.
//!
//! In programs, most interleavings differ in nothing that matters: there, a search that leaves such out takes the place of
//! small diagrams.

use super::engine::{Engine, Task, is_invariant};
use super::findings::Findings;
use super::handle::Handle;
use super::labelling::Labelling;
use super::representatives::Representatives;
use super::states::{Explicit, Extent};
use super::symbolic::{Asked, Symbolic};
use super::verdict::Verdict;
use crate::error::Error;
use system::{Claim, Machine, PropertyId};

/// Engines in turns: what is left over goes to the next one.
pub struct Stages {
    kind: Kind,
    engines: Vec<Box<dyn Engine>>,
}

/// What is decided in turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Invariants,
    Branching,
}

impl Stages {
    /// Invariants and deadlock freedom. Each stage takes about as long as the one before, or a few times as long, so that a million
    /// states are not kept waiting by diagrams that explode.
    pub fn invariants(machine: &Machine) -> Stages {
        let states = |most| Box::new(Explicit(Extent::UpTo(most)));
        let diagrams = |least, most| Box::new(Symbolic { asked: Asked::Everything, effort: [least, most] });
        let mut engines: Vec<Box<dyn Engine>> = match machine.system().has_statements {
            true => vec![states(2_000_000), Box::new(Representatives(1_000_000))],
            false => vec![states(200_000), diagrams(0, 1 << 20), states(2_000_000), diagrams(1 << 23, 1 << 23)],
        };
        engines.extend([
            states(8_000_000) as Box<dyn Engine>,
            diagrams(1 << 25, 1 << 30),
            Box::new(Explicit(Extent::All)),
        ]);
        Stages { kind: Kind::Invariants, engines }
    }

    /// Formulas of CTL, and COMPUTE.
    pub fn branching() -> Stages {
        let diagrams = |least, most| Box::new(Symbolic { asked: Asked::Branching, effort: [least, most] });
        let engines: Vec<Box<dyn Engine>> =
            vec![diagrams(0, 1 << 24), Box::new(Labelling(300_000)), diagrams(1 << 26, u64::MAX)];
        Stages { kind: Kind::Branching, engines }
    }
}

impl Engine for Stages {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn decides(&self, machine: &Machine, property: PropertyId) -> bool {
        match self.kind {
            Kind::Invariants => is_invariant(machine, property),
            Kind::Branching => {
                matches!(machine.system().properties[property].claim, Claim::Ctl(_) | Claim::Compute(..))
            }
        }
    }

    fn run(&self, task: &Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Error> {
        let (first, others) = self.engines.split_at(1);
        let mut known = first[0].run(task, handle)?;
        for engine in others {
            let mut open = undecided(&known);
            open.retain(|property| engine.decides(task.machine, *property));
            let is_over = known.fault.is_some() || handle.why().is_some() || !known.has_initial_state;
            if !is_over && !open.is_empty() {
                known = joined(known, engine.run(&Task { properties: &open, ..*task }, handle)?);
            }
        }
        Ok(known)
    }
}

fn is_unknown(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(_))
}

fn undecided(findings: &Findings) -> Vec<PropertyId> {
    let verdicts = findings.verdicts.iter();
    verdicts.filter(|(_, verdict)| is_unknown(verdict)).map(|(property, _)| *property).collect()
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
        (known.engine, known.effort) = (found.engine, found.effort);
    }
    known
}
