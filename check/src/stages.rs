//! States and decision diagrams in turns, each with more than before: invariants and deadlock freedom without a bound, and CTL.
//!
//! Few states are visited at once. Where there are many, diagrams may still be small; where diagrams explode, there may be
//! not so many states after all. What is allowed is counted in states and results, not in seconds, so that the same engine
//! answers every time. Where the first stage is not enough for invariants, variables that cannot influence them are left out.
//!
//! In programs, most interleavings differ in nothing that matters: there, a search that leaves such out takes the place of
//! small diagrams.

use super::engine::{Engine, Task, is_invariant};
use super::findings::Findings;
use super::handle::Handle;
use super::labelling::Labelling;
use super::options::Cone;
use super::representatives::Representatives;
use super::states::{Explicit, Extent};
use super::symbolic::{Asked, Symbolic};
use super::verdict::Verdict;
use crate::error::Error;
use std::sync::Arc;
use system::{Apart, Claim, Machine, PropertyId, Slice, System};

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
            false => vec![states(200_000), diagrams(0, 1 << 20), states(4_000_000), diagrams(1 << 23, 1 << 23)],
        };
        engines.push(states(16_000_000));
        engines.push(diagrams(1 << 25, 1 << 30));
        engines.push(Box::new(Explicit(Extent::All)));
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

    /// What the first stage leaves open of invariants is looked for in the cone of influence, if that is smaller than the model.
    fn run(&self, task: &Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Error> {
        let (first, others) = self.engines.split_at(1);
        let known = first[0].run(task, handle)?;
        let open = undecided(&known);
        if self.kind == Kind::Invariants && !open.is_empty() && !is_over(&known, handle) {
            let task = Task { properties: &open, ..*task };
            if let Some(found) = self.in_cone(&task, handle)? {
                return Ok(joined(known, found));
            }
        }
        in_turns(known, task, others, handle)
    }
}

impl Stages {
    /// All stages on the cone of influence of the properties: what cannot influence them only multiplies the states. None if
    /// that is the whole model. Relations elsewhere are left out at first; if a counterexample then turns out to be none of
    /// the whole model, they are part of it.
    fn in_cone(&self, task: &Task<'_>, handle: &mut Handle<'_>) -> Result<Option<Findings>, Error> {
        let system = task.machine.system();
        for apart in [Apart::LeftOut, Apart::Kept] {
            let slice = Slice::new(system, task.properties, apart);
            let Some(slice) = slice.filter(|_| task.options.unrolling.cone == Cone::Influence) else { return Ok(None) };
            let machine = Machine::new(Arc::new(slice.system.clone()));
            let task = Task { machine: &machine, ..*task };
            let (first, others) = self.engines.split_at(1);
            let found = in_turns(first[0].run(&task, handle)?, &task, others, handle)?;
            match lifted(system, &slice, found) {
                Some(found) => return Ok(Some(found)),
                None if slice.apart() == Apart::LeftOut => {}
                None => break,
            }
        }
        Err(Error::bug("a counterexample of the cone of influence is none of the whole model"))
    }
}

/// Whether there is no more to be found, or no time for it.
fn is_over(known: &Findings, handle: &Handle<'_>) -> bool {
    known.fault.is_some() || handle.why().is_some() || !known.has_initial_state
}

/// One engine after the other, each on what is left open before it.
fn in_turns(
    mut known: Findings,
    task: &Task<'_>,
    engines: &[Box<dyn Engine>],
    handle: &mut Handle<'_>,
) -> Result<Findings, Error> {
    for engine in engines {
        let mut open = undecided(&known);
        open.retain(|property| engine.decides(task.machine, *property));
        if !is_over(&known, handle) && !open.is_empty() {
            known = joined(known, engine.run(&Task { properties: &open, ..*task }, handle)?);
        }
    }
    Ok(known)
}

/// What was found in a slice, in the whole system.
fn lifted(system: &System, slice: &Slice, mut found: Findings) -> Option<Findings> {
    for (_, verdict) in &mut found.verdicts {
        match verdict {
            Verdict::Violated(trace) => *trace = slice.lift(system, trace)?,
            Verdict::Holds(reason) => reason.push_str(", in the cone of influence"),
            _ => {}
        }
    }
    if let Some((_, trace)) = found.fault.as_mut().filter(|(_, trace)| !trace.states.is_empty()) {
        *trace = slice.lift(system, trace)?;
    }
    // Elsewhere a process may be able to move.
    Some(Findings { deadlock: None, ..found })
}

fn undecided(findings: &Findings) -> Vec<PropertyId> {
    let verdicts = findings.verdicts.iter();
    verdicts.filter(|(_, verdict)| matches!(verdict, Verdict::Unknown(_))).map(|(property, _)| *property).collect()
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
