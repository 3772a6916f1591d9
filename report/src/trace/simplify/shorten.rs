//! Dropping steps and moving blocks of steps, by executing what is left.

use super::{Goal, context_switches};
use std::ops::Range;
use system::{Moved, State, Trace, Value, VarId};

/// A step to be made again elsewhere: the same command and inputs, and the same values for what it changed.
#[derive(Clone)]
struct Planned {
    moved: Moved,
    changed: Vec<(VarId, Value)>,
}

/// A run to the first violation without steps that can be left out one by one, or in halves, quarters, and so on. None
/// if the run is no violation.
pub fn shorten(goal: &Goal<'_>, trace: &Trace) -> Option<Trace> {
    let mut best = goal.cut(trace.clone())?;
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
    goal.cut(best)
}

/// The run without some steps, if that can be executed and still violates the property.
fn without(goal: &Goal<'_>, trace: &Trace, planned: &[Planned], dropped: Range<usize>) -> Option<Trace> {
    let kept = planned[..dropped.start].iter().chain(&planned[dropped.end..]);
    execute(goal, &trace.states[0], kept)
}

/// The run with blocks of steps of one process moved together, as long as that saves context switches.
pub fn merge_blocks(goal: &Goal<'_>, trace: Trace) -> Trace {
    let mut best = trace;
    while let Some(better) = merged_once(goal, &best) {
        best = better;
    }
    goal.cut(best.clone()).unwrap_or(best)
}

fn merged_once(goal: &Goal<'_>, trace: &Trace) -> Option<Trace> {
    let blocks = blocks(trace);
    let plan = plan(goal, trace);
    let switches = context_switches(trace);
    let process = |block: &Range<usize>| trace.moves[block.start].process;
    for (index, first) in blocks.iter().enumerate() {
        let Some(second) = blocks[index + 1..].iter().find(|block| process(block) == process(first)) else { continue };
        let (a, b) = (first.clone(), second.clone());
        let between = a.end..b.start;
        let earlier = [0..a.end, b.clone(), between.clone(), b.end..plan.len()];
        let later = [0..a.start, between, a, b.start..plan.len()];
        for order in [earlier, later] {
            let steps: Vec<Planned> = order.into_iter().flat_map(|part| plan[part].iter().cloned()).collect();
            let merged = execute(goal, &trace.states[0], &steps);
            if let Some(merged) = merged.filter(|merged| context_switches(merged) < switches) {
                return Some(merged);
            }
        }
    }
    None
}

/// The ranges of steps that one process makes in a row.
fn blocks(trace: &Trace) -> Vec<Range<usize>> {
    let mut blocks: Vec<Range<usize>> = Vec::new();
    for (index, moved) in trace.moves.iter().enumerate() {
        match blocks.last_mut() {
            Some(block) if trace.moves[block.start].process == moved.process => block.end = index + 1,
            _ => blocks.push(index..index + 1),
        }
    }
    blocks
}

fn plan(goal: &Goal<'_>, trace: &Trace) -> Vec<Planned> {
    let layout = goal.machine.layout();
    let planned = |(index, moved): (usize, &Moved)| {
        let (from, to) = (&trace.states[index].0, &trace.states[index + 1].0);
        let variables = goal.machine.system().state_variables().map(|(var, _)| var);
        let changed = variables.filter_map(|var| {
            let value = layout.get(to, var)?;
            (layout.get(from, var) != Some(value)).then_some((var, value))
        });
        Planned { moved: moved.clone(), changed: changed.collect() }
    };
    trace.moves.iter().enumerate().map(planned).collect()
}

/// Makes planned steps one after the other; none if one of them cannot be made, or nothing is violated in the end.
fn execute<'p>(goal: &Goal<'_>, first: &State, plan: impl IntoIterator<Item = &'p Planned>) -> Option<Trace> {
    let mut workspace = goal.machine.workspace();
    let mut trace = Trace { states: vec![first.clone()], moves: Vec::new(), loop_start: None };
    let layout = goal.machine.layout();
    for planned in plan {
        let is_same = |moved: &Moved, state: &State| {
            let same_command = planned.moved.command.is_none_or(|command| moved.command == Some(command));
            let same_values = || planned.changed.iter().all(|(var, value)| layout.get(&state.0, *var) == Some(*value));
            moved.process == planned.moved.process
                && same_command
                && moved.inputs == planned.moved.inputs
                && same_values()
        };
        let from = trace.states.last()?;
        let (moved, state) = goal.step_of(planned.moved.process, from, &mut workspace, is_same)?;
        trace.moves.push(moved);
        trace.states.push(state);
    }
    goal.cut_at_end(trace)
}
