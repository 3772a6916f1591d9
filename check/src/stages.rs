//! Invariants and deadlock freedom without a bound: states and decision diagrams in turns, each with more than before.
//!
//! Few states are visited at once. Where there are many, diagrams may still be small; where diagrams explode, there may be
//! not so many states after all. What is allowed is counted in states and results, not in seconds, so that the same engine
//! answers every time. Where the first stage is not enough, variables that cannot influence the properties are left out.

use super::engine::{Engine, Task, is_invariant};
use super::findings::Findings;
use super::handle::Handle;
use super::options::Cone;
use super::states::{Explicit, Extent};
use super::symbolic::{Asked, Symbolic};
use super::verdict::Verdict;
use crate::error::Error;
use std::sync::Arc;
use system::{Apart, Machine, PropertyId, Slice, System};

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

    /// What the first stage leaves open is looked for in the cone of influence, if that is smaller than the model.
    fn run(&self, task: &Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Error> {
        let [first, others @ ..] = stages();
        let known = first.run(task, handle)?;
        let open = undecided(&known);
        if is_over(&known, handle) {
            return Ok(known);
        }
        let task = Task { properties: &open, ..*task };
        let found = match in_cone(&task, handle)? {
            Some(found) => found,
            None => in_turns(&task, others, handle)?,
        };
        Ok(joined(known, found))
    }
}

/// Whether there is nothing left to do, or no time to do it.
fn is_over(known: &Findings, handle: &Handle<'_>) -> bool {
    undecided(known).is_empty() || known.fault.is_some() || handle.why().is_some() || !known.has_initial_state
}

/// One engine after the other, each on what those before it left open.
fn in_turns(
    task: &Task<'_>,
    engines: impl IntoIterator<Item = Box<dyn Engine>>,
    handle: &mut Handle<'_>,
) -> Result<Findings, Error> {
    let mut known: Option<Findings> = None;
    for engine in engines {
        known = Some(match known {
            None => engine.run(task, handle)?,
            Some(known) if is_over(&known, handle) => return Ok(known),
            Some(known) => {
                let open = undecided(&known);
                joined(known, engine.run(&Task { properties: &open, ..*task }, handle)?)
            }
        });
    }
    Ok(known.unwrap_or_else(|| Findings::new("none")))
}

/// All stages on the cone of influence of the properties: what cannot influence them only multiplies the states. None if that
/// is the whole model. Relations elsewhere are left out at first; if a counterexample then turns out to be none of the whole
/// model, they are part of it.
fn in_cone(task: &Task<'_>, handle: &mut Handle<'_>) -> Result<Option<Findings>, Error> {
    let system = task.machine.system();
    for apart in [Apart::LeftOut, Apart::Kept] {
        let slice = Slice::new(system, task.properties, apart);
        let Some(slice) = slice.filter(|_| task.options.unrolling.cone == Cone::Influence) else { return Ok(None) };
        let machine = Machine::new(Arc::new(slice.system.clone()));
        let found = in_turns(&Task { machine: &machine, ..*task }, stages(), handle)?;
        match lifted(system, &slice, found) {
            Some(found) => return Ok(Some(found)),
            None if slice.apart() == Apart::LeftOut => {}
            None => break,
        }
    }
    Err(Error::bug("a counterexample of the cone of influence is none of the whole model"))
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
