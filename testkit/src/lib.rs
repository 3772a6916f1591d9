//! What the tests share: generators, oracles, readers of other tools' formats, and ways to run the tool.
//!
//! Oracles share no code with what they check. What a generator never makes is never tested, so the lists of constructs
//! ([`constructs`], [`smv_constructs`], [`promela_constructs`]) say what it has to make.

pub mod alike;
pub mod browser;
pub mod command;
pub mod console;
pub mod constructs;
pub mod counted;
pub mod ctl;
pub mod evaluate;
pub mod expression;
pub mod files;
pub mod formula;
pub mod generate;
pub mod hostile;
pub mod kinds;
pub mod locals;
mod names;
pub mod nested;
pub mod nusmv;
pub mod pan;
pub mod pml;
pub mod processes;
pub mod promela;
pub mod promela_constructs;
pub mod schema;
pub mod shape;
pub mod sidecar;
pub mod smv_constructs;
pub mod symmetric;
/// Random systems, which the tests of the crate `system` make too.
#[path = "../../system/tests/random/mod.rs"]
pub mod systems;
pub mod texts;
pub mod traces;
pub mod walks;
pub mod xml;

pub use systems::numbers;

use std::path::{Path, PathBuf};

/// The folder of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository")
}

/// The tool, which Cargo puts beside the folder of the tests.
pub fn tool() -> PathBuf {
    beside_tests(1).join(format!("uwbmc{}", std::env::consts::EXE_SUFFIX))
}

/// A folder for files that tests write.
pub fn scratch() -> PathBuf {
    let folder = beside_tests(2).join("tmp");
    std::fs::create_dir_all(&folder).expect("the target folder can be written");
    folder
}

/// A folder this many levels above that of the test that runs.
fn beside_tests(levels: usize) -> PathBuf {
    let test = std::env::current_exe().expect("a test is a file");
    test.ancestors().nth(levels + 1).expect("tests are below the target folder").to_owned()
}
