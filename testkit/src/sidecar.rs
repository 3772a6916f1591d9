//! What the sidecar of a model says.

use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sidecar {
    pub about: String,
    pub source: String,
    pub states: Option<usize>,
    pub property: Vec<Expected>,
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
    let text = std::fs::read_to_string(model.with_extension("toml")).expect("every model has a sidecar");
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", model.display()))
}
