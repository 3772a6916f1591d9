//! Which traces the runs of a program are: what happened before what in each, computed from pairs of events alone.

use super::Compiled;
use operations::region::{Ending, Policy};
use operations::{Event, depends};
use scheduler::{Plan, Record, Reduction, Search};
use std::collections::{BTreeMap, BTreeSet};

/// A trace: for each event, by its lane and its place there, what it is and how many events of each lane happened before it.
pub type Trace = BTreeMap<(u16, usize), (String, Vec<usize>)>;

/// The most steps that a run of these tests has.
const DEPTH: usize = 2000;

/// The traces of the complete runs of a search, and how many of these there were.
pub fn explored(program: &Compiled, arguments: &[String], reduction: Reduction) -> (BTreeSet<Trace>, usize) {
    let mut session = program.session(arguments);
    let mut search = Search::new(reduction, DEPTH, true);
    let (mut traces, mut runs) = (BTreeSet::new(), 0);
    while let Some(plan) = search.next_plan() {
        let record = session.run(&plan).expect("a run");
        search.learn(&record).expect("the same beginning");
        if record.ending != Ending::Asleep {
            runs += 1;
            traces.insert(trace(&record));
        }
    }
    (traces, runs)
}

/// The traces of random runs.
pub fn met_by_chance(program: &Compiled, arguments: &[String], runs: u64) -> BTreeSet<Trace> {
    let mut session = program.session(arguments);
    let plan = |seed: u64| Plan {
        policy: Policy::Random,
        seed: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        goes_on: true,
        ..Plan::free(DEPTH)
    };
    (1..=runs).map(|seed| trace(&session.run(&plan(seed)).expect("a run"))).collect()
}

/// The trace of a run.
pub fn trace(record: &Record) -> Trace {
    let events: Vec<Event> = record.steps.iter().map(|step| step.event).collect();
    trace_of(&events)
}

/// The trace of a sequence of events.
pub fn trace_of(events: &[Event]) -> Trace {
    let lanes = 1 + events.iter().map(|event| event.lane.index()).max().unwrap_or(0);
    let mut clocks: Vec<Vec<usize>> = Vec::new();
    let mut trace = Trace::new();
    for (index, event) in events.iter().enumerate() {
        let mut clock = vec![0; lanes];
        for (earlier, before) in events[..index].iter().zip(&clocks) {
            if earlier.lane == event.lane || depends(earlier, event) {
                clock.iter_mut().zip(before).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
            }
        }
        let place = clock[event.lane.index()];
        trace.insert(
            (event.lane.0, place),
            (format!("{:?} {:x} {}", event.op.kind, event.op.key.address, event.result), clock.clone()),
        );
        clock[event.lane.index()] += 1;
        clocks.push(clock);
    }
    trace
}
