//! Limits hold: whatever is going on, a run ends when its time or memory is over, and says what was decided before.

use crate::answers::ENGINES;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use testkit::command::{BROKEN, json, model, stderr, stdout, temporary, text, uwbmc, with};

/// Every engine, with arguments that it needs.
fn engines() -> impl Iterator<Item = &'static [&'static str]> {
    ENGINES.into_iter().chain([&["--engine", "symbolic"][..]])
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

/// A model with 2^40 initial states, a property that no search over states decides, one that is violated at once, and
/// one about infinite runs.
fn many_initial_states() -> PathBuf {
    let variables: String = (0..40).map(|number| format!("v{number} : boolean;\n")).collect();
    let updates =
        (0..40).map(|number| format!("next(v{number}) := v{} xor v{};\n", (number + 1) % 40, (number + 7) % 40));
    let all: Vec<String> = (1..40).map(|number| format!("v{number}")).collect();
    model(
        "many-initial-states.smv",
        &format!(
            "MODULE main
VAR {variables}x : 0..3;
ASSIGN init(x) := 0; next(x) := case x < 3 : x + 1; TRUE : x; esac;
{}INVARSPEC NAME rare := !(x = 3 & {})
INVARSPEC NAME wrong := x > 0
LTLSPEC NAME often := G F v0
",
            updates.collect::<String>(),
            all.join(" & ")
        ),
    )
}

/// A program of many lines, with a property about infinite runs.
fn long_program() -> PathBuf {
    let lines: String = (0..20_000).map(|number| format!("  x = (x + {}) % 100;\n", number % 7)).collect();
    let text = format!("int x; bool b;\nactive proctype P() {{\n{lines}  b = true\n}}\nltl f {{ <> b }}\n");
    model("long-program.pml", &text)
}

/// Each property of a document with what became of it: a verdict, or why there is none.
fn verdicts(document: &Value) -> Vec<(String, String)> {
    let properties = document["properties"].as_array().map_or(&[][..], Vec::as_slice);
    let word = |property: &Value, field: &str| property[field].as_str().unwrap_or_default().to_owned();
    let verdict = |property: &Value| match word(property, "verdict") {
        unknown if unknown == "unknown" => word(property, "reason"),
        known => known,
    };
    properties.iter().map(|property| (word(property, "name"), verdict(property))).collect()
}

/// What a check with too little time answers, as one document. Whether the model was read by then depends on the machine.
fn hurried(path: &Path, arguments: &[&str]) -> Vec<(String, String)> {
    let output = with(path, &[arguments, &["--json", "--timeout", "0.1"]].concat());
    let said = format!("{arguments:?}: {}{}", stdout(&output), stderr(&output));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}"));
    assert_eq!(document["format"], "uwbmc-check", "{said}");
    let verdicts = verdicts(&document);
    let is_unread = document["diagnostics"][0]["code"] == "LIMIT";
    assert_eq!(is_unread, verdicts.is_empty(), "{said}");
    let is_violated = verdicts.iter().any(|(_, verdict)| verdict == "violated");
    assert_eq!(output.status.code(), Some(if is_violated { 1 } else { 3 }), "{said}");
    verdicts
}

#[test]
fn time_is_over_while_a_model_is_read() {
    let path = long_to_read();
    let junit = temporary("long-to-read.xml");
    for engine in engines() {
        for (name, verdict) in hurried(&path, &[engine, &["--junit", text(&junit)]].concat()) {
            assert_eq!((name.as_str(), verdict.as_str()), ("few", "out of time"), "{engine:?}");
        }
        assert!(std::fs::read_to_string(&junit).expect("written").contains("out of time"), "{engine:?}");
    }
    let counted = json(&["count", text(&path), "--timeout", "0.1", "--json"]);
    assert_eq!((&counted["complete"], &counted["reason"]), (&false.into(), &"out of time".into()));
    let compared = uwbmc(&["compare", text(&path), "--timeout", "0.1"]);
    assert_eq!(compared.status.code(), Some(3), "{}", stderr(&compared));
    let trace = temporary("long-to-read.json");
    uwbmc(&[BROKEN, "--property", "safe", "--trace", text(&trace)]);
    let simplified = uwbmc(&["trace", "simplify", text(&path), text(&trace), "--timeout", "0.1"]);
    assert!(matches!(simplified.status.code(), Some(2 | 3)), "{}", stderr(&simplified));
}

#[test]
fn time_is_over_while_initial_states_are_enumerated() {
    let path = many_initial_states();
    for engine in engines() {
        for (name, verdict) in hurried(&path, engine) {
            let expected: &[&str] = match name.as_str() {
                "wrong" => &["violated", "out of time"],
                // It is for engines with a bound to say that there was nothing up to it.
                _ => &["out of time", "holds up to bound", "holds", "violated"],
            };
            assert!(expected.iter().any(|word| verdict.starts_with(word)), "{engine:?}: {name}: {verdict}");
        }
    }
    // The violation is known long before the time is over.
    let output = with(&path, &["--engine", "bmc", "-k", "9", "--timeout", "2"]);
    assert!(stdout(&output).contains("wrong: violated in 0 steps"), "{}", stdout(&output));
}

#[test]
fn time_is_over_in_a_long_program() {
    let path = long_program();
    for engine in [&["-k", "9"][..], &["--engine", "explicit"], &["--engine", "bmc", "-k", "9"]] {
        for (name, verdict) in hurried(&path, engine) {
            let is_late = verdict.starts_with("out of time");
            assert!(is_late || verdict.starts_with("holds"), "{engine:?}: {name}: {verdict}");
        }
    }
}

/// Waits a little; never enough.
#[cfg(target_os = "linux")]
fn pause() -> bool {
    std::thread::sleep(std::time::Duration::from_millis(100));
    false
}

/// A solver that takes for ever, and what it starts, are ended.
#[test]
#[cfg(target_os = "linux")]
fn time_is_over_while_an_external_solver_works() {
    let (script, started) = (temporary("slow-solver.sh"), temporary("slow-solver.pid"));
    let sleeps = format!("sleep 1000 &\necho $! > {}\nwait\n", text(&started));
    std::fs::write(&script, sleeps).expect("writable");
    let command = format!("sh {}", text(&script));
    let output = uwbmc(&[BROKEN, "-k", "9", "--property", "safe", "--solver-cmd", &command, "--timeout", "1"]);
    assert!(stdout(&output).contains("safe: unknown (out of time"), "{}{}", stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(3));
    let sleeper = std::fs::read_to_string(&started).expect("it was started");
    let sleeper = Path::new("/proc").join(sleeper.trim()).join("cmdline");
    // One that has ended may be waited for by nothing, and then has no command line. On a busy machine it takes a while to die.
    let is_gone = || std::fs::read(&sleeper).unwrap_or_default().is_empty();
    assert!((0..100).any(|_| is_gone() || pause()), "what the solver has started sleeps on");
}

#[test]
fn memory_is_over_while_a_model_is_checked() {
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
    for engine in engines() {
        let output = with(&path, &[engine, &["--memory", "200"]].concat());
        let said = format!("{}{}", stdout(&output), stderr(&output));
        assert_eq!(output.status.code(), Some(3), "{engine:?}: {said}");
        assert!(said.contains("out of memory"), "{engine:?}: {said}");
    }
}

/// A counterexample that would not fit into memory as a document is put into words while it is written.
#[test]
fn a_long_counterexample_is_shown_in_little_memory() {
    if !Path::new("/proc/self/statm").exists() {
        println!("skipped: the system does not tell how much memory a process takes");
        return;
    }
    let path = model(
        "long-counterexample.pml",
        "int x; byte a[200];
active proctype P() { do :: x < 20000 -> x++; a[x % 200] = x % 256 :: else -> break od; assert(false) }
",
    );
    for order in ["bfs", "dfs"] {
        let output = with(&path, &["--engine", "explicit", "--search", order, "--memory", "60"]);
        let said = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{order}: {}", stderr(&output));
        assert!(said.contains("violated in 60002 steps"), "{order}");
        assert!(said.contains("\nstate 60002: "), "{order}: not all of it is shown");
    }
}

/// A model whose diagrams explode in every order of variables, and whose runs are many.
fn exploding() -> PathBuf {
    model(
        "exploding.smv",
        "MODULE main
VAR a : word[32]; b : word[32]; c : word[32];
ASSIGN init(c) := 0ud32_1; next(c) := a * b + c;
SPEC NAME returns := AG EF c = 0ud32_1
LTLSPEC NAME often := G F (c = a * b -> c = 0ud32_1)
",
    )
}

/// The ways to come to diagrams.
const DIAGRAMS: [&[&str]; 2] = [&["--engine", "symbolic"], &[]];

#[test]
fn time_is_over_while_diagrams_explode() {
    let path = exploding();
    for arguments in DIAGRAMS {
        let output = with(&path, &[arguments, &["--property", "returns", "--timeout", "2"]].concat());
        let said = format!("{}{}", stdout(&output), stderr(&output));
        assert!(said.contains("returns: unknown (out of time"), "{arguments:?}: {said}");
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {said}");
    }
}

/// Ctrl-C after some seconds. A run that does not hear it is killed after a minute more, and then says nothing.
#[test]
fn an_interruption_is_heard_while_diagrams_explode() {
    let path = exploding();
    for arguments in DIAGRAMS {
        let mut timeout = Command::new("timeout");
        timeout.args(["-s", "INT", "-k", "60", "--preserve-status", "3", env!("CARGO_BIN_EXE_uwbmc"), text(&path)]);
        timeout.args([arguments, &["--property", "returns"]].concat()).stdin(Stdio::null());
        let Ok(output) = timeout.output() else {
            println!("skipped: timeout is not installed");
            return;
        };
        let said = format!("{}{}", stdout(&output), stderr(&output));
        assert!(said.contains("returns: unknown (interrupted"), "{arguments:?}: {said}");
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {said}");
    }
}

#[test]
fn memory_is_over_while_diagrams_explode() {
    let path = exploding();
    let output = with(&path, &["--engine", "symbolic", "--property", "returns", "--memory", "50"]);
    let said = format!("{}{}", stdout(&output), stderr(&output));
    assert!(said.contains("returns: unknown (the decision diagrams have more nodes than allowed"), "{said}");
    assert_eq!(output.status.code(), Some(3), "{said}");
}
