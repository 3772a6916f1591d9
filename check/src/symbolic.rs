//! The engine that works on sets of states: decision diagrams.

use super::portfolio::{Task, is_invariant};
use engine::{Findings, Trouble};
use limits::Handle;
use symbolic::Limits;
use system::{Claim, Machine, PropertyId};

/// Whether a property is a formula of CTL or COMPUTE.
pub fn is_branching(machine: &Machine, property: PropertyId) -> bool {
    matches!(machine.system().properties[property].claim, Claim::Ctl(_) | Claim::Compute(..))
}

/// Whether diagrams can decide a property: also invariants, deadlock freedom and formulas of LTL.
pub fn decides(machine: &Machine, property: PropertyId) -> bool {
    is_branching(machine, property)
        || is_invariant(machine, property)
        || matches!(machine.system().properties[property].claim, Claim::Ltl(_))
}

/// How much work each attempt may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// At least.
    pub least: u64,
    /// At most.
    pub most: u64,
}

/// Nothing but memory and time limits it.
pub fn search(task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    Ok(search_within(task, Effort { least: 0, most: u64::MAX }, handle))
}

/// The same with limited effort.
pub fn search_within(task: Task<'_>, Effort { least, most }: Effort, handle: &mut Handle<'_>) -> Findings {
    let limits = Limits::of_memory(handle.memory()).with_effort(most).starting_with(least);
    symbolic::check_showing(task.machine, task.properties, task.options.witnesses, limits, handle)
}
