//! The pages in docs/: every command runs and prints what is shown, every link leads somewhere, and the description of the
//! JSON output names what is printed. `UPDATE=1 cargo test --test documents docs::` rewrites the outputs. The commands run in a copy
//! of docs/tutorial.

#![cfg(feature = "cadical")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use testkit::console;
use testkit::schema;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn pages() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("docs")).expect("a folder");
    let mut pages: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}

/// A copy of the tutorial's models, where commands may write.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("docs-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for entry in std::fs::read_dir(root().join("docs/tutorial")).expect("a folder") {
        let path = entry.expect("readable").path();
        std::fs::copy(&path, folder.join(path.file_name().expect("a name"))).expect("copied");
    }
    folder
}

#[test]
fn console_examples_print_what_is_shown() {
    let mut commands = 0;
    for page in pages() {
        let name = page.file_stem().expect("a name").to_string_lossy().into_owned();
        commands += console::check(&page, &scratch(&name));
    }
    assert!(commands >= 20, "{commands} commands");
}

/// Code that is not run is no command of ours.
#[test]
fn commands_are_in_console_blocks_only() {
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("readable");
        let mut fence = None;
        for line in text.lines() {
            match (line.strip_prefix("```"), fence) {
                (Some(language), None) => fence = Some(language),
                (Some(_), Some(_)) => fence = None,
                (None, fence) => {
                    let is_code = line.starts_with("    ") || fence.is_some_and(|language| language != "console");
                    let command = line.trim_start().trim_start_matches("$ ");
                    assert!(!(is_code && command.starts_with("uwbmc ")), "{}: {line}", page.display());
                }
            }
        }
    }
}

#[test]
fn links_lead_somewhere() {
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("readable");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if !link.starts_with("https://") {
                assert!(root().join("docs").join(link).exists(), "{} of {}", link, page.display());
            }
        }
    }
}

#[test]
fn the_tutorials_models_are_those_that_it_quotes() {
    let text = std::fs::read_to_string(root().join("docs/tutorial.md")).expect("readable");
    let model = std::fs::read_to_string(root().join("docs/tutorial/lock.smv")).expect("readable");
    let quotes: Vec<&str> = text.split("```smv\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(quotes.len(), 2);
    assert!(quotes.iter().all(|quote| model.contains(quote)));
}

/// The names of the fields of a document, except those inside traces and values.
fn fields(document: &Value, found: &mut Vec<String>) {
    match document {
        Value::Array(items) => items.iter().for_each(|item| fields(item, found)),
        Value::Object(members) if members.get("format").is_some_and(|format| format == "uwbmc-trace") => {}
        Value::Object(members) => {
            for (name, member) in members {
                found.push(name.clone());
                fields(member, found);
            }
        }
        _ => {}
    }
}

#[test]
fn every_field_of_the_json_output_is_documented_and_fits_the_schema() {
    let schema = schema::read("json.schema.json");
    let page = std::fs::read_to_string(root().join("docs/json.md")).expect("readable");
    let folder = scratch("json-fields");
    let suite = "about = ''\ntimeout = 9\nmemory = 4000\nseeds = [0]\nbaseline = 'uw'\nhero = 'uw'\n\
        contestants = [{ name = 'uw' }]\ninstances = [{ model = 'lock.smv', k = 6 }]\n";
    std::fs::write(folder.join("tiny.toml"), suite).expect("writable");
    std::fs::write(folder.join("bad.smv"), "MODULE main\nVAR x : 0..3;\nINVARSPEC y < 3\n").expect("writable");
    std::fs::write(folder.join("worse.smv"), "MODULE main\nVAR x : \n").expect("writable");
    let fault = "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0; next(x) := x + 1;\nINVARSPEC x < 9\n";
    std::fs::write(folder.join("fault.smv"), fault).expect("writable");
    for (section, command) in [
        ("check", "uwbmc lock.smv --simplify --json"),
        ("check", "uwbmc bad.smv --json 2>/dev/null"),
        ("check", "uwbmc worse.smv --json 2>/dev/null"),
        ("check", "uwbmc fault.smv --json 2>/dev/null"),
        ("check", "uwbmc handshake.pml --json"),
        ("check", "uwbmc lock.smv --k 6 --json"),
        ("compare", "uwbmc compare lock.smv --k 3 --json"),
        ("count", "uwbmc count lock.smv --json"),
        ("show", "uwbmc show peterson.smv --json"),
        ("replay", "uwbmc lock.smv -q --trace t.json >/dev/null; uwbmc replay lock.smv t.json --json"),
        ("certify", "uwbmc peterson.smv --k 1 --proof proofs >/dev/null; uwbmc certify proofs --json"),
        ("join", "uwbmc split lock.smv --k 1 --property safe -o parts >/dev/null; uwbmc join parts --json"),
        ("explain", "uwbmc explain --json"),
        ("trace simplify", "uwbmc lock.smv -q --trace t.json >/dev/null; uwbmc trace simplify lock.smv t.json --json"),
        ("bench", "uwbmc bench tiny.toml --results results --json"),
    ] {
        let document: Value = serde_json::from_str(&console::run(command, &folder)).expect("one document");
        fits(&schema, &document, command);
        let start = page.find(&format!("## `uwbmc {section}`")).expect("a section");
        let text = page[start + 3..].split("\n## ").next().unwrap_or_default();
        let mut found = Vec::new();
        fields(&document, &mut found);
        assert!(!found.is_empty());
        for name in found {
            assert!(text.contains(&format!("`{name}`")), "{name} of {section} is not documented");
        }
    }
    // Every command has a section there, or is among those without.
    let help = console::run("uwbmc --help", &folder);
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    for command in listed.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        assert!(page.contains(&format!("`uwbmc {command}")), "{command} is not in docs/json.md");
    }
    let walk: Value =
        serde_json::from_str(&console::run("uwbmc simulate lock.smv --json", &folder)).expect("one document");
    assert_eq!(walk["format"], "uwbmc-trace");
    fits(&schema, &walk, "simulate");
}

/// Whether a document is what its format promises, and nothing else.
fn fits(schema: &Value, document: &Value, command: &str) {
    let format = document["format"].as_str().expect("a format");
    if let Some(own) = schema["$defs"].get(format) {
        let mut own = own.clone();
        own["$defs"] = schema["$defs"].clone();
        assert_eq!(schema::violations(&own, document), Vec::<String>::new(), "{command}");
    }
    assert_eq!(schema::violations(schema, document), Vec::<String>::new(), "{command}");
    let mut later = document.clone();
    later["version"] = 99.into();
    assert!(!schema::violations(schema, &later).is_empty(), "{command}: the version matters");
}

#[test]
fn every_field_of_a_trace_is_documented() {
    let page = std::fs::read_to_string(root().join("docs/trace.md")).expect("readable");
    let schema = std::fs::read_to_string(root().join("docs/trace.schema.json")).expect("readable");
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    for place in ["/properties", "/$defs/step/properties", "/$defs/variable/properties", "/$defs/process/properties"] {
        for name in schema.pointer(place).and_then(Value::as_object).expect("fields").keys() {
            assert!(page.contains(&format!("`{name}`")), "{name} is not described in trace.md");
        }
    }
}
