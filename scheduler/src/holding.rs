//! A run in which every lane stops before it takes a second lock, as long as others can go on.
//!
//! A deadlock of a hundred lanes that wait for each other in a circle needs each of them to be interrupted between two locks: chance
//! does not meet it, and a depth-first search comes there last. From a single run it is known how far each lane comes with one lock.

use crate::plan::Choice;
use crate::record::Step;
use operations::{Class, Key, Kind, Lane};
use std::collections::{BTreeMap, BTreeSet};

/// An object that lanes hold.
type Object = (Class, Key);

/// The steps of each lane up to where it would take a second lock, or wait for others; none if no lane takes a second lock.
pub fn one_lock_each(steps: &[Step]) -> Option<Vec<Choice>> {
    let mut lanes: BTreeMap<Lane, Vec<&Step>> = BTreeMap::new();
    steps.iter().for_each(|step| lanes.entry(step.event.lane).or_default().push(step));
    let mut taken = BTreeSet::new();
    let mut stops = 0;
    let mut tape = Vec::new();
    for steps in lanes.values() {
        let mut held: Vec<Object> = Vec::new();
        for step in steps {
            let wanted = acquired(step);
            let is_second = wanted.is_some() && !held.is_empty();
            if is_second || waits(step) || wanted.is_some_and(|object| taken.contains(&object)) {
                stops += usize::from(is_second);
                break;
            }
            held.extend(wanted);
            let given = released(step);
            held.retain(|object| Some(*object) != given);
            tape.push(step.choice());
        }
        taken.extend(held);
    }
    (stops > 1).then_some(tape)
}

fn object(step: &Step) -> Object {
    (step.event.op.class(), step.event.op.key)
}

/// What a lane has to wait for until no other lane holds it.
fn acquired(step: &Step) -> Option<Object> {
    matches!(step.event.op.kind, Kind::MutexLock | Kind::WriteLock | Kind::SemaphoreWait).then(|| object(step))
}

fn released(step: &Step) -> Option<Object> {
    let releases = matches!(step.event.op.kind, Kind::MutexUnlock | Kind::ReadWriteUnlock | Kind::SemaphorePost);
    releases.then(|| object(step))
}

/// Whether a step needs others to have done something.
fn waits(step: &Step) -> bool {
    use Kind::{BarrierLeave, ConditionLeave, FutexLeave, Join, JoinAny, QueueGet, SignalTake};
    matches!(
        step.event.op.kind,
        BarrierLeave | ConditionLeave | FutexLeave | Join | JoinAny | QueueGet | SignalTake | Kind::Exit
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use operations::{Event, LaneSet, Op};

    fn step(lane: u16, kind: Kind, mutex: u64) -> Step {
        let op = Op::on(kind, Key { process: 1, address: mutex });
        let event = Event { lane: Lane(lane), op, result: 0 };
        Step { event, caller: 0, printed: 0, enabled: LaneSet::default(), asleep: LaneSet::default() }
    }

    /// A run in which each of some lanes locks two mutexes, one after the other, and unlocks them.
    fn run(lanes: &[(u16, [u64; 2])]) -> Vec<Step> {
        let of = |&(lane, [first, second]): &(u16, [u64; 2])| {
            let steps = [(Kind::MutexLock, first), (Kind::MutexLock, second)];
            let back = [(Kind::MutexUnlock, second), (Kind::MutexUnlock, first)];
            steps.into_iter().chain(back).map(move |(kind, mutex)| step(lane, kind, mutex))
        };
        lanes.iter().flat_map(of).collect()
    }

    /// What is given back is not held any more, and who waits for others goes no further: nothing that comes then is a second lock.
    #[test]
    fn locks_that_are_given_back_and_lanes_that_wait_do_not_count() {
        use Kind::{Join, MutexLock, MutexUnlock, SemaphorePost, SemaphoreWait};
        let lane = |lane: u16, kinds: &[(Kind, u64)]| -> Vec<Step> {
            kinds.iter().map(|(kind, object)| step(lane, *kind, *object)).collect()
        };
        let other = lane(1, &[(SemaphoreWait, 8), (MutexLock, 7)]);
        let back = lane(0, &[(MutexLock, 7), (MutexUnlock, 7), (MutexLock, 9), (MutexLock, 8)]);
        assert_eq!(who_moves(&[back, other.clone()].concat()), Some(vec![0, 0, 0, 1]));
        let posted = lane(0, &[(SemaphoreWait, 7), (SemaphorePost, 7), (MutexLock, 9)]);
        assert_eq!(who_moves(&[posted, other.clone()].concat()), None);
        let waiting = lane(0, &[(MutexLock, 9), (Join, 1), (MutexLock, 7)]);
        assert_eq!(who_moves(&[waiting, other].concat()), None);
    }

    fn who_moves(steps: &[Step]) -> Option<Vec<u16>> {
        one_lock_each(steps).map(|tape| tape.iter().map(|choice| choice.lane.0).collect())
    }

    #[test]
    fn each_lane_stops_before_its_second_lock_and_before_one_that_is_taken() {
        assert_eq!(who_moves(&run(&[(0, [7, 8]), (1, [8, 7])])), Some(vec![0, 1]));
        // The third one finds its first mutex taken.
        assert_eq!(who_moves(&run(&[(0, [7, 8]), (1, [8, 7]), (2, [7, 9])])), Some(vec![0, 1]));
        assert_eq!(who_moves(&run(&[(0, [7, 8])])), None, "one lane that stops keeps no other from going on");
    }
}
