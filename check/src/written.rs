//! Invariants that are written as formulas, asked as formulas.
//!
//! A search for cycles forgets what is dead, and leaves out interleavings and processes that are alike: of a program with many states,
//! it visits few. A finite run to where an invariant is false is prolonged for ever by any other, so that fairness makes no difference.

use super::cycles::search_product;
use super::portfolio::Task;
use engine::{Cause, Findings, Stop, Verdict};
use limits::Handle;
use std::sync::Arc;
use system::{Claim, FormulaId, Machine, PropertyId, Trace};

/// Looks at about this many states of the product for each invariant that is written as a formula. Of the others, nothing is known.
pub fn search(task: Task<'_>, states: usize, handle: &mut Handle<'_>) -> Findings {
    let mut all = Findings { stop: Stop::Interrupted, ..Findings::new("explicit") };
    for property in task.properties {
        let found = search_one(task, *property, states, handle);
        let is_known = found.as_ref().and_then(|found| found.verdict(*property)).cloned();
        all.verdicts.push((*property, is_known.unwrap_or_else(undecided)));
        all.cost = found.map_or(all.cost, |found| found.cost);
    }
    all
}

/// What is said of an invariant until others have looked for a violation.
fn undecided() -> Verdict {
    Verdict::unknown(Cause::CutOff, "there are too many states")
}

/// What is known of an invariant, if it is written as a formula and something is.
fn search_one(task: Task<'_>, property: PropertyId, states: usize, handle: &mut Handle<'_>) -> Option<Findings> {
    let formula = *task.machine.system().written.get(&property)?;
    let machine = asking(task.machine, property, formula);
    let asked = Task { machine: &machine, properties: &[property], ..task };
    let mut found = search_product(asked, property, states, handle)?;
    if found.fault.is_some() || found.verdict(property).is_none_or(Verdict::is_unknown) {
        return None;
    }
    for (_, verdict) in &mut found.verdicts {
        if let Verdict::Violated(trace) = verdict {
            *trace = Arc::new(up_to_violation(task.machine, property, trace)?);
        }
    }
    Some(found)
}

/// A machine whose property is a formula about all runs, fair or not.
pub(super) fn asking(machine: &Machine, property: PropertyId, formula: FormulaId) -> Machine {
    let mut system = machine.system().clone();
    system.properties[property].claim = Claim::Ltl(formula);
    system.fairness.clear();
    Machine::new(Arc::new(system))
}

/// The run up to the first state that violates an invariant.
fn up_to_violation(machine: &Machine, property: PropertyId, trace: &Trace) -> Option<Trace> {
    let mut trace = Trace { loop_start: None, ..trace.clone() };
    let last = trace.violates(machine, property)?;
    trace.truncate(last);
    Some(trace)
}
