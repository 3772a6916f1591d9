//! Which processes wait where, when a run ends where no process can move.

use super::document::{Document, Statement, Waiting};
use super::view::places;
use languages::hidden::visible;
use std::fmt::Write;
use system::{Claim, Machine, PropertyId, Trace};

/// The processes that have not come to their ends, if the trace is to a state without successors; `setting` describes
/// the processes.
pub fn waiting(machine: &Machine, setting: &Document, trace: &Trace, property: Option<PropertyId>) -> Vec<Waiting> {
    let system = machine.system();
    let is_stuck = property.is_some_and(|id| matches!(system.properties[id].claim, Claim::DeadlockFree));
    let Some(last) = trace.states.last().filter(|_| is_stuck) else { return Vec::new() };
    let mut waiting = Vec::new();
    for ((id, process), described) in system.processes.iter_enumerated().zip(&setting.processes) {
        let Some(point) = process.pc.and_then(|_| machine.point(id, last)) else { continue };
        let statements = described.points[point.index()].statements.clone();
        // A process of a program that has no statement to come to does not run.
        if system.has_statements && statements.is_empty() {
            continue;
        }
        let (name, end) = (process.points[point].name.clone(), process.points[point].end);
        waiting.push(Waiting { process: process.name.clone(), at: name, statements, end });
    }
    waiting
}

/// What a program says where a process has nothing left to do.
const DONE: &str = "-end-";

/// Who waits where, a line each; nothing if that is not known.
pub fn render(waiting: &[Waiting]) -> String {
    let mut out = String::new();
    for process in waiting {
        let _ = writeln!(out, "  {}", visible(&process.describe()));
    }
    if out.is_empty() { out } else { format!("no process can move\n{out}") }
}

impl Waiting {
    /// Who waits where, such as `Client_0 waits at line 9: s2c ? ACK`.
    pub fn describe(&self) -> String {
        match self.statements.as_slice() {
            [] => format!("{} waits at {}", self.process, self.at),
            [only] if is_done(only) => format!("{} is at its end, line {}", self.process, only.line),
            statements => {
                let may_end = if self.end { " (it may end here)" } else { "" };
                format!("{} waits at {}{may_end}", self.process, places(statements))
            }
        }
    }
}

fn is_done(statement: &Statement) -> bool {
    statement.text == DONE
}
