//! The engines that unroll: underapproximation-widening, plain bounded model checking, and the race of the default.

use super::cone;
use super::diagrams;
use super::herald::Herald;
use super::meter::{Beside, Meter};
use super::options::{Choice, Options, Procedure, Runs};
use super::portfolio::Task;
use super::solvers::{Solvers, with_solvers};
use bounded::{Jobs, Lengths, Race, Sweep, Workers, Zeal, can_be_asked, progress, race, unsupported};
use encoder::Idling;
use engine::{Cause, Findings, Stop, Trouble, Verdict};
use limits::{Ended, Handle};

/// Searches by the engine that the options name: plain bounded model checking, widening, or the race.
pub fn search(task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let Task { machine, properties, options } = task;
    if let Some(property) = properties.iter().find(|property| !can_be_asked(machine, **property)) {
        let name = &machine.system().properties[*property].name;
        let why = "this model's TRANS, INVAR or inputs decide who can move";
        return Err(Trouble::Usage(format!("{name}: {why}: look for deadlocks with --engine explicit")));
    }
    handle.limit_memory();
    with_solvers(options, |Solvers { bound, start, meter }| {
        let guest = diagrams::guest(machine, options);
        let question = Race { machine, properties, bound, start, guest, tell: &|_| () };
        let (mut found, part) = search_cone(task, question, meter, handle)?;
        // How far it came in the end; that it has to end makes no difference any more.
        let _ = handle.see(progress(&found, found.cost.conflicts, bound));
        let is_alone =
            matches!(options.engine, Choice::Plain) || options.engine == Choice::Widening && jobs(options) == Jobs::One;
        let beside = if is_alone { Beside::Nothing } else { Beside::Something };
        found.cost.formulas = Some(meter.read(u64::from(machine.system().state_bits()), beside));
        Ok(conclude(task, found, part, handle))
    })
}

/// Which part of a system was looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// What matters to the properties.
    Cone,
}

/// What is known of each property in the end.
fn conclude(task: Task<'_>, mut found: Findings, part: Part, handle: &Handle<'_>) -> Findings {
    let Task { machine, properties, options } = task;
    let why = handle.why().unwrap_or(Ended::Interrupted);
    let otherwise = match (&found.fault, options.unrolling.runs, options.bound) {
        (Some((failure, _)), ..) => Verdict::no_meaning(machine.system(), *failure, found.settled),
        (None, Runs::Exactly, Some(bound)) => exact_verdict(&found, bound, why),
        _ => verdict(&found, part, why),
    };
    let is_empty = found.stop == Stop::NoLongerRuns && found.settled.is_none() && options.unrolling.runs == Runs::UpTo;
    found.has_initial_state = !is_empty && found.cost.states != Some(0);
    if options.engine == Choice::Plain {
        found.engine = "bmc";
    }
    found.conclude(properties, &otherwise);
    found
}

/// Searches the cone of influence only, if that is smaller, and tells what was found there in the whole system.
fn search_cone(
    task: Task<'_>,
    question: Race<'_>,
    meter: &Meter,
    handle: &mut Handle<'_>,
) -> Result<(Findings, Part), Trouble> {
    let mut search = |task: Task<'_>, herald: &Herald<'_>| {
        let question = Race { machine: task.machine, tell: &|found| herald.tell(found), ..question };
        meter.search(|| search_whole(question, task.options, handle))
    };
    match cone::search(task, &mut search)? {
        Some(found) => Ok((found, Part::Cone)),
        None => Ok((search(task, &Herald::new(task.machine, None, task.options))?, Part::Whole)),
    }
}

fn search_whole(question: Race<'_>, options: &Options, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let Race { machine, properties, bound, start, tell, .. } = question;
    let runs = options.unrolling.runs;
    let mut strategy = match (&options.unrolling.widening, options.engine) {
        (_, Choice::Plain) => options.unrolling.plain,
        (Procedure::Team(workers), choice) if runs == Runs::UpTo => {
            // Half of the memory is left to the solvers.
            let visits = (choice == Choice::Auto).then_some(options.memory / 2);
            let walks = (choice == Choice::Auto).then_some(u64::from(options.seed));
            let zeal = if choice == Choice::Auto { Zeal::Eager } else { workers.zeal };
            let workers = Workers { visits, walks, zeal, ..workers.clone() };
            return race(question, &workers, jobs(options), handle);
        }
        (Procedure::Team(workers), _) => workers.provers[0],
        (Procedure::Alone(strategy), _) => *strategy,
    };
    let lengths = match runs {
        Runs::UpTo => Lengths::UpTo(bound),
        Runs::Exactly => {
            // The paper's runs have exactly this many steps, and those that change nothing are steps.
            strategy.rules.idling = Idling::Allowed;
            Lengths::Exactly(bound)
        }
    };
    let sweep = Sweep::new(machine, properties, lengths, strategy, start);
    engine::run_telling(&mut sweep.map_err(unsupported)?, handle, tell)
}

/// How many engines work at the same time.
pub fn jobs(options: &Options) -> Jobs {
    if options.jobs.is_some_and(|jobs| jobs.get() > 1) { Jobs::Two } else { Jobs::One }
}

/// What is known of a property that is not violated as far as an engine that unrolls came.
pub fn verdict(found: &Findings, part: Part, why: Ended) -> Verdict {
    match (found.stop, found.settled) {
        (Stop::Complete, _) => {
            let states = found.states();
            if !found.cost.interchangeable.is_empty() {
                return Verdict::Holds(format!("{states} states represent all reachable ones"));
            }
            let which = match part {
                Part::Whole => "reachable states",
                Part::Cone => "states that differ in what matters",
            };
            Verdict::Holds(format!("all {states} {which} were visited"))
        }
        (Stop::Bound | Stop::Decided, Some(bound)) => Verdict::HoldsUpTo(bound),
        (Stop::NoLongerRuns, Some(bound)) => {
            Verdict::Holds(format!("no run has more than {bound} steps that change the state"))
        }
        (Stop::Interrupted | Stop::Memory | Stop::Refused, settled) | (_, settled @ None) => {
            Verdict::ended(why, settled)
        }
    }
}

/// Of a single bound, nothing follows for others.
fn exact_verdict(found: &Findings, bound: usize, why: Ended) -> Verdict {
    let reason = match found.stop {
        Stop::Interrupted => return Verdict::ended(why, None),
        Stop::NoLongerRuns => format!("there is no run of exactly {bound} steps"),
        _ => format!("no violation after exactly {bound} steps; runs of other lengths were not looked at"),
    };
    Verdict::unknown(Cause::CutOff, reason)
}
