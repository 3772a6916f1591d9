//! Running the engine that the command line names, and what it found in one form.

use super::watch::Watch;
use super::{CheckArgs, Engine, UsageError, bounded, explicit};
use crate::engine::can_be_asked;
use crate::report::{FormulaReport, RoundReport, Verdict};
use system::{Claim, Failure, Machine, ProcessId, PropertyId, System, Trace};

/// A run that looks wrong by a limit that the user set.
pub struct Oddity {
    /// What it is called.
    pub kind: &'static str,
    /// What a process does there.
    pub what: String,
    /// Which process.
    pub process: ProcessId,
    /// The run.
    pub trace: Trace,
}

/// What an engine found.
pub struct Found {
    /// Violated properties with their counterexamples.
    pub violations: Vec<(PropertyId, Trace)>,
    /// A run to where the model has no meaning.
    pub fault: Option<(Failure, Trace)>,
    /// What is known of the properties that are not violated.
    pub otherwise: Verdict,
    /// Runs that no property forbids, but that look wrong.
    pub oddities: Vec<Oddity>,
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
    /// What the formulas were and took, from engines that unroll.
    pub formulas: Option<FormulaReport>,
}

/// Runs the engine.
pub fn find(
    machine: &Machine,
    wanted: &[PropertyId],
    args: &CheckArgs,
    watch: &mut Watch,
) -> Result<Found, UsageError> {
    let searchable = searchable(machine, wanted);
    match engine(machine, wanted, args) {
        Engine::Explicit => explicit::find(machine, &searchable, args, watch),
        Engine::Stateless => explicit::find_stateless(machine, &searchable, args, watch),
        engine @ (Engine::Auto | Engine::Uw | Engine::Bmc) => bounded::find(machine, &searchable, args, engine, watch),
    }
}

/// The engine that is to run: where there is no bound, or a formula cannot say what is asked, states are all there is.
pub fn engine(machine: &Machine, wanted: &[PropertyId], args: &CheckArgs) -> Engine {
    let can_unroll = || searchable(machine, wanted).iter().all(|property| can_be_asked(machine, *property));
    match args.engine() {
        Engine::Auto if args.bound.is_none() || !can_unroll() => Engine::Explicit,
        engine => engine,
    }
}

fn searchable(machine: &Machine, wanted: &[PropertyId]) -> Vec<PropertyId> {
    wanted.iter().copied().filter(|property| is_searchable(machine.system(), *property)).collect()
}

/// Whether an engine can decide the property.
pub fn is_searchable(system: &System, property: PropertyId) -> bool {
    matches!(system.properties[property].claim, Claim::Invariant(_) | Claim::DeadlockFree)
}
