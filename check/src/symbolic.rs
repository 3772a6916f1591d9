//! The engine that works on sets of states: decision diagrams.

use super::effort::Effort;
use super::engine::{Engine, Task, is_invariant};
use super::findings::Findings;
use super::handle::Handle;
use super::verdict::Verdict;
use crate::error::Error;
use system::{Claim, Machine, PropertyId};

/// Decision diagrams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbolic {
    /// For formulas of CTL, which no other engine decides.
    Branching,
    /// For invariants and deadlock freedom as well.
    Everything,
}

impl Engine for Symbolic {
    fn name(&self) -> &'static str {
        "symbolic"
    }

    fn decides(&self, machine: &Machine, property: PropertyId) -> bool {
        let is_branching = matches!(machine.system().properties[property].claim, Claim::Ctl(_));
        is_branching || *self == Symbolic::Everything && is_invariant(machine, property)
    }

    fn run(&self, task: &Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Error> {
        let alarm = handle.alarm(task.options.memory);
        let nodes = symbolic::nodes(task.options.memory);
        let found = symbolic::check(task.machine, task.properties, nodes, &alarm);
        let verdicts = found.verdicts.iter().map(|(property, verdict)| (*property, worded(&found, verdict, handle)));
        let states = found.states.as_ref().and_then(|states| states.parse().ok());
        Ok(Findings {
            verdicts: verdicts.collect(),
            has_initial_state: found.has_initial_state,
            effort: Effort { states, ..Effort::default() },
            fault: found.fault,
            ..Findings::new(self.name())
        })
    }
}

/// The verdict with its reason.
fn worded(found: &symbolic::Findings, verdict: &symbolic::Verdict, handle: &Handle<'_>) -> Verdict {
    match verdict {
        symbolic::Verdict::Violated(trace) => Verdict::Violated(trace.clone()),
        symbolic::Verdict::Unknown(reason) => Verdict::unknown(handle.why().map_or(reason.as_str(), |why| why)),
        symbolic::Verdict::Holds => Verdict::Holds(match &found.states {
            Some(states) => format!("decision diagrams have all {states} reachable states"),
            None => "decision diagrams have all reachable states of what matters to it".to_owned(),
        }),
    }
}
