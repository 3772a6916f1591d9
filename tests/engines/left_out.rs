//! What plain bounded model checking leaves out, and that it goes not too far: relations that have nothing to do with a
//! property, and questions about each bound by itself.

use system::{Apart, Claim, PropertyId, Slice, System};
use testkit::command::{json, stderr, stdout, temporary, text, uwbmc};
use uwbmc::smv::load;
use uwbmc::source::Source;

/// Two pairs of gates that exclude each other; the property is about the first.
const PAIRS: &str = "
MODULE half(inp, other)
VAR out : boolean;
ASSIGN init(out) := FALSE; next(out) := inp union out;
TRANS !(next(out) & next(other))
MODULE main
VAR
  a : process half(TRUE, b.out);
  b : process half(!a.out, a.out);
  c : process half(TRUE, d.out);
  d : process half(!c.out, c.out);
INVARSPEC NAME apart := !(a.out & b.out)
INVARSPEC NAME quiet := !b.out
";

/// A relation that has nothing to do with the property, but forbids every step.
const STUCK: &str = "
MODULE counter
VAR n : 0..5;
ASSIGN init(n) := 0; next(n) := case n < 5 : n + 1; TRUE : n; esac;
MODULE main
VAR p : process counter; gate : boolean;
ASSIGN init(gate) := FALSE; next(gate) := gate;
TRANS next(gate)
INVARSPEC NAME low := p.n < 3
";

/// A counter that leaves its domain after this many steps, beside a property that is violated one step before, or not at all.
fn overflowing(steps: usize, forbidden: usize) -> String {
    format!(
        "MODULE counter VAR n : 0..{}; ASSIGN init(n) := 0; next(n) := n + 1;\n\
         MODULE main VAR p : process counter; INVARSPEC NAME low := p.n != {forbidden}\n",
        steps - 1
    )
}

/// The system of a model.
fn system_of(model: &str) -> System {
    load(&Source::new("model.smv", model.as_bytes()), &[]).system.expect("accepted")
}

/// The variables that a slice of the first pair has relations about.
fn relations(apart: Apart) -> Option<usize> {
    Slice::new(&system_of(PAIRS), &[PropertyId::from(0)], apart).map(|slice| slice.system.relations.len())
}

/// What forbids every step decides whether there is one: no property that asks for steps may leave it out.
#[test]
fn relations_elsewhere_stay_where_steps_are_asked_for() {
    let mut system = system_of(STUCK);
    let relations = |system: &System| {
        Slice::new(system, &[PropertyId::from(0)], Apart::LeftOut).map(|slice| slice.system.relations.len())
    };
    assert_eq!(relations(&system), Some(0));
    system.properties[PropertyId::from(0)].claim = Claim::DeadlockFree;
    assert_ne!(relations(&system), Some(0));
    let branching = system_of(&STUCK.replace("INVARSPEC NAME low := p.n < 3", "SPEC NAME low := EF p.n = 5"));
    assert_ne!(relations(&branching), Some(0));
}

#[test]
fn relations_elsewhere_are_left_out() {
    assert_eq!(relations(Apart::LeftOut), Some(2));
    assert_eq!(relations(Apart::Kept), None, "everything matters");
}

/// Verdict and bound of each property by each engine.
fn verdicts(name: &str, model: &str) -> Vec<Vec<(String, Option<u64>)>> {
    let path = temporary(name);
    std::fs::write(&path, model).expect("writable");
    let ways: [&[&str]; 4] = [&["--engine", "explicit"], &["--engine", "bmc"], &["--engine", "bmc", "--por"], &[]];
    let run = |way: &&[&str]| {
        let report = json(&[&[text(&path), "--k", "9", "--json"], *way].concat());
        let properties = report["properties"].as_array().expect("a list").clone();
        let verdict =
            |one: &serde_json::Value| (one["verdict"].as_str().expect("a word").to_owned(), one["bound"].as_u64());
        properties.iter().map(verdict).collect()
    };
    ways.iter().map(run).collect()
}

#[test]
fn the_slice_of_a_pair_has_the_depths_of_both() {
    for found in verdicts("pairs.smv", PAIRS) {
        let [apart, quiet] = found.as_slice() else { panic!("two properties: {found:?}") };
        assert!(apart.0.starts_with("holds"), "{found:?}");
        assert_eq!(*quiet, ("violated".to_owned(), Some(1)));
    }
}

#[test]
fn what_a_relation_elsewhere_forbids_is_no_counterexample() {
    for found in verdicts("stuck.smv", STUCK) {
        assert!(found[0].0.starts_with("holds"), "{found:?}");
    }
}

/// Bounds are asked about four at a time; what goes wrong first is told all the same, wherever it is among them.
#[test]
fn the_first_fault_or_violation_is_told() {
    for steps in 1..=9 {
        for forbidden in [steps - 1, 99] {
            let path = temporary("overflow.smv");
            std::fs::write(&path, overflowing(steps, forbidden)).expect("writable");
            let run = |engine: &str| {
                let output = uwbmc(&[text(&path), "--k", "12", "--engine", engine]);
                (output.status.code(), stdout(&output), stderr(&output))
            };
            assert_eq!(run("explicit"), run("bmc"), "{steps} steps, {forbidden} is forbidden");
        }
    }
}
