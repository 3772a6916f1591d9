//! `uwbmc certify`

use super::{CertifyArgs, Outcome, UsageError, proof, terminal};
use std::path::PathBuf;

pub fn run(args: &CertifyArgs) -> Result<Outcome, UsageError> {
    let path = args.folder.display();
    let entries = std::fs::read_dir(&args.folder).map_err(|error| UsageError(format!("{path}: {error}")))?;
    let mut formulas: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    formulas.retain(|path| path.extension().is_some_and(|extension| extension == "cnf"));
    formulas.sort();
    if formulas.is_empty() {
        return Err(UsageError(format!("{path}: there are no formulas (.cnf) in this folder")));
    }
    let mut outcome = Outcome::Fine;
    for formula in &formulas {
        match proof::check(formula) {
            Ok(()) => terminal::print(&format!("accepted {}\n", formula.display())),
            Err(error) => {
                terminal::complain(&error.0);
                outcome = Outcome::Violated;
            }
        }
    }
    Ok(outcome)
}
