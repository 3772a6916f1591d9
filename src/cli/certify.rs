//! `uwbmc certify`

use super::terminal::Audience;
use super::watch::Watch;
use super::{Outcome, terminal};
use crate::Error;
use crate::check::{Manifest, Proved, check_proof};
use crate::hidden::visible;
use limits::{Observer, Progress};
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

pub fn run(args: &CertifyArgs) -> Result<Outcome, Error> {
    let manifest = Manifest::read(&args.folder)?;
    let problems = manifest.problems(&args.folder)?;
    let formulas = manifest.properties.iter().flat_map(Proved::formulas);
    let formulas: Vec<PathBuf> = formulas.map(|formula| args.folder.join(&formula.file)).collect();
    let mut watch = Watch::start(None, Audience::of(args.json));
    let all = formulas.len();
    let goes_on = |(done, _): &(usize, PathBuf)| watch.see(&Progress::Certifying { done: *done, all }).is_continue();
    let checks: Vec<Check> =
        formulas.into_iter().enumerate().take_while(goes_on).map(|(_, formula)| Check::of(&formula)).collect();
    watch.clear();
    if args.json {
        terminal::print_json("uwbmc-certify", &Document { proofs: &checks, problems: &problems });
    } else {
        checks.iter().for_each(Check::print);
        problems.iter().for_each(|problem| terminal::complain(problem));
        manifest.properties.iter().for_each(summarise);
    }
    if checks.len() < all {
        terminal::remark(&format!("interrupted: {} of {all} proofs were checked", checks.len()));
    }
    Ok(match problems.is_empty() && checks.iter().all(|check| check.accepted) {
        false => Outcome::Violated,
        true if checks.len() < all => Outcome::Undecided,
        true => Outcome::Fine,
    })
}

/// What `--json` prints.
#[derive(Serialize)]
struct Document<'a> {
    proofs: &'a [Check],
    /// What is wrong with the folder: bounds and files that are missing, or not those that were written.
    problems: &'a [String],
}

/// Says what the proofs of a property are about.
fn summarise(proved: &Proved) {
    let name = visible(&proved.property);
    match proved.bounds.len().checked_sub(1) {
        _ if !proved.induction.is_empty() => terminal::remark(&format!("{name}: an inductive invariant")),
        Some(bound) => terminal::remark(&format!("{name}: bounds 0 to {bound}")),
        None => terminal::remark(&format!("{name}: no bound")),
    }
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
