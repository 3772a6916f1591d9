//! Temporal properties: what NuSMV and SPIN answer on small models, and what automata look like.
//!
//! `tests/temporal/verdicts.tsv` has the recorded answers: of NuSMV 2.5.4 (`check_ltlspec`) and SPIN 6.5.2 (`pan -a`, `pan -l`,
//! with `-f` for weak fairness, always with -DNOREDUCE). Where ours differ, docs/temporal.md says why.

use std::path::{Path, PathBuf};
use system::{Fairness, PropertyId};
use uwbmc::{Model, Options, check};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/temporal")
}

/// The property that a row is about: by name, or by its position among the formulas of LTL.
fn property(model: &Model, text: &str, wanted: &str) -> PropertyId {
    let properties = &model.machine.system().properties;
    let Some(number) = wanted.strip_prefix("ltl ").and_then(|number| number.parse::<usize>().ok()) else {
        return properties.position(|property| property.name == wanted).unwrap_or_else(|| panic!("no {wanted}"));
    };
    let is_ltl = |start: u32| text[..start as usize].trim_end().ends_with("LTLSPEC");
    let ltl = properties.iter_enumerated().filter(|(_, property)| is_ltl(property.span.start)).map(|(id, _)| id);
    ltl.into_iter().nth(number - 1).unwrap_or_else(|| panic!("no formula {number}"))
}

/// The verdict in a word. Counterexamples are replayed before they leave.
fn verdict(model: &Model, property: PropertyId) -> String {
    let name = &model.machine.system().properties[property].name;
    let report = check(model, &Options::default().property(name.clone()), &mut ());
    let report = report.unwrap_or_else(|error| panic!("{}: {name}: {error:?}", model.source.name()));
    report.properties[0].verdict.word().to_owned()
}

#[test]
fn small_models_are_answered_as_by_nusmv_and_spin() {
    let table = std::fs::read_to_string(folder().join("verdicts.tsv")).expect("readable");
    let mut wrong = Vec::new();
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, wanted, fairness, theirs, ours, _] = fields[..] else { panic!("{line}") };
        let path = folder().join(file);
        let text = std::fs::read_to_string(&path).expect("readable");
        let mut model = Model::load(&path).unwrap_or_else(|error| panic!("{file}: {error:?}"));
        if fairness == "weak" {
            model.assume_fairness(Fairness::Weak);
        }
        model.claim_progress();
        let found = verdict(&model, property(&model, &text, wanted));
        if found != if ours == "-" { theirs } else { ours } {
            wrong.push(format!("{found}: {line}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
