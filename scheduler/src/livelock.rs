//! Livelocks as \[God97\] has them: a process has no enabled transition during more than a given number of successive global
//! states. That is a property of finite runs, of those that are explored: how long a lane waits is not the same in
//! all interleavings that are equivalent.
//!
//! # Differs from the paper
//!
//! Waiting for the end of another lane does not count: the first thread of most programs does nothing else.

use crate::record::Record;
use operations::{Kind, Lane};

/// The lane that is kept waiting first, and after how many steps that is so.
pub fn starved(record: &Record, most: usize) -> Option<(Lane, usize)> {
    let lanes =
        record.steps.iter().map(|step| step.event.lane).chain(record.pending.iter().map(|pending| pending.lane));
    let mut lanes: Vec<Lane> = lanes.collect();
    lanes.sort();
    lanes.dedup();
    lanes
        .into_iter()
        .filter_map(|lane| Some((lane, waits_too_long(record, lane, most)?)))
        .min_by_key(|(_, steps)| *steps)
}

/// After how many steps a lane has waited too long, if it has.
fn waits_too_long(record: &Record, lane: Lane, most: usize) -> Option<usize> {
    let mut from = creation(record, lane);
    for (place, kind) in operations_of(record, lane) {
        let waited = if kind.is_of_life() { None } else { too_long(record, lane, from..place, most) };
        if waited.is_some() {
            return waited;
        }
        from = place + 1;
    }
    None
}

/// Where a lane is there for the first time.
fn creation(record: &Record, lane: Lane) -> usize {
    let creates = |event: &operations::Event| event.op.kind == Kind::Create && event.op.value == i64::from(lane.0);
    record.steps.iter().position(|step| creates(&step.event)).map_or(0, |step| step + 1)
}

/// The operations of a lane and where they are, with the one that it did not come to.
fn operations_of(record: &Record, lane: Lane) -> impl Iterator<Item = (usize, Kind)> {
    let own = move |(place, step): (usize, &crate::record::Step)| {
        (step.event.lane == lane).then_some((place, step.event.op.kind))
    };
    // A lane that was left in a loop could go round it.
    let pending = record.pending.iter().filter(move |pending| pending.lane == lane && !pending.is_in_loop);
    let rest = pending.map(|pending| (record.steps.len(), pending.op.kind));
    record.steps.iter().enumerate().filter_map(own).chain(rest)
}

fn too_long(record: &Record, lane: Lane, states: std::ops::Range<usize>, most: usize) -> Option<usize> {
    let mut waited = 0;
    for state in states {
        waited = if record.steps[state].enabled.contains(lane) { 0 } else { waited + 1 };
        if waited > most {
            return Some(state + 1);
        }
    }
    None
}
