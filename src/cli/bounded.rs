//! Running the engines that unroll: `--engine uw` and `--engine bmc`.

use super::find::Found;
use super::meter::{Beside, Meter};
use super::watch::Watch;
use super::{CheckArgs, Engine, Extra, Ingredient, UsageError, Widening};
use crate::engine::{
    self, Bounded, Jobs, Point, Race, Reuse, Round, Strategy, Stride, Sweep, Workers, can_be_asked, race, run,
};
use crate::observer::{Bounds, Observer, Progress};
use crate::report::{RoundReport, Verdict};
use crate::sat::{External, Phase, Setup, Solver};
use encoder::{Order, Scheduling, Unsupported};
use std::path::PathBuf;
use std::sync::Arc;
use system::{Apart, Machine, PropertyId, Slice, System};

/// Runs the engine that the arguments ask for.
pub fn find(
    machine: &Machine,
    properties: &[PropertyId],
    args: &CheckArgs,
    engine: Engine,
    watch: &mut Watch,
) -> Result<Found, UsageError> {
    let Some(bound) = args.bound else {
        return Err(UsageError("bounded model checking needs a bound: add --k N".to_owned()));
    };
    if let Some(property) = properties.iter().find(|property| !can_be_asked(machine, **property)) {
        let name = &machine.system().properties[*property].name;
        let why = "this model's TRANS, INVAR or inputs decide who can move";
        return Err(UsageError(format!("{name}: {why}: look for deadlocks with --engine explicit")));
    }
    let folder = std::env::temp_dir().join(format!("uwbmc-solver-{}", std::process::id()));
    let meter = Arc::new(Meter::default());
    let start = starter(args, folder.clone(), Arc::clone(&meter));
    let question = Race { machine, properties, bound, start: &start };
    watch.limit_memory(args.memory as u64 * 1_000_000);
    let result = search_cone(question, engine, args, &meter, watch);
    if args.solver_cmd.is_some() {
        let _ = std::fs::remove_dir_all(&folder);
    }
    let (result, slice) = result?;
    let is_alone = engine != Engine::Auto && (engine == Engine::Bmc || jobs(args) == Jobs::One);
    let beside = if is_alone { Beside::Nothing } else { Beside::Something };
    let why = watch.why().unwrap_or("interrupted");
    let is_empty = result.stop == engine::Stop::NoLongerRuns && result.bound.is_none() && !args.exact;
    let name = match engine {
        Engine::Bmc => "bmc",
        _ if result.states.is_some() => "explicit",
        _ if result.walks.is_some() => "walk",
        _ => "uw",
    };
    Ok(Found {
        otherwise: if args.exact { exact_verdict(&result, bound, why) } else { verdict(&result, slice.is_some(), why) },
        has_initial_state: !is_empty && result.states != Some(0),
        violations: result.violations,
        fault: result.fault,
        engine: name,
        states: result.states,
        deadlock: None,
        oddities: Vec::new(),
        rounds: result.rounds.iter().map(|round| report(machine.system(), round)).collect(),
        points: result.points,
        formulas: Some(meter.read(u64::from(machine.system().state_bits()), beside)),
    })
}

/// Searches the cone of influence only, if that is smaller, and tells what was found there in the whole system. Relations
/// elsewhere are left out at first; if a counterexample then turns out to be none of the whole model, they are part of it.
fn search_cone(
    question: Race<'_>,
    engine: Engine,
    args: &CheckArgs,
    meter: &Meter,
    watch: &mut Watch,
) -> Result<(Bounded, Option<Slice>), UsageError> {
    let (system, bound) = (question.machine.system(), question.bound);
    let mut stop = |seen: &Bounded| watch.see(&Progress::Bounds(bounds(seen, bound))).is_break();
    let mut search = |machine: &Machine| {
        let race = Race { machine, ..question };
        let result = meter.search(|| search(race, engine, args, &mut stop)).map_err(|unsupported| {
            UsageError(format!("bounded model checking does not support {}; try --engine explicit", unsupported.0))
        })?;
        match &result.failure {
            Some(failure) => Err(UsageError(format!("the solver failed: {failure}"))),
            None => Ok(result),
        }
    };
    for apart in [Apart::LeftOut, Apart::Kept] {
        let slice = Slice::new(system, question.properties, apart);
        let Some(slice) = slice.filter(|_| !args.without.contains(&Ingredient::Cone)) else {
            return Ok((search(question.machine)?, None));
        };
        let found = search(&Machine::new(Arc::new(slice.system.clone())))?;
        match lifted(system, &slice, found) {
            Some(result) => return Ok((result, Some(slice))),
            None if slice.apart() == Apart::LeftOut => {}
            None => break,
        }
    }
    let what = "this is a bug in uwbmc, please report it with the model";
    Err(UsageError(format!("{what}: a counterexample of the cone of influence is none of the whole model")))
}

/// What was found in a slice, in the whole system.
fn lifted(system: &System, slice: &Slice, mut result: Bounded) -> Option<Bounded> {
    let fault = result.fault.as_mut().map(|(_, trace)| trace);
    for trace in result.violations.iter_mut().map(|(_, trace)| trace).chain(fault) {
        if !trace.states.is_empty() {
            *trace = slice.lift(system, trace)?;
        }
    }
    Some(result)
}

/// A round, with the names of its control points.
fn report(system: &System, round: &Round) -> RoundReport {
    let name = |at: &Point| {
        let process = &system.processes[at.process];
        format!("{}@{}", process.name, process.points[at.point].name)
    };
    let names = |points: &[Point]| points.iter().map(name).collect();
    let (blamed, widened) = (names(&round.blamed), names(&round.widened));
    RoundReport { bound: round.bound, restricted: round.restricted, blamed, widened }
}

/// Makes the solvers that the arguments name.
fn starter(args: &CheckArgs, folder: PathBuf, meter: Arc<Meter>) -> impl Fn(Phase) -> Box<dyn Solver> + Sync {
    let (command, choice, seed) = (args.solver_cmd.clone(), args.solver(), args.seed);
    move |phase| {
        meter.attach(match &command {
            Some(command) => Box::new(External::new(command.clone(), folder.clone())),
            None => choice.start(Setup { phase, seed }),
        })
    }
}

fn jobs(args: &CheckArgs) -> Jobs {
    if args.jobs.is_some_and(|jobs| jobs.get() > 1) { Jobs::Two } else { Jobs::One }
}

fn search(
    question: Race<'_>,
    engine: Engine,
    args: &CheckArgs,
    stop: &mut dyn FnMut(&Bounded) -> bool,
) -> Result<Bounded, Unsupported> {
    let Race { machine, properties, bound, start } = question;
    if matches!(engine, Engine::Auto | Engine::Uw) && args.widening == Widening::Incremental && !args.exact {
        // Half of the memory is left to the solvers.
        let visits = (engine == Engine::Auto).then(|| args.memory.saturating_mul(1_000_000) / 2);
        let walks = (engine == Engine::Auto).then_some(u64::from(args.seed));
        let workers = Workers { visits, walks, ..workers(&args.with, &args.without) };
        return race(question, &workers, jobs(args), stop);
    }
    let mut strategy = match engine {
        Engine::Bmc if args.por => Strategy::pruned(),
        Engine::Bmc => Strategy::plain(),
        _ if args.widening == Widening::Paper => Strategy::paper(),
        _ => workers(&args.with, &args.without).provers[0],
    };
    if args.without.contains(&Ingredient::Distances) {
        strategy.rules.distances = encoder::Distances::Unlimited;
    }
    if args.fresh {
        strategy.reuse = Reuse::Fresh;
    }
    let sweep = if args.exact {
        // The paper's runs have exactly so many steps, and those that change nothing are steps.
        strategy.rules.idling = encoder::Idling::Allowed;
        Sweep::exactly(machine, properties, bound, strategy, start)?
    } else {
        Sweep::new(machine, properties, bound, strategy, start)?
    };
    Ok(run(sweep, stop))
}

/// Who takes part by default, and who and what is left out.
pub fn workers(with: &[Extra], without: &[Ingredient]) -> Workers {
    let has = |ingredient| !without.contains(&ingredient);
    let mut prover = if has(Ingredient::Switches) { Strategy::widening() } else { Strategy::pruned() };
    if !has(Ingredient::Scheduling) {
        prover.rules.scheduling = Scheduling::Free;
    }
    if !has(Ingredient::Idling) {
        prover.rules.idling = encoder::Idling::Allowed;
    }
    if !has(Ingredient::Monotone) && has(Ingredient::Switches) {
        prover.rules.valid = encoder::Valid::Paper;
    }
    if !has(Ingredient::Together) {
        prover.widen = engine::Widen::One;
    }
    if !has(Ingredient::Carry) {
        prover.carry = engine::Carry::Restart;
    }
    if with.contains(&Extra::Minimise) {
        prover.minimise = engine::Minimise::Within(MINIMISE_WITHIN);
    }
    if !has(Ingredient::Incremental) {
        prover.reuse = Reuse::Fresh;
    }
    let mut provers = vec![prover];
    if has(Ingredient::Plain) {
        // Those who take turns are compared by the bounds that they settle, one after the other.
        provers.push(Strategy { stride: Stride::One, ..Strategy::plain() });
    }
    if !has(Ingredient::Distances) {
        provers.iter_mut().for_each(|prover| prover.rules.distances = encoder::Distances::Unlimited);
    }
    let orders = [Order::RoundRobin, Order::Rotating, Order::RunOn];
    let scouts = if has(Ingredient::Orders) { orders.map(Strategy::scout).to_vec() } else { Vec::new() };
    Workers { provers, hunts: has(Ingredient::Passes), visits: None, walks: None, scouts }
}

/// The conflicts that leaving out one blamed point may cost.
const MINIMISE_WITHIN: i32 = 200;

/// How far an engine is.
pub fn bounds(seen: &Bounded, bound: usize) -> Bounds {
    Bounds {
        settled: seen.bound,
        bound,
        rounds: seen.rounds.len(),
        widened: seen.widened(),
        points: seen.points,
        conflicts: seen.conflicts,
    }
}

fn verdict(result: &Bounded, is_sliced: bool, why: &str) -> Verdict {
    match (result.stop, result.bound) {
        (engine::Stop::AllStates, _) => {
            let states = result.states.unwrap_or(0);
            let which = if is_sliced { "states that differ in what matters" } else { "reachable states" };
            Verdict::Holds(format!("all {states} {which} were visited"))
        }
        (engine::Stop::Bound | engine::Stop::Decided, Some(bound)) => Verdict::HoldsUpTo(bound),
        (engine::Stop::NoLongerRuns, Some(bound)) => {
            Verdict::Holds(format!("no run has more than {bound} steps that change the state"))
        }
        (engine::Stop::Interrupted, Some(bound)) => {
            Verdict::Unknown(format!("{why}; no violation within {bound} steps"))
        }
        (_, None) => Verdict::Unknown(why.to_owned()),
    }
}

/// Of a single bound, nothing follows for others.
fn exact_verdict(result: &Bounded, bound: usize, why: &str) -> Verdict {
    Verdict::Unknown(match result.stop {
        engine::Stop::Interrupted => why.to_owned(),
        engine::Stop::NoLongerRuns => format!("there is no run of exactly {bound} steps"),
        _ => format!("no violation after exactly {bound} steps; runs of other lengths were not looked at"),
    })
}
