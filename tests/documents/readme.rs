//! Every command in the README runs and prints what the README says; `UPDATE=1 cargo test --test documents readme::` rewrites it.
//! Which of several counterexamples is found depends on the solver, so the outputs are compared in the default build
//! only.

#![cfg(feature = "cadical")]

use std::path::Path;
use testkit::console;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn console_examples_print_what_is_shown() {
    assert_eq!(console::check(&root().join("README.md"), root()), 2);
}

#[test]
fn the_two_commands_are_real() {
    let text = std::fs::read_to_string(root().join("README.md")).expect("readable");
    let ci = std::fs::read_to_string(root().join(".ci/run")).expect("readable");
    let (before, after) = text.split_once("    cargo run --release -- ").expect("shown");
    assert!(!before.contains("$ uwbmc"), "they come first");
    let (check, test) = after.split_once("\n    ").expect("two commands");
    assert!(console::run(&format!("uwbmc {check}"), root()).starts_with("safe: violated"));
    let test = test.lines().next().expect("a command");
    assert!(test.starts_with("cargo test") && ci.contains(test), "{test}");
}

/// The placeholders of the table of commands, and what to put there.
const PLACEHOLDERS: [(&str, &str); 2] =
    [("MODEL", "models/mutex/peterson-2-broken.smv"), ("FILE", concat!(env!("CARGO_TARGET_TMPDIR"), "/readme.json"))];

#[test]
fn the_commands_of_the_table_run() {
    let text = std::fs::read_to_string(root().join("README.md")).expect("readable");
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let mut commands = 0;
    for row in rows {
        let command = PLACEHOLDERS.iter().fold(row.to_owned(), |text, (name, value)| text.replace(name, value));
        let printed = console::run(&format!("{command} </dev/null 2>&1; echo code $?"), root());
        assert!(printed.ends_with("code 0\n") || printed.ends_with("code 1\n"), "{row}: {printed}");
        commands += 1;
    }
    assert_eq!(commands, 6);
}
