//! `--proof` and `--certify`: evidence for `holds up to bound k`.

use super::{CheckArgs, UsageError};
use crate::engine::refutation;
use crate::report::Verdict;
use crate::sat::{Attempt, Files};
use encoder::proof::{Cnf, check_drat, check_lrat};
use std::path::{Path, PathBuf};
use system::{Machine, PropertyId};

/// Writes a formula and its refutation for every property and bound that holds, and returns where the formulas are.
pub fn write(
    machine: &Machine,
    verdicts: &[(PropertyId, Verdict)],
    folder: &Path,
    args: &CheckArgs,
) -> Result<Vec<PathBuf>, UsageError> {
    std::fs::create_dir_all(folder).map_err(|error| UsageError(format!("{}: {error}", folder.display())))?;
    let mut written = Vec::new();
    for (property, verdict) in verdicts {
        let Verdict::HoldsUpTo(bound) = verdict else { continue };
        for depth in 0..=*bound {
            let formula = refutation(machine, *property, depth)
                .map_err(|unsupported| UsageError(format!("proofs do not support {}", unsupported.0)))?;
            let Some(formula) = formula else { continue };
            let name = file_name(&machine.system().properties[*property].name);
            let path = folder.join(format!("{name}-{depth}.cnf"));
            std::fs::write(&path, formula.render())
                .map_err(|error| UsageError(format!("{}: {error}", path.display())))?;
            let proof = path.with_extension(args.solver.proof_format().ending());
            let files = Files { formula: &path, proof: &proof };
            match args.solver.prove(&formula, files, &mut || false) {
                Attempt::Refuted => written.push(path),
                Attempt::Satisfiable => return Err(bug(&path, "it has a solution")),
                Attempt::Failed => return Err(UsageError(format!("{}: no proof could be written", proof.display()))),
            }
        }
    }
    Ok(written)
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
