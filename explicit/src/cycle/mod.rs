//! Cycles: whether some infinite fair run violates a temporal formula.
//!
//! The product of the system with the automaton of the negated formula is searched on the fly, depth first, for a strongly
//! connected component that has a transition of every acceptance set and fairness constraint. Finite runs of programs are
//! prolonged; where runs do not end, a state without successors is on no infinite run and counts for nothing.

mod component;
mod lasso;
mod product;
mod steps;
mod streett;
mod violations;

use super::result::{Finding, Progress};
use component::Search;
use product::Product;
use std::ops::ControlFlow;
use system::{Machine, PropertyId, Trace};
use temporal::Refusal;
use violations::Violations;

/// Acceptance sets and fairness constraints, a bit each.
type Marks = u128;

/// What a search for cycles found.
#[derive(Clone, Debug)]
pub enum Cycles {
    /// No infinite fair run violates the property.
    Nothing {
        /// How many states of the product there are.
        states: usize,
    },
    /// One that does.
    Violation(Trace),
    /// There was not enough memory.
    Memory,
    /// The search was interrupted.
    Interrupted,
    /// The question cannot be asked, and why.
    Refused(Refusal),
}

/// Looks for an infinite fair run that violates a temporal property, in about this many bytes.
pub fn find_cycle(
    machine: &Machine,
    property: PropertyId,
    memory: usize,
    progress: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Cycles, Box<Finding>> {
    let violations = Violations::of(machine.system(), property);
    match violations.and_then(|violations| Product::new(machine, violations)) {
        Ok(product) => Search::new(product).run(memory, progress),
        Err(why) => Ok(Cycles::Refused(why)),
    }
}

/// Looks for an infinite fair run that goes on from where a finite one ends: the whole of it.
pub fn continue_for_ever(
    machine: &Machine,
    trace: &Trace,
    memory: usize,
    progress: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Cycles, Box<Finding>> {
    let Some(last) = trace.states.last() else { return Ok(Cycles::Nothing { states: 0 }) };
    let product = match Violations::anything().and_then(|violations| Product::new(machine, violations)) {
        Ok(product) => product,
        Err(why) => return Ok(Cycles::Refused(why)),
    };
    let found = Search::new(product).run_from(vec![last.clone()], memory, progress)?;
    Ok(match found {
        Cycles::Violation(rest) => Cycles::Violation(joined(trace, rest)),
        other => other,
    })
}

/// A run that begins where another one ends, after it.
fn joined(trace: &Trace, rest: Trace) -> Trace {
    let mut whole = Trace { loop_start: rest.loop_start.map(|start| start + trace.moves.len()), ..trace.clone() };
    whole.moves.extend(rest.moves);
    whole.states.extend(rest.states.into_iter().skip(1));
    whole
}
