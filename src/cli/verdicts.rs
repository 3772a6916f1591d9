//! From what an engine found to verdicts that can be relied on: counterexamples replay, bounds have proofs.

use super::find::Found;
use super::model::Model;
use super::watch::Watch;
use super::{CheckArgs, Outcome, UsageError, proof, terminal};
use crate::report::Verdict;
use system::{Claim, PropertyId, Trace};

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
            (None, Claim::Ltl(_)) => Verdict::Unknown("LTL is not checked yet".to_owned()),
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
    let name = &model.machine.system().properties[property].name;
    let bug = |what: String| {
        UsageError(format!(
            "this is a bug in uwbmc, please report it with the model: the counterexample to {name} {what}"
        ))
    };
    trace
        .replay(&model.machine)
        .map_err(|mismatch| bug(format!("does not replay: state {}: {}", mismatch.state, mismatch.reason)))?;
    match trace.violates(&model.machine, property) {
        Some(_) => Ok(()),
        None => Err(bug("does not violate it".to_owned())),
    }
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

/// Writes the proofs that are asked for, and checks them if every answer has to be checked. An answer for which there was
/// no time is none then.
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
    let evidence = proof::write(&model.machine, verdicts, folder, args, watch);
    if args.proof.is_none() {
        let _ = std::fs::remove_dir_all(&temporary);
    }
    let evidence = evidence?;
    watch.clear();
    let why = watch.why().unwrap_or("interrupted");
    if args.certify {
        terminal::remark(&format!("certified: {} proofs accepted, counterexamples replayed", evidence.proofs));
    }
    for (id, verdict) in verdicts {
        let name = &model.machine.system().properties[*id].name;
        if let (Verdict::Holds(reason), true) = (&verdict, args.certify) {
            terminal::remark(&format!("not certified: that {name} holds rests on the engine ({reason})"));
        }
        let Some((_, reached)) = evidence.incomplete.iter().find(|(incomplete, _)| incomplete == id) else { continue };
        let reached = reached.map_or("no bound".to_owned(), |reached| format!("bound {reached}"));
        if args.certify {
            *verdict = Verdict::Unknown(format!("{why} while the answer was certified, up to {reached}"));
        } else {
            terminal::remark(&format!("note: {why}; proofs of {name} are there up to {reached}"));
        }
    }
    Ok(())
}
