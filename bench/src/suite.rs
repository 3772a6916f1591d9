//! What a suite file says.

use crate::experiment::table;
use crate::pan::Search;
use check::Error;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A suite: instances by contestants.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// What it is about, for the summary.
    pub about: String,
    /// The time that a run has, in seconds.
    pub timeout: f64,
    /// The memory that a run has, in megabytes.
    pub memory: u64,
    /// The seeds: each run is made once with each of them.
    pub seeds: Vec<u32>,
    /// The contestant that the others are compared with.
    pub baseline: String,
    /// The contestant whose losses are shown.
    pub hero: String,
    /// Whether times or bounds count.
    #[serde(default)]
    pub measure: Measure,
    /// Whether tables say how long counterexamples are.
    #[serde(default)]
    pub depths: Depths,
    /// Who is measured.
    #[serde(default)]
    pub contestants: Vec<Contestant>,
    /// On what.
    #[serde(default)]
    pub instances: Vec<Instance>,
    /// Comparisons bound by bound.
    #[serde(default)]
    pub tables: Vec<BoundByBound>,
    /// Experiments of the papers behind the explicit engines.
    #[serde(default)]
    pub experiments: Vec<Experiment>,
    /// What is known from elsewhere, for the summary.
    #[serde(default)]
    pub beside: String,
}

/// An experiment of a paper.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Experiment {
    /// Figure 4 of \[God97\]: transitions of classical and stateless search.
    Philosophers,
    /// §6 of \[GP93\]: states with no, unrefined and refined dependencies.
    Protocol,
    /// The same on SPIN's example dtp, where it is installed.
    Dtp,
    /// Figure 1 of \[JJ91\]: insertions over the share of memory.
    Memory,
    /// The same on many random graphs.
    Graphs,
    /// Speed beside SPIN, where it is installed.
    Spin,
    /// SPIN's time on Promela models that are twins of SMV models.
    Twins,
    /// §3 of \[JJ91\]: formulas with deterministic automata in bounded memory.
    OnLine,
    /// Infinite runs of programs beside SPIN, where it is installed.
    Cycles,
    /// Figure 4 of \[God97\] by real processes.
    Processes,
    /// How fast runs of real programs are.
    Speed,
}

/// What is compared.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// The time until the answer.
    #[default]
    Time,
    /// How far a contestant comes in the time that it has.
    Bound,
    /// How large formulas are, and what it takes to make them.
    Formulas,
}

/// Whether tables say how long counterexamples are.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Depths {
    /// They do not.
    #[default]
    Hidden,
    /// They do.
    Shown,
}

/// A run of `uwbmc compare`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BoundByBound {
    /// The model.
    pub model: String,
    /// The bound.
    pub k: usize,
    /// The only property that is checked.
    pub property: String,
    /// Whether each bound is a question of its own.
    pub exact: bool,
    /// The SAT solver, if it is not the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver: Option<String>,
}

impl BoundByBound {
    /// Its name in tables and progress.
    pub fn name(&self) -> String {
        let solver = self.solver.as_ref().map_or(String::new(), |solver| format!(", by {solver}"));
        format!("{}, property {}{solver}", stem(&self.model), self.property)
    }
}

/// A way to check models: arguments of `uwbmc check`, or another tool.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Contestant {
    /// Its name in tables.
    pub name: String,
    /// Arguments for `uwbmc check`.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// Another tool instead.
    #[serde(default)]
    pub tool: Option<Tool>,
    /// The time that its runs have, in seconds, if it is not that of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<f64>,
    /// Its seeds, if it has fewer than the others: a run that does not depend on chance is made once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<Vec<u32>>,
}

impl Contestant {
    /// Whether it takes part with a seed.
    pub fn has_seed(&self, seed: u32) -> bool {
        self.seeds.as_ref().is_none_or(|seeds| seeds.contains(&seed))
    }

    /// Whether it can be run on an instance at all: SPIN needs a twin.
    pub fn takes_part_in(&self, instance: &Instance) -> bool {
        instance.twin.is_some() || !matches!(self.tool, Some(Tool::Spin(_)))
    }
}

/// A tool that is not ours. It takes part where it is installed.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Tool {
    /// NuSMV's incremental bounded model checking: of G p, or of a formula of LTL by its shortest lassos.
    NuSmv,
    /// NuSMV's decision diagrams, with dynamic reordering and cone of influence.
    #[serde(rename = "nusmv-diagrams")]
    NuSmvDiagrams,
    /// ABC's bounded model checking of our AIGER export.
    Abc,
    /// SPIN's verifier, on the model's Promela twin.
    #[serde(untagged)]
    Spin(Search),
}

/// Models and a bound.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Instance {
    /// The model; a name such as $FOLDER at its beginning stands for a variable of the environment, and `generated:N` for a
    /// table with N philosophers.
    pub model: String,
    /// The bound; without one, everything that can be reached counts.
    #[serde(default)]
    pub k: Option<usize>,
    /// The only property that is checked; all, if there is none.
    #[serde(default)]
    pub property: Option<String>,
    /// What the instance is counted among.
    #[serde(default)]
    pub group: String,
    /// What is added to the model's text.
    #[serde(default)]
    pub append: String,
    /// The same system in Promela, with the violation as an assertion or a deadlock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twin: Option<String>,
}

impl Suite {
    /// The time that a run of a contestant has, in seconds.
    pub fn patience(&self, contestant: &str) -> f64 {
        let its = self.contestants.iter().find(|known| known.name == contestant);
        its.and_then(|contestant| contestant.timeout).unwrap_or(self.timeout)
    }

    /// Reads a suite.
    pub fn read(path: &Path) -> Result<Suite, Error> {
        let text = std::fs::read_to_string(path).map_err(|error| Error::about(path, &error))?;
        let suite: Suite = toml::from_str(&text).map_err(|error| Error::about(path, &error))?;
        let is_known = |name: &String| suite.contestants.iter().any(|contestant| contestant.name == *name);
        for name in [&suite.baseline, &suite.hero] {
            if !suite.contestants.is_empty() && !is_known(name) {
                return Err(Error::Usage(format!("{}: no contestant is named {name}", path.display())));
            }
        }
        Ok(suite)
    }
}

impl Instance {
    /// The model's text, if the model is there.
    pub fn text(&self) -> Option<String> {
        if let Some(philosophers) = self.model.strip_prefix("generated:") {
            return philosophers.parse().ok().filter(|count| *count > 1).map(table::smv);
        }
        let path = match self.model.strip_prefix('$') {
            None => self.model.clone(),
            Some(rest) => {
                let (name, rest) = rest.split_once('/')?;
                format!("{}/{rest}", std::env::var(name).ok()?)
            }
        };
        Some(std::fs::read_to_string(path).ok()? + &self.append)
    }

    /// The ending of the model's file, which tells its language.
    pub fn ending(&self) -> &'static str {
        if self.model.ends_with(".pml") { "pml" } else { "smv" }
    }

    /// A short name.
    pub fn name(&self) -> String {
        let property = self.property.as_ref().map(|property| format!(" {property}")).unwrap_or_default();
        let bound = self.k.map(|k| format!(", k={k}")).unwrap_or_default();
        format!("{}{property}{bound}", stem(&self.model))
    }
}

/// A file's name without its folder and ending.
pub fn stem(path: &str) -> String {
    Path::new(path).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}
