//! What fuzzers run (`fuzz/`) compiles, and takes our small files and their halves.

#[path = "../../fuzz/src/lib.rs"]
mod targets;

use std::path::{Path, PathBuf};
use testkit::files::smv_files;
use testkit::pml;

/// Runs a target on each file, and on the half of it: most mistakes are at an end that comes too soon.
fn feed(target: fn(&[u8]), files: &[PathBuf]) {
    assert!(files.len() > 2, "{files:?}");
    for file in files {
        let bytes = std::fs::read(file).expect("part of the repository");
        target(&bytes);
        target(&bytes[..bytes.len() / 2]);
    }
}

#[test]
fn models_are_taken_by_the_targets() {
    feed(targets::smv, &smv_files(&["tests/smv/good", "tests/smv/bad"]));
    feed(targets::promela, &pml::files("tests/promela"));
}

#[test]
fn documents_are_taken_by_the_target() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let files = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path());
    feed(targets::trace, &files.filter(|path| path.is_file()).collect::<Vec<PathBuf>>());
}
