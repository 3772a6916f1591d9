//! Cycles: whether some infinite fair run violates a temporal formula.
//!
//! The product of the system with the automaton of the negated formula is searched on the fly, depth first, for a strongly
//! connected component that has a transition of every acceptance set and fairness constraint. Finite runs of programs are
//! prolonged; where runs do not end, a state without successors is on no infinite run and counts for nothing.

mod component;
mod lasso;
mod online;
mod order;
mod product;
mod reduction;
mod remembered;
mod steps;
mod streett;
mod unfair;
mod violations;

pub use online::{Obstacle, OnLine, Room, check_on_line, find_cycle_on_line};

use super::verdict::why;
use component::Search;
use engine::{Cause, Cost, Findings, Stop, Verdict};
use limits::Handle;
use product::Product;
use std::sync::Arc;
pub(super) use steps::{Detail, Steps};
use system::{Failure, Machine, PropertyId, Trace};
use temporal::{Monitor, Refusal};
use unfair::Unfair;
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
                let visited = match states {
                    1 => "1 state of the product was visited".to_owned(),
                    _ => format!("{states} states of the product were visited"),
                };
                let reason = format!("no infinite run violates it: {visited}");
                (Stop::Complete, Verdict::Holds(reason))
            }
            Cycles::Violation(trace) => (Stop::Decided, Verdict::Violated(Arc::new(trace))),
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

/// To find out what can be left out takes about as long as to visit this many states for each command. As many are visited first: where
/// there are no more, nothing is gained.
const STATES_A_COMMAND: usize = 10;

/// This many are visited first at least, however few commands there are.
const FEWEST: usize = 2_000;

/// This many are visited in each of some other orders.
const FEW: usize = 5_000;

/// This many are visited in one order before others are tried.
const MANY: usize = 200_000;

/// How many times as many states are visited in the next turn, where two searches take turns.
const TURNS: usize = 4;

/// Looks for an infinite fair run that violates a temporal property, in about this many bytes.
pub fn find_cycle(
    machine: &Machine,
    property: PropertyId,
    interleavings: Interleavings,
    memory: usize,
    handle: &mut Handle<'_>,
) -> Findings {
    let whole = Violations::of(machine.system(), property);
    let why = match whole.and_then(|mut whole| whole.0.begins().map(|()| whole)) {
        Ok(whole) => return find_accepted((machine, property), whole, interleavings, memory, handle),
        Err(why) => why,
    };
    // What explodes as a whole may be the disjunction of formulas that do not.
    let Some((arena, parts)) = Violations::parts(machine.system(), property) else {
        return Cycles::Refused(why).findings(property, handle);
    };
    let mut states = 0;
    for part in parts {
        let found = match Violations::of_formula(arena.clone(), part) {
            Ok(part) => find_accepted((machine, property), part, interleavings, memory, handle),
            Err(why) => Cycles::Refused(why).findings(property, handle),
        };
        if found.stop != Stop::Complete {
            return found;
        }
        states += found.cost.states.unwrap_or_default();
    }
    Cycles::Nothing { states }.findings(property, handle)
}

/// Looks for an infinite fair run that an automaton accepts.
fn find_accepted(
    (machine, property): (&Machine, PropertyId),
    violations: (Violations, Monitor),
    interleavings: Interleavings,
    memory: usize,
    handle: &mut Handle<'_>,
) -> Findings {
    let product = match Product::new(machine, violations) {
        Ok(product) => product,
        Err(why) => return Cycles::Refused(why).findings(property, handle),
    };
    let mut search = Search::new(product);
    let is_patient = interleavings == Interleavings::Representative;
    let found = match is_patient {
        true => search_patiently(machine, property, &mut search, memory, handle),
        false => None,
    };
    found.unwrap_or_else(|| {
        if interleavings == Interleavings::Fewest {
            search.leave_out(search.left_out());
        }
        search.run(memory, handle).findings(property, handle)
    })
}

/// Looks at some states, in several ways; `None` if nothing is known then. The search can go on.
fn search_patiently(
    machine: &Machine,
    property: PropertyId,
    search: &mut Search<'_>,
    memory: usize,
    handle: &mut Handle<'_>,
) -> Option<Findings> {
    let first = (STATES_A_COMMAND * machine.system().commands.len()).clamp(FEWEST, MANY);
    if let Some(found) = search.run_up_to(first, memory, handle) {
        return Some(found.findings(property, handle));
    }
    let fairless = unfair::fairless(machine);
    let mut unfair = Unfair::new(fairless.as_ref(), property);
    if let Some(found) = unfair.holds(MANY, memory, handle) {
        return Some(found.findings(property, handle));
    }
    search.leave_out(search.left_out());
    let found = search.run_up_to(MANY, memory, handle);
    if let Some(found) = found.or_else(|| search.run_in_orders(FEW, memory, handle)) {
        return Some(found.findings(property, handle));
    }
    search_in_turns(search, unfair, memory, handle).map(|found| found.findings(property, handle))
}

/// Looks at all runs and at fair ones, in turns, at more states each time: neither is known to be the one with fewer. `None` once it is
/// in vain to look at all runs. Each may take half of the memory.
fn search_in_turns(
    search: &mut Search<'_>,
    mut unfair: Unfair<'_>,
    memory: usize,
    handle: &mut Handle<'_>,
) -> Option<Cycles> {
    let mut most = MANY;
    while unfair.is_open() {
        most = most.saturating_mul(TURNS);
        let found = unfair.holds(most, memory / 2, handle);
        match found.or_else(|| search.run_up_to(most, memory / 2, handle)) {
            Some(Cycles::Memory) => break,
            Some(found) => return Some(found),
            None => {}
        }
    }
    None
}

/// Looks for an infinite fair run that goes on from where a finite one ends: the whole of it, if one is found.
pub fn continue_for_ever(machine: &Machine, trace: &Trace, memory: usize, handle: &mut Handle<'_>) -> Option<Trace> {
    let last = trace.states.last()?;
    let violations = Violations::anything().ok()?;
    let product = Product::new(machine, violations).ok()?;
    match Search::new(product).run_from(vec![last.clone()], memory, handle) {
        Cycles::Violation(rest) => Some(joined(trace, rest)),
        _ => None,
    }
}

/// A run that begins where another one ends, after it.
fn joined(trace: &Trace, rest: Trace) -> Trace {
    let mut whole = Trace { loop_start: rest.loop_start.map(|start| start + trace.moves.len()), ..trace.clone() };
    whole.moves.extend(&rest.moves);
    whole.states.extend(rest.states.since(1));
    whole
}
