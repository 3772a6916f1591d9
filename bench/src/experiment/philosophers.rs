//! Figure 4 of \[God97\]: dining philosophers without loops, searched with and without storing states.

use explicit::{Limits, Options, Reduction, Sets, Stateless, StepLimits, run, stateless};
use limits::Handle;
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::sync::Arc;
use system::{Machine, Program, State, System, Visit};

/// Philosophers who take the left fork, then the right one, put both back in that order, and leave.
pub fn philosophers(count: usize) -> System {
    let mut program = Program::default();
    let forks: Vec<_> = (0..count).map(|index| program.number(&format!("fork{index}"), 1, 1)).collect();
    for index in 0..count {
        let philosopher = program.process(&format!("philosopher{index}"), 5, &[4]);
        let (left, right) = (forks[index], forks[(index + 1) % count]);
        for (point, fork) in [left, right].into_iter().enumerate() {
            let (free, take) = (program.is_more(fork, 0), program.add(fork, -1));
            program.command(philosopher, point, point + 1, free, vec![take]);
        }
        for (point, fork) in [left, right].into_iter().enumerate() {
            let (always, release) = (program.always(), program.add(fork, 1));
            program.command(philosopher, point + 2, point + 3, always, vec![release]);
        }
    }
    program.system
}

/// How many steps a stateless search without reductions makes, counted by visiting each state once; nothing if there is
/// a cycle. This is the number of edges of the tree of all runs.
pub fn count_stateless_steps(machine: &Machine) -> Option<u128> {
    let mut workspace = machine.workspace();
    let mut open: Vec<(State, bool)> = Vec::new();
    machine
        .initial_states(&mut workspace, |state| {
            open.push((state, false));
            Visit::Continue(())
        })
        .ok()?;
    let initial: Vec<State> = open.iter().map(|(state, _)| state.clone()).collect();
    let mut steps: FxHashMap<State, Option<u128>> = FxHashMap::default();
    while let Some((state, is_ready)) = open.pop() {
        if !is_ready && steps.contains_key(&state) {
            continue;
        }
        let mut next = Vec::new();
        machine
            .successors(&state.0, &mut workspace, |successor| {
                next.push(State(successor.state.into()));
                Visit::Continue(())
            })
            .ok()?;
        if is_ready {
            let below = next.iter().map(|next| steps.get(next).copied().flatten().map(|below| below + 1));
            let total = below.sum::<Option<u128>>()?;
            steps.insert(state, Some(total));
        } else {
            steps.insert(state.clone(), None);
            open.push((state, true));
            open.extend(next.into_iter().map(|next| (next, false)));
        }
    }
    initial.iter().map(|state| steps[state]).sum()
}

/// A row of the figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// How many philosophers.
    pub philosophers: usize,
    /// States of the system.
    pub states: usize,
    /// Its deadlocks.
    pub deadlocks: usize,
    /// Steps of a search that stores states.
    pub classical: u64,
    /// Steps of a search that does not, without reductions.
    pub stateless: u128,
    /// The same with persistent sets, with sleep sets, and with both.
    pub reduced: [u64; 3],
}

/// Measures the row for this many philosophers.
pub fn row(count: usize) -> Row {
    let machine = Machine::new(Arc::new(philosophers(count)));
    let found = run(&machine, &[], &Options::default(), &mut Handle::default());
    let limits = Limits { depth: usize::MAX, memory: usize::MAX };
    let reduced = |sets: Sets| {
        let reduction = Reduction { sets, ..Reduction::default() };
        let how = Stateless { limits, reduction, steps: StepLimits::default() };
        stateless(&machine, &[], how, &mut Handle::default()).cost.transitions
    };
    Row {
        philosophers: count,
        states: found.states(),
        deadlocks: found.deadlocks.len(),
        classical: found.cost.transitions,
        stateless: count_stateless_steps(&machine).unwrap_or(0),
        reduced: [Sets::Persistent, Sets::Sleep, Sets::Both].map(reduced),
    }
}

/// The figure as a table of comma-separated values, for 2 to `most` philosophers.
pub fn table(most: usize) -> String {
    let mut table =
        "philosophers,states,deadlocks,classical,stateless,persistent,sleep,persistent and sleep\n".to_owned();
    for Row { philosophers, states, deadlocks, classical, stateless, reduced } in (2..=most).map(row) {
        let [persistent, sleep, both] = reduced;
        let _ =
            writeln!(table, "{philosophers},{states},{deadlocks},{classical},{stateless},{persistent},{sleep},{both}");
    }
    table
}
