//! The printed form of systems. `UPDATE=1 cargo test --test languages system_form::` rewrites what is expected.

use std::path::Path;
use system::render_system;
use uwbmc::smv::load;
use uwbmc::source::Source;

fn check(model: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = Source::new(model, &std::fs::read(root.join(model)).expect("readable"));
    let found = render_system(&load(&source, &[]).system.expect("accepted"));
    let name = Path::new(model).with_extension("txt");
    let expected = root.join("tests/system").join(name.file_name().expect("a file"));
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&expected, &found).expect("writable");
    }
    assert_eq!(found, std::fs::read_to_string(&expected).expect("an expected form"), "{model}");
}

#[test]
fn the_papers_example() {
    check("models/paper/figure1.smv");
}

#[test]
fn processes_with_inferred_program_counters() {
    check("models/mutex/peterson-2.smv");
    check("models/leader/leader-3.smv");
}

#[test]
fn relations_inputs_words_and_arrays() {
    for name in [
        "word-arithmetic",
        "array-of-arrays",
        "process-trans-running",
        "section-frozenvar",
        "section-ivar",
        "section-init-trans-invar",
        "assign-current",
    ] {
        check(&format!("tests/smv/good/{name}.smv"));
    }
}
