//! What the command line offers besides verdicts: files for other tools, completions, the manual, fewer words.

use serde_json::Value;
use std::process::Command;
use testkit::command::{BROKEN, PETERSON, json, stderr, stdout, temporary, text, uwbmc};
use testkit::xml;

#[test]
fn a_counterexample_is_written_in_the_format_of_the_ending_and_converted_later() {
    let json = temporary("t.json");
    uwbmc(&[BROKEN, "--k", "12", "--trace", text(&json)]);
    for ending in ["txt", "xml", "itf.json", "vcd", "csv", "md", "html"] {
        let (now, later) = (temporary(&format!("now.{ending}")), temporary(&format!("later.{ending}")));
        uwbmc(&[BROKEN, "--k", "12", "--trace", text(&now)]);
        let output = uwbmc(&["trace", "convert", text(&json), "-o", text(&later)]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let now = std::fs::read_to_string(now).expect("written");
        assert_eq!(std::fs::read_to_string(later).expect("written"), now, "{ending}");
    }
    let shown = stdout(&uwbmc(&["trace", "convert", text(&json)]));
    let whole = stdout(&uwbmc(&[BROKEN, "--k", "12"]));
    let checked = "  line 47: INVARSPEC !(p1.pc = critical & p2.pc = critical)\n";
    assert_eq!(whole, format!("safe: violated in 8 steps\n{checked}{shown}"));
    let markdown = stdout(&uwbmc(&["trace", "convert", text(&json), "--format", "markdown"]));
    assert!(markdown.starts_with("| state | process |"), "{markdown}");
}

#[test]
fn a_format_that_was_not_named_is_refused_before_the_work() {
    let output = uwbmc(&[BROKEN, "--k", "12", "--trace", "trace.unknown"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("the ending does not tell the format") && output.stdout.is_empty());
    let path = temporary("trace.unknown");
    uwbmc(&[BROKEN, "--k", "12", "--trace", text(&path), "--trace-format", "csv"]);
    assert!(std::fs::read_to_string(path).expect("written").starts_with("state,process,"));
}

#[test]
fn junit_counts_failures_and_errors_and_holds_the_counterexample() {
    let (path, undecided) = (temporary("junit.xml"), temporary("undecided.smv"));
    std::fs::write(&undecided, "MODULE main\nVAR x : boolean;\nINVARSPEC x | !x\nPSLSPEC always {x; x};\n")
        .expect("writable");
    for (model, expected) in [
        (BROKEN, "tests=\"1\" failures=\"1\" errors=\"0\""),
        (PETERSON, "tests=\"3\" failures=\"0\" errors=\"0\""),
        (text(&undecided), "tests=\"2\" failures=\"0\" errors=\"1\""),
    ] {
        uwbmc(&[model, "--k", "10", "--junit", text(&path)]);
        let report = std::fs::read_to_string(&path).expect("written");
        assert!(report.contains(expected), "{report}");
        let elements = xml::elements(&report);
        let cases = elements.iter().filter(|name| *name == "testcase").count();
        assert_eq!(cases, stdout(&uwbmc(&["-q", model, "--k", "10"])).lines().count());
    }
    uwbmc(&[BROKEN, "--k", "12", "--junit", text(&path)]);
    let report = std::fs::read_to_string(&path).expect("written");
    assert!(
        report.contains("type=\"violated\">line 47: INVARSPEC !(p1.pc = critical &amp; p2.pc = critical)\nstate 0\n"),
        "{report}"
    );
}

#[test]
fn quiet_leaves_the_verdicts_only() {
    for arguments in
        [&[BROKEN, "--k", "12", "--quiet"][..], &["-q", BROKEN, "--k", "12"], &["check", "-q", BROKEN, "--k", "12"]]
    {
        let output = uwbmc(arguments);
        assert_eq!((stdout(&output).as_str(), stderr(&output).as_str()), ("safe: violated in 8 steps\n", ""));
        assert_eq!(output.status.code(), Some(1));
    }
    assert!(stdout(&uwbmc(&["-q", "show", PETERSON])).starts_with("model "), "it may stand before any command");
    let wrong = uwbmc(&["-q", "tests/smv/bad/type/type-bool-plus-int.smv"]);
    assert!(stderr(&wrong).contains("error[SMV020]"), "errors are shown all the same");
}

#[test]
fn no_escape_sequence_reaches_what_is_no_terminal() {
    for arguments in [&[BROKEN, "--k", "12"][..], &["tests/smv/bad/type/type-bool-plus-int.smv"]] {
        let output = uwbmc(arguments);
        assert!(!stdout(&output).contains('\u{1b}') && !stderr(&output).contains('\u{1b}'));
    }
}

#[test]
fn completions_know_every_command_and_shells_accept_them() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&uwbmc(&["completions", shell]));
        for word in ["simulate", "replay", "trace", "explain", "junit"] {
            assert!(script.contains(word), "{shell} knows no {word}");
        }
    }
    let path = temporary("completions.bash");
    std::fs::write(&path, stdout(&uwbmc(&["completions", "bash"]))).expect("writable");
    match Command::new("bash").arg("-n").arg(&path).output() {
        Ok(output) => assert!(output.status.success(), "{}", stderr(&output)),
        Err(_) => println!("skipped: bash is not installed"),
    }
}

#[test]
fn the_manual_names_every_command_and_option() {
    let page = stdout(&uwbmc(&["man"])).replace('\\', "");
    assert!(page.contains(".TH uwbmc 1"));
    let nested = ["trace convert", "trace simplify"];
    let first =
        ["check", "compare", "count", "bench", "show", "simulate", "certify", "replay", "export", "trace", "explain"];
    for command in first.iter().chain(&nested).chain(&["completions"]) {
        let help = stdout(&uwbmc(&command.split(' ').chain(["--help"]).collect::<Vec<&str>>()));
        assert!(page.contains(&format!("uwbmc-{}", command.replace(' ', "-"))), "{command}");
        let options = help.split_whitespace().filter(|word| word.starts_with("--")).map(|word| {
            word.trim_matches(|c: char| !c.is_ascii_alphanumeric()).split(['=', '[']).next().unwrap_or_default()
        });
        for option in options {
            assert!(page.contains(&format!("--{option}")), "--{option} of {command} is not in the manual");
        }
    }
}

#[test]
fn explain_prints_entries_and_lists_codes() {
    let entry = stdout(&uwbmc(&["explain", "SMV012"]));
    assert!(entry.starts_with("SMV012: A name that is not declared.\n"), "{entry}");
    let all = stdout(&uwbmc(&["explain"]));
    assert!(all.lines().any(|line| line.starts_with("RUN001  ")), "{all}");
    let unknown = uwbmc(&["explain", "SMV999"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert_eq!(json(&["explain", "--json", "SMV012"])["diagnostics"][0]["code"], "SMV012");
}

#[test]
fn a_walk_is_one_json_document() {
    let walk = json(&["simulate", PETERSON, "--steps", "5", "--json"]);
    assert_eq!((walk["format"].as_str(), walk["steps"].as_array().map(Vec::len)), (Some("uwbmc-trace"), Some(5)));
}

#[test]
fn checked_proofs_are_one_json_document() {
    let folder = temporary("proofs");
    uwbmc(&[BROKEN, "--k", "3", "--proof", text(&folder)]);
    let output = uwbmc(&["certify", text(&folder), "--json"]);
    let json: Value = serde_json::from_slice(&output.stdout).expect("one document");
    let checks = json["proofs"].as_array().expect("a list");
    assert_eq!((checks.len(), output.status.code()), (4, Some(0)));
    assert!(checks.iter().all(|check| check["accepted"] == true && check["reason"].is_null()));
}

#[test]
fn a_simplified_counterexample_comes_with_the_original() {
    let (page, trace) = (temporary("simple.html"), temporary("simple.json"));
    let arguments =
        [BROKEN, "--k", "12", "--engine", "uw", "--simplify", "--html", text(&page), "--trace", text(&trace)];
    let output = uwbmc(&arguments);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(said.contains("1 context switch instead of"), "{said}");
    assert!(said.contains("the violation depends on 8 of 8 steps, and on p1.pc, p2.pc"), "{said}");
    let report = json(&[&arguments[..], &["--json"]].concat());
    let property = &report["properties"][0];
    let original = json(&[BROKEN, "--k", "12", "--engine", "uw", "--json"]);
    assert_eq!(property["original"], original["properties"][0]["trace"]);
    assert_ne!(property["trace"], property["original"]);
    let written: Value = serde_json::from_str(&std::fs::read_to_string(&trace).expect("written")).expect("JSON");
    assert_eq!(written, property["trace"]);
    assert!(std::fs::read_to_string(&page).expect("written").contains("safe, as it was found"));
    let replayed = uwbmc(&["replay", BROKEN, text(&trace)]);
    assert!(stdout(&replayed).contains("safe is violated in state 8"), "{}", stdout(&replayed));
}

#[test]
fn a_trace_of_a_random_walk_is_simplified_later() {
    let (walk, simple) = (temporary("walk.json"), temporary("simple-walk.json"));
    uwbmc(&["simulate", BROKEN, "--steps", "80", "--seed", "5", "--trace", text(&walk)]);
    let output = uwbmc(&["trace", "simplify", BROKEN, text(&walk), "-o", text(&simple)]);
    assert!(
        stderr(&output).starts_with("simplified to 8 steps instead of 80, 1 context switch instead of "),
        "{}",
        stderr(&output)
    );
    let replayed = stdout(&uwbmc(&["replay", BROKEN, text(&simple)]));
    assert_eq!(replayed, "accepted: 8 steps of the model\nsafe is violated in state 8\n");
    let other = uwbmc(&["trace", "simplify", PETERSON, text(&walk)]);
    assert_eq!(other.status.code(), Some(2));
    assert!(stderr(&other).contains("this is no run of the model"), "{}", stderr(&other));
}

#[test]
fn what_is_wrong_with_a_model_is_in_every_document() {
    let (page, junit) = (temporary("wrong.html"), temporary("wrong.xml"));
    for (name, model, code) in [
        ("rejected", "MODULE main\nVAR x : \n", "SMV"),
        ("half", "MODULE main\nVAR x : 0..3;\nINVARSPEC y < 3\nINVARSPEC x < 9\n", "SMV012"),
        ("fault", "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0; next(x) := x + 1;\nINVARSPEC x < 9\n", "RUN001"),
    ] {
        let path = temporary(&format!("{name}.smv"));
        std::fs::write(&path, model).expect("writable");
        let output = uwbmc(&[text(&path), "--html", text(&page), "--junit", text(&junit), "--json"]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        let document: Value = serde_json::from_slice(&output.stdout).expect("one document");
        let found = if name == "fault" { &document["fault"]["diagnostic"] } else { &document["diagnostics"][0] };
        assert!(found["code"].as_str().is_some_and(|found| found.starts_with(code)), "{name}: {document}");
        assert!(found["line"].is_u64() && found["column"].is_u64() && found["severity"] == "error", "{name}: {found}");
        let report = std::fs::read_to_string(&junit).expect("written");
        assert!(!xml::elements(&report).is_empty() && report.contains(&format!("type=\"{code}")), "{name}: {report}");
        let shown = std::fs::read_to_string(&page).expect("written");
        assert!(shown.contains(found["code"].as_str().unwrap_or_default()), "{name}");
    }
}
