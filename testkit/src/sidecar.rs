//! What the sidecar of a model says.

use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sidecar {
    pub about: String,
    pub source: String,
    pub states: Option<usize>,
    /// Of Promela models.
    pub transitions: Option<usize>,
    pub property: Vec<Expected>,
    /// Properties of infinite runs.
    #[serde(default)]
    pub liveness: Vec<Lively>,
}

/// A property of infinite runs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lively {
    pub name: String,
    pub verdict: String,
    /// Of Promela models: the verdict on runs that are weakly fair.
    pub with_fairness: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    pub name: String,
    pub verdict: String,
    pub depth: Option<usize>,
    /// Of large models: a bound within which there is a violation.
    pub within: Option<usize>,
}

pub fn read(model: &Path) -> Sidecar {
    let is_promela = model.extension().is_some_and(|ending| ending == "pml");
    let path = model.with_extension(if is_promela { "pml.toml" } else { "toml" });
    let text = std::fs::read_to_string(path).expect("every model has a sidecar");
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", model.display()))
}
