//! Runs that bring two conflicting operations together, each with nothing before it but what it needs.
//!
//! A depth-first search reverses the last races first; a bug that shows when an early write of one thread among a
//! hundred is read before anything else happens is out of its reach. From a single run all pairs of conflicting places
//! in the program are known; for each of them a run is made in which the first happens, directly after it the second,
//! and before them only what they need: their past by synchronisation. Places are told apart by which threads come to them, too: a
//! function that locks whatever it is given is the place of many locks. In the end, the last lanes that come together at each lock are brought together,
//! too: the one that is different among a hundred that are created alike is often the first or the last of them.

use crate::clocks::{Clocks, Exits};
use crate::holding::one_lock_each;
use crate::plan::{Choice, Plan};
use crate::record::Step;
use crate::roles::Roles;
use operations::{Event, Kind, depends, marks};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};

/// How often each pair of places is brought together, with other events.
const TIMES: u32 = 3;
/// As many runs are kept for the end.
const MOST_LATER: usize = 4096;
/// As many uses of an object by a place in the program are brought together with others, each by another lane.
const LANES: usize = 4;
/// As many steps of a run are looked at.
const LOOKED_AT: usize = 30_000;

/// A place in the program, and what kind of thread comes there.
type Place = (u64, u64);

/// The pairs that are still to be brought together.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    seen: FxHashMap<(Place, Place), u32>,
    plans: VecDeque<Vec<Choice>>,
    /// The same by object, where places have been brought together already.
    seen_on: FxHashSet<(Place, Place, u64)>,
    /// What comes after the plans.
    later: VecDeque<Vec<Choice>>,
}

impl Pairs {
    /// Adds the pairs of a run.
    pub fn learn(&mut self, steps: &[Step]) {
        if self.seen.is_empty() {
            self.plans.extend(one_lock_each(steps));
        }
        let steps = &steps[..steps.len().min(LOOKED_AT)];
        let places: Vec<Place> = places(steps);
        let mut clocks = None;
        let mut last = BTreeMap::new();
        for Conflict { first, second, object } in conflicts(steps, &places) {
            for (one, other) in [(first, second), (second, first)] {
                if self.is_wanted(places[one], places[other]) {
                    let clocks = clocks.get_or_insert_with(|| synchronisation(steps));
                    self.plans.extend(together(steps, clocks, one, other));
                } else if !steps[one].event.op.kind.is_access() {
                    last.insert((places[one], places[other], object), (one, other));
                }
            }
        }
        for (meeting, (one, other)) in last {
            if self.later.len() < MOST_LATER && self.seen_on.insert(meeting) {
                let clocks = clocks.get_or_insert_with(|| synchronisation(steps));
                self.later.extend(together(steps, clocks, one, other));
            }
        }
    }

    fn is_wanted(&mut self, one: Place, other: Place) -> bool {
        let times = self.seen.entry((one, other)).or_default();
        *times += 1;
        *times <= TIMES
    }

    /// The next run.
    pub fn next_plan(&mut self, depth: usize) -> Option<Plan> {
        self.plans.pop_front().or_else(|| self.later.pop_front()).map(|tape| leniently(tape, depth))
    }

    /// The runs after it.
    pub fn coming(&self, depth: usize) -> impl Iterator<Item = Plan> {
        self.plans.iter().chain(&self.later).map(move |tape| leniently(tape.clone(), depth))
    }
}

fn leniently(tape: Vec<Choice>, depth: usize) -> Plan {
    Plan { branch: tape.len(), tape, is_lenient: true, ..Plan::free(depth) }
}

/// Where each step is.
fn places(steps: &[Step]) -> Vec<Place> {
    let roles = Roles::of(steps);
    steps.iter().map(|step| (roles.role(step.event.lane), step.caller)).collect()
}

/// Two steps that conflict, and a number that stands for what they are about.
struct Conflict {
    first: usize,
    second: usize,
    object: u64,
}

/// Pairs of conflicting steps: for each object, those of all pairs of places, but of a place only what some lanes do there first.
/// In long runs a lane may use an object thousands of times before another one comes to it.
fn conflicts(steps: &[Step], places: &[Place]) -> Vec<Conflict> {
    let mut marked: FxHashMap<u64, BTreeMap<Place, Vec<usize>>> = FxHashMap::default();
    let mut pairs = Vec::new();
    for (second, step) in steps.iter().enumerate() {
        for mark in marks(&step.event) {
            let uses = marked.entry(mark).or_default();
            let earlier = uses.values().flatten().filter(|first| conflict(&steps[**first], step));
            pairs.extend(earlier.map(|first| Conflict { first: *first, second, object: mark }));
            let here = uses.entry(places[second]).or_default();
            if here.len() < LANES && here.iter().all(|other| steps[*other].event.lane != step.event.lane) {
                here.push(second);
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use operations::{Key, Lane, LaneSet, Op};

    fn step(lane: u16, kind: Kind, address: u64, caller: u64) -> Step {
        let op = Op::on(kind, Key { process: 1, address }).with_extra(4);
        let event = Event { lane: Lane(lane), op, result: 0 };
        Step { event, caller, printed: 0, enabled: LaneSet::default(), asleep: LaneSet::default() }
    }

    /// What two lanes do after long loops meets, and the loops of one lane are not compared access by access.
    #[test]
    fn places_meet_that_lanes_come_to_late() {
        let lane = |of: u16| {
            let turns = (0..4000).map(move |_| step(of, Kind::Write, 8, 1));
            turns.chain([step(of, Kind::Read, 64, 2), step(of, Kind::Write, 64, 3)])
        };
        let steps: Vec<Step> = lane(1).chain(lane(2)).collect();
        let pairs = conflicts(&steps, &places(&steps));
        let met: Vec<_> = pairs.iter().map(|pair| (steps[pair.first].caller, steps[pair.second].caller)).collect();
        assert_eq!(met.iter().filter(|pair| **pair == (1, 1)).count(), 4000);
        assert!(met.contains(&(3, 2)) && met.contains(&(2, 3)) && met.contains(&(3, 3)), "late places");
    }

    /// The last of many lanes was created elsewhere, and locks by the same function as all others: the others meet each other, and it meets some of them.
    #[test]
    fn what_few_lanes_do_in_a_function_that_all_call_meets_what_the_others_do_there() {
        let create = |lane: u16, caller: u64| {
            let created = step(0, Kind::Create, 0, caller);
            Step { event: Event { op: Op { value: i64::from(lane), ..created.event.op }, ..created.event }, ..created }
        };
        let lock = |lane: u16| [step(lane, Kind::MutexLock, 8, 5), step(lane, Kind::MutexUnlock, 8, 6)];
        let created = (1..40).map(|lane| create(lane, 1)).chain([create(40, 2)]);
        let steps: Vec<Step> = created.chain((1..=40).flat_map(lock)).collect();
        let mut pairs = Pairs::default();
        pairs.learn(&steps);
        let last = |plan: &[Choice]| plan[plan.len() - 2..].iter().map(|choice| choice.lane.0).collect::<Vec<_>>();
        let ends: Vec<Vec<u16>> = pairs.plans.iter().map(|plan| last(plan)).collect();
        assert!(ends.iter().any(|end| end[0] < 40 && end[1] == 40) && ends.iter().any(|end| end[0] == 40), "{ends:?}");
        assert!(ends.len() < 100, "{}", ends.len());
    }
}
