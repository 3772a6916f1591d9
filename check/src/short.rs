//! Short runs by a solver where there is no bound: what goes wrong soon is found even where neither states nor diagrams come to an
//! end. Nothing follows from finding nothing.

use super::options::Options;
use super::portfolio::Task;
use super::solvers::{Solvers, with_solvers};
use bounded::{Race, Sweep, Workers, can_be_asked, is_temporal, race_within, unsupported};
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
    let has_lassos = task.properties.iter().any(|property| is_temporal(task.machine.system(), *property));
    let looked = with_solvers(&options, |solvers| match has_lassos {
        true => look_for_lassos(task, solvers, reach, &mut handle),
        false => look(task, solvers, reach, &mut handle),
    });
    let mut found = match looked {
        Ok(found) => Findings { engine: ENGINE, ..found },
        // What cannot be unrolled is not looked at.
        Err(Trouble::Usage(_)) => return Ok(Findings::new(ENGINE)),
        Err(trouble) => return Err(trouble),
    };
    if let Some(why) = handle.why() {
        found.conclude(task.properties, &Verdict::ended(why, found.settled));
    }
    Ok(found)
}

/// Looks at one bound after the other.
fn look(task: Task<'_>, solvers: Solvers<'_>, reach: Reach, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let strategy = task.options.unrolling.plain;
    let sweep = Sweep::new(task.machine, task.properties, solvers.bound, strategy, solvers.start);
    let mut sweep = sweep.map_err(unsupported)?;
    while sweep.work().ticks <= reach.ticks && sweep.turn(Effort::Ticks(TURN), handle)?.is_none() {}
    Ok(sweep.found().clone())
}

/// The same, and beside it lassos are hunted by parallel steps.
fn look_for_lassos(
    Task { machine, properties, options }: Task<'_>,
    Solvers { bound, start, .. }: Solvers<'_>,
    reach: Reach,
    handle: &mut Handle<'_>,
) -> Result<Findings, Trouble> {
    let provers = vec![options.unrolling.plain];
    let workers = Workers { provers, scouts: Vec::new(), ..Workers::default() };
    let question = Race { machine, properties, bound, start, guest: None, tell: &|_| () };
    race_within(question, &workers, reach.ticks, handle)
}

/// What the search is called in reports.
const ENGINE: &str = "bmc";
