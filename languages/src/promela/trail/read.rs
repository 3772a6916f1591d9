//! The lines of a trail.

use super::{Line, TrailError};

/// A step as a trail names it, and the number of its line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    pub line: usize,
    pub step: Line,
}

/// What a trail says, without the steps of claims.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// Whether a line can stand for several statements, of which it names the first.
    pub is_merged: bool,
    /// The steps of processes.
    pub entries: Vec<Entry>,
    /// Which of them begins the cycle.
    pub cycle: Option<usize>,
}

impl Written {
    /// Reads a trail: `depth:pid:statement` lines, with flags where the depth is negative. `-2` says that a claim is
    /// followed, which then has pid 0, so that all other pids are one higher; `-4` that statements are merged; `-1`
    /// that the cycle begins. Others are about how SPIN searched.
    pub fn parse(text: &str) -> Result<Written, TrailError> {
        let mut written = Written::default();
        let mut claim = Claim::Absent;
        for (number, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
            let line = number + 1;
            let [depth, pid, statement] = numbers(text).ok_or_else(|| TrailError {
                line,
                reason: "this is no line of a trail: expected depth:pid:statement, three numbers".to_owned(),
            })?;
            match (depth, pid, claim) {
                (-1, ..) => written.cycle = Some(written.entries.len()),
                (-2, ..) => claim = Claim::HasPidZero,
                (-4, ..) => written.is_merged = true,
                (..=-1, ..) | (_, 0, Claim::HasPidZero) => {}
                _ => {
                    let shift = if claim == Claim::HasPidZero { 1 } else { 0 };
                    let step = Line::of(pid - shift, statement).ok_or_else(|| TrailError {
                        line,
                        reason: "pids and statements are not negative".to_owned(),
                    })?;
                    written.entries.push(Entry { line, step });
                }
            }
        }
        Ok(written)
    }
}

/// Whether a claim moves in a trail.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Claim {
    Absent,
    HasPidZero,
}

fn numbers(text: &str) -> Option<[i64; 3]> {
    let numbers: Vec<i64> = text.trim().split(':').map(|word| word.trim().parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok()
}
