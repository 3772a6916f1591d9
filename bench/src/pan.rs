//! SPIN's verifier as a contestant, on the Promela twin of a model.
//!
//! SPIN has no bound: it looks for the violation at any depth, and a run of it that ends has seen every state, or with bitstate
//! hashing as many as its table has told apart. Making and compiling the verifier is not part of its time.

use super::run::Outcome;
use super::spin::output;
use super::suite::Instance;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How the verifier searches.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub enum Search {
    /// Depth-first, with processes and their steps in an order that is drawn for each state.
    #[serde(rename = "spin-random")]
    Random,
    /// Depth-first, with a bit for each state.
    #[serde(rename = "spin-bitstate")]
    Bitstate,
    /// Breadth-first.
    #[serde(rename = "spin-breadth-first")]
    BreadthFirst,
}

impl Search {
    /// What the verifier is compiled with.
    fn flags(self) -> &'static [&'static str] {
        match self {
            Search::Random => &["-DSAFETY", "-DP_RAND", "-DT_RAND"],
            Search::Bitstate => &["-DSAFETY", "-DBITSTATE"],
            Search::BreadthFirst => &["-DSAFETY", "-DBFS"],
        }
    }
}

/// Where SPIN's files go, beside the model's.
pub fn folder(model: &Path) -> PathBuf {
    model.with_extension("spin")
}

/// A run of the verifier. It takes part where the instance has a twin and `spin` and `gcc` are on the path.
pub fn command(mut command: Command, instance: &Instance, search: Search, seed: u32, model: &Path) -> Option<Command> {
    let text = std::fs::read_to_string(instance.twin.as_ref()?).ok()?;
    let folder = folder(model);
    std::fs::create_dir_all(&folder).ok()?;
    std::fs::write(folder.join("model.pml"), &text).ok()?;
    output(&folder, "spin", &["-a", "model.pml"]).ok()?;
    output(&folder, "gcc", &[&["-O2", "-w"], search.flags(), &["-o", "pan", "pan.c"]].concat()).ok()?;
    command.arg("./pan").current_dir(folder);
    // A twin has assertions, or it is its deadlock that is looked for.
    if text.contains("assert(") {
        command.arg("-E");
    }
    if search == Search::Random {
        command.arg(format!("-RS{}", seed + 1));
    }
    Some(command)
}

/// "pan:1: assertion violated ... (at depth N)", or how the search ended.
pub fn read(text: &str, search: Search) -> (Outcome, Option<usize>) {
    let depth = |line: &str| line.rsplit_once("(at depth ")?.1.trim_end_matches(')').parse().ok();
    if let Some(line) = text.lines().find(|line| line.starts_with("pan:1:")) {
        return (Outcome::Violated, depth(line));
    }
    let is_whole = text.contains("errors: 0")
        && search != Search::Bitstate
        && !["not completed", "max search depth too small"].iter().any(|flaw| text.contains(flaw));
    (if is_whole { Outcome::Holds } else { Outcome::Unknown }, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_violation_has_a_depth() {
        let report = "pan:1: assertion violated (inside==1) (at depth 110)\npan: wrote model.pml.trail\n";
        assert_eq!(read(report, Search::Random), (Outcome::Violated, Some(110)));
        let report = "pan:1: invalid end state (at depth 40)\n";
        assert_eq!(read(report, Search::BreadthFirst), (Outcome::Violated, Some(40)));
    }

    #[test]
    fn only_a_whole_search_says_that_there_is_none() {
        let report = "State-vector 20 byte, depth reached 9, errors: 0\n";
        assert_eq!(read(report, Search::BreadthFirst), (Outcome::Holds, None));
        assert_eq!(read(report, Search::Bitstate), (Outcome::Unknown, None));
        let cut = format!("error: max search depth too small\n{report}");
        assert_eq!(read(&cut, Search::Random), (Outcome::Unknown, None));
        let stopped = format!("Warning: Search not completed\n{report}");
        assert_eq!(read(&stopped, Search::Random), (Outcome::Unknown, None));
        assert_eq!(read("", Search::Random), (Outcome::Unknown, None));
    }
}
