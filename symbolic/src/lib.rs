//! Whole state spaces as decision diagrams.
//!
//! A [`Model`] has a relation for every command, over what the command reads and writes, without a frame; the reachable
//! states are their closure by saturation. On these sets, CTL is decided with justice as NuSMV decides it: path quantifiers
//! range over infinite runs that meet every justice constraint, and a formula holds if it holds in every initial state
//! from which there is such a run. LTL is decided on the product with an automaton, with compassion and past.
//!
//! What is found is shown as a run of the machine, and what cannot be modelled here is refused ([`Refusal`]): the engine then
//! decides nothing.
//!
//! # What is where
//!
//! ```text
//! order space           the order of variables (FORCE); states as bits
//! step translate        the conditions of a step, as the encoder's signals; from signals to diagrams
//! transition schedule   the relation of a command, or a conjunction; in which order its parts are conjoined
//! cone attempt kept      properties by their cones; several orders in turns, each with limits, whose models are kept
//! model                 reachable states
//! fair ctl quick        fair runs; the states that satisfy a formula of CTL; initial states that violate one
//! closure               closures that stay inside a set
//! linear/               LTL: an explicit automaton beside sets of states, fair cycles, lassos
//! paths run show/ check runs that show why; verdicts
//! watch                 who is told how far the work is
//! ```

mod attempt;
mod check;
mod closure;
mod compute;
mod cone;
mod ctl;
mod fair;
mod findings;
mod invariant;
mod kept;
mod linear;
mod model;
mod order;
mod paths;
mod quick;
mod run;
mod schedule;
mod show;
mod space;
mod step;
mod transition;
mod translate;
mod watch;

pub use attempt::Limits;
pub use check::count;
pub use findings::{check, check_showing};
pub use invariant::reachable_set;
pub use model::Model;

use diagrams::Exhausted;
use engine::Cause;
use limits::Ended;
use std::fmt;

/// Why a system is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// An initial value of an array element at an index that is computed.
    InitialElement,
    /// A command has two updates for a variable.
    WrittenTwice(String),
    /// A value of one sort is stored in a variable of another.
    MixedSorts,
    /// Something in the initial states may have no value.
    InitialFault,
    /// A fairness constraint may have no value.
    FairnessFault,
    /// A fairness constraint speaks of steps, and commands wait for a timeout.
    FairnessAndTimeout,
    /// Something may have no value in a reachable state, and no state was found where that is so.
    PossibleFault,
    /// The property may have no value in a reachable state.
    PropertyFault,
    /// The automaton of a formula cannot be made.
    Formula(String),
    /// Runs of programs that end are prolonged, and their atomic sections are single steps.
    Program,
    /// Fairness is about processes.
    FairProcesses,
    /// The property is no formula of CTL, no invariant and not about deadlocks.
    NotCtl,
    /// The invariant reads inputs or next values.
    SpeaksOfSteps,
    /// A set of states is too large for an expression, or has no such form.
    NoExpression,
    /// A path in the diagrams is no run of the machine: a bug of ours.
    NoRun,
    /// The property is violated, but the run that shows it is one of a part of the model.
    RunOfPart,
    /// There is no memory for a stack.
    NoStack,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::InitialElement => f.write_str("an array element has an initial value at a computed index"),
            Refusal::WrittenTwice(name) => write!(f, "a command writes {name} twice"),
            Refusal::InitialFault => f.write_str("something in the initial states may have no value"),
            Refusal::FairnessFault => f.write_str("a fairness constraint may have no value"),
            Refusal::FairnessAndTimeout => {
                f.write_str("a fairness constraint speaks of steps in a model that waits for timeouts")
            }
            Refusal::PossibleFault => f.write_str("something may have no value in a reachable state"),
            Refusal::PropertyFault => f.write_str("the property may have no value in a reachable state"),
            Refusal::Formula(why) => f.write_str(why),
            Refusal::Program => f.write_str("decision diagrams have no infinite runs of programs that end"),
            Refusal::FairProcesses => f.write_str("fairness of processes is not part of the decision diagrams"),
            Refusal::NotCtl => f.write_str("this is no property that decision diagrams decide"),
            Refusal::SpeaksOfSteps => f.write_str("the invariant speaks of steps, not of states"),
            Refusal::NoExpression => f.write_str("the set of states is too large to be written down"),
            Refusal::NoRun => f.write_str("what the diagrams say is no run of the machine; please report this"),
            Refusal::RunOfPart => {
                f.write_str("it is violated, but the run that shows it was found in a part of the model only")
            }
            Refusal::NoStack => f.write_str("there is no memory for a stack"),
            Refusal::MixedSorts => f.write_str("a variable is given a value of another sort"),
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The system is not one that diagrams are made for.
    Refused(Refusal),
    /// The budget is used up, or time is out.
    Stopped(Exhausted),
}

impl Trouble {
    /// The same in the terms of all engines.
    fn cause(&self) -> Cause {
        match self {
            Trouble::Refused(Refusal::NoStack) | Trouble::Stopped(Exhausted::Nodes) => Cause::Memory,
            Trouble::Refused(_) => Cause::Refused,
            Trouble::Stopped(Exhausted::Effort) => Cause::Effort,
            Trouble::Stopped(Exhausted::Interrupted) => Cause::Ended(Ended::Interrupted),
        }
    }
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Trouble {
        Trouble::Refused(refusal)
    }
}

impl From<Exhausted> for Trouble {
    fn from(stop: Exhausted) -> Trouble {
        Trouble::Stopped(stop)
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Refused(refusal) => refusal.fmt(f),
            Trouble::Stopped(stop) => stop.fmt(f),
        }
    }
}
