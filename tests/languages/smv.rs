//! The SMV front end on small files, one feature or one mistake each.
//!
//! `tests/smv/good` is accepted, with the number of reachable states that NuSMV counts; what is in the folders of `tests/smv/bad` is rejected,
//! as a whole or some properties of it, with the diagnostics beside each file; `tests/smv/fault` is accepted, and its fault is found when the model runs.
//! `UPDATE=1 cargo test --test languages smv::` rewrites the expected diagnostics.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use system::{Claim, Machine, System};
use testkit::files::smv_files;
use uwbmc::diagnostic::Style;
use uwbmc::engine::Stop;
use uwbmc::explicit::{Limits, search};
use uwbmc::limits::Handle;
use uwbmc::smv::{Loaded, load};
use uwbmc::source::Source;

const LIMITS: Limits = Limits { depth: usize::MAX, memory: 1_000_000_000 };

fn files(folder: &str) -> Vec<PathBuf> {
    let files = smv_files(&[&format!("tests/smv/{folder}")]);
    assert!(!files.is_empty());
    files
}

fn read(path: &Path) -> (Source, Loaded) {
    let name = path.file_name().expect("a file").to_string_lossy().into_owned();
    let source = Source::new(name, &std::fs::read(path).expect("readable"));
    let loaded = load(&source, &[]);
    (source, loaded)
}

#[test]
fn good_files_are_accepted_with_the_number_of_states_that_nusmv_counts() {
    for path in files("good") {
        let (source, loaded) = read(&path);
        let text = loaded.diagnostics.render(&source, Style::Plain);
        let system = loaded.system.unwrap_or_else(|| panic!("{} is rejected:\n{text}", path.display()));
        let Ok(expected) = std::fs::read_to_string(path.with_extension("states")) else { continue };
        let machine = Machine::new(Arc::new(system));
        let found = search(&machine, &[], LIMITS, &mut Handle::default())
            .without_fault()
            .unwrap_or_else(|fault| panic!("{}: {:?}", path.display(), fault.0));
        assert_eq!(found.stop, Stop::Complete);
        assert_eq!(found.states().to_string(), expected.trim(), "reachable states of {}", path.display());
    }
}

/// Whether some property is not checked because it is wrong.
fn has_wrong_property(system: &System) -> bool {
    let is_wrong = |claim: &Claim| matches!(claim, Claim::Unsupported(why) if why.starts_with("SMV"));
    system.properties.iter().any(|property| is_wrong(&property.claim))
}

#[test]
fn what_is_wrong_with_a_property_costs_nothing_but_the_property() {
    let mut wrong = 0;
    for path in files("bad") {
        let (_, loaded) = read(&path);
        assert_eq!(loaded.system.is_none(), loaded.diagnostics.is_rejected(), "{}", path.display());
        let Some(system) = loaded.system else { continue };
        wrong += 1;
        // Without the properties, the model is right.
        let text = std::fs::read_to_string(&path).expect("readable");
        let without: String =
            text.lines().filter(|line| !line.contains("SPEC")).map(|line| format!("{line}\n")).collect();
        let loaded = load(&Source::new("without.smv", without.as_bytes()), &[]);
        assert!(!loaded.diagnostics.has_errors(), "{}", path.display());
        let rest = loaded.system.expect("it is right");
        assert_eq!((rest.variables.len(), rest.commands.len()), (system.variables.len(), system.commands.len()));
        assert_eq!((rest.relations.len(), rest.constraints.len()), (system.relations.len(), system.constraints.len()));
    }
    assert!(wrong >= 10, "{wrong} files");
}

#[test]
fn bad_files_are_rejected_with_the_expected_diagnostics() {
    let mut differences = Vec::new();
    let update = std::env::var_os("UPDATE").is_some();
    for path in files("bad") {
        let (source, loaded) = read(&path);
        let is_wrong = loaded.system.is_none_or(|system| has_wrong_property(&system));
        assert!(is_wrong && loaded.diagnostics.has_errors(), "{} is accepted", path.display());
        let found = loaded.diagnostics.render(&source, Style::Plain);
        let expected_path = path.with_extension("expected");
        if update {
            std::fs::write(&expected_path, &found).expect("writable");
        } else if std::fs::read_to_string(&expected_path).ok().as_ref() != Some(&found) {
            differences.push(format!("{}:\n{found}", path.display()));
        }
    }
    assert!(differences.is_empty(), "{} files differ:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn every_diagnostic_names_its_place_and_code() {
    for path in files("bad") {
        let (source, loaded) = read(&path);
        for diagnostic in loaded.diagnostics.sorted() {
            assert!(diagnostic.span.is_some(), "{}: {}", path.display(), diagnostic.message);
            assert!(diagnostic.code.0.starts_with("SMV"));
            let span = diagnostic.span.unwrap_or_default();
            assert!(span.start <= span.end && span.end as usize <= source.text().len(), "{}", path.display());
        }
    }
}

#[test]
fn faults_are_found_when_the_model_runs() {
    for path in files("fault") {
        let (source, loaded) = read(&path);
        let text = loaded.diagnostics.render(&source, Style::Plain);
        let system = loaded.system.unwrap_or_else(|| panic!("{} is rejected:\n{text}", path.display()));
        let machine = Machine::new(Arc::new(system));
        let found = search(&machine, &[], LIMITS, &mut Handle::default()).without_fault();
        assert!(found.is_err(), "{} runs without a fault", path.display());
    }
}
