//! Invariants that follow from themselves, by k-induction: no state is visited, so that it does not matter how many there are, nor how many
//! runs begin in.

use super::options::Options;
use super::portfolio::Task;
use super::solvers::{Solvers, with_solvers};
use bounded::{Inductive, Start, Sweep, can_be_asked, can_be_inductive, inductive};
use engine::{Engine, Findings, Trouble, Verdict};
use limits::{Effort, Handle, Patience};
use system::PropertyId;

/// The most ticks of the solver for each of the two parts: a fraction of a second.
const TICKS: u64 = 10_000_000;

/// The work of one turn.
const TURN: i32 = 2_000_000;

/// Whether there is a point in asking. Proofs are written of other things than these.
pub fn decides(task: Task<'_>, property: PropertyId) -> bool {
    !task.options.proofs.are_wanted()
        && can_be_asked(task.machine, property)
        && can_be_inductive(task.machine, property)
}

/// Decides what follows from itself. Says nothing of other properties, unless the run has to end.
pub fn search(task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let mut handle = handle.patient(Patience::default());
    handle.limit_memory();
    let options = Options { bound: Some(0), ..task.options.clone() };
    let mut found = Findings::new(ENGINE);
    with_solvers(&options, |Solvers { start, .. }| {
        let follow = match inductive(task.machine, task.properties, start, TICKS, &mut handle) {
            // What cannot be unrolled is for others.
            Err(Trouble::Usage(_)) => None,
            follow => follow?,
        };
        if let Some(follow) = follow.filter(|_| handle.why().is_none())
            && begins_well(
                Task { properties: &follow.properties, options: &options, ..task },
                &follow,
                start,
                &mut handle,
            )?
        {
            let reason = format!("by induction over {}", steps(follow.depth));
            found.verdicts.extend(follow.properties.iter().map(|id| (*id, Verdict::Holds(reason.clone()))));
        }
        Ok(())
    })?;
    if let Some(why) = handle.why() {
        found.conclude(task.properties, &Verdict::ended(why, None));
    }
    Ok(found)
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
