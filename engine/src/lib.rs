//! What all engines have in common: how they are asked ([`Engine`]), what they find ([`Findings`], with a [`Verdict`] for each
//! property), why they stop ([`Stop`]), and at what cost ([`Cost`]).

mod at_once;
mod cost;
mod explanation;
mod findings;
mod stop;
mod trouble;
mod verdict;

pub use at_once::AtOnce;
pub use cost::{Cost, FormulaReport, Point, Replacement, Round};
pub use explanation::{Branch, Explanation, Grounds, Reason, Role, Witnesses};
pub use findings::{Findings, Oddity};
pub use stop::Stop;
pub use trouble::Trouble;
pub use verdict::{Cause, Undecided, Verdict};

use limits::{Effort, Handle, Progress, Work};
use system::PropertyId;
pub use system::Truth;

/// Something that works on properties bit by bit, so that several can take turns.
pub trait Engine {
    /// Works for a while, with about this much effort; says why, if that was the end. An engine that cannot pause works until
    /// the end. The handle says when work has to end.
    fn turn(&mut self, effort: Effort, handle: &mut Handle<'_>) -> Result<Option<Stop>, Trouble>;

    /// What has been found so far. Counterexamples need not have been replayed.
    fn found(&self) -> &Findings;

    /// Stops looking at a property that another engine has decided.
    fn forget(&mut self, _: PropertyId) {}

    /// How much has been done. Where a solver does not count, a query is a tick.
    fn work(&self) -> Work {
        Work::default()
    }

    /// How far the work is, if that can be told between two turns.
    fn progress(&self) -> Option<Progress> {
        None
    }
}

/// Lets an engine work alone until the end.
pub fn run(engine: &mut dyn Engine, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    run_telling(engine, handle, &|_| ())
}

/// The same; what is found is told after each turn.
pub fn run_telling(
    engine: &mut dyn Engine,
    handle: &mut Handle<'_>,
    tell: &dyn Fn(&Findings),
) -> Result<Findings, Trouble> {
    let stop = loop {
        if engine.progress().is_some_and(|now| handle.see(now).is_break()) {
            break Stop::Interrupted;
        }
        let end = engine.turn(Effort::Unlimited, handle)?;
        tell(engine.found());
        if let Some(stop) = end {
            break stop;
        }
    };
    let mut found = engine.found().clone();
    found.stop = stop;
    found.cost.conflicts = engine.work().conflicts;
    Ok(found)
}
