//! Running the tool as a user does.

use crate::{root, scratch, tool};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub const PETERSON: &str = "models/mutex/peterson-2.smv";
pub const BROKEN: &str = "models/mutex/peterson-2-broken.smv";

/// What the tool prints and how it ends, in the folder of the package, with nothing to read.
pub fn uwbmc(arguments: &[&str]) -> Output {
    let mut command = Command::new(tool());
    command.args(arguments).current_dir(root()).stdin(Stdio::null()).output().expect("it runs")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The one JSON document that it prints.
pub fn json(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_slice(&uwbmc(arguments).stdout).expect("one JSON document")
}

/// A file name of its own for each test.
pub fn temporary(name: &str) -> PathBuf {
    let test = std::thread::current().name().unwrap_or_default().replace("::", "-");
    scratch().join(format!("{}-{test}-{name}", std::process::id()))
}

pub fn text(path: &Path) -> &str {
    path.to_str().expect("our temporary names are plain")
}

/// A model in a file of its own.
pub fn model(name: &str, contents: &str) -> PathBuf {
    let path = temporary(name);
    std::fs::write(&path, contents).expect("writable");
    path
}

/// What the tool says of a model.
pub fn with(model: &Path, arguments: &[&str]) -> Output {
    uwbmc(&[&[text(model)], arguments].concat())
}
