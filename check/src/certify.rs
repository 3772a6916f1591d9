//! `--proof` and `--certify`: a property holds as far as there are proofs.

use super::options::Options;
use super::proof::{self, Evidence};
use super::report::Report;
use crate::error::Error;
use engine::{Cause, Verdict};
use limits::{Ended, Handle};
use system::Machine;

/// Writes the proofs that are asked for, and checks them if every answer has to be checked: then a property holds as
/// far as there are proofs.
pub fn certify(
    machine: &Machine,
    report: &mut Report,
    options: &Options,
    handle: &mut Handle<'_>,
) -> Result<(), Error> {
    if !options.proofs.are_wanted() {
        return Ok(());
    }
    let temporary = std::env::temp_dir().join(format!("uwbmc-proofs-{}", std::process::id()));
    let folder = options.proofs.folder.as_deref().unwrap_or(&temporary);
    let written = proof::write(machine, &report.properties, folder, options, handle);
    if options.proofs.folder.is_none() {
        let _ = std::fs::remove_dir_all(&temporary);
    }
    let written = written?;
    let why = handle.why().unwrap_or(Ended::Interrupted);
    for evidence in written.iter().filter(|evidence| !evidence.is_complete()) {
        report.remarks.push(incomplete(machine, evidence, why));
    }
    if options.proofs.are_checked() {
        let proofs: usize = written.iter().map(|evidence| evidence.proofs).sum();
        report.remarks.push(format!("certified: {proofs} proofs accepted, counterexamples replayed"));
        for property in &mut report.properties {
            let its = written.iter().find(|evidence| evidence.property == property.id);
            if let Verdict::Holds(reason) = &property.verdict {
                let name = &property.name;
                report.remarks.push(match its {
                    Some(_) => format!("certified: {name} holds, by an inductive invariant"),
                    None => format!("not certified: that {name} holds rests on the engine ({reason})"),
                });
            }
            if let Some(evidence) = its.filter(|evidence| !evidence.is_complete()) {
                property.verdict = weakened(evidence, why);
            }
        }
    }
    Ok(())
}

/// That there are not as many proofs as there should be.
fn incomplete(machine: &Machine, evidence: &Evidence, why: Ended) -> String {
    let reached = evidence.reached.map_or("no bound".to_owned(), |bound| format!("bound {bound}"));
    let name = &machine.system().properties[evidence.property].name;
    let wanted = evidence.wanted;
    format!("{name}: it holds up to bound {wanted}, with proofs up to {reached} only: {why}")
}

/// The verdict on a property that is not certified as far as it was found to hold.
fn weakened(evidence: &Evidence, why: Ended) -> Verdict {
    let certified = match evidence.reached {
        Some(bound) => format!("no violation within {bound} steps is certified"),
        None => "nothing is certified".to_owned(),
    };
    Verdict::unknown(Cause::Uncertified, format!("{why}; {certified}"))
}
