//! From the states of a run to a trace: its steps are found again, even when time is over: what was found is shown.

use rustc_hash::FxHashSet;
use system::{Machine, Memo, Moved, Sorting, State, Successor, Symmetry, Trace, Visit, Workspace};

/// The run through some states. Where one does not follow from the one before by a single step, the way is through an atomic
/// section, at whose end no process has control.
pub fn through(machine: &Machine, states: impl IntoIterator<Item = State>) -> Trace {
    let machine = &machine.anew();
    let (mut workspace, mut memo) = (machine.workspace(), machine.memo());
    let mut states = states.into_iter();
    let mut trace = states.next().map_or_else(Trace::default, Trace::starting);
    for to in states {
        let way = trace.states.last().and_then(|from| {
            let step = step_between(machine, &mut workspace, from, &to).map(|step| vec![step]);
            step.or_else(|| way_between(machine, (&mut workspace, &mut memo), from, &to))
        });
        match way {
            Some(way) => way.into_iter().for_each(|(moved, state)| trace.push(moved, state)),
            None => trace.states.push(to),
        }
    }
    trace
}

/// A run through states that stand for those of some: it begins with an initial state that the first of them stands for, and each step
/// leads to one that the next stands for. There is one, because all states that differ by an exchange have the same one that stands for them.
pub fn along(machine: &Machine, symmetry: &Symmetry, states: impl IntoIterator<Item = State>) -> Trace {
    let (mut workspace, mut sorting) = (machine.workspace(), Sorting::default());
    let mut states = states.into_iter();
    let first = states.next().map(|first| initial(machine, symmetry, first));
    let mut trace = first.map_or_else(Trace::default, Trace::starting);
    for to in states {
        let Some(from) = trace.states.last().cloned() else { break };
        let mut found = None;
        let _ = machine.successors(&from.0, &mut workspace, |successor| {
            let mut sorted = successor.state.to_vec();
            symmetry.sort(machine.layout(), &mut sorted, &mut sorting);
            if sorted != to.0[..] {
                return Visit::Continue(());
            }
            found = Some((moved(machine, &successor), State(successor.state.into())));
            Visit::Break(())
        });
        trace.moves.extend(found.iter().map(|(moved, _)| moved.clone()));
        trace.states.push(found.map_or(to, |(_, state)| state));
    }
    trace
}

/// An initial state that another one stands for.
fn initial(machine: &Machine, symmetry: &Symmetry, representative: State) -> State {
    let (mut sorting, mut found) = (Sorting::default(), None);
    let _ = machine.initial_states(&mut machine.workspace(), |state| {
        let mut sorted = state.clone();
        symmetry.sort(machine.layout(), &mut sorted.0, &mut sorting);
        if sorted != representative {
            return Visit::Continue(());
        }
        found = Some(state);
        Visit::Break(())
    });
    found.unwrap_or(representative)
}

/// A state that was reached, and how.
struct Reached {
    state: State,
    moved: Moved,
    before: Option<usize>,
}

/// A step from one state to another. No more steps are computed than until there is one: the state may have very many.
fn step_between(machine: &Machine, workspace: &mut Workspace, from: &State, to: &State) -> Option<(Moved, State)> {
    let mut found = None;
    let _ = machine.successors(&from.0, workspace, |successor| {
        if *successor.state != to.0[..] {
            return Visit::Continue(());
        }
        found = Some((moved(machine, &successor), to.clone()));
        Visit::Break(())
    });
    found
}

/// Some steps that lead from one state to another, with only the process in control moving after the first.
fn way_between(
    machine: &Machine,
    (workspace, memo): (&mut Workspace, &mut Memo),
    from: &State,
    to: &State,
) -> Option<Vec<(Moved, State)>> {
    let mut reached: Vec<Reached> = Vec::new();
    let mut seen = FxHashSet::default();
    let mut at = None;
    loop {
        let state = at.map_or(from, |at: usize| &reached[at].state).clone();
        let mut found = Vec::new();
        let _ = machine.successors(&state.0, workspace, |successor| {
            found.push((moved(machine, &successor), State(successor.state.into())));
            Visit::Continue(())
        });
        for (moved, state) in found {
            if seen.insert(state.clone()) {
                reached.push(Reached { state, moved, before: at });
            }
        }
        // The next state that is the end, or from which the section goes on.
        at = loop {
            let next = at.map_or(0, |at| at + 1);
            let candidate = &reached.get(next)?.state;
            at = Some(next);
            let mut goes_on = false;
            let _ = memo.held_successors(machine, &candidate.0, |_, _| goes_on = true);
            let mut seen_by_others = candidate.clone();
            machine.layout().set_holder(&mut seen_by_others.0, None);
            if candidate == to || !goes_on && seen_by_others == *to {
                return Some(way_to(reached, next));
            }
            if goes_on {
                break at;
            }
        };
    }
}

fn way_to(reached: Vec<Reached>, end: usize) -> Vec<(Moved, State)> {
    let (mut way, mut at) = (Vec::new(), Some(end));
    while let Some(Reached { state, moved, before }) = at.map(|at| &reached[at]) {
        way.push((moved.clone(), state.clone()));
        at = *before;
    }
    way.reverse();
    way
}

/// Who made a step.
pub fn moved(machine: &Machine, successor: &Successor<'_>) -> Moved {
    let step = successor.step();
    let process = machine.system().commands[step.command].owner.process;
    Moved { process, command: Some(step.command), inputs: step.inputs }
}
