//! Runs that bring two conflicting operations together, each with nothing before it but what it needs.
//!
//! A depth-first search reverses the last races first; a bug that shows when an early write of one thread among a
//! hundred is read before anything else happens is out of its reach. From a single run all pairs of conflicting places
//! in the program are known; for each of them a run is made in which the first happens, directly after it the second,
//! and before them only what they need: their past by synchronisation.

use crate::clocks::{Clocks, Exits};
use crate::holding::one_lock_each;
use crate::plan::{Choice, Plan};
use crate::record::{Record, Step};
use operations::{Event, Kind, depends, marks};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// How often each pair of places is brought together, with other events.
const TIMES: u32 = 3;
/// How many pairs of events of a run are looked at.
const LOOKED_AT: usize = 400_000;

/// The pairs that are still to be brought together.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    seen: FxHashMap<(u64, u64), u32>,
    plans: VecDeque<Vec<Choice>>,
}

impl Pairs {
    /// Adds the pairs of a run.
    pub fn learn(&mut self, record: &Record) {
        let steps = record.beginning();
        if self.seen.is_empty() {
            self.plans.extend(one_lock_each(steps));
        }
        let mut clocks = None;
        for (first, second) in conflicts(steps).into_iter().take(LOOKED_AT) {
            for (one, other) in [(first, second), (second, first)] {
                if self.is_wanted(&steps[one], &steps[other]) {
                    let clocks = clocks.get_or_insert_with(|| synchronisation(steps));
                    self.plans.extend(together(steps, clocks, one, other));
                }
            }
        }
    }

    fn is_wanted(&mut self, one: &Step, other: &Step) -> bool {
        let times = self.seen.entry((one.caller, other.caller)).or_default();
        *times += 1;
        *times <= TIMES
    }

    /// The next run.
    pub fn next_plan(&mut self, depth: usize) -> Option<Plan> {
        self.plans.pop_front().map(|tape| leniently(tape, depth))
    }

    /// The runs after it.
    pub fn coming(&self, depth: usize) -> impl Iterator<Item = Plan> {
        self.plans.iter().map(move |tape| leniently(tape.clone(), depth))
    }
}

fn leniently(tape: Vec<Choice>, depth: usize) -> Plan {
    Plan { branch: tape.len(), tape, is_lenient: true, ..Plan::free(depth) }
}

/// The pairs of conflicting steps.
fn conflicts(steps: &[Step]) -> Vec<(usize, usize)> {
    let mut marked: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    let mut pairs = Vec::new();
    for (second, step) in steps.iter().enumerate() {
        for mark in marks(&step.event) {
            let earlier = marked.entry(mark).or_default();
            pairs.extend(earlier.iter().filter(|first| conflict(&steps[**first], step)).map(|first| (*first, second)));
            earlier.push(second);
        }
    }
    pairs
}

fn conflict(one: &Step, other: &Step) -> bool {
    let is_joining = |step: &Step| matches!(step.event.op.kind, Kind::Create | Kind::Join | Kind::End | Kind::Start);
    one.event.lane != other.event.lane && !is_joining(one) && !is_joining(other) && depends(&one.event, &other.event)
}

/// What orders events however the accesses and locks of others fall: the creation and joining of threads.
fn synchronisation(steps: &[Step]) -> Clocks {
    fn orders(first: &Event, second: &Event) -> bool {
        matches!(first.op.kind, Kind::Create | Kind::End) && depends(first, second)
    }
    let mut clocks = Clocks::of(orders, Exits::Last);
    steps.iter().for_each(|step| clocks.push(step.event));
    clocks
}

/// The past of both, the first, the second.
fn together(steps: &[Step], clocks: &Clocks, first: usize, second: usize) -> Option<Vec<Choice>> {
    if clocks.is_in(second, clocks.clock(first)) {
        return None;
    }
    let is_needed = |of: usize, index: usize| index != of && clocks.is_in(index, clocks.clock(of));
    let past = (0..steps.len())
        .filter(|index| *index != first && *index != second && (is_needed(first, *index) || is_needed(second, *index)));
    let order = past.chain([first, second]);
    Some(order.map(|index| steps[index].choice()).collect())
}
