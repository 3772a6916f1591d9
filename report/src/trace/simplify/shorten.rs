//! Dropping steps and moving blocks of steps, by executing what is left.
//!
//! Of a lasso, steps before the loop stay before it and those in the loop stay in it; what is left has to close the loop.

use super::{Goal, context_switches};
use std::ops::Range;
use system::{Moved, State, Trace, Value, VarId};

/// A step to be made again elsewhere: the same command and inputs, and the same values for what it changed.
#[derive(Clone)]
struct Planned {
    moved: Moved,
    changed: Vec<(VarId, Value)>,
}

impl Planned {
    /// Whether a step is by the same process, by the same command if that is known, and with the same inputs.
    fn is_like(&self, moved: &Moved) -> bool {
        moved.process == self.moved.process
            && self.moved.command.is_none_or(|command| moved.command == Some(command))
            && moved.inputs == self.moved.inputs
    }
}

/// A run to the first violation without steps that can be left out one by one, or in halves, quarters, and so on. None
/// if the run is no violation.
pub fn shorten(goal: &Goal<'_>, trace: &Trace) -> Option<Trace> {
    let mut best = tightened(goal, goal.cut(trace.clone())?);
    let mut planned = plan(goal, &best);
    let mut size = best.moves.len().div_ceil(2);
    while size > 0 && !goal.is_exhausted() {
        let mut at = 0;
        let mut is_shorter = false;
        while at < best.moves.len() && !goal.is_exhausted() {
            let dropped = at..(at + size).min(best.moves.len());
            match without(goal, &best, &planned, dropped) {
                Some(shorter) => {
                    best = shorter;
                    planned = plan(goal, &best);
                    is_shorter = true;
                }
                None => at += size,
            }
        }
        if !is_shorter || size > 1 {
            size /= 2;
        }
    }
    goal.cut(tightened(goal, best))
}

/// A lasso without detours, whose loop begins as early as it can; other runs stay as they are.
fn tightened(goal: &Goal<'_>, mut best: Trace) -> Trace {
    while let Some(shorter) = turned_back(goal, &best).or_else(|| without_detour(goal, &best)) {
        best = shorter;
    }
    best
}

/// A lasso without a part of its stem, or of its loop, that comes back to where it begins.
fn without_detour(goal: &Goal<'_>, trace: &Trace) -> Option<Trace> {
    let (start, last) = (trace.loop_start?, trace.moves.len());
    let planned = plan(goal, trace);
    let detours = (0..last).flat_map(|from| {
        let furthest = if from < start { start } else { last };
        (from + 1..=furthest).rev().map(move |to| from..to)
    });
    let states: Vec<State> = trace.states.iter().collect();
    let mut closed = detours.filter(|part| states[part.start] == states[part.end]);
    closed.find_map(|part| if goal.is_exhausted() { None } else { without(goal, trace, &planned, part) })
}

/// A lasso whose loop begins a step earlier, if the last step before the loop is the last one of the loop.
fn turned_back(goal: &Goal<'_>, trace: &Trace) -> Option<Trace> {
    let (before, last) = (trace.loop_start?.checked_sub(1)?, trace.moves.len() - 1);
    let is_same =
        trace.states.get(before) == trace.states.get(last) && trace.moves.get(before) == trace.moves.get(last);
    is_same.then(|| goal.cut(Trace { loop_start: Some(before), ..trace.beginning(last) }))?
}

/// The run without some steps, if that can be executed and still violates the property.
fn without(goal: &Goal<'_>, trace: &Trace, planned: &[Planned], dropped: Range<usize>) -> Option<Trace> {
    let kept = planned[..dropped.start].iter().chain(&planned[dropped.end..]);
    let start = trace.loop_start.map(|start| start - start.min(dropped.end).saturating_sub(dropped.start));
    execute(goal, (&trace.states.first()?, start), kept)
}

/// The run with blocks of steps of one process moved together, as long as that saves context switches.
pub fn merge_blocks(goal: &Goal<'_>, trace: Trace) -> Trace {
    let mut best = trace;
    while let Some(better) = merged_once(goal, &best) {
        best = better;
    }
    goal.cut(best.clone()).unwrap_or(best)
}

/// Whether two blocks are of the same process, and both before the loop or both in it.
fn can_join(trace: &Trace, first: &Range<usize>, second: &Range<usize>) -> bool {
    let [one, other] = [first.start, second.start].map(|step| {
        let is_in_loop = trace.loop_start.is_some_and(|start| step >= start);
        (trace.moves.at(step).process, is_in_loop)
    });
    one == other
}

fn merged_once(goal: &Goal<'_>, trace: &Trace) -> Option<Trace> {
    let blocks = blocks(trace);
    let plan = plan(goal, trace);
    let switches = context_switches(trace);
    for (index, first) in blocks.iter().enumerate() {
        let others = &blocks[index + 1..];
        let Some(second) = others.iter().find(|block| can_join(trace, first, block)) else { continue };
        let (a, b) = (first.clone(), second.clone());
        let between = a.end..b.start;
        let earlier = [0..a.end, b.clone(), between.clone(), b.end..plan.len()];
        let later = [0..a.start, between, a, b.start..plan.len()];
        for order in [earlier, later] {
            let steps: Vec<Planned> = order.into_iter().flat_map(|part| plan[part].iter().cloned()).collect();
            let merged = execute(goal, (&trace.states.first()?, trace.loop_start), &steps);
            if let Some(merged) = merged.filter(|merged| context_switches(merged) < switches) {
                return Some(merged);
            }
        }
    }
    None
}

/// The ranges of steps that one process makes in a row, before the loop or in it.
fn blocks(trace: &Trace) -> Vec<Range<usize>> {
    let mut blocks: Vec<Range<usize>> = Vec::new();
    let mut last = None;
    for (index, moved) in trace.moves.iter().enumerate() {
        let goes_on = last == Some(moved.process) && trace.loop_start != Some(index);
        match blocks.last_mut().filter(|_| goes_on) {
            Some(block) => block.end = index + 1,
            None => blocks.push(index..index + 1),
        }
        last = Some(moved.process);
    }
    blocks
}

fn plan(goal: &Goal<'_>, trace: &Trace) -> Vec<Planned> {
    trace.steps().map(|step| planned(goal, step)).collect()
}

/// A step, with the values that it changes.
fn planned(goal: &Goal<'_>, (from, moved, to): (State, Moved, State)) -> Planned {
    let layout = goal.machine.layout();
    let variables = goal.machine.system().state_variables().map(|(var, _)| var);
    let changed = variables.filter_map(|var| {
        let value = layout.get(&to.0, var)?;
        (layout.get(&from.0, var) != Some(value)).then_some((var, value))
    });
    Planned { changed: changed.collect(), moved }
}

/// Makes planned steps one after the other, from a state, with a loop where there is one; none if one of them cannot be made, or nothing is violated in the end.
fn execute<'p>(
    goal: &Goal<'_>,
    (first, loop_start): (&State, Option<usize>),
    plan: impl IntoIterator<Item = &'p Planned>,
) -> Option<Trace> {
    let mut workspace = goal.machine.workspace();
    let mut trace = Trace { loop_start, ..Trace::starting(first.clone()) };
    let layout = goal.machine.layout();
    for planned in plan {
        let from = trace.states.last()?;
        let (moved, state) = goal.step_of(planned.moved.process, from, &mut workspace, |moved, state| {
            planned.is_like(moved)
                && planned.changed.iter().all(|(var, value)| layout.get(&state.0, *var) == Some(*value))
        })?;
        trace.push(moved, state);
    }
    goal.cut_at_end(trace)
}
