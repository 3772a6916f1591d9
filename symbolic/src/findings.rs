//! What was found, in words.

use super::attempt::Limits;
use super::check::{Answer, Decided, FairStates, Question};
use super::cone::decide_all;
use super::watch::Watch;
use engine::{Cause, Cost, Explanation, Findings, Stop, Verdict, Witnesses};
use limits::Handle;
use std::sync::Arc;
use system::{Claim, Machine, PropertyId};

/// Decides properties within limits, in the cone of influence if not everything matters.
pub fn check(machine: &Machine, properties: &[PropertyId], limits: Limits, handle: &mut Handle<'_>) -> Findings {
    check_showing(machine, properties, Witnesses::NotWanted, limits, handle)
}

/// The same; it may be shown why formulas of CTL hold.
pub fn check_showing(
    machine: &Machine,
    properties: &[PropertyId],
    witnesses: Witnesses,
    limits: Limits,
    handle: &mut Handle<'_>,
) -> Findings {
    let found = decide_all(machine, Question { properties, witnesses }, limits, &mut Watch::new(handle));
    let verdicts = found.verdicts.iter().map(|(property, answer)| {
        let is_branching = matches!(machine.system().properties[*property].claim, Claim::Ctl(_));
        let reason = reason(&found, is_branching);
        let verdict = match (answer, &found.fault) {
            (Answer::Unknown(_), Some((failure, _))) => Verdict::no_meaning(machine.system(), *failure, None),
            _ => verdict(reason, answer, handle),
        };
        (*property, verdict)
    });
    let states = found.states.as_ref().and_then(|states| states.parse().ok());
    let mut findings = Findings {
        verdicts: verdicts.collect(),
        explanations: found.verdicts.iter().filter_map(explained).collect(),
        has_initial_state: found.has_initial_state,
        cost: Cost { states, ..Cost::default() },
        remarks: found.fairness.and_then(remark).map(str::to_owned).into_iter().collect(),
        ..Findings::new("symbolic")
    };
    findings.stop = stop(&findings);
    Findings { fault: found.fault, ..findings }
}

/// Why it stopped: what is open is open because of a limit, or because it was refused.
fn stop(findings: &Findings) -> Stop {
    let cause = findings.verdicts.iter().find_map(|(_, verdict)| match verdict {
        Verdict::Unknown(undecided) => Some(undecided.cause),
        _ => None,
    });
    match cause {
        None => Stop::Decided,
        Some(Cause::Memory) => Stop::Memory,
        Some(Cause::Ended(_) | Cause::Effort) => Stop::Interrupted,
        Some(_) => Stop::Refused,
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

/// Why a formula has its value, where there is something to say.
fn explained((property, answer): &(PropertyId, Answer)) -> Option<(PropertyId, Explanation)> {
    match answer {
        Answer::Violated(shown) | Answer::Holds(Some(shown)) if !shown.branches[0].reasons.is_empty() => {
            Some((*property, shown.clone()))
        }
        _ => None,
    }
}

/// Why a property holds that does.
fn reason(found: &Decided, is_branching: bool) -> String {
    match &found.states {
        _ if is_branching && found.fairness == Some(FairStates::NoInitial) => {
            "vacuously: no initial state is on an infinite fair run".to_owned()
        }
        Some(states) => format!("decision diagrams have all {states} reachable states"),
        None => "decision diagrams have all reachable states of what matters to it".to_owned(),
    }
}

/// The verdict; if it holds, for this reason.
fn verdict(reason: String, answer: &Answer, handle: &Handle<'_>) -> Verdict {
    match answer {
        Answer::Violated(shown) => Verdict::Violated(Arc::new(shown.run().clone())),
        Answer::Answered(value) => Verdict::Answered(value.clone()),
        Answer::Unknown(trouble) => match handle.why() {
            Some(why) => Verdict::ended(why, None),
            None => Verdict::unknown(trouble.cause(), trouble.to_string()),
        },
        Answer::Holds(_) => Verdict::Holds(reason),
    }
}
