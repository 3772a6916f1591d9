//! Cycles: whether some infinite fair run violates a temporal formula.
//!
//! The product of the system with the automaton of the negated formula is searched on the fly, depth first, for a strongly
//! connected component that has a transition of every acceptance set and fairness constraint. Finite runs of programs are
//! prolonged; where runs do not end, a state without successors is on no infinite run and counts for nothing.

mod component;
mod lasso;
mod online;
mod product;
mod reduction;
mod steps;
mod streett;
mod violations;

pub use online::{Obstacle, OnLine, Room, check_on_line};

use super::result::{Finding, Progress};
use component::Search;
use product::Product;
use reduction::Reduction;
use std::ops::ControlFlow;
pub(super) use steps::{Detail, Steps};
use system::{Machine, PropertyId, Trace};
use temporal::Refusal;
use violations::Violations;

/// Acceptance sets and fairness constraints, a bit each.
pub(super) type Marks = u128;

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

/// Which interleavings of independent commands are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interleavings {
    /// Of those that no formula tells apart, some, where there are more than a few states.
    #[default]
    Representative,
    /// Of those that no formula tells apart, some, from the first state on.
    Fewest,
    /// All.
    All,
}

/// This many states are visited with all interleavings first: where there are no more, nothing is gained by leaving some out.
const FEW: usize = 10_000;

/// Looks for an infinite fair run that violates a temporal property, in about this many bytes.
pub fn find_cycle(
    machine: &Machine,
    property: PropertyId,
    interleavings: Interleavings,
    memory: usize,
    mut progress: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Cycles, Box<Finding>> {
    let all = |progress: &mut dyn FnMut(Progress) -> ControlFlow<()>| search(machine, property, None, memory, progress);
    let reduction = match interleavings {
        Interleavings::All => return all(&mut progress),
        Interleavings::Fewest => reduction(machine, property),
        Interleavings::Representative => {
            let mut is_long = false;
            let found = all(&mut |now| {
                is_long = now.states > FEW;
                if is_long { ControlFlow::Break(()) } else { progress(now) }
            })?;
            match (found, is_long) {
                (Cycles::Interrupted, true) => reduction(machine, property),
                (found, _) => return Ok(found),
            }
        }
    };
    search(machine, property, reduction.as_ref(), memory, &mut progress)
}

/// What is known of commands, if interleavings can be left out.
fn reduction(machine: &Machine, property: PropertyId) -> Option<Reduction> {
    let (violations, monitor) = Violations::of(machine.system(), property).ok()?;
    if violations.ignores_stuttering() { Reduction::new(machine.system(), monitor.atoms()) } else { None }
}

fn search(
    machine: &Machine,
    property: PropertyId,
    reduction: Option<&Reduction>,
    memory: usize,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Cycles, Box<Finding>> {
    let violations = Violations::of(machine.system(), property);
    match violations.and_then(|violations| Product::new(machine, violations, reduction)) {
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
    let product = match Violations::anything().and_then(|violations| Product::new(machine, violations, None)) {
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
