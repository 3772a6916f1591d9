//! Trails: runs in the form that `pan` writes and `spin -t` replays.
//!
//! A line is a step's number, the pid, and the number of the statement, counted over all proctypes. A rendezvous has a
//! line for each side, and a `d_step` has one line. Claims make no steps in the trails that we write: `spin -t` then
//! leaves them out.

mod follow;
mod read;

use std::fmt::{self, Write};
use system::{CommandId, IndexVec, Trace};

/// Why a trail cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrailError {
    /// The line of the trail, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for TrailError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

/// What a step is called in a trail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The process.
    pub pid: u32,
    /// The statement.
    pub statement: usize,
}

impl Line {
    fn of(pid: i64, statement: i64) -> Option<Line> {
        Some(Line { pid: pid.try_into().ok()?, statement: statement.try_into().ok()? })
    }
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
