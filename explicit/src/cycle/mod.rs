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

use super::verdict::why;
use component::Search;
use engine::{Cause, Cost, Findings, Stop, Verdict};
use limits::{Handle, Patience};
use product::Product;
use reduction::Reduction;
pub(super) use steps::{Detail, Steps};
use system::{Failure, Machine, PropertyId, Trace};
use temporal::Refusal;
use violations::Violations;

/// Acceptance sets and fairness constraints, a bit each.
pub(super) type Marks = u128;

/// What a search for cycles found.
#[derive(Clone, Debug)]
enum Cycles {
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
    Interrupted {
        /// How many states of the product there were so far.
        states: usize,
    },
    /// The question cannot be asked, and why.
    Refused(Refusal),
    /// The model has no meaning at the end of this run.
    Fault(Failure, Trace),
}

impl Cycles {
    /// What is known of a property then.
    fn findings(self, property: PropertyId, handle: &Handle<'_>) -> Findings {
        let mut found = Findings::new("explicit");
        let (stop, verdict) = match self {
            Cycles::Nothing { states } => {
                // Every initial state is one of the product.
                found.has_initial_state = states > 0;
                found.cost = Cost { states: Some(states), ..Cost::default() };
                let reason = format!("no infinite run violates it: {states} states of the product were visited");
                (Stop::Complete, Verdict::Holds(reason))
            }
            Cycles::Violation(trace) => (Stop::Decided, Verdict::Violated(trace)),
            Cycles::Memory => (Stop::Memory, Verdict::unknown(Cause::Memory, "the memory limit was reached")),
            Cycles::Interrupted { .. } => (Stop::Interrupted, Verdict::ended(why(handle), None)),
            Cycles::Refused(why) => (Stop::Refused, Verdict::unknown(Cause::Refused, why)),
            Cycles::Fault(failure, trace) => {
                found.fault = Some((failure, trace));
                (Stop::Decided, Verdict::unknown(Cause::NoMeaning, "the model has a fault"))
            }
        };
        Findings { stop, verdicts: vec![(property, verdict)], ..found }
    }
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
    handle: &mut Handle<'_>,
) -> Findings {
    let reduction = match interleavings {
        Interleavings::All => None,
        Interleavings::Fewest => reduction(machine, property),
        Interleavings::Representative => {
            match search(machine, property, None, memory, &mut handle.patient(Patience::of_states(FEW))) {
                Cycles::Interrupted { states } if states > FEW => reduction(machine, property),
                found => return found.findings(property, handle),
            }
        }
    };
    search(machine, property, reduction.as_ref(), memory, handle).findings(property, handle)
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
    handle: &mut Handle<'_>,
) -> Cycles {
    let violations = Violations::of(machine.system(), property);
    match violations.and_then(|violations| Product::new(machine, violations, reduction)) {
        Ok(product) => Search::new(product).run(memory, handle),
        Err(why) => Cycles::Refused(why),
    }
}

/// Looks for an infinite fair run that goes on from where a finite one ends: the whole of it, if one is found.
pub fn continue_for_ever(machine: &Machine, trace: &Trace, memory: usize, handle: &mut Handle<'_>) -> Option<Trace> {
    let last = trace.states.last()?;
    let violations = Violations::anything().ok()?;
    let product = Product::new(machine, violations, None).ok()?;
    match Search::new(product).run_from(vec![last.clone()], memory, handle) {
        Cycles::Violation(rest) => Some(joined(trace, rest)),
        _ => None,
    }
}

/// A run that begins where another one ends, after it.
fn joined(trace: &Trace, rest: Trace) -> Trace {
    let mut whole = Trace { loop_start: rest.loop_start.map(|start| start + trace.moves.len()), ..trace.clone() };
    whole.moves.extend(rest.moves);
    whole.states.extend(rest.states.into_iter().skip(1));
    whole
}
