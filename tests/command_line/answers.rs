//! No answer gets lost: what was decided before something went wrong is reported, documents are written whatever happens,
//! and exit codes tell whose turn it is.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Output};
use testkit::command::{BROKEN, PETERSON, json, model, stderr, stdout, temporary, text, uwbmc, with};
use testkit::files::smv_files;
use testkit::{pml, schema};

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

/// Every engine that takes properties of any kind of model, with arguments that it needs.
pub const ENGINES: [&[&str]; 8] = [
    &[],
    &["-k", "9"],
    &["--engine", "explicit"],
    &["--engine", "explicit", "--search", "dfs"],
    &["--engine", "stateless"],
    &["--engine", "uw", "-k", "9"],
    &["--engine", "bmc", "-k", "9"],
    &["--widening", "paper", "-k", "9"],
];

/// Every engine finds a violation in a model, prints these texts, and complains in those.
fn every_engine_says(path: &Path, printed: &[&str], complaints: &[&str]) {
    for engine in ENGINES {
        let output = with(path, engine);
        let (said, complained) = (stdout(&output), stderr(&output));
        assert_eq!(output.status.code(), Some(1), "{engine:?}: {said}{complained}");
        for text in printed {
            assert!(said.contains(text), "{engine:?}: {text}: {said}");
        }
        for text in complaints {
            assert!(complained.contains(text), "{engine:?}: {text}: {complained}");
        }
    }
}

#[test]
fn a_choice_after_a_timeout_is_a_choice() {
    let path = Path::new("tests/promela/good/deterministic_timeout.pml");
    every_engine_says(path, &["deterministic_P0: violated in "], &[]);
}

#[test]
fn a_formula_that_asks_for_a_timeout_is_left_open() {
    let text = "byte x; active proctype P() { timeout; x = 1 } ltl never_waits { [] !timeout }";
    let output = with(&model("asks.pml", text), &[]);
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
    assert!(stdout(&output).contains("never_waits: unknown (the formula asks for a timeout"), "{}", stdout(&output));
}

/// SPIN counts the claim while it checks one, so that the program waits for ever.
#[test]
fn claims_count_as_processes() {
    let program =
        "byte x; proctype P() { skip } init { run P(); _nr_pr == 1; progress: accept: x = 1; assert(x == 0) }";
    let path = model("counts.pml", &format!("{program} ltl done {{ <> (x == 1) }} never {{ x == 1 }}"));
    let output = with(&path, &[]);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    let expected = [
        "assert_1: violated in 6 steps",
        "end_states: holds",
        "acceptance_cycles: holds",
        "non_progress_cycles: holds",
        "done: violated in 3 steps",
        "never_0: holds",
    ];
    for expected in expected {
        assert!(stdout(&output).contains(expected), "{expected}: {}", stdout(&output));
    }
    for (property, claim) in [("done", 1), ("assert_1", 0)] {
        let trace = temporary(&format!("counts_{property}.json"));
        with(&path, &["--property", property, "--trace", text(&trace)]);
        let first = &json(&["replay", text(&path), text(&trace), "--json"])["violates"];
        assert_eq!(first.as_array().map(Vec::len), Some(1), "{first}");
        assert_eq!(first[0]["property"], property);
        let document = std::fs::read_to_string(&trace).expect("written");
        assert!(document.contains(&format!("\"_nr_pr.claim\": {claim}")), "{document}");
    }
}

/// In SPIN the first program waits for ever, so that there is no cycle at all. Progress is asked for once, labels or not.
#[test]
fn progress_is_asked_beside_a_claim() {
    let program = "byte x; proctype P() { skip } init { run P(); _nr_pr == COUNT; LABEL do :: x = 1 - x od }";
    for (count, label, expected) in
        [("1", "", "holds"), ("1", "progress:", "holds"), ("2", "", "violated"), ("2", "progress:", "holds")]
    {
        let program = program.replace("COUNT", count).replace("LABEL", label);
        let output = with(&model("counts_on.pml", &program), &["--progress"]);
        let expected = format!("non_progress_cycles: {expected}");
        assert_eq!(stdout(&output).matches(&expected).count(), 1, "{count} {label} {}", stdout(&output));
    }
}

#[test]
fn a_fault_ends_the_search_beyond_it_and_not_the_report() {
    let path = model("faulty.smv", FAULTY);
    let unknown = "large: unknown (the model has no meaning there: RUN001 division by zero";
    let assignment = "3 | ASSIGN init(x) := 0; next(x) := case x < 4 : x + 1; TRUE : 4 / (x - 4); esac;\n  |                      ^^^^";
    let complaints = ["error[RUN001]: division by zero", assignment];
    every_engine_says(&path, &["small: violated in 2 steps\n", unknown], &complaints);
    let diagrams = with(&path, &["--engine", "symbolic"]);
    let said = stdout(&diagrams);
    assert!(said.contains("small: violated in 2 steps\n") && said.contains(unknown), "{said}");
    for engine in ENGINES {
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
    let undefined = "quotient: unknown (it has no value in a reachable state: RUN001 division by zero)";
    let others = ["small: violated in 5 steps\n", "all: holds"];
    every_engine_says(&path, &[&[undefined], &others[..]].concat(), &["in the property quotient", ":4:"]);
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
    let undefined = "quotient: unknown (it has no value in a reachable state: RUN001 division by zero)";
    every_engine_says(&path, &[undefined, "growing: violated in 6 steps\n"], &[]);
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
    let schema = schema::read("json.schema.json");
    for path in files {
        let output = with(&path, &["--json", "--timeout", "20"]);
        let document: Result<serde_json::Value, _> = serde_json::from_slice(&output.stdout);
        let document = document.unwrap_or_else(|error| panic!("{}: {error}: {}", path.display(), stdout(&output)));
        assert_eq!(schema::violations(&schema, &document), [""; 0], "{}", path.display());
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
    let trace = temporary("full.json");
    assert_eq!(uwbmc(&[BROKEN, "--property", "safe", "--trace", text(&trace)]).status.code(), Some(1));
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
        vec!["compare", PETERSON, "-k", "2"],
        vec!["replay", BROKEN, text(&trace)],
        vec!["trace", "convert", text(&trace)],
        vec!["trace", "simplify", BROKEN, text(&trace)],
        vec!["help"],
        vec!["check", "--help"],
        vec!["--version"],
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
        (vec!["--livelock", "3"], "--livelock", "--engine auto (the default) without --k"),
        (vec!["--search", "bfs", "--seed", "1"], "--seed", "--engine explicit"),
        (vec!["--engine", "symbolic", "--seed", "1"], "--seed", "--engine symbolic"),
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
        vec!["--seed", "3", "--solver", "varisat", "--jobs", "2"],
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
