//! Running the tool as a user does.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub const PETERSON: &str = "models/mutex/peterson-2.smv";
pub const BROKEN: &str = "models/mutex/peterson-2-broken.smv";

/// What the tool prints and how it ends, in the folder of the package, with nothing to read.
pub fn uwbmc(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_uwbmc"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null()).output().expect("it runs")
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
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()))
}

pub fn text(path: &Path) -> &str {
    path.to_str().expect("our temporary names are plain")
}
