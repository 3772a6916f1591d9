//! Short runs by a solver where there is no bound: what goes wrong soon is found even where neither states nor diagrams come to an
//! end. Nothing follows from finding nothing.

use super::options::Options;
use super::portfolio::Task;
use super::solvers::{Solvers, with_solvers};
use bounded::{Sweep, can_be_asked};
use engine::{Engine, Findings, Trouble, Verdict};
use limits::{Effort, Handle, Patience};
use system::{Machine, PropertyId};

/// How far runs are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// At most this many steps.
    pub steps: usize,
    /// At most about this much work of the solver, in ticks.
    pub ticks: u64,
}

/// The work of one turn.
const TURN: i32 = 4_000_000;

/// Whether a formula can say that a property is violated.
pub fn decides(machine: &Machine, property: PropertyId) -> bool {
    can_be_asked(machine, property)
}

/// Looks for violations within reach. Only of those that are found, or if the run has to end, something is said.
pub fn search(task: Task<'_>, reach: Reach, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let mut handle = handle.patient(Patience::default());
    handle.limit_memory();
    let options = Options { bound: Some(reach.steps), ..task.options.clone() };
    with_solvers(&options, |Solvers { bound, start, .. }| {
        let strategy = options.unrolling.plain;
        let Ok(mut sweep) = Sweep::new(task.machine, task.properties, bound, strategy, start) else {
            return Ok(Findings::new(ENGINE));
        };
        while sweep.work().ticks <= reach.ticks && sweep.turn(Effort::Ticks(TURN), &mut handle)?.is_none() {}
        let mut found = Findings { engine: ENGINE, ..sweep.found().clone() };
        if let Some(why) = handle.why() {
            found.conclude(task.properties, &Verdict::ended(why, found.settled));
        }
        Ok(found)
    })
}

/// What the search is called in reports.
const ENGINE: &str = "bmc";
