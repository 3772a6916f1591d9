//! Running the engine that the command line names, and what it found in one form.

use super::{CheckArgs, Engine, UsageError, explicit, terminal};
use crate::engine::{self, Mode, Reuse, bmc};
use crate::report::Verdict;
use crate::sat::{External, Solver};
use encoder::Scheduling;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use system::{Claim, Failure, Machine, PropertyId, System, Trace};

/// What an engine found.
pub struct Found {
    /// Violated properties with their counterexamples.
    pub violations: Vec<(PropertyId, Trace)>,
    /// A run to where the model has no meaning.
    pub fault: Option<(Failure, Trace)>,
    /// What is known of the properties that are not violated.
    pub otherwise: Verdict,
    /// The engine's name.
    pub engine: &'static str,
    /// How many states were visited, if the engine visits states.
    pub states: Option<usize>,
    /// The depth of the first state without successors, if the engine looks for it.
    pub deadlock: Option<usize>,
    /// Whether the model has an initial state, as far as is known.
    pub has_initial_state: bool,
}

/// Runs the engine.
pub fn find(machine: &Machine, wanted: &[PropertyId], args: &CheckArgs) -> Result<Found, UsageError> {
    let engine = args.engine.unwrap_or(if args.bound.is_some() { Engine::Bmc } else { Engine::Explicit });
    let searchable: Vec<PropertyId> =
        wanted.iter().copied().filter(|property| is_searchable(machine.system(), *property)).collect();
    let mut watch = Watch::start(args.timeout);
    match engine {
        Engine::Explicit => explicit::find(machine, &searchable, args, &mut watch),
        Engine::Stateless => explicit::find_stateless(machine, &searchable, args, &mut watch),
        Engine::Auto => match explicit::find_shortly(machine, &searchable, args, &mut watch)? {
            Some(found) => Ok(found),
            None => find_by_bmc(machine, &searchable, args, &mut watch),
        },
        Engine::Bmc => find_by_bmc(machine, &searchable, args, &mut watch),
    }
}

/// Whether an engine can decide the property.
pub fn is_searchable(system: &System, property: PropertyId) -> bool {
    matches!(system.properties[property].claim, Claim::Invariant(_) | Claim::DeadlockFree)
}

/// Deadline, Ctrl-C and the progress line.
pub struct Watch {
    start: Instant,
    deadline: Option<Instant>,
    interrupted: Arc<AtomicBool>,
    line: terminal::ProgressLine,
}

impl Watch {
    fn start(timeout: Option<f64>) -> Watch {
        let start = Instant::now();
        let interrupted = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&interrupted);
        // A second handler in one process is refused; the first one then does the work.
        let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
        let deadline = timeout.map(|seconds| start + Duration::from_secs_f64(seconds.clamp(0.0, 1e9)));
        Watch { start, deadline, interrupted, line: terminal::ProgressLine::new() }
    }

    /// Shows how far the run is; false if it has to end.
    pub fn goes_on(&mut self, text: impl FnOnce(f64) -> String) -> bool {
        let elapsed = self.start.elapsed().as_secs_f64();
        self.line.update(|| text(elapsed));
        let is_late = self.deadline.is_some_and(|deadline| Instant::now() > deadline);
        !is_late && !self.interrupted.load(Ordering::Relaxed)
    }
}

fn find_by_bmc(
    machine: &Machine,
    properties: &[PropertyId],
    args: &CheckArgs,
    watch: &mut Watch,
) -> Result<Found, UsageError> {
    let Some(bound) = args.bound else {
        return Err(UsageError("bounded model checking needs a bound: add --k N".to_owned()));
    };
    let asks_deadlock =
        properties.iter().any(|id| matches!(machine.system().properties[*id].claim, Claim::DeadlockFree));
    if asks_deadlock && !encoder::decides_deadlock(machine.system()) {
        let why = "this model's TRANS, INVAR or inputs decide who can move";
        return Err(UsageError(format!("{why}: look for deadlocks with --engine explicit")));
    }
    let mode = Mode {
        reuse: if args.fresh { Reuse::Fresh } else { Reuse::Incremental },
        scheduling: if args.por { Scheduling::Peephole } else { Scheduling::Free },
    };
    let folder = std::env::temp_dir().join(format!("uwbmc-solver-{}", std::process::id()));
    let start = || -> Box<dyn Solver> {
        match &args.solver_cmd {
            Some(command) => Box::new(External::new(command.clone(), folder.clone())),
            None => args.solver.start(),
        }
    };
    let result = bmc(machine, properties, bound, &start, mode, |depth| {
        watch.goes_on(|elapsed| format!("bound {depth} of {bound}, {elapsed:.0} seconds"))
    });
    if args.solver_cmd.is_some() {
        let _ = std::fs::remove_dir_all(&folder);
    }
    let result = result.map_err(|unsupported| {
        UsageError(format!("bounded model checking does not support {}; try --engine explicit", unsupported.0))
    })?;
    if let Some(failure) = &result.failure {
        return Err(UsageError(format!("the solver failed: {failure}")));
    }
    Ok(Found {
        otherwise: bounded_verdict(&result),
        has_initial_state: !(result.stop == engine::Stop::NoLongerRuns && result.bound.is_none()),
        violations: result.violations,
        fault: result.fault,
        engine: "bmc",
        states: None,
        deadlock: None,
    })
}

fn bounded_verdict(result: &engine::Bounded) -> Verdict {
    match (result.stop, result.bound) {
        (engine::Stop::Bound | engine::Stop::Decided, Some(bound)) => Verdict::HoldsUpTo(bound),
        (engine::Stop::NoLongerRuns, Some(bound)) => Verdict::Holds(format!("no run has more than {bound} steps")),
        (engine::Stop::Interrupted, Some(bound)) => {
            Verdict::Unknown(format!("interrupted or out of time; no violation within {bound} steps"))
        }
        (_, None) => Verdict::Unknown("interrupted or out of time".to_owned()),
    }
}
