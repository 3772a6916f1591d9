//! A model is untrusted input: names that try to break out of an output change nothing in its structure.

use indexmap::IndexMap;
use std::sync::Arc;
use testkit::hostile;
use testkit::xml;
use uwbmc::engine::{Cause, Verdict};
use uwbmc::report::show::Overview;
use uwbmc::report::{Format, PropertyReport, RunReport, Written, junit};
use uwbmc::trace::{Document, Scalar, Step};

/// The same run with plain names, as long as the hostile ones are short: what the structure has to be.
fn plain(document: &Document) -> Document {
    let mut table: IndexMap<String, String> = IndexMap::new();
    let mut rename = |name: &str| {
        let number = table.len();
        table.entry(name.to_owned()).or_insert_with(|| format!("n{number}")).clone()
    };
    let mut plain = document.clone();
    let scalar = |value: &mut Scalar, rename: &mut dyn FnMut(&str) -> String| {
        if let Scalar::Text(text) = value {
            *text = rename(text);
        }
    };
    for variable in &mut plain.variables {
        variable.name = rename(&variable.name);
        variable.process = variable.process.as_deref().map(&mut rename);
        variable.domain = None;
    }
    for process in &mut plain.processes {
        process.name = rename(&process.name);
        process.pc = process.pc.as_deref().map(&mut rename);
        for point in &mut process.points {
            point.name = rename(&point.name);
            point.value.iter_mut().for_each(|value| scalar(value, &mut rename));
        }
    }
    for state in &mut plain.states {
        *state = state
            .iter()
            .map(|(name, value)| {
                let mut value = value.clone();
                scalar(&mut value, &mut rename);
                (rename(name), value)
            })
            .collect();
    }
    for step in &mut plain.steps {
        let Step { process, at, text, observes, .. } = step;
        *process = rename(process);
        *at = at.as_deref().map(&mut rename);
        *text = text.as_ref().map(|_| "text".to_owned());
        observes.iter_mut().flat_map(|seen| &mut seen.variables).for_each(|name| *name = rename(name));
    }
    plain.core = None;
    plain
}

fn without_domains(mut document: Document) -> Document {
    document.variables.iter_mut().for_each(|variable| variable.domain = None);
    document.core = None;
    document
}

#[test]
fn lines_rows_cells_and_tags_are_those_of_a_run_with_plain_names() {
    let hostile = without_domains(hostile::run().document());
    let plain = plain(&hostile);
    assert_eq!(hostile.steps.len(), 4);
    let shape = |format: Format, document: &Document| -> Vec<usize> {
        let text = format.render(document);
        assert!(
            !text.chars().any(|c| c != '\n' && c != '\r' && c != '\t' && uwbmc::hidden::is_hidden(c)),
            "{format:?}"
        );
        match format {
            Format::Text => vec![text.lines().count()],
            Format::Markdown => text.lines().map(cells).collect(),
            Format::Csv => csv_cells(&text),
            Format::Xml => ["<value ", "</value>", "<state ", "<input ", "<node>", "<"]
                .map(|tag| text.matches(tag).count())
                .to_vec(),
            Format::Vcd => ["$scope module ", "$var string 1 ", "\n#", "\n", " $end\n"]
                .map(|part| text.matches(part).count())
                .to_vec(),
            _ => vec![],
        }
    };
    for format in [Format::Text, Format::Markdown, Format::Csv, Format::Xml, Format::Vcd] {
        assert_eq!(shape(format, &hostile), shape(format, &plain), "{format:?}");
    }
}

/// How many cells a row of a GitHub table has: a bar counts unless an odd number of backslashes is before it.
fn cells(line: &str) -> usize {
    let mut backslashes = 0;
    let mut bars = 0;
    for c in line.chars() {
        bars += usize::from(c == '|' && backslashes % 2 == 0);
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
    }
    bars
}

fn csv_cells(text: &str) -> Vec<usize> {
    let mut rows = vec![1];
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => *rows.last_mut().expect("a row") += 1,
            '\n' if !quoted => rows.push(1),
            _ => {}
        }
    }
    assert!(!text.split(',').any(|cell| cell.starts_with(['=', '+', '@'])), "a spreadsheet would calculate");
    rows
}

#[test]
fn json_comes_back_with_the_same_names() {
    let document = hostile::run().document();
    assert_eq!(Document::from_json(&document.to_json()).expect("our own"), document);
    let itf: serde_json::Value = serde_json::from_str(&Format::Itf.render(&document)).expect("JSON");
    let names: Vec<&str> = itf["vars"].as_array().expect("names").iter().filter_map(|name| name.as_str()).collect();
    assert_eq!(names, document.state_variables().map(|variable| variable.name.as_str()).collect::<Vec<&str>>());
}

#[test]
fn a_vcd_reader_finds_every_signal() {
    let document = hostile::run().document();
    let text = Format::Vcd.render(&document);
    let mut parser = vcd::Parser::new(text.as_bytes());
    let header = parser.parse_header().expect("a header");
    let signals = text.lines().filter(|line| line.starts_with("$var ")).count();
    assert_eq!(signals, document.variables.len() + 1);
    assert_eq!(header.items.len(), 1, "everything is in one scope");
    assert_eq!(
        parser.filter(|command| matches!(command, Ok(vcd::Command::Timestamp(_)))).count(),
        document.states.len() + 1
    );
}

#[test]
fn xml_stays_well_formed() {
    let run = hostile::run();
    let document = run.document();
    let elements = xml::elements(&Format::Xml.render(&document));
    let values = elements.iter().filter(|name| *name == "value").count();
    assert_eq!(values, document.states.len() * document.states[0].len() + document.steps.len());
    let name = hostile::names().join(" ");
    let properties = vec![
        PropertyReport::new(&name, Written::default(), &Verdict::Violated(Arc::new(run.trace)), Some(document.into())),
        PropertyReport::new(&name, Written::default(), &Verdict::unknown(Cause::Refused, name.clone()), None),
        PropertyReport::new(&name, Written::default(), &Verdict::Holds(name.clone()), None),
    ];
    let report = RunReport { model: name, engine: Some("bmc"), properties, ..RunReport::default() };
    let junit = xml::elements(&junit::render(std::slice::from_ref(&report)));
    let case = "testcase";
    assert_eq!(junit, ["testsuites", "testsuite", case, "failure", case, "error", case, "system-out"]);
}

#[test]
fn what_show_and_the_terminal_print_keeps_its_lines() {
    let run = hostile::run();
    let system = run.machine.system();
    let text = Overview::of(system, "model.smv").render();
    let lines = 2 + 2 + system.processes.len() + 2 + system.variables.len() + 2 + system.properties.len();
    assert_eq!(text.lines().count(), lines);
    assert!(!text.chars().any(|c| c != '\n' && uwbmc::hidden::is_hidden(c)));
    let dot = uwbmc::report::dot::render(system, &uwbmc::report::dot::Widened::new());
    let points: usize = system.processes.iter().map(|process| process.points.len()).sum();
    assert_eq!(dot.matches("[label=\"").count(), points);
    assert!(dot.lines().all(|line| line.matches('"').count() - line.matches("\\\"").count() <= 2), "quotes are closed");
}
