//! What a run shows about the program.

use crate::record::Record;
use operations::Lane;
use operations::region::Ending;

/// How the process of a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitStatus {
    /// It exited with a code.
    Exited(i32),
    /// A signal killed it.
    Signalled(i32),
    /// It went on without a visible operation until it was stopped.
    Stopped,
    /// It waited in the system, for something that is not controlled, until it was stopped.
    Blocked,
    /// It was stopped because the exploration has to end.
    Halted,
}

impl WaitStatus {
    /// From the number that `wait` gives.
    pub(crate) fn of(status: i32) -> WaitStatus {
        match status & 0x7f {
            0 => WaitStatus::Exited(status >> 8 & 0xff),
            signal => WaitStatus::Signalled(signal),
        }
    }
}

/// What is wrong with a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// No lane can move, and not all have ended.
    Deadlock,
    /// An assertion failed.
    Assertion(String),
    /// The program aborted itself.
    Abort,
    /// A signal ended the program.
    Crash(i32),
    /// A lock was released by a lane that does not hold it.
    NotHeld,
    /// A lane goes on without a visible operation.
    Divergence,
    /// The lane had no enabled transition in as many successive states.
    Livelock(usize),
    /// All lanes that have not ended wait, some of them in loops, for what does not come.
    WaitsForEver,
    /// Memory was used or given back that had been given back; how.
    Freed(String),
    /// The program exited with another code than 0.
    ExitCode(i32),
    /// The access that the run ends with conflicts with an earlier one, and no synchronisation orders them.
    DataRace {
        /// The step of the earlier one.
        first: usize,
    },
}

/// Whether the code that a program exits with can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitCodes {
    /// Any is right.
    Ignored,
    /// Only 0 is.
    Checked,
}

/// A violation, and in which lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub violation: Violation,
    /// The lane that it happened in; all of them wait in a deadlock.
    pub lane: Lane,
}

impl Finding {
    /// What a run shows to be wrong, if anything.
    pub fn of(record: &Record, codes: ExitCodes) -> Option<Finding> {
        let violation = match (record.status, record.ending) {
            (WaitStatus::Blocked | WaitStatus::Halted, _) => return None,
            (WaitStatus::Stopped, _) => Violation::Divergence,
            (WaitStatus::Signalled(signal), _) => Violation::Crash(signal),
            (_, Ending::Deadlock) => Violation::Deadlock,
            (_, Ending::Livelock) => Violation::WaitsForEver,
            (_, Ending::Assertion) => Violation::Assertion(record.message.clone()),
            (_, Ending::Abort) => Violation::Abort,
            (_, Ending::NotHeld) => Violation::NotHeld,
            (_, Ending::Freed) => Violation::Freed(record.message.clone()),
            (_, Ending::Complete) if codes == ExitCodes::Checked && record.value != 0 => {
                Violation::ExitCode(record.value as i32)
            }
            _ => return None,
        };
        Some(Finding { violation, lane: record.lane })
    }
}
