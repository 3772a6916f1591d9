//! Running the engine that the command line names, and what it found in one form.

use super::{CheckArgs, Engine, UsageError, bounded, explicit, terminal};
use crate::report::{RoundReport, Verdict};
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
    /// The rounds of underapproximation-widening, from engines that have them.
    pub rounds: Vec<RoundReport>,
    /// How many control points can be restricted.
    pub points: usize,
}

/// Runs the engine.
pub fn find(machine: &Machine, wanted: &[PropertyId], args: &CheckArgs) -> Result<Found, UsageError> {
    let engine = args.engine.unwrap_or(if args.bound.is_some() { Engine::Uw } else { Engine::Explicit });
    let searchable: Vec<PropertyId> =
        wanted.iter().copied().filter(|property| is_searchable(machine.system(), *property)).collect();
    let mut watch = Watch::start(args.timeout);
    match engine {
        Engine::Explicit => explicit::find(machine, &searchable, args, &mut watch),
        Engine::Stateless => explicit::find_stateless(machine, &searchable, args, &mut watch),
        Engine::Auto => match explicit::find_shortly(machine, &searchable, args, &mut watch)? {
            Some(found) => Ok(found),
            None => bounded::find(machine, &searchable, args, Engine::Uw, &mut watch),
        },
        Engine::Uw | Engine::Bmc => bounded::find(machine, &searchable, args, engine, &mut watch),
    }
}

/// Whether an engine can decide the property.
pub fn is_searchable(system: &System, property: PropertyId) -> bool {
    matches!(system.properties[property].claim, Claim::Invariant(_) | Claim::DeadlockFree)
}

/// Deadline, Ctrl-C, memory and the progress line.
pub struct Watch {
    start: Instant,
    deadline: Option<Instant>,
    interrupted: Arc<AtomicBool>,
    /// The most bytes that the process may take, if that is watched.
    memory: Option<u64>,
    line: terminal::ProgressLine,
    /// Why the run has to end.
    why: &'static str,
}

impl Watch {
    pub fn start(timeout: Option<f64>) -> Watch {
        let start = Instant::now();
        let interrupted = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&interrupted);
        // A second handler in one process is refused; the first one then does the work.
        let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
        let deadline = timeout.map(|seconds| start + Duration::from_secs_f64(seconds.clamp(0.0, 1e9)));
        let line = terminal::ProgressLine::new();
        Watch { start, deadline, interrupted, memory: None, line, why: "interrupted" }
    }

    /// From now on the run also has to end when the process takes more than this; where nobody knows, it goes on.
    pub fn limit_memory(&mut self, bytes: u64) {
        self.memory = Some(bytes);
    }

    /// Why the run had to end.
    pub fn why(&self) -> &'static str {
        self.why
    }

    /// Shows how far the run is; false if it has to end.
    pub fn goes_on(&mut self, text: impl FnOnce(f64) -> String) -> bool {
        let elapsed = self.start.elapsed().as_secs_f64();
        self.line.update(|| text(elapsed));
        let is_late = self.deadline.is_some_and(|deadline| Instant::now() > deadline);
        let is_large = self.memory.is_some_and(|most| resident().is_some_and(|bytes| bytes > most));
        self.why = match (is_late, is_large) {
            (true, _) => "out of time",
            (false, true) => "out of memory",
            (false, false) => "interrupted",
        };
        !is_late && !is_large && !self.interrupted.load(Ordering::Relaxed)
    }
}

/// The memory that this process takes, as Linux tells.
fn resident() -> Option<u64> {
    /// The size of a page on the machines that we know; a larger one only makes the limit looser.
    const PAGE: u64 = 4096;
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(text.split_whitespace().nth(1)?.parse::<u64>().ok()? * PAGE)
}
