//! The cone of influence: what cannot influence the properties that are asked about only multiplies states, so that it is left out.
//!
//! A run of the part is one of the whole as far as the part goes; what was found is told of the whole system.

use super::herald::Herald;
use super::options::Cone;
use super::portfolio::Task;
use engine::{Findings, Trouble, Verdict};
use std::sync::Arc;
use system::{Apart, Machine, PropertyId, Slice, System};

/// Searches the cone of influence of the properties. None if that is the whole model. Relations elsewhere are left out at first; if a
/// counterexample then turns out to be none of the whole model, they are part of it.
pub fn search(
    task: Task<'_>,
    mut search: impl FnMut(Task<'_>, &Herald<'_>) -> Result<Findings, Trouble>,
) -> Result<Option<Findings>, Trouble> {
    let system = task.machine.system();
    for apart in [Apart::LeftOut, Apart::Kept] {
        let Some(slice) = slice(task, apart) else { return Ok(None) };
        let machine = Machine::new(Arc::new(slice.system.clone()));
        let herald = Herald::new(task.machine, Some(&slice), task.options);
        let found = search(Task { machine: &machine, ..task }, &herald)?;
        match lifted(system, &slice, found) {
            Some(found) => return Ok(Some(found)),
            None if slice.apart() == Apart::LeftOut => {}
            None => break,
        }
    }
    Err(Trouble::Bug("a counterexample of the cone of influence is none of the whole model".to_owned()))
}

/// Whether there is something to leave out.
pub fn is_smaller(task: Task<'_>) -> bool {
    slice(task, Apart::LeftOut).is_some()
}

fn slice(task: Task<'_>, apart: Apart) -> Option<Slice> {
    match task.options.unrolling.cone {
        Cone::Influence => Slice::new(task.machine.system(), task.properties, apart),
        Cone::Whole => None,
    }
}

/// What was found in a slice, in the whole system.
fn lifted(system: &System, slice: &Slice, mut found: Findings) -> Option<Findings> {
    for (_, verdict) in &mut found.verdicts {
        match verdict {
            Verdict::Violated(trace) => *trace = Arc::new(slice.lift(system, trace)?),
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

/// The properties that are not decided.
pub fn undecided(findings: &Findings) -> Vec<PropertyId> {
    let verdicts = findings.verdicts.iter();
    verdicts.filter(|(_, verdict)| verdict.is_unknown()).map(|(property, _)| *property).collect()
}

/// What a further search adds to what is known. The engine that is named is the one that decided last.
pub fn joined(mut known: Findings, found: Findings) -> Findings {
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
    known.explanations.extend(found.explanations);
    if has_decided || known.fault.is_some() {
        (known.engine, known.cost) = (found.engine, found.cost);
    }
    known
}
