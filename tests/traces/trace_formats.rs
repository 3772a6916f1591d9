//! The formats of other tools: each is read back by a reader that is not ours, or by the rules of the format, and says
//! the same as the document.

use indexmap::IndexMap;
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;
use testkit::kinds;
use testkit::numbers as random;
use testkit::traces;
use testkit::traces::Run;
use testkit::walks;
use uwbmc::report::Format;
use uwbmc::trace::{Document, Domain, Scalar, xml_read};

fn documents() -> Vec<Document> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/mutex/peterson-2-broken.smv");
    let mut runs: Vec<Run> = traces::counterexamples(&path);
    runs.extend([kinds::kinds(), walks::lasso()]);
    assert_eq!(runs.len(), 3);
    runs.iter().map(Run::document).collect()
}

/// What ADR 015 of Apalache demands of a trace, and what our states say.
#[test]
fn itf_keeps_the_rules_of_the_format() {
    for document in documents() {
        let itf: Value = serde_json::from_str(&Format::Itf.render(&document)).expect("JSON");
        let known = ["#meta", "params", "vars", "states", "loop"];
        assert!(itf.as_object().expect("an object").keys().all(|key| known.contains(&key.as_str())));
        assert!(itf["#meta"].is_object());
        let vars: Vec<&str> =
            itf["vars"].as_array().expect("a list").iter().map(|var| var.as_str().expect("a name")).collect();
        let states = itf["states"].as_array().expect("a list");
        for (index, state) in states.iter().enumerate() {
            let state = state.as_object().expect("an object");
            assert_eq!(state["#meta"]["index"], index);
            let names: Vec<&str> = state.keys().map(String::as_str).filter(|name| *name != "#meta").collect();
            assert_eq!(names.len(), vars.len());
            for var in &vars {
                assert_eq!(itf_value(&state[*var]), document.states[index].get(var).expect("a value").to_string());
            }
        }
        match document.loop_start {
            Some(start) => {
                assert_eq!((itf["loop"].as_u64(), states.len() + 1), (Some(start as u64), document.states.len()));
            }
            None => assert!(itf.get("loop").is_none() && states.len() == document.states.len()),
        }
    }
}

/// An expression of ITF as our text. Numbers of JSON are not allowed since 2023.
fn itf_value(value: &Value) -> String {
    match value {
        Value::Bool(value) => Scalar::Boolean(*value).to_string(),
        Value::String(text) => text.clone(),
        Value::Object(object) if object.len() == 1 => object["#bigint"].as_str().expect("digits").to_owned(),
        other => panic!("{other} is no expression that we write"),
    }
}

/// A waveform as the crate `vcd` reads it: the full names of signals, and their values at each time.
fn waveform(text: &str) -> (IndexMap<String, vcd::Var>, Vec<HashMap<vcd::IdCode, String>>) {
    let mut parser = vcd::Parser::new(text.as_bytes());
    let header = parser.parse_header().expect("a header");
    let mut signals = IndexMap::new();
    let mut open: Vec<(String, vcd::ScopeItem)> = header.items.into_iter().map(|item| (String::new(), item)).collect();
    while let Some((scope, item)) = open.pop() {
        match item {
            vcd::ScopeItem::Scope(inner) => {
                let name = format!("{scope}{}/", inner.identifier);
                open.extend(inner.items.into_iter().map(|item| (name.clone(), item)));
            }
            vcd::ScopeItem::Var(var) => {
                assert!(signals.insert(format!("{scope}{}", var.reference), var).is_none(), "two signals of one name");
            }
            _ => {}
        }
    }
    let mut now = HashMap::new();
    let mut times = Vec::new();
    for command in parser {
        match command.expect("a command") {
            vcd::Command::Timestamp(0) => {}
            vcd::Command::Timestamp(time) => {
                times.push(now.clone());
                assert_eq!(times.len() as u64, time);
            }
            vcd::Command::ChangeScalar(id, value) => drop(now.insert(id, value.to_string())),
            vcd::Command::ChangeVector(id, value) => {
                drop(now.insert(id, value.iter().map(|bit| bit.to_string()).collect()));
            }
            vcd::Command::ChangeString(id, value) => drop(now.insert(id, value)),
            other => panic!("{other:?} is no command that we write"),
        }
    }
    (signals, times)
}

/// A signal's value as our text.
fn vcd_value(bits: &str, domain: &Domain) -> String {
    let number = |signed: bool| {
        let value = i128::from_str_radix(bits, 2).expect("bits");
        if signed && bits.starts_with('1') { value - (1 << bits.len()) } else { value }
    };
    match domain {
        Domain::Boolean => (if bits == "1" { "TRUE" } else { "FALSE" }).to_owned(),
        Domain::Range { .. } => number(true).to_string(),
        Domain::Word { width, signed: false } => format!("0ud{width}_{}", number(false)),
        Domain::Word { width, signed: true } => {
            let value = number(true);
            format!("{}0sd{width}_{}", if value < 0 { "-" } else { "" }, value.abs())
        }
        Domain::Enumeration { .. } => bits.replace("\\u{20}", " "),
    }
}

#[test]
fn a_vcd_reader_reads_every_value_of_every_state() {
    for document in documents() {
        let (signals, times) = waveform(&Format::Vcd.render(&document));
        assert_eq!(times.len(), document.states.len());
        for variable in document.state_variables() {
            let path = match &variable.process {
                Some(process) => {
                    let local = variable.name.strip_prefix(&format!("{process}.")).unwrap_or(&variable.name);
                    format!("model/{process}/{local}")
                }
                None => format!("model/{}", variable.name.replace('[', "(").replace(']', ")")),
            };
            let signal = &signals[&path];
            let domain = variable.domain.as_ref().expect("known");
            assert_eq!(signal.var_type == vcd::VarType::String, matches!(domain, Domain::Enumeration { .. }));
            for (time, state) in document.states.iter().enumerate() {
                assert_eq!(
                    vcd_value(&times[time][&signal.code], domain),
                    state.get(&variable.name).expect("a value").to_string(),
                    "{path}"
                );
            }
        }
        let running = &signals["model/running"];
        for (time, step) in document.steps.iter().enumerate() {
            assert_eq!(times[time][&running.code], step.process);
        }
        assert_eq!(times[document.steps.len()][&running.code], "-");
        if let Some(start) = document.loop_start {
            let in_loop = &signals["model/in_loop"];
            let shown: Vec<bool> = times.iter().map(|time| time[&in_loop.code] == "1").collect();
            assert_eq!(shown, (0..times.len()).map(|time| time >= start).collect::<Vec<bool>>());
        }
    }
}

/// The rows of a file in RFC 4180.
fn rows(text: &str) -> Vec<Vec<String>> {
    let mut rows = vec![vec![String::new()]];
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let row = rows.last_mut().expect("a row");
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                row.last_mut().expect("a cell").push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(String::new()),
            '\r' if !quoted && chars.peek() == Some(&'\n') => {
                chars.next();
                rows.push(vec![String::new()]);
            }
            _ => row.last_mut().expect("a cell").push(c),
        }
    }
    assert_eq!(rows.pop(), Some(vec![String::new()]), "the last line ends like the others");
    rows
}

#[test]
fn csv_has_a_row_per_state_and_a_column_per_variable() {
    for document in documents() {
        let rows = rows(&Format::Csv.render(&document));
        assert_eq!(rows.len(), document.states.len() + 1);
        let header = &rows[0];
        assert!(rows.iter().all(|row| row.len() == header.len()));
        for (index, row) in rows[1..].iter().enumerate() {
            let cell = |name: &str| &row[header.iter().position(|column| column == name).expect("a column")];
            assert_eq!(*cell("state"), index.to_string());
            for (name, value) in document.states[index].iter() {
                assert_eq!(*cell(name), value.to_string());
            }
            assert_eq!(*cell("loop") == "starts", document.loop_start == Some(index));
            let Some(step) = index.checked_sub(1).map(|before| &document.steps[before]) else { continue };
            assert_eq!(*cell("process"), step.process);
            for (name, value) in step.inputs.iter() {
                assert_eq!(*cell(name), value.to_string());
            }
        }
    }
}

#[test]
fn no_cell_of_a_csv_file_is_a_formula() {
    let text = r#"{"format": "uwbmc-trace", "version": 1, "states": [{"=1+1": "@x", "+y": -7, "-z": "-0sd8_5"}], "steps": []}"#;
    let rows = rows(&Format::Csv.render(&Document::from_json(text).expect("a trace")));
    assert_eq!(rows[0][6..], ["'=1+1", "'+y", "'-z"]);
    assert_eq!(rows[1][6..], ["'@x", "-7", "-0sd8_5"]);
}

#[test]
fn a_markdown_table_lists_every_change() {
    for document in documents() {
        let text = Format::Markdown.render(&document);
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        assert_eq!(rows.len(), document.states.len() + 2);
        for (index, row) in rows[2..].iter().enumerate().skip(1) {
            for (variable, old, new) in traces::changes(&document, index) {
                assert!(row.contains(&format!("`{}: {old} → {new}`", variable.name)), "{row}");
            }
            assert!(row.contains(&format!("`{}`", document.steps[index - 1].process)), "{row}");
        }
        assert_eq!(text.contains("(loop starts here)"), document.loop_start.is_some());
    }
}

#[test]
fn text_shows_a_lasso_as_a_lasso() {
    let text = Format::Text.render(&walks::lasso().document());
    assert!(text.contains("-- loop starts here\nstate 1: main moves"), "{text}");
    assert!(text.contains("\nstate 3: main moves (line 3: ASSIGN init(x) := a;"), "{text}");
    assert!(text.ends_with(")\n  x = b\n"), "{text}");
}

#[test]
fn endings_tell_formats() {
    let of = |name: &str| Format::of_path(Path::new(name));
    assert_eq!(of("a/t.itf.json"), Some(Format::Itf));
    assert_eq!(of("a/T.JSON"), Some(Format::Json));
    assert_eq!(of("t.md"), Some(Format::Markdown));
    assert_eq!(of("t"), None);
}

#[test]
fn our_xml_is_read_back_with_every_value_and_every_process() {
    for document in documents() {
        let back = xml_read::read(&Format::Xml.render(&document)).expect("our own XML");
        assert_eq!(
            (&back.states, back.loop_start, &back.property),
            (&document.states, document.loop_start, &document.property)
        );
        for (ours, theirs) in back.steps.iter().zip(&document.steps) {
            assert_eq!((&ours.process, &ours.inputs), (&theirs.process, &theirs.inputs));
        }
    }
}

#[test]
fn what_is_no_xml_of_nusmv_is_refused_with_the_reason() {
    for (text, reason) in [
        ("", "there is no counter-example"),
        ("<counter-example", "a tag is not closed"),
        ("<counter-example></counter-example>", "there is no counter-example with a state"),
        ("<counter-example><state><value>1</value></state>", "a value belongs to no variable"),
        ("<counter-example><state><value variable=\"x\">&nbsp;</value></state>", "the entity nbsp is not known"),
        (
            "<counter-example><state></state><state></state><input></input><input></input>",
            "2 states need 1 inputs, not 2",
        ),
    ] {
        let error = xml_read::read(text).expect_err(text).to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn no_mutation_of_xml_makes_the_reader_panic() {
    let mut random = random::Random::new(11);
    let texts: Vec<String> = documents().iter().map(|document| Format::Xml.render(document)).collect();
    let mut accepted = 0;
    for _ in 0..2_000 {
        let mut bytes = random.pick(&texts).clone().into_bytes();
        let at = random.below(bytes.len());
        match random.below(2) {
            0 => drop(bytes.remove(at)),
            _ => bytes[at] = *random.pick(b"<>&;\"= x1#"),
        }
        accepted += usize::from(xml_read::read(&String::from_utf8_lossy(&bytes)).is_ok());
    }
    assert!(accepted > 100 && accepted < 2_000, "{accepted} mutations were read");
}
