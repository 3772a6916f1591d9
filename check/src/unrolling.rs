//! The engines that unroll: underapproximation-widening, plain bounded model checking, and the race of the default.

use super::confirm::confirm;
use super::effort::{Effort, RoundReport};
use super::engine::{Engine, Task, is_invariant};
use super::fault;
use super::findings::Findings;
use super::handle::Handle;
use super::meter::{Beside, Meter};
use super::options::{Choice, Cone, Options, Procedure, Runs};
use super::report::Checked;
use super::solvers::{Solvers, with_solvers};
use super::verdict::Verdict;
use crate::error::Error;
use bounded::{Bounded, Jobs, Point, Race, Round, Sweep, Workers, can_be_asked, race, run};
use encoder::{Idling, Unsupported};
use limits::{Bounds, Progress};
use std::sync::Arc;
use system::{Apart, Machine, PropertyId, Slice, System, Trace};

/// One of the engines that unroll.
pub struct Unroller(pub Choice);

impl Engine for Unroller {
    fn name(&self) -> &'static str {
        if self.0 == Choice::Plain { "bmc" } else { "uw" }
    }

    fn decides(&self, machine: &Machine, property: PropertyId) -> bool {
        is_invariant(machine, property)
    }

    fn run(&self, task: &Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Error> {
        let Task { machine, properties, options } = *task;
        if let Some(property) = properties.iter().find(|property| !can_be_asked(machine, **property)) {
            let name = &machine.system().properties[*property].name;
            let why = "this model's TRANS, INVAR or inputs decide who can move";
            return Err(Error::Usage(format!("{name}: {why}: look for deadlocks with --engine explicit")));
        }
        handle.limit_memory(options.memory as u64);
        with_solvers(options, |Solvers { bound, start, meter }| {
            let question = Race { machine, properties, bound, start };
            let (result, slice) = self.search_cone(question, options, meter, handle)?;
            // How far it came in the end; that it has to end makes no difference any more.
            let _ = handle.see(&Progress::Bounds(bounds(&result, bound)));
            Ok(self.findings(task, result, slice.is_some(), meter, handle.why().unwrap_or("interrupted")))
        })
    }
}

impl Unroller {
    fn findings(&self, task: &Task<'_>, result: Bounded, is_sliced: bool, meter: &Meter, why: &str) -> Findings {
        let Task { machine, properties, options } = *task;
        let is_alone = self.0 == Choice::Plain || self.0 == Choice::Widening && jobs(options) == Jobs::One;
        let beside = if is_alone { Beside::Nothing } else { Beside::Something };
        let otherwise = match (&result.fault, options.unrolling.runs, options.bound) {
            (Some((failure, _)), ..) => Verdict::settled(fault::reason(machine.system(), *failure), result.bound),
            (None, Runs::Exactly, Some(bound)) => exact_verdict(&result, bound, why),
            _ => verdict(&result, is_sliced, why),
        };
        let is_empty = result.stop == bounded::Stop::NoLongerRuns
            && result.bound.is_none()
            && options.unrolling.runs == Runs::UpTo;
        let engine = match self.0 {
            Choice::Plain => "bmc",
            _ if result.states.is_some() => "explicit",
            _ if result.walks.is_some() => "walk",
            _ => "uw",
        };
        Findings {
            effort: effort(machine, &result, meter, beside),
            verdicts: Findings::decide(properties, result.violations, &otherwise),
            fault: result.fault,
            has_initial_state: !is_empty && result.states != Some(0),
            ..Findings::new(engine)
        }
    }

    /// Searches the cone of influence only, if that is smaller, and tells what was found there in the whole system.
    /// Relations elsewhere are left out at first; if a counterexample then turns out to be none of the whole model, they are
    /// part of it.
    fn search_cone(
        &self,
        question: Race<'_>,
        options: &Options,
        meter: &Meter,
        handle: &mut Handle<'_>,
    ) -> Result<(Bounded, Option<Slice>), Error> {
        let (system, bound) = (question.machine.system(), question.bound);
        let mut search = |machine: &Machine, slice: Option<&Slice>| {
            let race = Race { machine, ..question };
            let mut herald = Herald { machine: question.machine, slice, options, told: 0 };
            let mut stop = |seen: &Bounded| {
                herald.tell(&seen.violations);
                handle.see(&Progress::Bounds(bounds(seen, bound))).is_break()
            };
            let result = meter.search(|| self.search(race, options, &mut stop)).map_err(unsupported)?;
            match &result.failure {
                Some(failure) => Err(Error::Solver(failure.clone())),
                None => Ok(result),
            }
        };
        for apart in [Apart::LeftOut, Apart::Kept] {
            let slice = Slice::new(system, question.properties, apart);
            let Some(slice) = slice.filter(|_| options.unrolling.cone == Cone::Influence) else {
                return Ok((search(question.machine, None)?, None));
            };
            let found = search(&Machine::new(Arc::new(slice.system.clone())), Some(&slice))?;
            match lifted(system, &slice, found) {
                Some(result) => return Ok((result, Some(slice))),
                None if slice.apart() == Apart::LeftOut => {}
                None => break,
            }
        }
        Err(Error::bug("a counterexample of the cone of influence is none of the whole model"))
    }

    fn search(
        &self,
        question: Race<'_>,
        options: &Options,
        stop: &mut dyn FnMut(&Bounded) -> bool,
    ) -> Result<Bounded, Unsupported> {
        let Race { machine, properties, bound, start } = question;
        let runs = options.unrolling.runs;
        let mut strategy = match (&options.unrolling.widening, self.0) {
            (_, Choice::Plain) => options.unrolling.plain,
            (Procedure::Team(workers), choice) if runs == Runs::UpTo => {
                // Half of the memory is left to the solvers.
                let visits = (choice == Choice::Auto).then_some(options.memory / 2);
                let walks = (choice == Choice::Auto).then_some(u64::from(options.seed));
                let workers = Workers { visits, walks, ..workers.clone() };
                return race(question, &workers, jobs(options), stop);
            }
            (Procedure::Team(workers), _) => workers.provers[0],
            (Procedure::Alone(strategy), _) => *strategy,
        };
        let sweep = match runs {
            Runs::UpTo => Sweep::new(machine, properties, bound, strategy, start)?,
            Runs::Exactly => {
                // The paper's runs have exactly this many steps, and those that change nothing are steps.
                strategy.rules.idling = Idling::Allowed;
                Sweep::exactly(machine, properties, bound, strategy, start)?
            }
        };
        Ok(run(sweep, stop))
    }
}

/// Tells at once what is violated: to decide the other properties may take longer than there is time.
struct Herald<'a> {
    machine: &'a Machine,
    slice: Option<&'a Slice>,
    options: &'a Options,
    /// How many violations have been told.
    told: usize,
}

impl Herald<'_> {
    fn tell(&mut self, violations: &[(PropertyId, Trace)]) {
        for (property, trace) in violations.iter().skip(self.told) {
            let lifted = match self.slice {
                Some(slice) => slice.lift(self.machine.system(), trace),
                None => Some(trace.clone()),
            };
            // One that does not replay is dealt with in the end.
            if let Some(trace) = lifted.filter(|trace| confirm(self.machine, *property, trace).is_ok())
                && !self.options.proofs.check
            {
                let name = self.machine.system().properties[*property].name.clone();
                self.options.known.learn(&[Checked { id: *property, name, verdict: Verdict::Violated(trace) }]);
            }
        }
        self.told = self.told.max(violations.len());
    }
}

pub(super) fn unsupported(unsupported: Unsupported) -> Error {
    Error::Usage(format!("bounded model checking does not support {}; try --engine explicit", unsupported.0))
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

/// What a search took.
pub(super) fn effort(machine: &Machine, result: &Bounded, meter: &Meter, beside: Beside) -> Effort {
    Effort {
        states: result.states,
        rounds: result.rounds.iter().map(|round| report(machine.system(), round)).collect(),
        points: result.points,
        formulas: Some(meter.read(u64::from(machine.system().state_bits()), beside)),
    }
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

fn jobs(options: &Options) -> Jobs {
    if options.jobs.is_some_and(|jobs| jobs.get() > 1) { Jobs::Two } else { Jobs::One }
}

/// How far an engine is.
pub(super) fn bounds(seen: &Bounded, bound: usize) -> Bounds {
    Bounds {
        settled: seen.bound,
        bound,
        rounds: seen.rounds.len(),
        widened: seen.widened(),
        points: seen.points,
        conflicts: seen.conflicts,
        shortest: seen.violations.iter().map(|(_, trace)| trace.moves.len()).min(),
    }
}

pub(super) fn verdict(result: &Bounded, is_sliced: bool, why: &str) -> Verdict {
    match (result.stop, result.bound) {
        (bounded::Stop::AllStates, _) => {
            let states = result.states.unwrap_or(0);
            let which = if is_sliced { "states that differ in what matters" } else { "reachable states" };
            Verdict::Holds(format!("all {states} {which} were visited"))
        }
        (bounded::Stop::Bound | bounded::Stop::Decided, Some(bound)) => Verdict::HoldsUpTo(bound),
        (bounded::Stop::NoLongerRuns, Some(bound)) => {
            Verdict::Holds(format!("no run has more than {bound} steps that change the state"))
        }
        (bounded::Stop::Interrupted, Some(bound)) => Verdict::settled(why, Some(bound)),
        (_, None) => Verdict::unknown(why),
    }
}

/// Of a single bound, nothing follows for others.
fn exact_verdict(result: &Bounded, bound: usize, why: &str) -> Verdict {
    Verdict::unknown(match result.stop {
        bounded::Stop::Interrupted => why.to_owned(),
        bounded::Stop::NoLongerRuns => format!("there is no run of exactly {bound} steps"),
        _ => format!("no violation after exactly {bound} steps; runs of other lengths were not looked at"),
    })
}
