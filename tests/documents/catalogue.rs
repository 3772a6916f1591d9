//! The catalogue of diagnostics: every code has an entry whose example has the mistake and whose cure has not.

use std::collections::HashSet;
use std::path::Path;
use uwbmc::catalogue::{FAMILIES, Family, explain, markdown};
use uwbmc::diagnostic::Diagnostics;
use uwbmc::source::Source;
use uwbmc::{promela, smv};

fn family(title: &str) -> &'static Family {
    FAMILIES.iter().find(|family| family.title == title).expect("a family")
}

#[test]
fn every_code_has_one_entry_and_a_meaning() {
    let mut seen = HashSet::new();
    for family in FAMILIES {
        let codes: Vec<&str> = family.codes.iter().map(|(code, _)| *code).collect();
        let entries: Vec<&str> = family.entries.iter().map(|entry| entry.code).collect();
        assert_eq!(codes, entries, "{}", family.title);
        for (code, meaning) in family.codes {
            assert!(seen.insert(*code) && meaning.len() > 10, "{code}");
        }
    }
}

/// The codes of diagnostics that are warnings.
const WARNINGS: [&str; 5] = ["SMV050", "SMV051", "PML027", "PML028", "PML029"];

/// The codes that a front end reports for a text, and whether it rejects it or a property of it.
type Diagnosed = (HashSet<&'static str>, bool);

/// A front end.
type Diagnose = fn(&str) -> Diagnosed;

fn diagnosed(diagnostics: &Diagnostics, is_rejected: bool) -> Diagnosed {
    (diagnostics.sorted().iter().map(|diagnostic| diagnostic.code.0).collect(), is_rejected)
}

fn of_smv(text: &str) -> Diagnosed {
    let loaded = smv::load(&Source::new("example.smv", text.as_bytes()), &[]);
    diagnosed(&loaded.diagnostics, loaded.diagnostics.has_errors())
}

fn of_promela(text: &str) -> Diagnosed {
    let no_files = |_: &str, _: &str| Err("no such file".to_owned());
    let loaded =
        promela::load(&mut Source::new("example.pml", text.as_bytes()), promela::Settings::default(), &no_files);
    diagnosed(&loaded.diagnostics, loaded.diagnostics.has_errors())
}

fn of_automaton(text: &str) -> Diagnosed {
    let (diagnostics, _) = uwbmc::catalogue::hoa::diagnostics(text);
    diagnosed(&diagnostics, diagnostics.has_errors())
}

#[test]
fn examples_have_the_mistake_and_cures_have_none() {
    let families: [(&str, Diagnose); 3] = [("SMV", of_smv), ("Promela", of_promela), ("Automata", of_automaton)];
    for (title, diagnosed) in families {
        for entry in family(title).entries {
            let (codes, is_rejected) = diagnosed(entry.example);
            assert_eq!(codes, HashSet::from([entry.code]), "the example of {}", entry.code);
            assert_eq!(is_rejected, !WARNINGS.contains(&entry.code), "{} and rejection", entry.code);
            let cured = entry.cured.expect("every mistake of a text has a cure");
            assert_eq!(diagnosed(cured), (HashSet::new(), false), "the cure of {}", entry.code);
        }
    }
}

#[test]
fn the_fault_of_the_example_is_found_and_its_cure_runs() {
    let entry = &family("When a model runs").entries[0];
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-fault.smv", std::process::id()));
    let check = |text: &str| {
        std::fs::write(&path, text).expect("writable");
        std::process::Command::new(env!("CARGO_BIN_EXE_uwbmc")).arg(&path).output().expect("it runs")
    };
    let faulty = check(entry.example);
    assert_eq!(faulty.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&faulty.stderr).contains(&format!("error[{}]", entry.code)));
    assert_eq!(check(entry.cured.expect("a cure")).status.code(), Some(0));
}

#[test]
fn explaining_shows_meaning_example_diagnostic_and_cure() {
    let text = explain("smv012").expect("codes are read in any case").render();
    for part in ["SMV012: A name that is not declared.", "sate = idle", "error[SMV012]", "Check the spelling"] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    let text = explain("PML025").expect("Promela, too").render();
    assert!(text.contains("error[PML025]: a never claim has no variables"), "{text}");
    assert_eq!(explain("SMV999"), None);
}

#[test]
fn the_page_in_the_docs_is_the_catalogue() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/diagnostics.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, markdown()).expect("writable");
    }
    let page = std::fs::read_to_string(&path).expect("committed");
    assert!(
        page == markdown(),
        "docs/diagnostics.md is out of date: run UPDATE=1 cargo test --test documents catalogue::"
    );
}
