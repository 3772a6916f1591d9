//! Loops of counterexamples: where they begin, and those that do not come back to the very same state.

use super::report::Report;
use engine::{Findings, Verdict};
use std::sync::Arc;
use system::{Claim, Machine, PropertyId, Trace};

/// The same counterexamples, without idle steps that do not matter and with loops that begin as early as they can. Runs that are
/// explained state by state stay as they are.
pub fn tidied(machine: &Machine, mut findings: Findings) -> Findings {
    let explained: Vec<_> = findings.explanations.iter().map(|(property, _)| *property).collect();
    for (property, verdict) in &mut findings.verdicts {
        let Verdict::Violated(trace) = verdict else { continue };
        if explained.contains(property) {
            continue;
        }
        if let Some(shorter) = without_idle_steps(machine, *property, trace) {
            *trace = Arc::new(shorter);
        }
        if let Some(earlier) = trace.rolled_back(machine) {
            *trace = Arc::new(earlier);
        }
    }
    findings
}

/// A lasso without steps that change nothing, left out one after another as long as what is left violates the property: a search goes
/// to a mark of fairness at a time, and in between processes may run for nothing.
fn without_idle_steps(machine: &Machine, property: PropertyId, trace: &Trace) -> Option<Trace> {
    /// How many values of variables are looked at, at the most, to find out what can be left out.
    const WORK: usize = 1 << 22;
    // Of these alone, what is asked is whether the whole of an infinite fair run violates it.
    if !matches!(machine.system().properties[property].claim, Claim::Ltl(_) | Claim::Progress(_) | Claim::Never(_)) {
        return None;
    }
    let mut tries = WORK / (trace.states.len() * machine.system().variables.len().max(1));
    let mut best: Option<Trace> = None;
    let mut at = 0;
    while at < best.as_ref().unwrap_or(trace).moves.len() && tries > 0 {
        let now = best.as_ref().unwrap_or(trace);
        let shorter = without_step(now, at).inspect(|_| tries -= 1);
        match shorter.filter(|shorter| shorter.violates(machine, property).is_some()) {
            Some(shorter) => best = Some(shorter),
            None => at += 1,
        }
    }
    best
}

/// A lasso without a step that changes nothing, unless the loop has no other.
fn without_step(trace: &Trace, at: usize) -> Option<Trace> {
    let start = trace.loop_start?;
    let is_whole_loop = at >= start && trace.moves.len() - start == 1;
    if is_whole_loop || trace.states.get(at) != trace.states.get(at + 1) {
        return None;
    }
    Some(Trace {
        states: trace.states.iter().take(at + 1).chain(trace.states.since(at + 2)).collect(),
        moves: trace.moves.iter().take(at).chain(trace.moves.since(at + 1)).collect(),
        loop_start: Some(if at < start { start - 1 } else { start }),
    })
}

/// Remarks on loops after each round of which some variables have other values, which decide nothing.
pub fn remarks(machine: &Machine, report: &Report) -> Vec<String> {
    let mut remarks = Vec::new();
    for property in &report.properties {
        let Verdict::Violated(trace) = &property.verdict else { continue };
        let changing = changing(machine, trace);
        if !changing.is_empty() {
            let (name, changing) = (&property.name, changing.join(", "));
            remarks
                .push(format!("{name}: each round of the loop leaves other values in {changing}; they decide nothing"));
        }
    }
    remarks
}

/// The variables that differ after a round.
fn changing<'m>(machine: &'m Machine, trace: &Trace) -> Vec<&'m str> {
    let (Some(start), Some(last)) = (trace.loop_start, trace.states.last()) else { return Vec::new() };
    let (before, after) = (machine.values(&trace.states.at(start)), machine.values(last));
    let variables = machine.system().state_variables();
    let changing = variables.filter(|(var, _)| before[var.index()] != after[var.index()]);
    changing.map(|(_, variable)| variable.name.as_str()).collect()
}
