//! Verdicts.

use limits::Ended;
use std::fmt;
use std::sync::Arc;
use system::{Failure, System, Trace};

/// What is known about a property. These five and no others.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The trace violates it; the trace has been replayed.
    Violated(Arc<Trace>),
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
    /// What kept it from being decided.
    pub cause: Cause,
    /// The same in words.
    pub reason: String,
    /// The number of steps within which there is no violation, if that is known.
    pub settled: Option<usize>,
}

/// What keeps a property from being decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// The run had to end.
    Ended(Ended),
    /// The states do not fit into the memory that they may take.
    Memory,
    /// The work that was allowed is done.
    Effort,
    /// Some runs were not looked at.
    CutOff,
    /// No engine takes such a property, or such a model.
    Refused,
    /// The model, or the property, has no meaning in a reachable state.
    NoMeaning,
    /// It is not certified as far as it was found to hold.
    Uncertified,
}

impl Verdict {
    /// Undecided, and nothing else is known.
    pub fn unknown(cause: Cause, reason: impl Into<String>) -> Verdict {
        Verdict::settled(cause, reason, None)
    }

    /// Undecided, but within this many steps there is no violation.
    pub fn settled(cause: Cause, reason: impl Into<String>, settled: Option<usize>) -> Verdict {
        Verdict::Unknown(Undecided { cause, reason: reason.into(), settled })
    }

    /// Undecided because the run had to end, but within this many steps there is no violation.
    pub fn ended(why: Ended, settled: Option<usize>) -> Verdict {
        Verdict::settled(Cause::Ended(why), why.to_string(), settled)
    }

    /// Undecided because the model has no meaning in a reachable state.
    pub fn no_meaning(system: &System, failure: Failure, settled: Option<usize>) -> Verdict {
        let what = failure.fault.describe(system);
        let reason = match failure.fault.is_limit(system) {
            true => what,
            false => format!("the model has no meaning there: RUN001 {what}"),
        };
        Verdict::settled(Cause::NoMeaning, reason, settled)
    }

    /// Whether nothing is decided.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Verdict::Unknown(_))
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
