//! The programs in examples/ give what they promise.

#![cfg(feature = "cadical")]

#[path = "../../examples/build_system.rs"]
mod build_system;
#[path = "../../examples/certify_proof.rs"]
mod certify_proof;
#[path = "../../examples/check_text.rs"]
mod check_text;
#[path = "../../examples/walk_counterexample.rs"]
mod walk_counterexample;

use std::path::Path;

#[test]
fn an_smv_text_is_checked() {
    let expected = "safe: holds (all 8 reachable states were visited)\nquiet: violated in 2 steps\n\
        served: a run for ever violates it\n";
    assert_eq!(check_text::run().expect("checked"), expected);
}

#[test]
fn a_system_built_in_rust_is_checked() {
    let expected = (2..6).map(|count| format!("{count} philosophers, deadlock: violated in {count} steps\n"));
    assert_eq!(build_system::run().expect("checked"), expected.collect::<String>());
}

#[test]
fn proofs_are_certified() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("examples-{}", std::process::id()));
    let text = certify_proof::run(&folder).expect("certified");
    std::fs::remove_dir_all(&folder).expect("removed");
    assert_eq!(text, "small: holds up to bound 8\n9 refutations accepted\n");
}

#[test]
fn a_counterexample_is_walked_along() {
    let text = walk_counterexample::run().expect("checked");
    let statements: Vec<&str> = text.lines().filter_map(|line| line.split(" [").next()).collect();
    let workers = statements.iter().filter(|line| line.contains("copy")).count();
    assert_eq!(workers, 4, "{text}");
    assert!(text.contains("count = 1]") || text.contains("count = 1,"), "{text}");
    assert!(!text.contains("[count = 2") && text.contains("judge"), "{text}");
}
