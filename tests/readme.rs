//! Every command in the README runs and prints what the README says; `UPDATE=1 cargo test --test readme` rewrites it.
//! Which of several counterexamples is found depends on the solver, so the outputs are compared in the default build
//! only.

#![cfg(feature = "cadical")]

#[path = "common/console.rs"]
mod console;

use std::path::Path;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn console_examples_print_what_is_shown() {
    assert!(console::check(&root().join("README.md"), root()) >= 3);
}

#[test]
fn the_two_commands_are_real() {
    let text = std::fs::read_to_string(root().join("README.md")).expect("readable");
    let ci = std::fs::read_to_string(root().join(".ci/run")).expect("readable");
    let (install, check) = text.split_once("    cargo install --path .\n    ").expect("shown");
    assert!(!install.contains("$ uwbmc"), "they come first");
    let check = check.lines().next().expect("a command");
    assert!(console::run(check, root()).starts_with("safe: violated"));
    assert!(text.contains("    cargo test --workspace\n") && ci.contains("cargo test --workspace"));
}
