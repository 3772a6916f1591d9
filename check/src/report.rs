//! What a check came to.

use super::fault::Fault;
use engine::{Cause, Cost, Explanation, Findings, Oddity, Verdict};
use limits::Ended;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use system::{Claim, PropertyId, System, Trace};

/// What a check came to. Every counterexample in it has been replayed.
#[derive(Clone, Debug)]
pub struct Report {
    /// What is known of each property that was asked about, in order.
    pub properties: Vec<Checked>,
    /// Runs to where the model has no meaning, or a property has none.
    pub faults: Vec<Fault>,
    /// Runs that no property forbids, but that look wrong by limits that were set.
    pub oddities: Vec<Oddity>,
    /// The engine that ran, the first of several.
    pub engine: &'static str,
    /// The depth of the first state without successors, if the engine looks for it.
    pub deadlock: Option<usize>,
    /// What the search cost.
    pub cost: Cost,
    /// What else there is to say, such as what is not certified.
    pub remarks: Vec<String>,
    /// How long it took.
    pub elapsed: Duration,
}

/// What is known of a property.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The property.
    pub id: PropertyId,
    /// Its name.
    pub name: String,
    /// What is known of it.
    pub verdict: Verdict,
    /// Why a formula of CTL has its value, as far as runs show it, if there is more to say than the verdict does.
    pub explanation: Option<Explanation>,
}

/// What is known of properties before everything is, for another thread to read.
#[derive(Clone, Debug, Default)]
pub struct Known(Arc<Mutex<Vec<Checked>>>);

impl Known {
    /// What is known so far. Every counterexample has been replayed.
    pub fn so_far(&self) -> Vec<Checked> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn learn(&self, known: &[Checked]) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(known);
    }
}

impl Report {
    /// What is known of a model whose check was left alone, and why it was.
    pub fn unfinished(system: &System, wanted: &[PropertyId], decided: &[Checked], why: Ended) -> Report {
        Report {
            properties: in_order(system, wanted, decided, &Verdict::ended(why, None)),
            faults: Vec::new(),
            oddities: Vec::new(),
            engine: "none",
            deadlock: None,
            cost: Cost::default(),
            remarks: Vec::new(),
            elapsed: Duration::ZERO,
        }
    }

    /// The first counterexample.
    pub fn first_violation(&self) -> Option<(PropertyId, &Trace)> {
        self.properties.iter().find_map(|property| match &property.verdict {
            Verdict::Violated(trace) => Some((property.id, trace.as_ref())),
            _ => None,
        })
    }

    /// Whether a property is undecided.
    pub fn is_undecided(&self) -> bool {
        self.properties.iter().any(|property| property.verdict.is_unknown())
    }
}

/// What is known of the properties, in the order in which they were asked about; those of which nothing is known are
/// undecided for a reason of their own, or else have this verdict.
pub fn in_order(system: &System, wanted: &[PropertyId], decided: &[Checked], otherwise: &Verdict) -> Vec<Checked> {
    let known = wanted.iter().map(|id| (*id, decided.iter().find(|checked| checked.id == *id)));
    known.map(|(id, known)| known.cloned().unwrap_or_else(|| undecided(system, id, otherwise))).collect()
}

/// A property that no engine decided.
fn undecided(system: &System, id: PropertyId, otherwise: &Verdict) -> Checked {
    let property = &system.properties[id];
    let verdict = match &property.claim {
        Claim::Unsupported(why) => Verdict::unknown(Cause::Refused, why),
        _ => otherwise.clone(),
    };
    Checked { id, name: property.name.clone(), verdict, explanation: None }
}

/// What several engines found, each about properties of its own.
pub fn merge(mut findings: Findings, other: Findings) -> Findings {
    findings.verdicts.extend(other.verdicts);
    findings.oddities.extend(other.oddities);
    findings.remarks.extend(other.remarks);
    findings.explanations.extend(other.explanations);
    findings.fault = findings.fault.or(other.fault);
    findings.has_initial_state &= other.has_initial_state;
    findings.deadlock = findings.deadlock.or(other.deadlock);
    let (cost, more) = (&mut findings.cost, other.cost);
    cost.states = cost.states.or(more.states);
    cost.formulas = cost.formulas.take().or(more.formulas);
    if cost.rounds.is_empty() {
        (cost.rounds, cost.points) = (more.rounds, more.points);
    }
    findings
}
