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
