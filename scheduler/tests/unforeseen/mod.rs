//! Searches of programs whose threads communicate by what is not seen: here, a lane cannot move before another one has come to a place.

use super::kit::traces::{Trace, trace, trace_of};
use operations::region::Ending;
use operations::{Event, Key, Kind, Lane, LaneSet, Op, depends};
use scheduler::{Pending, Plan, Record, Reduction, Search, Step, WaitStatus};
use std::collections::BTreeSet;

/// What a lane does: it reads or writes a variable, perhaps not before another lane has done as much.
#[derive(Clone, Copy, Debug)]
struct Act {
    variable: u64,
    kind: Kind,
    needs: Option<(usize, usize)>,
}

/// What each lane does.
type Program = Vec<Vec<Act>>;

fn event(program: &Program, lane: usize, place: usize) -> Event {
    let Act { variable, kind, .. } = program[lane][place];
    let op = Op::on(kind, Key { process: 1, address: 64 * (1 + variable) }).with_extra(4);
    Event { lane: Lane(lane as u16), op, result: 0 }
}

fn is_enabled(program: &Program, done: &[usize], lane: usize) -> bool {
    program[lane].get(done[lane]).is_some_and(|act| act.needs.is_none_or(|(other, count)| done[other] >= count))
}

fn enabled(program: &Program, done: &[usize]) -> LaneSet {
    (0..program.len()).filter(|lane| is_enabled(program, done, *lane)).map(|lane| Lane(lane as u16)).collect()
}

/// Executes a run, as the library does it that is in programs.
fn run(program: &Program, plan: &Plan) -> Record {
    let mut done = vec![0; program.len()];
    let (mut steps, mut me): (Vec<Step>, Lane) = (Vec::new(), Lane(0));
    let mut sleep = plan.sleep;
    let ending = loop {
        let step = steps.len();
        let enabled = enabled(program, &done);
        let asleep = if step >= plan.branch { sleep } else { LaneSet::default() };
        let prescribed = plan.tape.get(step).map(|choice| choice.lane).filter(|lane| enabled.contains(*lane));
        let awake: LaneSet = enabled.iter().filter(|lane| !asleep.contains(*lane)).collect();
        let round = || awake.iter().filter(|lane| *lane >= me).chain(awake.iter().filter(|lane| *lane < me));
        me = match prescribed.or_else(|| round().next()) {
            Some(lane) => lane,
            None if !enabled.is_empty() => break Ending::Asleep,
            None if done.iter().zip(program).all(|(done, acts)| *done == acts.len()) => break Ending::Complete,
            None => break Ending::Deadlock,
        };
        let event = event(program, me.index(), done[me.index()]);
        steps.push(Step { event, caller: 0, printed: 0, enabled, asleep });
        done[me.index()] += 1;
        if step >= plan.branch {
            let stays = |lane: &Lane| {
                *lane != me
                    && is_enabled(program, &done, lane.index())
                    && !depends(&event, &self::event(program, lane.index(), done[lane.index()]))
            };
            sleep = sleep.iter().filter(stays).collect();
        }
    };
    let waits = (0..program.len()).filter(|lane| done[*lane] < program[*lane].len());
    let pending = |lane: usize| Pending {
        lane: Lane(lane as u16),
        op: event(program, lane, done[lane]).op,
        caller: 0,
        is_in_loop: false,
    };
    Record {
        steps,
        pending: waits.map(pending).collect(),
        ending,
        lane: me,
        value: 0,
        message: String::new(),
        names: Vec::new(),
        is_partial: false,
        is_unclear: false,
        is_torn: false,
        is_overwritten: false,
        status: WaitStatus::Exited(0),
    }
}

/// All traces, by all runs.
fn all(program: &Program, done: &mut Vec<usize>, events: &mut Vec<Event>, traces: &mut BTreeSet<Trace>) {
    let enabled = enabled(program, done);
    if enabled.is_empty() {
        traces.insert(trace_of(events));
    }
    for lane in enabled.iter().map(Lane::index) {
        events.push(event(program, lane, done[lane]));
        done[lane] += 1;
        all(program, done, events, traces);
        done[lane] -= 1;
        events.pop();
    }
}

/// The traces of the complete runs of a search, how many it counts, and whether a lane could not move in one of its runs that was to move.
fn explored(program: &Program, reduction: Reduction) -> (BTreeSet<Trace>, u64, bool) {
    let mut search = Search::new(reduction, 1000, true).of_what_is_seen(true);
    let (mut traces, mut is_unforeseen) = (BTreeSet::new(), false);
    while let Some(plan) = search.next_plan() {
        let record = run(program, &plan);
        search.learn(&record).expect("the same beginning");
        is_unforeseen |= !record.choices().starts_with(&plan.tape);
        if record.ending != Ending::Asleep {
            traces.insert(trace(&record));
        }
    }
    (traces, search.statistics.complete, is_unforeseen)
}

/// Two lanes of three operations at most, three of as many, or four of two.
fn random_program(seed: u64) -> Program {
    let mut random = fastrand::Rng::with_seed(seed);
    let lanes = random.usize(2..=4);
    let most = if lanes == 4 { 2 } else { 3 };
    let mut act = || {
        let kind = if random.bool() { Kind::Read } else { Kind::Write };
        Act { variable: random.u64(0..2), kind, needs: None }
    };
    let all: Vec<Act> = (0..lanes * most).map(|_| act()).collect();
    let mut program: Program = all.chunks(most).map(|acts| acts[..random.usize(1..=most)].to_vec()).collect();
    for _ in 0..random.usize(0..=2) {
        let (lane, other) = (random.usize(..lanes), random.usize(..lanes));
        if lane != other {
            let (place, count) = (random.usize(..program[lane].len()), random.usize(1..=program[other].len()));
            program[lane][place].needs = Some((other, count));
        }
    }
    program
}

/// Where a lane cannot move that was to move, what else is possible there is explored all the same, and each trace is counted once.
#[test]
fn nothing_that_is_possible_is_left_out_where_something_is_not() {
    let mut unforeseen = 0;
    for seed in 0..600 {
        let program = random_program(seed);
        let mut traces = BTreeSet::new();
        all(&program, &mut vec![0; program.len()], &mut Vec::new(), &mut traces);
        for reduction in [Reduction::Sleep, Reduction::Source, Reduction::Optimal] {
            let (found, complete, is_unforeseen) = explored(&program, reduction);
            assert!(found == traces, "{seed} {reduction:?}: {} of {} {program:?}", found.len(), traces.len());
            assert_eq!(complete, traces.len() as u64, "{seed} {reduction:?} {program:?}");
            unforeseen += usize::from(is_unforeseen);
        }
    }
    assert!(unforeseen > 100, "{unforeseen}");
}
