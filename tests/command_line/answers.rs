//! No answer gets lost: what was decided before something went wrong is reported, documents are written whatever happens,
//! and exit codes tell whose turn it is.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use testkit::command::{BROKEN, PETERSON, json, stderr, stdout, temporary, text, uwbmc};
use testkit::files::smv_files;
use testkit::pml;

/// After four steps it divides by zero; before that, its first property is violated.
const FAULTY: &str = "MODULE main
VAR x : 0..5;
ASSIGN init(x) := 0; next(x) := case x < 4 : x + 1; TRUE : 4 / (x - 4); esac;
INVARSPEC NAME small := x < 2
INVARSPEC NAME large := x < 5
";

/// Its first property divides by zero after three steps; the others have a meaning everywhere.
const UNDEFINED: &str = "MODULE main
VAR x : 0..5;
ASSIGN init(x) := 0; next(x) := case x < 5 : x + 1; TRUE : x; esac;
INVARSPEC NAME quotient := 6 / (x - 3) != 7
INVARSPEC NAME small := x < 5
INVARSPEC NAME all := x <= 5
";

/// Every engine, with arguments that it needs.
const ENGINES: [&[&str]; 7] = [
    &["-k", "9"],
    &["--engine", "explicit"],
    &["--engine", "explicit", "--search", "dfs"],
    &["--engine", "stateless"],
    &["--engine", "uw", "-k", "9"],
    &["--engine", "bmc", "-k", "9"],
    &["--widening", "paper", "-k", "9"],
];

fn model(name: &str, contents: &str) -> PathBuf {
    let path = temporary(name);
    std::fs::write(&path, contents).expect("writable");
    path
}

fn with<'a>(model: &'a Path, arguments: &[&'a str]) -> Output {
    uwbmc(&[&[text(model)], arguments].concat())
}

#[test]
fn a_fault_ends_the_search_beyond_it_and_not_the_report() {
    let path = model("faulty.smv", FAULTY);
    for engine in ENGINES {
        let output = with(&path, engine);
        let said = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{engine:?}: {said}{}", stderr(&output));
        assert!(said.contains("small: violated in 2 steps\n"), "{engine:?}: {said}");
        let unknown = "large: unknown (the model has no meaning there: RUN001 division by zero";
        assert!(said.contains(unknown), "{engine:?}: {said}");
        assert!(stderr(&output).contains("error[RUN001]: division by zero"), "{engine:?}: {}", stderr(&output));
        let document = json(&[&[text(&path), "--json"], engine].concat());
        let states = document["fault"]["trace"]["states"].as_array().expect("the run to the fault");
        assert_eq!(states.last().map(|state| &state["x"]), Some(&4.into()), "{engine:?}");
        assert_eq!(document["fault"]["diagnostic"]["code"], "RUN001", "{engine:?}");
    }
    assert_eq!(with(&path, &["--property", "large"]).status.code(), Some(2), "nothing is violated");
}

#[test]
fn a_fault_inside_a_property_makes_that_property_undecided_and_no_other() {
    let path = model("undefined.smv", UNDEFINED);
    for engine in ENGINES {
        let output = with(&path, engine);
        let said = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{engine:?}: {said}{}", stderr(&output));
        let undefined = "quotient: unknown (it has no value in a reachable state: RUN001 division by zero)";
        assert!(said.contains(undefined), "{engine:?}: {said}");
        assert!(said.contains("small: violated in 5 steps\n"), "{engine:?}: {said}");
        assert!(said.contains("all: holds"), "{engine:?}: {said}");
        let place = stderr(&output);
        assert!(place.contains("in the property quotient") && place.contains(":4:"), "{engine:?}: {place}");
    }
}

#[test]
fn a_fault_inside_a_property_over_steps_is_explained() {
    let path = model(
        "undefined-step.smv",
        "MODULE main
VAR x : 0..5;
ASSIGN init(x) := 0; next(x) := case x < 5 : x + 1; TRUE : x; esac;
INVARSPEC NAME quotient := 6 / (x - 3) != 7 + next(x)
INVARSPEC NAME growing := next(x) > x
",
    );
    for engine in ENGINES {
        let output = with(&path, engine);
        let said = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{engine:?}: {said}{}", stderr(&output));
        let undefined = "quotient: unknown (it has no value in a reachable state: RUN001 division by zero)";
        assert!(said.contains(undefined), "{engine:?}: {said}");
        assert!(said.contains("growing: violated in 6 steps\n"), "{engine:?}: {said}");
    }
}

/// A model that takes some seconds to read.
fn long_to_read() -> PathBuf {
    let processes: String = (0..100_000).map(|number| format!("p{number} : process P(g);\n")).collect();
    model(
        "long-to-read.smv",
        &format!(
            "MODULE P(g) VAR pc : 0..3;
ASSIGN init(pc) := 0; next(pc) := case pc < 3 & g : pc + 1; TRUE : pc; esac;
MODULE main VAR g : boolean;
{processes}ASSIGN init(g) := TRUE; next(g) := g;
INVARSPEC NAME few := p0.pc < 3
"
        ),
    )
}

#[test]
fn limits_hold_while_a_model_is_read() {
    let path = long_to_read();
    let junit = temporary("long-to-read.xml");
    for engine in ENGINES {
        let limits = ["--timeout", "0.1", "--json", "--junit", text(&junit)];
        let output = with(&path, &[engine, &limits].concat());
        assert_eq!(output.status.code(), Some(3), "{engine:?}: {}", stderr(&output));
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one document");
        assert_eq!(document["format"], "uwbmc-check", "{engine:?}");
        // Whether it was read depends on the machine.
        let is_unread = document["diagnostics"][0]["code"] == "LIMIT";
        let is_undecided = document["properties"][0]["reason"] == "out of time";
        assert!(is_unread || is_undecided, "{engine:?}: {document}");
        assert!(std::fs::read_to_string(&junit).expect("written").contains("out of time"), "{engine:?}");
    }
    let counted = json(&["count", text(&path), "--timeout", "0.1", "--json"]);
    assert_eq!((&counted["complete"], &counted["reason"]), (&false.into(), &"out of time".into()));
}

#[test]
fn a_model_that_is_too_large_for_the_memory_limit_is_undecided() {
    if !Path::new("/proc/self/statm").exists() {
        println!("skipped: the system does not tell how much memory a process takes");
        return;
    }
    let path = model(
        "large-array.smv",
        "MODULE main
VAR a : array 0..999999 of boolean; x : 0..3;
ASSIGN init(x) := 0; next(x) := case x < 3 : x + 1; TRUE : x; esac;
INVARSPEC NAME mixed := !(a[0] & a[999999] & x = 3)
",
    );
    for engine in ENGINES {
        let output = with(&path, &[engine, &["--memory", "200"]].concat());
        let said = format!("{}{}", stdout(&output), stderr(&output));
        assert_eq!(output.status.code(), Some(3), "{engine:?}: {said}");
        assert!(said.contains("out of memory"), "{engine:?}: {said}");
    }
}

#[test]
fn files_are_written_when_the_model_has_a_fault_or_is_wrong() {
    let faulty = model("files-faulty.smv", FAULTY);
    let wrong = model("files-wrong.smv", "MODULE main VAR x : 0..; INVARSPEC x < 1");
    for (name, path, code) in [("faulty", &faulty, "RUN001"), ("wrong", &wrong, "SMV0")] {
        let (html, junit) = (temporary(&format!("{name}.html")), temporary(&format!("{name}.xml")));
        let output = with(path, &["--property", "large", "--html", text(&html), "--junit", text(&junit), "--json"]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one document");
        assert_eq!(document["format"], "uwbmc-check");
        for contents in [html, junit].map(|path| std::fs::read_to_string(path).expect("written")) {
            assert!(contents.contains(code), "{contents}");
        }
        assert!(stdout(&output).contains(code), "{}", stdout(&output));
    }
    let trace = temporary("fault-trace.json");
    let output = with(&faulty, &["--property", "large", "--trace", text(&trace)]);
    assert_eq!(output.status.code(), Some(2));
    let replayed = uwbmc(&["replay", text(&faulty), text(&trace)]);
    assert!(stdout(&replayed).starts_with("accepted: 4 steps"), "{}", stdout(&replayed));
}

#[test]
fn every_bad_or_faulty_file_gives_one_document() {
    let mut files = smv_files(&["tests/smv/bad", "tests/smv/fault"]);
    files.extend(["tests/promela/bad", "tests/promela/fault"].into_iter().flat_map(pml::files));
    assert!(files.len() > 100, "there are {} files", files.len());
    for path in files {
        let output = with(&path, &["--json", "--timeout", "20"]);
        let document: Result<serde_json::Value, _> = serde_json::from_slice(&output.stdout);
        assert!(document.is_ok(), "{}: {}", path.display(), stdout(&output));
        assert!(matches!(output.status.code(), Some(1..=3)), "{}: {}", path.display(), stderr(&output));
    }
}

#[test]
fn exit_codes_tell_whose_fault_it_is() {
    let path = model("whose.smv", FAULTY);
    for (arguments, code) in [
        (vec!["--solver-cmd", "false {cnf}", "-k", "2"], 4),
        (vec!["--engine", "bmc"], 2),
        (vec!["--property", "nonsense"], 2),
        (vec!["--html", "/no/such/folder/page.html", "--property", "large"], 2),
    ] {
        let output = with(&path, &arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
    }
}

/// Runs it with standard output on a device that is always full.
#[cfg(target_os = "linux")]
fn without_room(arguments: &[&str]) -> Output {
    let full = File::options().write(true).open("/dev/full").expect("Linux has it");
    Command::new(env!("CARGO_BIN_EXE_uwbmc")).args(arguments).stdout(full).output().expect("it runs")
}

#[test]
#[cfg(target_os = "linux")]
fn what_cannot_be_printed_is_an_error() {
    let proofs = temporary("full-proofs");
    assert_eq!(uwbmc(&[BROKEN, "-k", "2", "--property", "safe", "--proof", text(&proofs)]).status.code(), Some(0));
    for arguments in [
        vec!["export", PETERSON, "--format", "aiger"],
        vec!["count", PETERSON],
        vec!["certify", text(&proofs)],
        vec!["check", PETERSON],
        vec!["show", PETERSON],
        vec!["explain"],
        vec!["man"],
        vec!["completions", "bash"],
        vec!["simulate", PETERSON, "--steps", "3"],
    ] {
        let output = without_room(&arguments);
        assert_eq!(output.status.code(), Some(4), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("error: standard output: "), "{arguments:?}: {}", stderr(&output));
    }
    let output = uwbmc(&[PETERSON, "--html", "/dev/full"]);
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
}

#[test]
fn options_without_effect_are_refused_by_name() {
    for (arguments, option, engine) in [
        (vec!["--engine", "explicit", "--por"], "--por", "--engine explicit"),
        (vec!["--engine", "explicit", "--solver", "varisat"], "--solver", "--engine explicit"),
        (vec!["--engine", "explicit", "--seed", "1"], "--seed", "--engine explicit"),
        (vec!["--engine", "explicit", "--forget", "cheapest"], "--forget", "--engine explicit"),
        (vec!["--engine", "bmc", "-k", "3", "--widening", "paper"], "--widening", "--engine bmc"),
        (vec!["--engine", "bmc", "-k", "3", "--without", "passes"], "--without passes", "--engine bmc"),
        (vec!["--engine", "bmc", "-k", "3", "--jobs", "2"], "--jobs", "--engine bmc"),
        (vec!["--engine", "bmc", "-k", "3", "--search", "dfs"], "--search", "--engine bmc"),
        (vec!["--engine", "uw", "-k", "3", "--por"], "--por", "--engine uw"),
        (vec!["--widening", "paper", "-k", "3", "--with", "minimise"], "--with", "--widening paper"),
        (vec!["--exact", "-k", "3", "--without", "passes"], "--without passes", "--engine uw --exact"),
        (vec!["--livelock", "3"], "--livelock", "--engine explicit"),
        (vec!["-k", "3", "--divergence", "3"], "--divergence", "--engine auto"),
        (vec!["--engine", "stateless", "--proof", "nowhere"], "--proof", "--engine stateless"),
        (vec!["--engine", "stateless", "-v"], "--verbose", "--engine stateless"),
        (vec!["--engine", "stateless", "--depth", "9", "-k", "3"], "--depth", "--k"),
        (vec!["--trace", "one.html", "--html", "one.html"], "--trace", "--html"),
    ] {
        let output = with(Path::new(PETERSON), &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "", "{arguments:?}");
        assert!(stderr(&output).contains(option) && stderr(&output).contains(engine), "{}", stderr(&output));
    }
    for fine in [
        vec!["--engine", "bmc", "-k", "3", "--por", "--seed", "1", "--without", "cone", "--fresh", "-v"],
        vec!["-k", "3", "--fresh"],
        vec!["--exact", "-k", "3", "--without", "switches"],
        vec!["--search", "dfs", "--store", "branching", "--forget", "cheapest", "--seed", "3", "--reduction", "both"],
        vec!["--engine", "stateless", "--depth", "9", "--livelock", "3", "--reduction", "sleep"],
    ] {
        let output = with(Path::new(PETERSON), &[fine.as_slice(), &["--property", "safe"]].concat());
        assert!(matches!(output.status.code(), Some(0 | 3)), "{fine:?}: {}", stderr(&output));
    }
}

#[test]
fn limits_on_time_are_numbers() {
    for wrong in ["nan", "inf", "-1", "soon"] {
        let limit = format!("--timeout={wrong}");
        for command in ["check", "count", "compare"] {
            let output = uwbmc(&[command, PETERSON, &limit]);
            assert_eq!(output.status.code(), Some(2), "{wrong}: {}", stderr(&output));
            assert!(stderr(&output).contains("seconds"), "{wrong}: {}", stderr(&output));
        }
    }
}

#[test]
fn several_models_are_checked_in_one_run() {
    let (faulty, undefined) = (model("several-a.smv", FAULTY), model("several-b.smv", UNDEFINED));
    let models = [text(&faulty), PETERSON, text(&undefined)];
    let output = uwbmc(&[&models[..], &["-k", "3"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let said = stdout(&output);
    let places: Vec<Option<usize>> = models.iter().map(|model| said.find(&format!("{model}:\n"))).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{said}");
    let document = json(&[&models[..], &["-k", "3", "--json"]].concat());
    let names: Vec<_> = document["models"].as_array().expect("a list").iter().map(|one| &one["model"]).collect();
    assert_eq!(names, models);
    let junit = temporary("several.xml");
    uwbmc(&[&models[..], &["-k", "3", "--junit", text(&junit)]].concat());
    assert_eq!(std::fs::read_to_string(junit).expect("written").matches("<testsuite ").count(), 3);
    let holds = uwbmc(&[PETERSON, BROKEN, "-k", "3", "--property", "safe"]);
    assert_eq!(holds.status.code(), Some(0), "{}", stderr(&holds));
    let missing = uwbmc(&[PETERSON, "no-such-file.smv", "-k", "3", "--property", "safe"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(stdout(&missing).contains("safe: holds"), "{}", stdout(&missing));
    assert_eq!(uwbmc(&[PETERSON, BROKEN, "--html", "page.html"]).status.code(), Some(2));
}

/// The answers of a column at each bound, with the length of the counterexample.
type Answers = Vec<(String, Option<u64>)>;

/// The answers of a comparison, by column.
fn answers(document: &serde_json::Value) -> Vec<(String, Answers)> {
    let columns = document["columns"].as_array().expect("a list").iter();
    let cells = |column: &serde_json::Value| {
        let cells = column["bounds"].as_array().expect("a list").iter();
        cells.map(|cell| (cell["result"].as_str().unwrap_or("").to_owned(), cell["steps"].as_u64())).collect()
    };
    columns.map(|column| (column["name"].as_str().unwrap_or("").to_owned(), cells(column))).collect()
}

#[test]
fn the_columns_of_a_comparison_answer_the_same_question_at_the_same_bound() {
    let document = json(&["compare", BROKEN, "-k", "9", "--property", "safe", "--json", "--repeat", "2"]);
    assert_eq!(document["repeat"], 2);
    let columns = answers(&document);
    let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["BMC", "BMC, scheduling", "paper's UW", "UW alone", "default"]);
    for (name, cells) in &columns {
        for (bound, (result, steps)) in cells.iter().enumerate() {
            assert!(result != "violated" || bound >= 8 && *steps == Some(8), "{name} at {bound}: {result}");
            assert!(result != "valid" || bound < 8, "{name} at {bound}: {result}");
        }
        assert_eq!(cells.get(8), Some(&("violated".to_owned(), Some(8))), "{name}: {cells:?}");
    }
    let shown = stdout(&uwbmc(&["compare", BROKEN, "-k", "9", "--property", "safe"]));
    let table: Vec<&str> = shown.lines().take_while(|line| !line.starts_with("total")).collect();
    assert!(table.iter().all(|line| line.chars().count() <= 100), "{shown}");
    assert!(shown.contains("violated (8 steps)"), "{shown}");
    // A column that is ahead of the bound says so, and what it knows is no answer for the bound.
    let is_ahead = columns.iter().any(|(_, cells)| cells.iter().any(|(result, _)| result == "ahead"));
    assert_eq!(
        shown.contains("hunts beyond the bound (ahead): it knew a counterexample of 8 steps"),
        is_ahead,
        "{shown}"
    );
    assert!(table[1..9].iter().all(|line| line.split_whitespace().nth(1) == Some("valid")), "{shown}");
}

#[test]
fn a_comparison_fails_where_a_check_does() {
    let faulty = model("compare-faulty.smv", FAULTY);
    let output = uwbmc(&["compare", text(&faulty), "-k", "6", "--property", "large"]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(stderr(&output).contains("error[RUN001]: division by zero"), "{}", stderr(&output));
    let output = uwbmc(&["compare", PETERSON, "-k", "3", "--solver-cmd", "false {cnf}"]);
    assert_eq!(output.status.code(), Some(4), "{}", stdout(&output));
    assert!(stderr(&output).contains("the solver failed"), "{}", stderr(&output));
}

#[test]
fn proofs_are_certified_as_a_whole() {
    let folder = temporary("manifest");
    let prove = |bound: &str| {
        let output = uwbmc(&[PETERSON, "-k", bound, "--property", "safe", "--engine", "bmc", "--proof", text(&folder)]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    };
    let certify = || uwbmc(&["certify", text(&folder)]);
    prove("4");
    // A shorter run leaves nothing of the longer one behind.
    prove("2");
    assert_eq!(certify().status.code(), Some(0), "{}", stderr(&certify()));
    assert_eq!(stdout(&certify()).lines().count(), 3);
    let formula = |bound: usize| folder.join(format!("safe-{bound}.cnf"));
    std::fs::copy(formula(2), formula(3)).expect("writable");
    assert_eq!(certify().status.code(), Some(1));
    assert!(stderr(&certify()).contains("safe-3.cnf: the manifest does not name it"), "{}", stderr(&certify()));
    std::fs::remove_file(formula(3)).expect("there");
    std::fs::remove_file(formula(1)).expect("there");
    assert_eq!(certify().status.code(), Some(1));
    assert!(stderr(&certify()).contains("safe-1.cnf"), "{}", stderr(&certify()));
    prove("2");
    let manifest = folder.join("manifest.json");
    let mut document: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&manifest).expect("written")).expect("a document");
    document["properties"][0]["bounds"].as_array_mut().expect("a list").remove(1);
    std::fs::write(&manifest, document.to_string()).expect("writable");
    assert_eq!(certify().status.code(), Some(1));
    assert!(stderr(&certify()).contains("safe: there is no proof for bound 1"), "{}", stderr(&certify()));
    std::fs::remove_file(manifest).expect("there");
    assert_eq!(certify().status.code(), Some(2), "without a manifest there is nothing to go by");
}
