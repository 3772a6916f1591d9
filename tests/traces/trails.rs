//! Trails: SPIN's and ours are followed to the runs that they describe.
//!
//! `tests/promela/trails` has models and the trails that SPIN 6.5.2 wrote for them (`spin -a`, `pan`; with `-o1 -o2 -o3`
//! for those called plain, without for those in which statements are merged). Where SPIN and a C compiler are installed,
//! the trails are made again.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use system::{Claim, Machine, Moved, State, Trace, Visit};
use testkit::command;
use testkit::command::{stderr, stdout, temporary, text, uwbmc};
use testkit::pml;
use uwbmc::promela::trail::{Trail, TrailError};
use uwbmc::source::Source;

/// A model with its trail numbers.
struct Model {
    source: Source,
    machine: Machine,
    trail: Trail,
}

impl Model {
    fn read(path: &Path) -> Model {
        let (source, loaded) = pml::read(path);
        let machine = Machine::new(Arc::new(loaded.system.expect("accepted")));
        Model { source, machine, trail: loaded.trail.expect("accepted") }
    }

    fn follow(&self, text: &str) -> Result<Trace, TrailError> {
        self.trail.follow(&self.machine, &self.source, text)
    }

    /// Follows a trail, replays the run, and says which invariants, assertions and end states it violates.
    fn violated(&self, text: &str) -> (Trace, Vec<String>) {
        let trace = self.follow(text).unwrap_or_else(|error| panic!("{}: {error}\n{text}", self.source.name()));
        trace.replay(&self.machine).expect("what was followed is a run");
        let properties = self.machine.system().properties.iter_enumerated();
        let is_safety = |claim: &Claim| matches!(claim, Claim::Invariant(_) | Claim::DeadlockFree);
        let safety = properties.filter(|(_, property)| is_safety(&property.claim));
        let violated = safety.filter(|(id, _)| trace.violates(&self.machine, *id).is_some());
        let names = violated.map(|(_, property)| property.name.clone()).collect();
        (trace, names)
    }
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/promela/trails").join(name)
}

/// What SPIN found: the model, the argument of `pan`, and what the run violates of the properties that runs alone tell of.
const FOUND: [(&str, &[&str], &[&str]); 4] = [
    ("relay", &[], &["assert_18"]),
    ("swing", &["-a"], &[]),
    ("rounds", &["-a"], &[]),
    ("stuck", &[], &["end_states"]),
];

#[test]
fn trails_that_spin_wrote_are_followed() {
    for (name, arguments, expected) in FOUND {
        let model = Model::read(&example(&format!("{name}.pml")));
        for style in ["merged", "plain"] {
            let text = std::fs::read_to_string(example(&format!("{name}-{style}.trail"))).expect("readable");
            let (trace, violated) = model.violated(&text);
            assert_eq!(violated, expected, "{name}, {style}");
            assert_eq!(trace.loop_start.is_some(), arguments == ["-a"], "{name}, {style}");
        }
    }
}

#[test]
fn merged_statements_are_made_up_for() {
    let model = Model::read(&example("relay.pml"));
    let read = |style: &str| std::fs::read_to_string(example(&format!("relay-{style}.trail"))).expect("readable");
    let (merged, plain) =
        (model.follow(&read("merged")).expect("followed"), model.follow(&read("plain")).expect("followed"));
    assert_eq!(merged.states.last(), plain.states.last());
    assert_eq!(merged.moves.len(), plain.moves.len());
    let without_header = read("merged").lines().skip(1).collect::<Vec<_>>().join("\n");
    let refused = model.follow(&without_header).expect_err("only trails that say so are merged");
    assert!(refused.line == 2 && refused.reason.contains("cannot make the step `r ! l` of line 7 now"), "{refused}");
}

#[test]
fn a_line_that_cannot_be_followed_is_named_with_the_reason() {
    let model = Model::read(&example("relay.pml"));
    for (text, line, reason) in [
        ("1:0:0\nhello\n", 2, "this is no line of a trail"),
        ("1:0\n", 1, "this is no line of a trail"),
        ("1:0:99999999999999999999\n", 1, "this is no line of a trail"),
        ("1:-3:0\n", 1, "not negative"),
        ("1:0:0\n\n2:7:1\n", 3, "there is no process 7"),
        ("1:0:99\n", 1, "process 0 has no statement 99"),
        (
            "1:0:0\n2:0:2\n",
            2,
            "process 0 cannot make the step `printf(\"hi\\n\")` of line 6 now (A_0, which is at 6:2)",
        ),
        ("1:1:13\n", 1, "process 1 can receive only together with the one that sends"),
        ("-2:2:-2\n1:0:15\n2:1:0\n3:2:16\n", 4, "process 1 cannot make the step `x == 3` of line 16 now"),
        ("-1:-1:-1\n1:0:0\n2:0:1\n", 2, "process 0 cannot make the step `l = 1`"),
    ] {
        let error = model.follow(text).expect_err(text);
        assert_eq!(error.line, line, "{text}: {error}");
        assert!(error.reason.contains(reason), "{text}: {error}");
    }
}

/// A run of at most this many steps in which the choice with this number is taken each time.
fn walk(machine: &Machine, steps: usize, seed: usize) -> Trace {
    let mut workspace = machine.workspace();
    let mut trace = Trace::default();
    let begin = machine.initial_states(&mut workspace, |state| {
        trace.states.push(state);
        Visit::Break(())
    });
    begin.expect("no fault");
    for step in 0..steps {
        let mut choices = Vec::new();
        let state = trace.states.last().expect("an initial state").clone();
        let visited = machine.successors(&state.0, &mut workspace, |successor| {
            choices.push((successor.command, State(successor.state.into())));
            Visit::Continue(())
        });
        if visited.is_err() || choices.is_empty() {
            break;
        }
        let (command, next) = choices.swap_remove((seed * 31 + step * 17) % choices.len());
        let process = machine.system().commands[command].owner.process;
        trace.moves.push(Moved { process, command: Some(command), inputs: Vec::new() });
        trace.states.push(next);
    }
    trace
}

#[test]
fn our_own_trails_are_followed() {
    let mut followed = 0;
    for path in pml::files("tests/promela/good") {
        let model = Model::read(&path);
        for seed in 0..4 {
            let run = walk(&model.machine, 25, seed);
            let text = model.trail.render(&run);
            match model.follow(&text) {
                Ok(trace) => {
                    trace.replay(&model.machine).expect("what was followed is a run");
                    assert_eq!(model.trail.render(&trace), text, "{}", path.display());
                    followed += 1;
                }
                Err(error) => assert!(error.reason.contains("no meaning"), "{}: {error}\n{text}", path.display()),
            }
        }
    }
    assert!(followed > 200, "{followed} trails");
}

#[test]
fn the_command_line_replays_and_converts_trails() {
    let model = example("relay.pml");
    let trail = example("relay-merged.trail");
    let output = uwbmc(&["replay", text(&model), text(&trail)]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output), "accepted: 24 steps of the model\nassert_18 is violated in state 24\n");
    let document = temporary("relay.json");
    let converted = uwbmc(&["trace", "convert", text(&trail), "--model", text(&model), "-o", text(&document)]);
    assert_eq!(converted.status.code(), Some(0), "{}", stderr(&converted));
    assert_eq!(uwbmc(&["replay", text(&model), text(&document)]).status.code(), Some(0), "the document is a run too");
    let folder = temporary("beside");
    std::fs::create_dir_all(&folder).expect("writable");
    std::fs::copy(&model, folder.join("m.pml")).expect("writable");
    let beside = folder.join("m.pml.trail");
    std::fs::copy(&trail, &beside).expect("writable");
    let printed = uwbmc(&["trace", "convert", text(&beside)]);
    assert!(stdout(&printed).contains("assert(x != 3)"), "the model is found beside its trail: {}", stderr(&printed));
    std::fs::write(&beside, "1:0:99\n").expect("writable");
    let refused = uwbmc(&["replay", text(&model), text(&beside)]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("m.pml.trail: line 1: process 0 has no statement 99"), "{}", stderr(&refused));
    let needless = uwbmc(&["trace", "convert", text(&document), "--model", text(&model)]);
    assert_eq!(needless.status.code(), Some(2), "a document needs no model");
    assert_eq!(uwbmc(&["replay", command::PETERSON, text(&trail)]).status.code(), Some(2), "SMV has no trails");
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok()
}

#[test]
fn trails_that_spin_writes_now_are_followed() {
    let spin = std::env::var("SPIN").unwrap_or_else(|_| "spin".to_owned());
    if !run(Path::new("."), &spin, &["-V"]) || !run(Path::new("."), "gcc", &["--version"]) {
        println!("skipped: this test needs SPIN and gcc");
        return;
    }
    for (name, arguments, expected) in FOUND {
        for (style, options) in [("merged", &[][..]), ("plain", &["-o1", "-o2", "-o3"])] {
            let folder = temporary(&format!("{name}-{style}"));
            std::fs::create_dir_all(&folder).expect("writable");
            let file = format!("{name}.pml");
            std::fs::copy(example(&file), folder.join(&file)).expect("writable");
            run(&folder, &spin, &[options, &["-a", &file]].concat());
            run(&folder, "gcc", &["-w", "-DNOREDUCE", "-o", "pan", "pan.c"]);
            run(&folder, "./pan", arguments);
            let text = std::fs::read_to_string(folder.join(format!("{file}.trail"))).expect("pan finds the error");
            let (trace, violated) = Model::read(&example(&file)).violated(&text);
            assert_eq!(violated, expected, "{name}, {style}");
            assert_eq!(trace.loop_start.is_some(), arguments == ["-a"], "{name}, {style}");
            let _ = std::fs::remove_dir_all(&folder);
        }
    }
}
