//! Every command in the README runs and prints what the README says. Which of several counterexamples is found depends
//! on the solver, so the outputs are compared in the default build only.

#![cfg(feature = "cadical")]

use std::path::Path;
use std::process::Command;

/// The commands of the console blocks, each with the output that follows it.
fn examples(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for block in text.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap_or_default();
        for part in block.split("$ ").skip(1) {
            let (command, output) = part.split_once('\n').expect("a command is a line");
            found.push((command.to_owned(), output.to_owned()));
        }
    }
    found
}

fn run(command: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let binary = Path::new(env!("CARGO_BIN_EXE_uwbmc"));
    let path = std::env::join_paths([binary.parent().expect("a folder"), Path::new("/usr/bin"), Path::new("/bin")]);
    let output = Command::new("sh")
        .args(["-c", command])
        .env("PATH", path.expect("plain names"))
        .current_dir(root)
        .output()
        .expect("a shell");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn console_examples_print_what_is_shown() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("readable");
    let examples = examples(&text);
    assert!(examples.len() >= 3);
    for (command, expected) in examples {
        assert_eq!(run(&command).trim_end(), expected.trim_end(), "{command}");
    }
}

#[test]
fn the_two_commands_are_real() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("readable");
    let ci = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/run")).expect("readable");
    let check = text.lines().find_map(|line| line.trim().strip_prefix("cargo run --release -- ")).expect("shown");
    assert!(run(&format!("uwbmc {check}")).starts_with("safe: violated"));
    assert!(text.contains("    cargo test --workspace\n") && ci.contains("cargo test --workspace"));
}
