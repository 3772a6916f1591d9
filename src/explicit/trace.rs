//! From the states of a run to a trace: its steps are found again.

use system::{Machine, Moved, State, Successor, Trace, Visit};

/// The run through some states.
pub fn through(machine: &Machine, states: Vec<State>) -> Trace {
    let moves = states.windows(2).filter_map(|pair| step_between(machine, &pair[0], &pair[1])).collect();
    Trace { states, moves, loop_start: None }
}

/// Some step that leads from one state to another.
fn step_between(machine: &Machine, from: &State, to: &State) -> Option<Moved> {
    let mut workspace = machine.workspace();
    let mut found = None;
    let _ = machine.successors(&from.0, &mut workspace, |successor| {
        if *successor.state == *to.0 {
            found = Some(moved(machine, &successor));
            return Visit::Break(());
        }
        Visit::Continue(())
    });
    found
}

/// Who made a step.
pub fn moved(machine: &Machine, successor: &Successor<'_>) -> Moved {
    let step = successor.step();
    let process = machine.system().commands[step.command].owner.process;
    Moved { process, command: Some(step.command), inputs: step.inputs }
}
