//! Verdicts.

use system::Trace;

/// What is known about a property. These four and no others.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The trace violates it; the trace has been replayed.
    Violated(Trace),
    /// It holds for runs of every length, for the reason given.
    Holds(String),
    /// It holds for runs of up to so many steps.
    HoldsUpTo(usize),
    /// It is undecided, for the reason given.
    Unknown(String),
}

impl Verdict {
    /// The verdict in words.
    pub fn describe(&self) -> String {
        match self {
            Verdict::Violated(trace) => match trace.moves.len() {
                1 => "violated in 1 step".to_owned(),
                steps => format!("violated in {steps} steps"),
            },
            Verdict::Holds(reason) => format!("holds ({reason})"),
            Verdict::HoldsUpTo(bound) => format!("holds up to bound {bound}"),
            Verdict::Unknown(reason) => format!("unknown ({reason})"),
        }
    }

    /// The word that names the verdict, for machines.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Violated(_) => "violated",
            Verdict::Holds(_) => "holds",
            Verdict::HoldsUpTo(_) => "holds up to bound",
            Verdict::Unknown(_) => "unknown",
        }
    }
}
