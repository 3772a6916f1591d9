//! The engine for temporal properties: search for cycles.
//!
//! By default, states, decision diagrams and short lassos take turns, each as long as its patience lasts: a model with few states
//! is decided by looking at them, one with many by sets of them. Patience is counted in work, not in time. Of programs, the
//! states are looked at first of all: diagrams of them are seldom small.
//!
//! `G p` is an invariant as far as `holds` goes: whichever engine checks invariants is asked first. A finite run to where p is
//! false counts once an infinite fair run goes on from there; if none does, every infinite fair run is looked at.

use super::effort::Effort;
use super::engine::{Engine, Task, engine_for_invariants};
use super::findings::Findings;
use super::handle::Handle;
use super::lassos::Lassos;
use super::options::Choice;
use super::symbolic::{Asked, Symbolic};
use super::verdict::Verdict;
use crate::error::Error;
use explicit::{Finding, Interleavings, continue_for_ever, find_cycle};
use limits::Progress;
use std::ops::ControlFlow;
use std::sync::Arc;
use system::{Apart, Claim, Machine, PropertyId, Slice, Trace};
use temporal::always;

/// How long an attempt of the default may take.
#[derive(Clone, Copy)]
struct Patience {
    /// This many states of the product.
    states: usize,
    /// How often those who choose values, make nodes or search may ask whether to go on.
    asked: u32,
}

/// The attempts of the default before it looks for short lassos or goes on without a limit.
const PATIENCE: [Patience; 3] = [
    Patience { states: 20_000, asked: 256 },
    Patience { states: 300_000, asked: 2_048 },
    Patience { states: 2_000_000, asked: 16_384 },
];

/// How many states of a program are looked at before short lassos are looked for.
const PATIENCE_WITH_PROGRAMS: Patience = Patience { states: 2_000_000, asked: 16_384 };

/// How long a property is looked at before the others are.
const BRIEF: Patience = Patience { states: 100_000, asked: 1_024 };

/// States with more bits than this, inputs included, may have too many successors to look at one by one.
const WIDE: u32 = 24;

/// Search for cycles.
pub struct Cycles;

impl Engine for Cycles {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn decides(&self, machine: &Machine, property: PropertyId) -> bool {
        let claim = &machine.system().properties[property].claim;
        matches!(claim, Claim::Ltl(_) | Claim::Never(_) | Claim::Progress(_))
    }

    fn run(&self, task: &Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Error> {
        let (mut all, mut engines) = (Findings::new(self.name()), Vec::new());
        let mut machine = task.machine.anew();
        machine.heed(handle.alarm(task.options.memory));
        let search = |property| Search { task, machine: &machine, property };
        let mut open = Vec::new();
        let mut note = |one: Findings| {
            all.verdicts.extend(one.verdicts);
            all.fault = all.fault.take().or(one.fault);
            all.effort.states = all.effort.states.max(one.effort.states);
            engines.push(one.engine);
        };
        // What takes long is put off, so that other properties are answered first.
        for property in task.properties {
            match search(*property).briefly(handle)? {
                Some(found) => note(found),
                None => open.push(*property),
            }
        }
        open.sort_by_key(|property| always(machine.system(), *property).is_none());
        for property in open {
            note(search(property).run(handle)?);
        }
        engines.dedup();
        if let [engine] = engines[..] {
            all.engine = engine;
        }
        Ok(all)
    }
}

/// What a search for cycles comes to.
type Outcome = Result<explicit::Cycles, Box<Finding>>;

/// The search for violations of one property.
struct Search<'a> {
    task: &'a Task<'a>,
    machine: &'a Machine,
    property: PropertyId,
}

impl Search<'_> {
    fn run(&self, handle: &mut Handle<'_>) -> Result<Findings, Error> {
        let Some(system) = always(self.machine.system(), self.property) else { return self.cycle(handle) };
        if self.is_wide()
            && let Some(found) = self.in_turns(handle)?
        {
            return Ok(found);
        }
        self.always(&Machine::new(Arc::new(system)), handle)
    }

    /// Looks at some states, if there are other properties to look at as well; `None` if nothing is known then.
    fn briefly(&self, handle: &mut Handle<'_>) -> Result<Option<Findings>, Error> {
        let is_alone = self.task.properties.len() == 1;
        let is_invariant = || always(self.machine.system(), self.property).is_some();
        if is_alone || is_invariant() { Ok(None) } else { self.states(Some(BRIEF), handle) }
    }

    /// Looks for an infinite fair run that violates the property.
    fn cycle(&self, handle: &mut Handle<'_>) -> Result<Findings, Error> {
        if self.task.options.engine == Choice::Auto {
            if let Some(found) = self.in_turns(handle)? {
                return Ok(found);
            }
            if self.has_lassos() {
                let properties = [self.property];
                return Lassos(Choice::Auto).run(&Task { properties: &properties, ..*self.task }, handle);
            }
        }
        let found = self.states(None, handle)?;
        Ok(found.unwrap_or_else(|| self.found(explicit::Cycles::Interrupted, handle)))
    }

    /// The attempts of the default with limited patience; `None` if nothing comes of them.
    fn in_turns(&self, handle: &mut Handle<'_>) -> Result<Option<Findings>, Error> {
        if self.machine.system().has_statements {
            let is_worth_it = self.has_lassos();
            return if is_worth_it { self.states(Some(PATIENCE_WITH_PROGRAMS), handle) } else { Ok(None) };
        }
        for patience in PATIENCE {
            if let Some(found) = self.states(Some(patience), handle)? {
                return Ok(Some(found));
            }
            if let Some(found) = self.diagrams(patience, handle)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Looks at the states of the product, one by one; `None` if patience is at its end. What cannot influence the formula is
    /// left out.
    fn states(&self, patience: Option<Patience>, handle: &mut Handle<'_>) -> Result<Option<Findings>, Error> {
        let slice = Slice::new(self.machine.system(), &[self.property], Apart::Kept);
        let sliced = slice.and_then(|slice| {
            let outcome = self.search(Machine::new(Arc::new(slice.system.clone())), patience, handle);
            self.lifted(&slice, outcome)
        });
        match sliced.unwrap_or_else(|| self.search(self.machine.anew(), patience, handle)) {
            Ok(explicit::Cycles::Interrupted | explicit::Cycles::Memory)
                if patience.is_some() && handle.why().is_none() =>
            {
                Ok(None)
            }
            Ok(found) => Ok(Some(self.found(found, handle))),
            Err(finding) => Ok(Some(Findings {
                fault: Some((finding.failure, finding.trace)),
                ..self.findings(Verdict::unknown("the model has a fault"))
            })),
        }
    }

    fn search(&self, mut machine: Machine, patience: Option<Patience>, handle: &mut Handle<'_>) -> Outcome {
        let memory = self.task.options.memory;
        let alarm = handle.alarm(memory);
        machine.heed(patience.map_or(alarm.clone(), |patience| alarm.or_after(patience.asked)));
        let mut asked = 0;
        let mut is_over = |states: usize| {
            asked += 1;
            patience.is_some_and(|patience| states >= patience.states || asked > patience.asked)
        };
        find_cycle(&machine, self.property, Interleavings::default(), memory, |now| match see(handle, now) {
            ControlFlow::Continue(()) if !is_over(now.states) => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        })
    }

    /// What was found in a slice, as it is in the whole system; `None` if that is not known.
    fn lifted(&self, slice: &Slice, outcome: Outcome) -> Option<Outcome> {
        match outcome {
            Ok(explicit::Cycles::Violation(trace)) => {
                let whole = slice.lift(self.machine.system(), &trace)?;
                let is_closed = whole.loop_start.is_some() == trace.loop_start.is_some();
                is_closed.then_some(Ok(explicit::Cycles::Violation(whole)))
            }
            Ok(found) => Some(Ok(found)),
            Err(_) => None,
        }
    }

    /// Asks decision diagrams; `None` if they do not know.
    fn diagrams(&self, patience: Patience, handle: &mut Handle<'_>) -> Result<Option<Findings>, Error> {
        let properties = [self.property];
        let task = Task { machine: self.machine, properties: &properties, options: self.task.options };
        let alarm = handle.alarm(self.task.options.memory).or_after(patience.asked);
        let findings = Symbolic::alone(Asked::Everything).run_until(&task, &alarm, handle);
        let is_known = findings.fault.is_none()
            && findings.verdicts.iter().all(|(_, verdict)| !matches!(verdict, Verdict::Unknown(_)));
        Ok((is_known || handle.why().is_some()).then_some(findings))
    }

    /// Whether a step may have very many results. Those of programs have few.
    fn is_wide(&self) -> bool {
        let system = self.machine.system();
        let inputs: u32 = system.inputs().map(|(_, variable)| variable.domain.bits()).sum();
        let is_default = self.task.options.engine == Choice::Auto;
        is_default && !system.has_statements && system.state_bits() + inputs > WIDE
    }

    /// Whether short lassos can be looked for where there are many states.
    fn has_lassos(&self) -> bool {
        let options = self.task.options;
        options.engine == Choice::Auto
            && options.bound.is_some()
            && Lassos(Choice::Auto).decides(self.machine, self.property)
    }

    fn findings(&self, verdict: Verdict) -> Findings {
        Findings { verdicts: vec![(self.property, verdict)], ..Findings::new(Cycles.name()) }
    }

    fn found(&self, found: explicit::Cycles, handle: &Handle<'_>) -> Findings {
        match found {
            explicit::Cycles::Nothing { states } => {
                let reason = format!("no infinite run violates it: {states} states of the product were visited");
                let effort = Effort { states: Some(states), ..Effort::default() };
                Findings { effort, ..self.findings(Verdict::Holds(reason)) }
            }
            explicit::Cycles::Violation(trace) => self.findings(Verdict::Violated(trace)),
            explicit::Cycles::Memory => self.findings(Verdict::unknown("the memory limit was reached")),
            explicit::Cycles::Interrupted => self.findings(Verdict::unknown(handle.why().unwrap_or("out of memory"))),
            explicit::Cycles::Refused(why) => self.findings(Verdict::unknown(why)),
        }
    }

    /// Checks `G p`, given a machine whose property is the invariant p.
    fn always(&self, invariant: &Machine, handle: &mut Handle<'_>) -> Result<Findings, Error> {
        let properties = [self.property];
        let task = Task { machine: invariant, properties: &properties, options: self.task.options };
        let mut findings = engine_for_invariants(&task).run(&task, handle)?;
        let violation = findings.verdicts.pop().map(|(_, verdict)| verdict);
        let Some(Verdict::Violated(trace)) = violation else {
            findings.verdicts.extend(violation.map(|verdict| (self.property, verdict)));
            return Ok(findings);
        };
        let memory = self.task.options.memory;
        let goes_on = continue_for_ever(self.machine, &trace, memory, |now| see(handle, now));
        if let Ok(found @ explicit::Cycles::Violation(_)) = goes_on {
            return Ok(self.found(found, handle));
        }
        Ok(self.with_dead_end(self.cycle(handle)?, &trace))
    }

    /// Says that there is a finite run to where p is false.
    fn with_dead_end(&self, mut findings: Findings, trace: &Trace) -> Findings {
        let after = if trace.moves.len() == 1 { "1 step".to_owned() } else { format!("{} steps", trace.moves.len()) };
        for (_, verdict) in &mut findings.verdicts {
            let (reason, known) = match verdict {
                Verdict::Holds(reason) => (reason, "no infinite fair run passes"),
                Verdict::Unknown(undecided) => (&mut undecided.reason, "no infinite fair run is known to pass"),
                Verdict::Violated(_) | Verdict::HoldsUpTo(_) | Verdict::Answered(_) => continue,
            };
            reason.push_str(&format!("; {known} a state that does not satisfy it, after {after}"));
        }
        findings
    }
}

pub(super) fn see(handle: &mut Handle<'_>, now: explicit::Progress) -> ControlFlow<()> {
    handle.see(&Progress::States { states: now.states, depth: now.depth })
}
