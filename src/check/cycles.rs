//! The engine for temporal properties: search for cycles.
//!
//! `G p` is an invariant as far as `holds` goes: whichever engine checks invariants is asked first. A finite run to where p is
//! false counts once an infinite fair run goes on from there; if none does, every infinite fair run is looked at.

use super::effort::Effort;
use super::engine::{Engine, Task, engine_for_invariants};
use super::findings::Findings;
use super::handle::Handle;
use super::lassos::Lassos;
use super::options::Choice;
use super::verdict::Verdict;
use crate::error::Error;
use crate::explicit::{self, Interleavings, continue_for_ever, find_cycle};
use crate::observer::Progress;
use crate::temporal::always;
use std::ops::ControlFlow;
use std::sync::Arc;
use system::{Claim, Machine, PropertyId, Trace};

/// The states after which the default looks for short lassos instead, if there is a bound.
const PATIENCE: usize = 300_000;

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
        let mut all = Findings::new(self.name());
        let mut machine = task.machine.anew();
        machine.heed(handle.alarm(task.options.memory));
        for property in task.properties {
            let search = Search { task, machine: &machine, property: *property };
            let one = match always(machine.system(), *property) {
                Some(system) => search.always(&Machine::new(Arc::new(system)), handle)?,
                None => search.cycle(handle)?,
            };
            all.verdicts.extend(one.verdicts);
            all.fault = all.fault.or(one.fault);
            all.effort.states = all.effort.states.max(one.effort.states);
        }
        Ok(all)
    }
}

/// The search for violations of one property.
struct Search<'a> {
    task: &'a Task<'a>,
    machine: &'a Machine,
    property: PropertyId,
}

impl Search<'_> {
    /// Looks for an infinite fair run that violates the property.
    fn cycle(&self, handle: &mut Handle<'_>) -> Result<Findings, Error> {
        let memory = self.task.options.memory;
        let is_patient = !self.has_lassos();
        let outcome =
            find_cycle(self.machine, self.property, Interleavings::default(), memory, |now| match see(handle, now) {
                ControlFlow::Continue(()) if is_patient || now.states < PATIENCE => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            });
        match outcome {
            Ok(explicit::Cycles::Interrupted | explicit::Cycles::Memory) if !is_patient && handle.why().is_none() => {
                let properties = [self.property];
                Lassos(Choice::Auto).run(&Task { properties: &properties, ..*self.task }, handle)
            }
            Ok(found) => Ok(self.found(found, handle)),
            Err(finding) => Ok(Findings {
                fault: Some((finding.failure, finding.trace)),
                ..self.findings(Verdict::unknown("the model has a fault"))
            }),
        }
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
                Verdict::Violated(_) | Verdict::HoldsUpTo(_) => continue,
            };
            reason.push_str(&format!("; {known} a state that does not satisfy it, after {after}"));
        }
        findings
    }
}

fn see(handle: &mut Handle<'_>, now: explicit::Progress) -> ControlFlow<()> {
    handle.see(&Progress::States { states: now.states, depth: now.depth })
}
