//! Running the engine that the command line names, and what it found in one form.

use super::{CheckArgs, Engine, UsageError, terminal};
use crate::engine::{self, Mode, Reuse, bmc};
use crate::explicit::{self, Limits, Search};
use crate::report::Verdict;
use crate::sat::{External, Solver};
use encoder::Scheduling;
use std::ops::ControlFlow;
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
        Engine::Explicit => Ok(find_explicitly(machine, &searchable, args, &mut watch)),
        Engine::Bmc => find_by_bmc(machine, &searchable, args, &mut watch),
    }
}

/// Whether an engine can decide the property.
pub fn is_searchable(system: &System, property: PropertyId) -> bool {
    matches!(system.properties[property].claim, Claim::Invariant(_) | Claim::DeadlockFree)
}

/// Deadline, Ctrl-C and the progress line.
struct Watch {
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
    fn goes_on(&mut self, text: impl FnOnce(f64) -> String) -> bool {
        let elapsed = self.start.elapsed().as_secs_f64();
        self.line.update(|| text(elapsed));
        let is_late = self.deadline.is_some_and(|deadline| Instant::now() > deadline);
        !is_late && !self.interrupted.load(Ordering::Relaxed)
    }
}

fn find_explicitly(machine: &Machine, properties: &[PropertyId], args: &CheckArgs, watch: &mut Watch) -> Found {
    let limits = Limits { depth: args.bound.unwrap_or(usize::MAX), memory: args.memory.saturating_mul(1_000_000) };
    let jobs=std::env::var("JOBS").ok().and_then(|j|j.parse().ok()).unwrap_or(std::num::NonZeroUsize::MIN);
    let outcome = explicit::run(machine, properties, &explicit::Options{limits,jobs,..Default::default()}, |now| {
        let goes_on = watch.goes_on(|elapsed| {
            format!("depth {}, {} states, {:.0} a second", now.depth, now.states, now.states as f64 / elapsed.max(0.001))
        });
        if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    match outcome {
        Ok(result) => Found {
            otherwise: explicit_verdict(&result, args),
            violations: result.violations,
            fault: None,
            engine: "explicit",
            states: Some(result.states),
            deadlock: result.deadlock,
            has_initial_state: result.initial_states > 0,
        },
        Err(finding) => Found {
            violations: Vec::new(),
            fault: Some((finding.failure, finding.trace)),
            otherwise: Verdict::Unknown("the model has a fault".to_owned()),
            engine: "explicit",
            states: None,
            deadlock: None,
            has_initial_state: true,
        },
    }
}

fn explicit_verdict(result: &Search, args: &CheckArgs) -> Verdict {
    let within = format!("no violation within {} steps", result.depth);
    match result.stop {
        explicit::Stop::Complete | explicit::Stop::Decided => {
            Verdict::Holds(format!("all {} reachable states were visited", result.states))
        }
        explicit::Stop::Depth => Verdict::HoldsUpTo(args.bound.unwrap_or(result.depth)),
        explicit::Stop::Memory => Verdict::Unknown(format!("the memory limit was reached; {within}")),
        explicit::Stop::Interrupted => Verdict::Unknown(format!("interrupted or out of time; {within}")),
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
