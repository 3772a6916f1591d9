//! The engine that works on sets of states: decision diagrams.

use super::effort::Effort;
use super::engine::{Engine, Task, is_invariant};
use super::findings::Findings;
use super::handle::Handle;
use super::verdict::Verdict;
use crate::error::Error;
use symbolic::{FairStates, Limits};
use system::{Alarm, Claim, Machine, PropertyId};

/// Decision diagrams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbolic {
    /// What for.
    pub asked: Asked,
    /// How much work each attempt may be at least, and at most.
    pub effort: [u64; 2],
}

/// What decision diagrams are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Formulas of CTL and COMPUTE, which no other engine decides.
    Branching,
    /// Invariants, deadlock freedom and formulas of LTL as well.
    Everything,
}

impl Symbolic {
    /// Nothing but memory and time limits it.
    pub fn alone(asked: Asked) -> Symbolic {
        Symbolic { asked, effort: [0, u64::MAX] }
    }
}

impl Engine for Symbolic {
    fn name(&self) -> &'static str {
        "symbolic"
    }

    fn decides(&self, machine: &Machine, property: PropertyId) -> bool {
        match machine.system().properties[property].claim {
            Claim::Ctl(_) | Claim::Compute(..) => true,
            Claim::Ltl(_) => self.asked == Asked::Everything,
            _ => self.asked == Asked::Everything && is_invariant(machine, property),
        }
    }

    fn run(&self, task: &Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Error> {
        let alarm = handle.alarm(task.options.memory);
        Ok(self.run_until(task, &alarm, handle))
    }
}

impl Symbolic {
    /// Works until an alarm rings.
    pub fn run_until(&self, task: &Task<'_>, alarm: &Alarm, handle: &Handle<'_>) -> Findings {
        let [least, most] = self.effort;
        let limits = Limits::of_memory(task.options.memory).with_effort(most).starting_with(least);
        let found = symbolic::check(task.machine, task.properties, limits, alarm);
        let verdicts = found.verdicts.iter().map(|(property, verdict)| (*property, worded(&found, verdict, handle)));
        let states = found.states.as_ref().and_then(|states| states.parse().ok());
        Findings {
            verdicts: verdicts.collect(),
            has_initial_state: found.has_initial_state,
            effort: Effort { states, ..Effort::default() },
            fault: found.fault,
            remarks: found.fairness.and_then(remark).map(str::to_owned).into_iter().collect(),
            ..Findings::new(self.name())
        }
    }
}

/// What fairness leaves out, which may be why a formula holds.
fn remark(fairness: FairStates) -> Option<&'static str> {
    match fairness {
        FairStates::All => None,
        FairStates::Some => Some("some reachable states are on no infinite fair run; formulas of CTL leave them out"),
        FairStates::NoInitial => {
            Some("warning: no initial state is on an infinite fair run, so that every formula of CTL holds")
        }
    }
}

/// The verdict with its reason.
fn worded(found: &symbolic::Findings, verdict: &symbolic::Verdict, handle: &Handle<'_>) -> Verdict {
    match verdict {
        symbolic::Verdict::Violated(trace) => Verdict::Violated(trace.clone()),
        symbolic::Verdict::Answered(value) => Verdict::Answered(value.clone()),
        symbolic::Verdict::Unknown(reason) => Verdict::unknown(handle.why().map_or(reason.as_str(), |why| why)),
        symbolic::Verdict::Holds => Verdict::Holds(match &found.states {
            Some(states) => format!("decision diagrams have all {states} reachable states"),
            None => "decision diagrams have all reachable states of what matters to it".to_owned(),
        }),
    }
}
