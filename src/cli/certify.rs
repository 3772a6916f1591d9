//! `uwbmc certify`

use super::terminal::Audience;
use super::watch::Watch;
use super::{Outcome, UsageError, terminal};
use crate::check::check_proof;
use crate::observer::{Observer, Progress};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct CertifyArgs {
    /// The folder that `--proof` wrote.
    folder: PathBuf,
    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &CertifyArgs) -> Result<Outcome, UsageError> {
    let path = args.folder.display();
    let entries = std::fs::read_dir(&args.folder).map_err(|error| UsageError(format!("{path}: {error}")))?;
    let mut formulas: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    formulas.retain(|path| path.extension().is_some_and(|extension| extension == "cnf"));
    formulas.sort();
    if formulas.is_empty() {
        return Err(UsageError(format!("{path}: there are no formulas (.cnf) in this folder")));
    }
    let mut watch = Watch::start(None, Audience::of(args.json));
    let all = formulas.len();
    let goes_on = |(done, _): &(usize, PathBuf)| watch.see(&Progress::Certifying { done: *done, all }).is_continue();
    let checks: Vec<Check> =
        formulas.into_iter().enumerate().take_while(goes_on).map(|(_, formula)| Check::of(&formula)).collect();
    watch.clear();
    if args.json {
        terminal::print_json("uwbmc-certify", &Document { proofs: &checks });
    } else {
        checks.iter().for_each(Check::print);
    }
    if checks.len() < all {
        terminal::remark(&format!("interrupted: {} of {all} proofs were checked", checks.len()));
    }
    Ok(match checks.iter().all(|check| check.accepted) {
        false => Outcome::Violated,
        true if checks.len() < all => Outcome::Undecided,
        true => Outcome::Fine,
    })
}

/// What `--json` prints.
#[derive(Serialize)]
struct Document<'a> {
    proofs: &'a [Check],
}

/// What was found about a formula and its proof.
#[derive(Serialize)]
struct Check {
    formula: String,
    accepted: bool,
    /// Why not.
    reason: Option<String>,
}

impl Check {
    fn of(formula: &Path) -> Check {
        let reason = check_proof(formula).err().map(|error| error.to_string());
        Check { formula: formula.display().to_string(), accepted: reason.is_none(), reason }
    }

    fn print(&self) {
        match &self.reason {
            None => terminal::print(&format!("accepted {}\n", self.formula)),
            Some(reason) => terminal::complain(reason),
        }
    }
}
