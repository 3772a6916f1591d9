//! That cubes leave nothing out.

use check::Error;
use encoder::{Cnf, Lit};
use limits::Handle;
use proof::check_either;
use sat::{Attempt, Choice, Files};
use std::path::Path;

/// Whether cubes leave nothing out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cover {
    /// Every solution is in one of them, by a refutation that our checker accepts.
    Everything,
    /// Some assignment is in none of them, and propagation does not exclude it.
    NotAll,
    /// There was not enough time.
    Interrupted,
}

/// Refutes that a solution of a formula is in none of some cubes. The files live in a folder.
pub fn cover(formula: &Cnf, cubes: &[Vec<Lit>], folder: &Path, handle: &mut Handle<'_>) -> Result<Cover, Error> {
    let mut elsewhere = formula.clone();
    elsewhere.clauses.extend(cubes.iter().map(|cube| cube.iter().map(|lit| !*lit).collect()));
    let (path, proof) = (folder.join("cover.cnf"), folder.join("cover.proof"));
    let text = elsewhere.render();
    std::fs::write(&path, &text).map_err(|error| Error::in_file(&path, &error))?;
    match Choice::default().prove(&elsewhere, Files { formula: &path, proof: &proof }, handle) {
        Attempt::Satisfiable => Ok(Cover::NotAll),
        Attempt::Interrupted | Attempt::Failed => Ok(Cover::Interrupted),
        Attempt::Refuted => {
            let cnf = proof::Cnf::parse(text.as_bytes()).map_err(Error::bug)?;
            let bytes = std::fs::read(&proof).map_err(|error| Error::in_file(&proof, &error))?;
            check_either(&cnf, &bytes).map_err(|why| Error::Solver(format!("the proof of the cover is {why}")))?;
            Ok(Cover::Everything)
        }
    }
}
