//! Verdicts.

use std::fmt;
use system::Trace;

/// What is known about a property. These five and no others.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The trace violates it; the trace has been replayed.
    Violated(Trace),
    /// It holds for runs of every length, for the reason given.
    Holds(String),
    /// It holds for runs of up to this many steps.
    HoldsUpTo(usize),
    /// It is a question, and this is the answer: a number of steps, `infinity` or `undefined`.
    Answered(String),
    /// It is undecided.
    Unknown(Undecided),
}

/// Why a property is undecided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecided {
    /// The reason.
    pub reason: String,
    /// The number of steps within which there is no violation, if that is known.
    pub settled: Option<usize>,
}

impl Verdict {
    /// Undecided, and nothing else is known.
    pub fn unknown(reason: impl Into<String>) -> Verdict {
        Verdict::Unknown(Undecided { reason: reason.into(), settled: None })
    }

    /// Undecided, but within this many steps there is no violation.
    pub fn settled(reason: impl Into<String>, settled: Option<usize>) -> Verdict {
        Verdict::Unknown(Undecided { reason: reason.into(), settled })
    }

    /// The verdict in words.
    pub fn describe(&self) -> String {
        match self {
            Verdict::Violated(trace) => match trace.moves.len() {
                1 => "violated in 1 step".to_owned(),
                steps => format!("violated in {steps} steps"),
            },
            Verdict::Holds(reason) => format!("holds ({reason})"),
            Verdict::HoldsUpTo(bound) => format!("holds up to bound {bound}"),
            Verdict::Answered(value) => format!("is {value}"),
            Verdict::Unknown(undecided) => format!("unknown ({undecided})"),
        }
    }

    /// The word that names the verdict, for machines.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Violated(_) => "violated",
            Verdict::Holds(_) => "holds",
            Verdict::HoldsUpTo(_) => "holds up to bound",
            Verdict::Answered(_) => "answered",
            Verdict::Unknown(_) => "unknown",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe())
    }
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        self.settled.map_or(Ok(()), |steps| write!(f, "; no violation within {steps} steps"))
    }
}
