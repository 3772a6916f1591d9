//! Traces as text, in NuSMV's manner: only what changed, who moved, and where that is written.

use crate::source::Source;
use std::fmt::Write;
use system::{Machine, Moved, State, Trace, VarId};

/// Writes a whole trace.
pub fn render(machine: &Machine, source: &Source, trace: &Trace) -> String {
    let mut out = String::new();
    for (index, state) in trace.states.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| (&trace.states[before], &trace.moves[before]));
        if trace.loop_start == Some(index) {
            out.push_str("-- loop starts here\n");
        }
        match before {
            None => out.push_str("state 0\n"),
            Some((from, moved)) => {
                let _ = writeln!(out, "state {index}: {}", who_moved(machine, source, from, moved, state));
            }
        }
        out.push_str(&render_state(machine, before.map(|(from, _)| from), state));
    }
    out
}

/// Writes a state, or what differs from the state before it.
pub fn render_state(machine: &Machine, before: Option<&State>, state: &State) -> String {
    let mut out = String::new();
    let shown = match before {
        Some(before) => changes(machine, before, state),
        None => machine.system().state_variables().map(|(var, _)| var).collect(),
    };
    if shown.is_empty() {
        out.push_str("  (nothing changes)\n");
    }
    for var in shown {
        let value = machine.layout().get(&state.0, var).unwrap_or_default();
        let system = machine.system();
        let _ = writeln!(out, "  {} = {}", system.variables[var].name, system.render_value(var, value));
    }
    out
}

/// The variables that differ between two states.
pub fn changes(machine: &Machine, before: &State, after: &State) -> Vec<VarId> {
    let layout = machine.layout();
    let differs = |var: VarId| layout.get(&before.0, var) != layout.get(&after.0, var);
    machine.system().state_variables().map(|(var, _)| var).filter(|var| differs(*var)).collect()
}

/// Says which process moved, from which control point, and where the model says so.
pub fn who_moved(machine: &Machine, source: &Source, from: &State, moved: &Moved, to: &State) -> String {
    let system = machine.system();
    let process = &system.processes[moved.process];
    let mut text = format!("{} moves", process.name);
    // A statement of a program says more than what it changes.
    if let (true, Some(command)) = (system.has_statements, moved.command) {
        let command = &system.commands[command];
        return format!("{text} (line {}): {}", source.line(command.span), command.label);
    }
    if let (Some(_), Some(point)) = (process.pc, machine.point(moved.process, from)) {
        let _ = write!(text, " at {}", process.points[point].name);
    }
    if let Some(line) = line_of(machine, source, from, moved, to) {
        let _ = write!(text, " (line {line})");
    }
    for (var, value) in &moved.inputs {
        let _ = write!(text, ", {} = {}", system.variables[*var].name, system.render_value(*var, *value));
    }
    text
}

/// The line that says what the step changed: of the program counter, or else of the first variable.
pub fn line_of(machine: &Machine, source: &Source, from: &State, moved: &Moved, to: &State) -> Option<usize> {
    let changed = changes(machine, from, to);
    let pc = machine.system().processes[moved.process].pc.filter(|pc| changed.contains(pc));
    let cause = pc.into_iter().chain(changed).find_map(|var| machine.cause(from, moved, to, var))?;
    Some(source.line(cause))
}
