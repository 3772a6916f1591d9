//! The manifest of a folder of proofs: which formulas and proofs belong to which property and bound. A bound that is missing,
//! a file that is not the one that was written, and files of another run are noticed by it.

use super::induction::PARTS;
use crate::error::Error;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// The manifest's file.
const FILE: &str = "manifest.json";

/// What the files of a folder are.
#[derive(Debug, Serialize, Deserialize)]
pub struct Manifest {
    format: String,
    version: u32,
    /// The properties, each with its proofs.
    pub properties: Vec<Proved>,
}

/// A property, and the proofs that it holds up to a bound.
#[derive(Debug, Serialize, Deserialize)]
pub struct Proved {
    /// Its name.
    pub property: String,
    /// One for each bound, from 0 on.
    pub bounds: Vec<Bound>,
    /// What makes a set of states an inductive invariant, if the property holds for runs of every length.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub induction: Vec<Part>,
}

/// A formula about a set of states and its refutation.
#[derive(Debug, Serialize, Deserialize)]
pub struct Part {
    what: String,
    /// The formula.
    pub formula: Stamp,
    proof: Stamp,
}

/// The formula of a bound and its refutation.
#[derive(Debug, Serialize, Deserialize)]
pub struct Bound {
    bound: usize,
    /// The formula.
    pub formula: Stamp,
    proof: Stamp,
}

/// A file as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Its name in the folder.
    pub file: String,
    bytes: u64,
    /// FNV-1a of 64 bits, which tells files apart by accident, not by intent.
    pub hash: String,
}

impl Default for Manifest {
    fn default() -> Manifest {
        Manifest { format: "uwbmc-proofs".to_owned(), version: 1, properties: Vec::new() }
    }
}

impl Manifest {
    /// Reads the manifest of a folder.
    pub fn read(folder: &Path) -> Result<Manifest, Error> {
        let path = folder.join(FILE);
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Error::about(&path, &format_args!("{error}; `--proof` writes it beside the proofs")))?;
        serde_json::from_str(&text).map_err(|error| Error::about(&path, &error))
    }

    /// Writes it to a folder.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        let path = folder.join(FILE);
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        std::fs::write(&path, text).map_err(|error| Error::in_file(&path, &error))
    }

    /// Removes the proofs of an earlier run from a folder, as far as its manifest names them.
    pub fn clear(folder: &Path) {
        let Ok(old) = Manifest::read(folder) else { return };
        for file in old.files() {
            // A name with a path in it is none that we wrote. What cannot be removed is noticed by those who certify.
            if Path::new(file).file_name().is_some_and(|name| name == file) {
                let _ = std::fs::remove_file(folder.join(file));
            }
        }
        let _ = std::fs::remove_file(folder.join(FILE));
    }

    /// What is wrong with a folder besides its proofs: bounds and files that are missing, are others, or belong to no bound.
    pub fn problems(&self, folder: &Path) -> Result<Vec<String>, Error> {
        let mut problems = Vec::new();
        for Proved { property, bounds, induction } in &self.properties {
            if !induction.is_empty() && !induction.iter().map(|part| part.what.as_str()).eq(PARTS) {
                problems.push(format!("{property}: a part of its inductive invariant is missing"));
            }
            let parts = induction.iter().flat_map(|part| [&part.formula, &part.proof]);
            problems.extend(parts.filter_map(|stamp| stamp.problem(folder)));
            for (expected, entry) in bounds.iter().enumerate() {
                if entry.bound != expected {
                    problems.push(format!("{property}: there is no proof for bound {expected}"));
                    break;
                }
                let changed = [&entry.formula, &entry.proof].into_iter().filter_map(|stamp| stamp.problem(folder));
                problems.extend(changed);
            }
        }
        let known: BTreeSet<&str> = self.files().collect();
        let mut strangers: Vec<String> = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(|error| Error::in_file(folder, &error))? {
            let name =
                entry.map_err(|error| Error::in_file(folder, &error))?.file_name().to_string_lossy().into_owned();
            let is_evidence = [".cnf", ".lrat", ".drat"].iter().any(|ending| name.ends_with(ending));
            if is_evidence && !known.contains(name.as_str()) {
                strangers.push(format!("{name}: the manifest does not name it; it belongs to another run"));
            }
        }
        strangers.sort();
        problems.extend(strangers);
        Ok(problems)
    }

    fn files(&self) -> impl Iterator<Item = &str> {
        self.properties.iter().flat_map(Proved::stamps).map(|stamp| stamp.file.as_str())
    }
}

impl Proved {
    /// The formulas, in order.
    pub fn formulas(&self) -> impl Iterator<Item = &Stamp> {
        self.bounds.iter().map(|entry| &entry.formula).chain(self.induction.iter().map(|part| &part.formula))
    }

    fn stamps(&self) -> Vec<&Stamp> {
        let bounds = self.bounds.iter().flat_map(|entry| [&entry.formula, &entry.proof]);
        bounds.chain(self.induction.iter().flat_map(|part| [&part.formula, &part.proof])).collect()
    }
}

impl Part {
    /// The files of a part, as they are now.
    pub fn of(folder: &Path, what: &str, formula: &str, proof: &str) -> Result<Part, Error> {
        Ok(Part { what: what.to_owned(), formula: Stamp::of(folder, formula)?, proof: Stamp::of(folder, proof)? })
    }

    /// Removes the files.
    pub fn remove(&self, folder: &Path) {
        for stamp in [&self.formula, &self.proof] {
            let _ = std::fs::remove_file(folder.join(&stamp.file));
        }
    }
}

impl Bound {
    /// The files of a bound, as they are now.
    pub fn of(folder: &Path, bound: usize, formula: &str, proof: &str) -> Result<Bound, Error> {
        Ok(Bound { bound, formula: Stamp::of(folder, formula)?, proof: Stamp::of(folder, proof)? })
    }
}

impl Stamp {
    /// A file that is yet to be written.
    pub fn named(file: String) -> Stamp {
        Stamp { file, bytes: 0, hash: String::new() }
    }

    /// A file as it is now.
    pub fn of(folder: &Path, file: &str) -> Result<Stamp, Error> {
        let path = folder.join(file);
        let contents = std::fs::read(&path).map_err(|error| Error::in_file(&path, &error))?;
        Ok(Stamp { file: file.to_owned(), bytes: contents.len() as u64, hash: format!("{:016x}", fnv1a(&contents)) })
    }

    /// Why the file is not what it was.
    pub fn problem(&self, folder: &Path) -> Option<String> {
        match Stamp::of(folder, &self.file) {
            Err(error) => Some(error.to_string()),
            Ok(now) if now != *self => Some(format!("{}: this is not the file that was written", self.file)),
            Ok(_) => None,
        }
    }
}

/// G. Fowler, L. C. Noll, K.-P. Vo.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
