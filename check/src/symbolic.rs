//! The engine that works on sets of states: decision diagrams.

use super::portfolio::{Task, is_invariant};
use engine::{Findings, Trouble};
use limits::Handle;
use symbolic::Limits;
use system::{Claim, Machine, PropertyId};

/// Whether a property is a formula of CTL or COMPUTE, which no other engine decides.
pub fn is_branching(machine: &Machine, property: PropertyId) -> bool {
    matches!(machine.system().properties[property].claim, Claim::Ctl(_) | Claim::Compute(..))
}

/// Whether diagrams can decide a property: also invariants, deadlock freedom and formulas of LTL.
pub fn decides(machine: &Machine, property: PropertyId) -> bool {
    is_branching(machine, property)
        || is_invariant(machine, property)
        || matches!(machine.system().properties[property].claim, Claim::Ltl(_))
}

/// Nothing but memory and time limits it.
pub fn search(task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    Ok(search_within(task, u64::MAX, handle))
}

/// Each attempt may be this much work.
pub fn search_within(task: Task<'_>, effort: u64, handle: &Handle<'_>) -> Findings {
    let limits = Limits { effort, ..Limits::of_memory(handle.memory()) };
    symbolic::check(task.machine, task.properties, limits, handle)
}
