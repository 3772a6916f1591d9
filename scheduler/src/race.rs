//! Races: pairs of events that could have happened the other way round.
//!
//! Whether a pair can be reversed is asked of the meaning of operations itself: after the events before the first and
//! those after it that do not happen after it, is the second enabled? If not (an `unlock` before a `lock`), the next
//! earlier dependent event is looked at. There is no table of what can be enabled together.

use crate::clocks::{Clocks, Exits};
use crate::record::Step;
use crate::replica::Replica;
use operations::{Event, Flags, Kind, Op, depends, foresee, is_enabled};
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
    if let Some(creation) = clocks.creation(event.lane) {
        covered.join(clocks.clock(creation));
    }
    let mut races = Vec::new();
    let mut related = clocks.related(event);
    while let Some(first) = related.next() {
        let earlier = &clocks.events()[first];
        if first >= place || !depends(earlier, event) {
            continue;
        }
        let is_covered = earlier.lane == event.lane || clocks.is_in(first, &covered);
        if !is_covered && let Some(instead) = reversed(clocks, first, place, event) {
            covered.join(clocks.clock(first));
            races.push(Race { first, instead });
        }
        if clocks.is_in(first, &covered) {
            related.leave_out_before(earlier, event);
        }
    }
    races
}

fn reversed(clocks: &Clocks, first: usize, place: usize, event: &Event) -> Option<Vec<Event>> {
    let between = (first + 1..place).filter(|index| !clocks.happens_before(first, *index));
    let mut instead: Vec<Event> = between.map(|index| clocks.events()[index]).collect();
    let mut event = *event;
    if depends_on_state(&event.op) {
        let mut replica = Replica::initial();
        if !event.op.kind.is_access() {
            clocks.events()[..first].iter().chain(&instead).for_each(|event| replica.execute(event));
        }
        let replica = replica.finding(word_before(&clocks.events()[first], &event));
        if !is_enabled(&replica, event.lane, &event.op) {
            return None;
        }
        event.result = foresee(&replica, event.lane, &event.op);
    }
    instead.push(event);
    Some(instead)
}

/// What an event finds in memory if it comes before one that it races with: what that one found, if that one writes. There is no
/// write between them that would stay: it would depend on the first. Accesses of other sizes are taken to change
/// nothing that matters.
fn word_before(first: &Event, event: &Event) -> u64 {
    let is_store = first.op.kind == Kind::AtomicStore || first.op.kind == Kind::AtomicUpdate && first.result != 0;
    let size = if event.op.kind == Kind::FutexWait { 4 } else { event.op.extra };
    let is_same = first.op.key == event.op.key && first.op.extra == size;
    let is_there = match event.op.kind {
        Kind::FutexWait => event.result >= 0,
        _ if event.op.flags.has(Flags::COMPARES) => event.result != 0,
        _ => event.result == 0,
    };
    match is_there {
        _ if is_store && is_same => first.op.value as u64,
        true => event.op.value as u64,
        false => !event.op.value as u64,
    }
}

/// Whether an operation can be blocked, or its result depends on the object.
fn depends_on_state(op: &Op) -> bool {
    let kind = op.kind;
    let looks = kind == Kind::AtomicUpdate && (op.flags.has(Flags::COMPARES) || op.flags.has(Flags::SETS));
    (!kind.is_access() || looks)
        && !matches!(kind, Kind::Start | Kind::End | Kind::Create | Kind::Yield | Kind::Toss | Kind::Fail | Kind::Exit)
        && !matches!(kind, Kind::MutexInit | Kind::MutexUnlock)
}

/// Looks for data races: conflicting accesses, at least one of them plain, that no synchronisation orders. Each pair of
/// places in the program is found once.
#[derive(Clone, Debug)]
pub struct DataRaces {
    clocks: Clocks,
    known: BTreeSet<(u64, u64)>,
}

impl Default for DataRaces {
    fn default() -> DataRaces {
        DataRaces { clocks: Clocks::of(synchronises, Exits::Anywhere), known: BTreeSet::new() }
    }
}

impl DataRaces {
    /// How many pairs of places are known to race.
    pub fn count(&self) -> usize {
        self.known.len()
    }

    /// A run is left out that shares as many steps with the one before.
    pub fn leave_out(&mut self, shared: usize) {
        self.clocks.truncate(shared);
    }

    /// The races of a run that were not known, as pairs of steps, of what comes after the steps that it shares with the run before.
    pub fn find(&mut self, steps: &[Step], shared: usize) -> Vec<(usize, usize)> {
        self.clocks.truncate(shared);
        let mut races = Vec::new();
        for second in self.clocks.events().len()..steps.len() {
            self.clocks.push(steps[second].event);
            if steps[second].event.op.kind.is_access() {
                self.find_with(steps, second, &mut races);
            }
        }
        races
    }

    fn find_with(&mut self, steps: &[Step], second: usize, races: &mut Vec<(usize, usize)>) {
        let event = &steps[second].event;
        let related = self.clocks.related(event).filter(|first| *first < second);
        for first in related.filter(|first| is_racy(&steps[*first].event, event)) {
            let (one, other) = (steps[first].caller, steps[second].caller);
            let pair = (one.min(other), one.max(other));
            if !self.known.contains(&pair) && !self.clocks.happens_before(first, second) {
                self.known.insert(pair);
                races.push((first, second));
            }
        }
    }
}

fn is_racy(first: &Event, second: &Event) -> bool {
    first.lane != second.lane
        && first.op.kind.is_access()
        && !(first.op.kind.is_atomic() && second.op.kind.is_atomic())
        && depends(first, second)
}

/// Whether events order what is before the first and after the second.
fn synchronises(first: &Event, second: &Event) -> bool {
    let is_plain = |event: &Event| event.op.kind.is_access() && !event.op.kind.is_atomic();
    !is_plain(first) && !is_plain(second) && depends(first, second)
}

#[cfg(test)]
mod tests {
    use super::word_before;
    use crate::replica::Replica;
    use operations::{Event, Flags, Key, Kind, Lane, Op, foresee};

    /// What lanes do to a word.
    #[derive(Clone, Copy, Debug)]
    enum Act {
        Load,
        Store(u64),
        Add(u64),
        Set(u64),
        Exchange { from: u64, to: u64 },
        Wait(u64),
    }

    const ACTS: [Act; 12] = [
        Act::Load,
        Act::Store(0),
        Act::Store(1),
        Act::Add(0),
        Act::Add(1),
        Act::Set(0),
        Act::Set(1),
        Act::Exchange { from: 0, to: 1 },
        Act::Exchange { from: 1, to: 0 },
        Act::Exchange { from: 1, to: 1 },
        Act::Wait(0),
        Act::Wait(1),
    ];

    /// What a lane does to a word that holds a value, as it is written down, and what the word holds then.
    fn executed(act: Act, lane: Lane, before: u64) -> (Event, u64) {
        let on = |kind| Op::on(kind, Key { process: 1, address: 64 });
        let found = |kind| on(kind).with_extra(4).valued(before as i64);
        let (op, result, after) = match act {
            Act::Load => (found(Kind::AtomicLoad).valued(1), 1, before),
            Act::Store(value) => (found(Kind::AtomicStore), 1, value),
            Act::Add(by) => (found(Kind::AtomicUpdate), 1, before + by),
            Act::Set(value) if value == before => (found(Kind::AtomicUpdate).flagged(Flags::SETS), 0, value),
            Act::Set(value) => (found(Kind::AtomicUpdate), 1, value),
            Act::Exchange { from, to } => {
                let op = found(Kind::AtomicUpdate).flagged(Flags::COMPARES).valued(from as i64);
                if from == before { (op, 1, to) } else { (op, 0, before) }
            }
            Act::Wait(expected) => {
                let result = if expected == before { 0 } else { -1 };
                (on(Kind::FutexWait).valued(expected as i64), result, before)
            }
        };
        (Event { lane, op, result }, after)
    }

    /// Whether the result of an event depends on the word. Of one that has set it to something else it is not known any more.
    fn looks(event: &Event) -> bool {
        event.op.kind == Kind::FutexWait || event.op.flags.has(Flags::COMPARES) || event.op.flags.has(Flags::SETS)
    }

    /// What comes of an event if it comes before another one.
    fn reversed(first: &Event, event: &Event) -> i64 {
        let replica = Replica::initial().finding(word_before(first, event));
        foresee(&replica, event.lane, &event.op)
    }

    #[test]
    fn what_comes_first_finds_what_the_other_one_found() {
        let mut compared = 0;
        for (one, other, before) in ACTS
            .iter()
            .flat_map(|one| ACTS.iter().flat_map(move |other| (0..3).map(move |value| (*one, *other, value))))
        {
            let (first, between) = executed(one, Lane(1), before);
            let (second, _) = executed(other, Lane(2), between);
            if looks(&second) {
                let (expected, _) = executed(other, Lane(2), before);
                let found = reversed(&first, &second);
                assert_eq!(found, expected.result, "{one:?} of {before}, then {other:?}");
                compared += 1;
            }
        }
        assert!(compared > 100, "{compared}");
    }

    /// What is elsewhere, of another size or not atomic says nothing about the word.
    #[test]
    fn other_writes_are_taken_to_change_nothing() {
        let (store, _) = executed(Act::Store(1), Lane(1), 0);
        let elsewhere = Op { key: Key { process: 1, address: 66 }, ..store.op };
        let plain = Op { kind: Kind::Write, ..store.op };
        for op in [elsewhere, store.op.with_extra(8), plain] {
            for (act, before) in ACTS.iter().flat_map(|act| (0..3).map(move |value| (*act, value))) {
                let (event, _) = executed(act, Lane(2), before);
                if looks(&event) {
                    assert_eq!(
                        reversed(&Event { op, ..store }, &event),
                        event.result,
                        "{op:?}, then {act:?} of {before}"
                    );
                }
            }
        }
    }
}
