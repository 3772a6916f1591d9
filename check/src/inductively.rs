//! Invariants that follow from themselves, by k-induction: no state is visited, so that it does not matter how many there are, nor how many
//! runs begin in. Values that are known are constants here, as an induction may begin where they are different: the parameters of a process, for instance.

use super::options::Options;
use super::portfolio::Task;
use super::settled::Settled;
use super::solvers::{Solvers, with_solvers};
use bounded::{Inductive, Start, Sweep, can_be_asked, can_be_inductive, inductive};
use engine::{Engine, Findings, Trouble, Verdict};
use limits::{Effort, Handle, Patience};
use std::sync::Arc;
use system::{Machine, PropertyId, with_constants};

/// The most ticks of the solver for each of the two parts: a fraction of a second.
const TICKS: u64 = 10_000_000;

/// The work of one turn.
const TURN: i32 = 2_000_000;

/// Whether there is a point in asking. Proofs are written of other things than these.
pub fn decides(task: Task<'_>, property: PropertyId) -> bool {
    !task.options.proofs.are_wanted() && (is_simple(task.machine, property) || is_written(task.machine, property))
}

fn is_simple(machine: &Machine, property: PropertyId) -> bool {
    can_be_asked(machine, property) && can_be_inductive(machine, property)
}

/// Whether an invariant of a program is written as a formula: then the beginning of the program may be left out, which is mostly an atomic
/// section that creates processes.
fn is_written(machine: &Machine, property: PropertyId) -> bool {
    machine.system().has_statements && machine.system().written.contains_key(&property)
}

/// Decides what follows from itself. Says nothing of other properties, unless the run has to end.
pub fn search(task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let mut handle = handle.patient(Patience::default());
    handle.limit_memory();
    let options = Options { bound: Some(0), ..task.options.clone() };
    let task = Task { options: &options, ..task };
    let (simple, written): (Vec<_>, Vec<_>) = task.properties.iter().partition(|id| is_simple(task.machine, **id));
    let simpler = with_constants(task.machine.system()).map(|system| Machine::new(Arc::new(system)));
    let machine = simpler.as_ref().unwrap_or(task.machine);
    let mut found = Findings::new(ENGINE);
    if !simple.is_empty() {
        found.verdicts = search_together(Task { machine, properties: &simple, ..task }, TICKS, &mut handle)?;
    }
    let ticks = TICKS / written.len().max(1) as u64;
    for property in written {
        if let Some(machine) =
            Settled::for_invariant(task.machine, property).filter(|machine| is_simple(machine, property))
        {
            let task = Task { machine: &machine, properties: &[property], ..task };
            found.verdicts.extend(search_together(task, ticks, &mut handle)?);
        }
    }
    if let Some(why) = handle.why() {
        found.verdicts.clear();
        found.conclude(task.properties, &Verdict::ended(why, None));
    }
    Ok(found)
}

/// Those of some invariants that follow from each other, with at most about this many ticks of the solver for each of the two parts.
fn search_together(task: Task<'_>, ticks: u64, handle: &mut Handle<'_>) -> Result<Vec<(PropertyId, Verdict)>, Trouble> {
    with_solvers(task.options, |Solvers { start, .. }| {
        let follow = match inductive(task.machine, task.properties, start, ticks, handle) {
            // What cannot be unrolled is for others.
            Err(Trouble::Usage(_)) => None,
            follow => follow?,
        };
        let Some(follow) = follow.filter(|_| handle.why().is_none()) else { return Ok(Vec::new()) };
        let asked = Task { properties: &follow.properties, ..task };
        if !begins_well(asked, &follow, start, handle)? {
            return Ok(Vec::new());
        }
        let reason = format!("by induction over {}", steps(follow.depth));
        Ok(follow.properties.iter().map(|id| (*id, Verdict::Holds(reason.clone()))).collect())
    })
}

/// Whether no run of fewer steps than the induction is deep goes wrong.
fn begins_well(task: Task<'_>, follow: &Inductive, start: Start<'_>, handle: &mut Handle<'_>) -> Result<bool, Trouble> {
    let (last, strategy) = (follow.depth - 1, task.options.unrolling.plain);
    let Ok(mut sweep) = Sweep::new(task.machine, task.properties, last, strategy, start) else { return Ok(false) };
    while sweep.work().ticks <= TICKS && sweep.turn(Effort::Ticks(TURN), handle)?.is_none() {}
    let found = sweep.found();
    Ok(found.violations().is_empty() && found.fault.is_none() && found.settled.is_some_and(|settled| settled >= last))
}

fn steps(depth: usize) -> String {
    if depth == 1 { "1 step".to_owned() } else { format!("{depth} steps") }
}

/// What the search is called in reports.
const ENGINE: &str = "induction";
