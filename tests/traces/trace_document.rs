//! The trace document: it says everything, matches its schema, comes back as it was, and nothing else is taken for one.

use serde_json::{Value, json};
use std::path::Path;
use testkit::kinds;
use testkit::numbers::Random;
use testkit::schema;
use testkit::traces;
use testkit::traces::Run;
use testkit::walks;
use uwbmc::report::Format;
use uwbmc::trace::{Document, Scalar, rebuild};

const FORMATS: [Format; 7] =
    [Format::Json, Format::Text, Format::Xml, Format::Itf, Format::Vcd, Format::Csv, Format::Markdown];

fn runs() -> Vec<Run> {
    let some = ["mutex/peterson-2-broken.smv", "abp/abp-1-broken.smv", "prodcons/prodcons-1-1x2-broken.smv"];
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let mut runs: Vec<Run> = some.iter().flat_map(|name| traces::counterexamples(&models.join(name))).collect();
    assert!(runs.len() >= 3);
    runs.extend([kinds::kinds(), walks::lasso()]);
    runs
}

fn the_schema() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/trace.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("readable")).expect("JSON")
}

#[test]
fn a_document_comes_back_and_its_trace_replays() {
    for run in runs() {
        let document = run.document();
        let back = Document::from_json(&document.to_json()).expect("our own document");
        assert_eq!(back, document);
        let trace = rebuild(&run.machine, &back).expect("of this model");
        assert_eq!((&trace.states, trace.loop_start), (&run.trace.states, run.trace.loop_start));
        let commands = trace.replay(&run.machine).expect("a run");
        assert_eq!(commands.len(), run.trace.moves.len());
        if let Some(property) = run.property {
            assert!(trace.violates(&run.machine, property).is_some());
        }
    }
}

#[test]
fn documents_match_the_published_schema_and_mutilated_ones_do_not() {
    let schema = the_schema();
    for run in runs() {
        let value: Value = serde_json::from_str(&run.document().to_json()).expect("JSON");
        assert_eq!(schema::violations(&schema, &value), Vec::<String>::new());
        for (pointer, wrong) in [
            ("/format", json!("other")),
            ("/version", json!(2)),
            ("/states/0", json!([])),
            ("/steps/0/process", json!(null)),
            ("/variables/0/domain", json!({"type": "real"})),
            ("/processes/0/edges", json!([[1]])),
            ("/loop", json!(-1)),
        ] {
            let mut mutilated = value.clone();
            *mutilated.pointer_mut(pointer).expect("there") = wrong;
            assert_ne!(schema::violations(&schema, &mutilated), Vec::<String>::new(), "{pointer}");
            assert!(Document::from_json(&mutilated.to_string()).is_err(), "{pointer} is read all the same");
        }
    }
}

#[test]
fn a_document_names_lines_points_and_what_was_observed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/mutex/peterson-2-broken.smv");
    let document = traces::counterexamples(&path).remove(0).document();
    let text = std::fs::read_to_string(&path).expect("readable");
    for (index, step) in document.steps.iter().enumerate() {
        let line = step.line.expect("every step is written somewhere");
        let shown = step.text.as_deref().expect("the line's text");
        assert_eq!(text.lines().nth(line - 1).map(str::trim), Some(shown));
        let pc = format!("{}.pc", step.process);
        assert_eq!(step.at, document.states[index].get(&pc).map(Scalar::to_string));
        for observed in &step.observes {
            let earlier = &document.steps[observed.step - 1];
            assert!(observed.step <= index && earlier.process != step.process, "{observed:?}");
            let changed: Vec<&str> =
                traces::changes(&document, observed.step).into_iter().map(|(var, ..)| var.name.as_str()).collect();
            assert!(observed.variables.iter().all(|name| changed.contains(&name.as_str())), "{observed:?}");
        }
    }
    let core = document.core.expect("a violation has a core");
    assert_eq!(core.steps, (1..=8).collect::<Vec<usize>>(), "no step of a shortest counterexample can be spared");
    assert!(core.variables.contains(&"p1.pc".to_owned()) && !core.variables.contains(&"level[1]".to_owned()));
    let process = document.processes.iter().find(|process| process.name == "p1").expect("a process");
    assert_eq!((process.points.len(), process.edges.contains(&(0, 1))), (5, true));
    assert_eq!(document.variables.iter().find(|var| var.name == "p1.pc").expect("it").process.as_deref(), Some("p1"));
}

#[test]
fn a_short_document_by_hand_is_enough() {
    let text = r#"{"format": "uwbmc-trace", "version": 1,
        "states": [{"x": 0, "on": false}, {"x": 1, "on": false}], "steps": [{"process": "p"}]}"#;
    let document = Document::from_json(text).expect("enough");
    assert_eq!(document.variables.len(), 2);
    assert_eq!(document.processes[0].name, "p");
    assert_eq!(Format::Text.render(&document), "state 0\n  x = 0\n  on = FALSE\nstate 1: p moves\n  x = 1\n");
    for format in FORMATS {
        assert!(!format.render(&document).is_empty());
    }
}

#[test]
fn what_does_not_hang_together_is_refused_with_the_reason() {
    let with = |states: &str, steps: &str, more: &str| {
        format!(r#"{{"format":"uwbmc-trace","version":1,"states":{states},"steps":{steps}{more}}}"#)
    };
    for (text, reason) in [
        (with("[]", r#"[{"process":"p"}]"#, ""), "1 steps need 2 states, not 0"),
        (with(r#"[{"x":1},{"y":1}]"#, r#"[{"process":"p"}]"#, ""), "state 1 has no value for x"),
        (with(r#"[{"x":1},{"x":1,"y":1}]"#, r#"[{"process":"p"}]"#, ""), "state 1 has a value for y"),
        (with(r#"[{"x":1}]"#, "[]", r#","loop":0"#), "the last state is not the state 0"),
        (with(r#"[{"x":1.5}]"#, "[]", ""), "this is no trace"),
        (with(r#"[{"x":{}}]"#, "[]", ""), "this is no trace"),
        (
            with(
                r#"[{"x":1}]"#,
                "[]",
                r#","variables":[{"name":"x","domain":{"type":"word","width":99,"signed":true}}]"#,
            ),
            "words have 1 to 64",
        ),
        (with("[{}]", "[]", r#","processes":[{"name":"p","points":[],"edges":[[0,0]]}]"#), "leads outside"),
    ] {
        let error = Document::from_json(&text).expect_err(&text).to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn no_mutation_of_a_document_makes_a_writer_panic() {
    let mut random = Random::new(7);
    let texts: Vec<String> = [kinds::kinds(), walks::lasso()].iter().map(|run| run.document().to_json()).collect();
    let mut accepted = 0;
    for _ in 0..3_000 {
        let mut bytes = random.pick(&texts).clone().into_bytes();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => drop(bytes.remove(at)),
                1 => bytes[at] = *random.pick(b"0123456789\"{}[],:-ntx "),
                _ => bytes.insert(at, *random.pick(b"0123456789\"{}[],:-")),
            }
        }
        if let Ok(document) = Document::from_json(&String::from_utf8_lossy(&bytes)) {
            accepted += 1;
            for format in FORMATS {
                assert!(!format.render(&document).is_empty());
            }
        }
    }
    assert!(accepted > 100, "{accepted} mutations were read: too few to test anything");
}
