//! Trails: runs in the form that `spin -t` replays.
//!
//! A line is a step's number, the pid, and the number of the statement, counted over all proctypes. A rendezvous has a
//! line for each side, and a `d_step` has one line. Claims make no steps here: `spin -t` then leaves them out.

use std::fmt::Write;
use system::{CommandId, IndexVec, Trace};

/// What a step is called in a trail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The process.
    pub pid: u32,
    /// The statement.
    pub statement: usize,
}

/// The lines of each command.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    lines: IndexVec<CommandId, Vec<Line>>,
}

impl Trail {
    /// Adds the lines of the next command.
    pub(super) fn add(&mut self, lines: impl Iterator<Item = Line>) {
        self.lines.push(lines.collect());
    }

    /// A trace as a trail.
    pub fn render(&self, trace: &Trace) -> String {
        let steps = trace.moves.iter().filter_map(|moved| self.lines.get(moved.command?)).flatten();
        let mut out = String::new();
        for (number, Line { pid, statement }) in steps.enumerate() {
            let _ = writeln!(out, "{}:{pid}:{statement}", number + 1);
        }
        out
    }
}
