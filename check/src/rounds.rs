//! Loops of counterexamples: where they begin, and those that do not come back to the very same state.

use super::report::Report;
use engine::{Findings, Verdict};
use std::sync::Arc;
use system::{Machine, Trace};

/// The same counterexamples, with loops that begin as early as they can. Runs that are explained state by state stay as they are.
pub fn rolled_back(machine: &Machine, mut findings: Findings) -> Findings {
    let explained: Vec<_> = findings.explanations.iter().map(|(property, _)| *property).collect();
    for (property, verdict) in &mut findings.verdicts {
        let Verdict::Violated(trace) = verdict else { continue };
        if let Some(earlier) = trace.rolled_back(machine).filter(|_| !explained.contains(property)) {
            *trace = Arc::new(earlier);
        }
    }
    findings
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
