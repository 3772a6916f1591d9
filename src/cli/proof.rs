//! `--proof` and `--certify`: evidence for `holds up to bound k`.

use super::watch::Watch;
use super::{CheckArgs, UsageError};
use crate::engine::Refutations;
use crate::observer::{Observer, Progress};
use crate::report::Verdict;
use crate::sat::{Attempt, Files};
use proof::{Cnf, check_drat, check_lrat};
use std::path::Path;
use system::{Machine, PropertyId};

/// How far the evidence for a property goes.
pub struct Evidence {
    /// The property.
    pub property: PropertyId,
    /// The bound up to which it was found to hold.
    pub wanted: usize,
    /// The bound up to which there is a proof, checked if that was asked for.
    pub reached: Option<usize>,
    /// How many proofs there are.
    pub proofs: usize,
}

/// Writes a formula and its refutation for every property and bound that holds, one bound after the other as long as
/// time and memory last; with `--certify`, each proof is checked before the next one is written.
pub fn write(
    machine: &Machine,
    verdicts: &[(PropertyId, Verdict)],
    folder: &Path,
    args: &CheckArgs,
    watch: &mut Watch,
) -> Result<Vec<Evidence>, UsageError> {
    std::fs::create_dir_all(folder).map_err(|error| UsageError(format!("{}: {error}", folder.display())))?;
    let mut written = Vec::new();
    for (property, verdict) in verdicts {
        let Verdict::HoldsUpTo(wanted) = *verdict else { continue };
        let mut evidence = Evidence { property: *property, wanted, reached: None, proofs: 0 };
        let name = &machine.system().properties[*property].name;
        let mut formulas = Refutations::new(machine, *property)
            .map_err(|unsupported| UsageError(format!("proofs do not support {}", unsupported.0)))?;
        for depth in 0..=wanted {
            let now = Progress::Proving { property: name, depth, bound: wanted };
            let mut goes_on = || watch.see(&now).is_continue();
            if !goes_on() {
                break;
            }
            let Some(formula) = formulas.next_bound() else { break };
            let path = folder.join(format!("{}-{depth}.cnf", file_name(name)));
            if !refute(&formula, &path, args, &mut || !goes_on())? {
                break;
            }
            if args.certify {
                check(&path)?;
            }
            evidence.reached = Some(depth);
            evidence.proofs += 1;
        }
        written.push(evidence);
    }
    Ok(written)
}

/// Writes a formula and its refutation; says whether there was enough time. What is not finished is not left behind.
fn refute(
    formula: &encoder::Cnf,
    path: &Path,
    args: &CheckArgs,
    stop: &mut dyn FnMut() -> bool,
) -> Result<bool, UsageError> {
    std::fs::write(path, formula.render()).map_err(|error| UsageError(format!("{}: {error}", path.display())))?;
    let proof = path.with_extension(args.solver().proof_format().ending());
    let mut stopped = false;
    let mut noted = || {
        stopped = stop();
        stopped
    };
    match args.solver().prove(formula, Files { formula: path, proof: &proof }, &mut noted) {
        Attempt::Refuted => Ok(true),
        Attempt::Satisfiable => Err(bug(path, "it has a solution")),
        Attempt::Failed if stopped => {
            for unfinished in [path, &proof] {
                let _ = std::fs::remove_file(unfinished);
            }
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
