//! Races: pairs of events that could have happened the other way round.
//!
//! Whether a pair can be reversed is asked of the meaning of operations itself: after the events before the first and
//! those after it that do not happen after it, is the second enabled? If not (an `unlock` before a `lock`), the next
//! earlier dependent event is looked at. There is no table of what can be enabled together.

use crate::clocks::Clocks;
use crate::record::Step;
use crate::replica::Replica;
use operations::{Event, Kind, depends, foresee, is_enabled};
use std::collections::BTreeSet;

/// A race, and what to do to reverse it.
#[derive(Clone, Debug)]
pub struct Race {
    /// The first event of the pair.
    pub first: usize,
    /// What can happen instead of it: the events after it that do not depend on it, and then the second of the pair.
    pub instead: Vec<Event>,
}

/// The races of an event with those before it. The event is at a place of the run, or would come at its end.
pub fn races_of(clocks: &Clocks, place: usize, event: &Event) -> Vec<Race> {
    let mut covered = clocks.before(place, event.lane);
    if let Some(creation) = creation_of(clocks, place, event) {
        covered.join(clocks.clock(creation));
    }
    let mut races = Vec::new();
    for first in (0..place).rev() {
        let earlier = &clocks.events()[first];
        if earlier.lane == event.lane || clocks.is_in(first, &covered) || !depends(earlier, event) {
            continue;
        }
        if let Some(instead) = reversed(clocks, first, place, event) {
            covered.join(clocks.clock(first));
            races.push(Race { first, instead });
        }
    }
    races
}

fn creation_of(clocks: &Clocks, place: usize, event: &Event) -> Option<usize> {
    let creates = |other: &Event| other.op.kind == Kind::Create && other.op.value == i64::from(event.lane.0);
    clocks.events()[..place].iter().position(creates)
}

fn reversed(clocks: &Clocks, first: usize, place: usize, event: &Event) -> Option<Vec<Event>> {
    let between = (first + 1..place).filter(|index| !clocks.happens_before(first, *index));
    let mut instead: Vec<Event> = between.map(|index| clocks.events()[index]).collect();
    let mut event = *event;
    if depends_on_state(event.op.kind) {
        let mut replica = Replica::initial();
        let before = clocks.events()[..first].iter();
        before.chain(&instead).for_each(|event| replica.execute(event.lane, &event.op));
        if !is_enabled(&replica, event.lane, &event.op) {
            return None;
        }
        event.result = foresee(&replica, event.lane, &event.op);
    }
    instead.push(event);
    Some(instead)
}

/// Whether an operation can be blocked, or its result depends on the object.
fn depends_on_state(kind: Kind) -> bool {
    !kind.is_access()
        && !matches!(kind, Kind::Start | Kind::End | Kind::Create | Kind::Yield | Kind::Toss | Kind::Fail | Kind::Exit)
        && !matches!(kind, Kind::MutexInit | Kind::MutexUnlock)
}

/// An access that is part of a data race.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Access {
    /// The step of the run.
    pub step: usize,
    /// The address that it was called from.
    pub caller: u64,
}

/// The data races of a run: conflicting accesses, at least one of them plain, that no synchronisation orders. Each pair
/// of places in the program is given once; those in `known` are not given again.
pub fn data_races(steps: &[Step], from: usize, known: &mut BTreeSet<(u64, u64)>) -> Vec<(Access, Access)> {
    if !steps.iter().any(|step| matches!(step.event.op.kind, Kind::Read | Kind::Write)) {
        return Vec::new();
    }
    let mut clocks = Clocks::of(synchronises);
    steps.iter().for_each(|step| clocks.push(step.event));
    let mut races = Vec::new();
    for second in from..steps.len() {
        let event = &steps[second].event;
        if !event.op.kind.is_access() {
            continue;
        }
        for first in (0..second).filter(|first| is_racy(&steps[*first].event, event)) {
            let pair = (steps[first].caller, steps[second].caller);
            let ordered = (pair.0.min(pair.1), pair.0.max(pair.1));
            if !known.contains(&ordered) && !clocks.happens_before(first, second) {
                known.insert(ordered);
                races.push((Access { step: first, caller: pair.0 }, Access { step: second, caller: pair.1 }));
            }
        }
    }
    races
}

fn is_racy(first: &Event, second: &Event) -> bool {
    first.lane != second.lane
        && first.op.kind.is_access()
        && !(first.op.kind.is_atomic() && second.op.kind.is_atomic())
        && depends(first, second)
}

/// Whether events order what is before the first and after the second.
fn synchronises(first: &Event, second: &Event) -> bool {
    let is_plain = |event: &Event| matches!(event.op.kind, Kind::Read | Kind::Write);
    !is_plain(first) && !is_plain(second) && depends(first, second)
}
