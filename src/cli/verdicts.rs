//! From what an engine found to verdicts that can be relied on: counterexamples replay, bounds have proofs.

use super::find::Found;
use super::model::Model;
use super::proof::Evidence;
use super::watch::Watch;
use super::{CheckArgs, Outcome, UsageError, proof, terminal};
use crate::report::Verdict;
use system::{Claim, Mismatch, PropertyId, Trace};

/// The verdict on each property, in order. Every counterexample has been replayed.
pub fn verdicts(model: &Model, wanted: &[PropertyId], found: &Found) -> Result<Vec<(PropertyId, Verdict)>, UsageError> {
    let system = model.machine.system();
    let mut verdicts = Vec::new();
    for property in wanted {
        let violation = found.violations.iter().find(|(violated, _)| violated == property);
        let verdict = match (violation, &system.properties[*property].claim) {
            (Some((_, trace)), _) => {
                confirm(model, *property, trace)?;
                Verdict::Violated(trace.clone())
            }
            (None, Claim::Ltl(_) | Claim::Never(_)) => Verdict::Unknown("LTL is not checked yet".to_owned()),
            (None, Claim::Ctl(_)) => Verdict::Unknown("CTL is not checked yet".to_owned()),
            (None, Claim::Unsupported(why)) => Verdict::Unknown(why.clone()),
            (None, Claim::Invariant(_) | Claim::DeadlockFree) => found.otherwise.clone(),
        };
        verdicts.push((*property, verdict));
    }
    Ok(verdicts)
}

/// No counterexample leaves before it has replayed. One that does not is a bug of ours, never a verdict.
pub fn confirm(model: &Model, property: PropertyId, trace: &Trace) -> Result<(), UsageError> {
    let what = format!("counterexample to {}", model.machine.system().properties[property].name);
    replays(model, &what, trace)?;
    match trace.violates(&model.machine, property) {
        Some(_) => Ok(()),
        None => Err(bug(&what, "does not violate it")),
    }
}

/// Whether something that is shown is a run of the model.
pub fn replays(model: &Model, what: &str, trace: &Trace) -> Result<(), UsageError> {
    let reason = |mismatch: Mismatch| format!("does not replay: state {}: {}", mismatch.state, mismatch.reason);
    trace.replay(&model.machine).map(drop).map_err(|mismatch| bug(what, &reason(mismatch)))
}

fn bug(what: &str, wrong: &str) -> UsageError {
    UsageError(format!("this is a bug in uwbmc, please report it with the model: the {what} {wrong}"))
}

/// The first property that is violated.
pub fn first_violation(verdicts: &[(PropertyId, Verdict)]) -> Option<(PropertyId, &Trace)> {
    verdicts.iter().find_map(|(id, verdict)| match verdict {
        Verdict::Violated(trace) => Some((*id, trace)),
        _ => None,
    })
}

/// How the run ends.
pub fn outcome(verdicts: &[(PropertyId, Verdict)]) -> Outcome {
    if first_violation(verdicts).is_some() {
        Outcome::Violated
    } else if verdicts.iter().any(|(_, verdict)| matches!(verdict, Verdict::Unknown(_))) {
        Outcome::Undecided
    } else {
        Outcome::Fine
    }
}

/// Writes the proofs that are asked for, and checks them if every answer has to be checked: then a property holds as
/// far as there are proofs.
pub fn certify(
    model: &Model,
    verdicts: &mut [(PropertyId, Verdict)],
    args: &CheckArgs,
    watch: &mut Watch,
) -> Result<(), UsageError> {
    if args.proof.is_none() && !args.certify {
        return Ok(());
    }
    let temporary = std::env::temp_dir().join(format!("uwbmc-proofs-{}", std::process::id()));
    let folder = args.proof.as_deref().unwrap_or(&temporary);
    let written = proof::write(&model.machine, verdicts, folder, args, watch);
    if args.proof.is_none() {
        let _ = std::fs::remove_dir_all(&temporary);
    }
    let written = written?;
    watch.clear();
    let why = watch.why().unwrap_or("interrupted");
    let name = |id: PropertyId| &model.machine.system().properties[id].name;
    for evidence in written.iter().filter(|evidence| evidence.reached != Some(evidence.wanted)) {
        let reached = evidence.reached.map_or("no bound".to_owned(), |bound| format!("bound {bound}"));
        let (name, wanted) = (name(evidence.property), evidence.wanted);
        terminal::remark(&format!("{name}: it holds up to bound {wanted}, with proofs up to {reached} only: {why}"));
    }
    if args.certify {
        let proofs: usize = written.iter().map(|evidence| evidence.proofs).sum();
        terminal::remark(&format!("certified: {proofs} proofs accepted, counterexamples replayed"));
        for (id, verdict) in verdicts {
            if let Verdict::Holds(reason) = verdict {
                let name = name(*id);
                terminal::remark(&format!("not certified: that {name} holds rests on the engine ({reason})"));
            }
            let is_short = |evidence: &&Evidence| evidence.property == *id && evidence.reached != Some(evidence.wanted);
            if let Some(evidence) = written.iter().find(is_short) {
                let within = |bound| format!("no violation within {bound} steps is certified");
                let certified = evidence.reached.map_or("nothing is certified".to_owned(), within);
                *verdict = Verdict::Unknown(format!("{why}; {certified}"));
            }
        }
    }
    Ok(())
}
