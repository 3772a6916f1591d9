//! `--proof` and `--certify`: evidence for `holds up to bound k`.

use super::watch::Watch;
use super::{CheckArgs, UsageError};
use crate::engine::Refutations;
use crate::observer::{Observer, Progress};
use crate::report::Verdict;
use crate::sat::{Attempt, Choice, Files};
use encoder::Cnf as Formula;
use encoder::proof::{Cnf, check_drat, check_lrat};
use std::path::Path;
use system::{Machine, PropertyId};

/// What there is of proofs.
pub struct Evidence {
    /// How many proofs were written, and checked if that was asked for.
    pub proofs: usize,
    /// The properties for which there was not enough time, and up to which bound there are proofs.
    pub incomplete: Vec<(PropertyId, Option<usize>)>,
}

/// Writes a formula and its refutation for every property and bound that holds, and checks each of them if every answer
/// has to be certified.
pub fn write(
    machine: &Machine,
    verdicts: &[(PropertyId, Verdict)],
    folder: &Path,
    args: &CheckArgs,
    watch: &mut Watch,
) -> Result<Evidence, UsageError> {
    std::fs::create_dir_all(folder).map_err(|error| UsageError(format!("{}: {error}", folder.display())))?;
    let mut evidence = Evidence { proofs: 0, incomplete: Vec::new() };
    for (property, verdict) in verdicts {
        let Verdict::HoldsUpTo(bound) = verdict else { continue };
        let name = &machine.system().properties[*property].name;
        let mut formulas = Refutations::new(machine, *property)
            .map_err(|unsupported| UsageError(format!("proofs do not support {}", unsupported.0)))?;
        for depth in 0..=*bound {
            let Some(formula) = formulas.next() else { break };
            let path = folder.join(format!("{}-{depth}.cnf", file_name(name)));
            let mut stop = || watch.see(&Progress::Proving { property: name, depth, bound: *bound }).is_break();
            if stop() || !prove(&formula, &path, args.solver, &mut stop)? {
                evidence.incomplete.push((*property, depth.checked_sub(1)));
                break;
            }
            if args.certify {
                check(&path)?;
            }
            evidence.proofs += 1;
        }
    }
    Ok(evidence)
}

/// Writes a formula and its refutation. False, and nothing is left, if it was stopped.
fn prove(formula: &Formula, path: &Path, solver: Choice, stop: &mut dyn FnMut() -> bool) -> Result<bool, UsageError> {
    std::fs::write(path, formula.render()).map_err(|error| UsageError(format!("{}: {error}", path.display())))?;
    let proof = path.with_extension(solver.proof_format().ending());
    let files = Files { formula: path, proof: &proof };
    match solver.prove(formula, files, stop) {
        Attempt::Refuted => Ok(true),
        Attempt::Satisfiable => Err(bug(path, "it has a solution")),
        Attempt::Failed if stop() => {
            [path, &proof].iter().for_each(|file| drop(std::fs::remove_file(file)));
            Ok(false)
        }
        Attempt::Failed => Err(UsageError(format!("{}: no proof could be written", proof.display()))),
    }
}

/// Checks the refutation beside a formula, with the checker that shares no code with any solver.
pub fn check(formula: &Path) -> Result<(), UsageError> {
    let read = |path: &Path| std::fs::read(path).map_err(|error| UsageError(format!("{}: {error}", path.display())));
    let cnf = Cnf::parse(&read(formula)?).map_err(|error| UsageError(format!("{}: {error}", formula.display())))?;
    let (lrat, drat) = (formula.with_extension("lrat"), formula.with_extension("drat"));
    let (path, outcome) = if lrat.exists() {
        let outcome = check_lrat(&cnf, &read(&lrat)?);
        (lrat, outcome)
    } else {
        let outcome = check_drat(&cnf, &read(&drat)?);
        (drat, outcome)
    };
    outcome.map(drop).map_err(|rejected| UsageError(format!("{}: rejected: {rejected}", path.display())))
}

/// The formula of a bound that holds has a solution, or a proof is not accepted: never a verdict, always a bug.
fn bug(path: &Path, what: &str) -> UsageError {
    let path = path.display();
    UsageError(format!(
        "this is a bug in uwbmc, please report it with the model: {path} should have no solution, but {what}"
    ))
}

/// A property's name as part of a file name.
fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' }).take(80).collect()
}
