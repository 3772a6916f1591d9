//! Trails: runs in the form that `pan` writes and `spin -t` replays.
//!
//! A line is a step's number, the pid, and the number of the statement, counted over all proctypes. A rendezvous has a
//! line for each side, and a `d_step` has one line. A line of its own says where a cycle starts. Claims make no steps in
//! the trails that we write: `spin -t` then leaves them out.

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

/// The line before the steps that go on for ever.
const CYCLE: &str = "-1:-1:-1\n";

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
        let mut out = String::new();
        let mut number = 0;
        for (index, moved) in trace.moves.iter().enumerate() {
            if trace.loop_start == Some(index) {
                out.push_str(CYCLE);
            }
            let lines = moved.command.and_then(|command| self.lines.get(command));
            for Line { pid, statement } in lines.into_iter().flatten() {
                number += 1;
                let _ = writeln!(out, "{number}:{pid}:{statement}");
            }
        }
        out
    }
}
