//! What is exported means what the model means: read back by parsers of our own, and by ABC if it is installed.

mod aiger;
mod btor2;
mod cnf;
mod netlist;

use cnf::Dimacs;
use encoder::Valid;
use proptest::prelude::*;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use system::{Claim, Machine, Property, PropertyId, Span, State, System, Trace};
use testkit::files;
use testkit::systems::{Coordination, random_system};
use uwbmc::explicit::{Limits, search};
use uwbmc::export::{Goal, circuit, dimacs};
use uwbmc::limits::Handle;
use uwbmc::smv::load;
use uwbmc::source::Source;

/// Models whose sidecars say which invariants are violated, and at which depth.
const MODELS: &[&str] = &[
    "models/paper/figure1",
    "models/mutex/peterson-2",
    "models/mutex/peterson-2-broken",
    "models/mutex/bakery-2-broken",
    "models/leader/leader-3-any",
    "models/abp/abp-1-broken",
    "models/prodcons/prodcons-1-2x1-broken",
    "models/mesi/mesi-2-broken",
];

/// A bound for what holds.
const FAR: usize = 8;

/// The violation is a state without successors.
const DEAD_END: &str =
    "MODULE main\nVAR x : 0..3;\nINIT x = 0\nTRANS x < 2 & next(x) = x + 1\nINVARSPEC NAME small := x < 2\n";

/// The invariant speaks of a step and of an input.
const STEP: &str = "MODULE main\nIVAR up : boolean;\nVAR x : 0..9;\nASSIGN init(x) := 1;\n\
    next(x) := case up & x < 9 : x + 1; TRUE : x; esac;\nINVARSPEC NAME calm := !(up & x = 4)\n";

/// Every initial state is possible for one variable, and an enumeration has many values.
const FREE: &str = "MODULE main\nVAR c : {a0, a1, a2, a3, a4, a5, a6, a7};\n w : unsigned word[3];\n\
    INIT w < 0ud3_2\nASSIGN next(w) := w + 0ud3_1;\nTRANS next(c) != c\n\
    INVARSPEC NAME never := !(w = 0ud3_4 & c = a7)\n";

const SMALL: &[(&str, &str, Option<usize>)] =
    &[(DEAD_END, "small", Some(2)), (STEP, "calm", Some(4)), (FREE, "never", Some(3))];

fn machine_of(source: &Source) -> Machine {
    Machine::new(Arc::new(load(source, &[]).system.expect("accepted")))
}

fn small(text: &str) -> Machine {
    machine_of(&Source::new("small.smv".to_owned(), text.as_bytes()))
}

#[derive(Deserialize)]
struct Sidecar {
    property: Vec<Expected>,
}

#[derive(Deserialize)]
struct Expected {
    name: String,
    verdict: String,
    depth: Option<usize>,
}

/// The invariants of a model with the depths of their violations.
fn expected(model: &str) -> Vec<(String, Option<usize>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("{model}.toml"));
    let text = std::fs::read_to_string(path).expect("every model has a sidecar");
    let sidecar: Sidecar = toml::from_str(&text).expect("a sidecar");
    let machine = machine(&format!("{model}.smv"));
    let is_invariant = |expected: &Expected| Goal::choose(&machine, Some(&expected.name)).is_ok();
    let found = sidecar.property.into_iter().filter(is_invariant).map(|expected| {
        assert_eq!(expected.verdict == "violated", expected.depth.is_some(), "{model}");
        (expected.name, expected.depth)
    });
    found.collect()
}

fn machine(path: &str) -> Machine {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    machine_of(&Source::new(path.display().to_string(), &std::fs::read(&path).expect("readable")))
}

fn all_cases() -> Vec<(Machine, String, Option<usize>)> {
    let of_model = |model: &&str| {
        let path = format!("{model}.smv");
        expected(model).into_iter().map(move |(name, depth)| (machine(&path), name, depth))
    };
    let models = MODELS.iter().flat_map(of_model);
    models.chain(SMALL.iter().map(|(text, name, depth)| (small(text), (*name).to_owned(), *depth))).collect()
}

fn goal(machine: &Machine, name: &str) -> Goal {
    Goal::choose(machine, Some(name)).expect("an invariant")
}

fn unrolled(machine: &Machine, name: &str, bound: usize) -> Dimacs {
    Dimacs::parse(&dimacs::export(machine, goal(machine, name), bound, Valid::Absent).expect("supported"))
}

/// The first bad times of the circuit as AIGER, binary AIGER and BTOR2; they are the same.
fn first_bad(machine: &Machine, name: &str, bound: usize) -> Option<usize> {
    let circuit = circuit::circuit(machine, goal(machine, name)).expect("supported");
    let ascii = aiger::parse(uwbmc::export::aiger::ascii(&circuit).as_bytes());
    assert_eq!(ascii, aiger::parse(&uwbmc::export::aiger::binary(&circuit)), "{name}");
    let bits = btor2::parse(&uwbmc::export::btor2::export(&circuit));
    let found = ascii.first_bad(bound);
    assert_eq!(found, bits.first_bad(bound), "{name}");
    found
}

fn uwbmc(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_uwbmc"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("it runs")
}

/// A file name of its own for each test.
fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()))
}

#[test]
fn clauses_are_satisfiable_from_the_depth_of_the_violation_on() {
    for (machine, name, depth) in all_cases() {
        match depth {
            Some(depth) => {
                for bound in [0, depth - 1, depth, depth + 1, depth + 3] {
                    let found = unrolled(&machine, &name, bound).solve();
                    assert_eq!(found.is_some(), bound >= depth, "{name} within {bound}");
                }
            }
            None => assert!(unrolled(&machine, &name, FAR).solve().is_none(), "{name}"),
        }
    }
}

#[test]
fn switches_that_are_off_leave_one_interleaving() {
    // Example 2 of the paper: with every switch off, a runs before b, and x is never 2.
    let machine = machine("models/paper/figure1.smv");
    let text = dimacs::export(&machine, goal(&machine, "safe"), 3, Valid::Paper).expect("supported");
    let mut formula = Dimacs::parse(&text);
    assert!(formula.solve().is_some(), "free switches leave every run");
    let switches: Vec<i32> = formula
        .comments
        .iter()
        .filter_map(|comment| comment.strip_prefix("p ")?.split(' ').nth(1)?.parse().ok())
        .collect();
    assert_eq!(switches.len(), machine.system().control_points().count());
    assert!(formula.comments.iter().any(|comment| comment.starts_with("p pA@pa0 ")), "{:?}", formula.comments);
    for switch in switches {
        formula.assume(-switch);
    }
    assert!(formula.solve().is_none(), "no run of the first underapproximation violates the property");
}

#[test]
fn comments_tell_the_run() {
    let machine = machine("models/mutex/peterson-2-broken.smv");
    let formula = unrolled(&machine, "safe", 8);
    let model = formula.solve().expect("violated");
    assert_eq!(formula.says(&model, "state 0 p1.pc=idle"), Some(true));
    assert_eq!(formula.says(&model, "state 8 p1.pc=critical"), Some(true));
    assert_eq!(formula.says(&model, "state 8 p2.pc=critical"), Some(true));
    for step in 0..8 {
        let runs = |process: &&str| formula.says(&model, &format!("step {step} running:{process}")) == Some(true);
        assert_eq!(["main", "p1", "p2"].iter().filter(|process| runs(process)).count(), 1, "step {step}");
    }
}

#[test]
fn the_same_bytes_twice() {
    for format in [&["dimacs", "--k", "9"][..], &["aiger"], &["btor2"]] {
        let arguments = [&["export", "models/leader/leader-3-any.smv", "--format"], format].concat();
        let (first, second) = (uwbmc(&arguments), uwbmc(&arguments));
        assert_eq!(first.status.code(), Some(0));
        assert!(!first.stdout.is_empty() && first.stdout == second.stdout, "{format:?}");
    }
}

#[test]
fn circuits_are_bad_at_the_depth_of_the_violation() {
    for (machine, name, depth) in all_cases() {
        assert_eq!(first_bad(&machine, &name, depth.map_or(FAR, |depth| depth + 2)), depth, "{name}");
    }
}

/// A trace's value of a bit such as `p1.pc=idle` or `x:0`.
fn bit(machine: &Machine, trace: &Trace, time: usize, name: &str) -> bool {
    let system = machine.system();
    let value = |var: &str| {
        let var = system.variables.position(|variable| variable.name == var).expect("a variable");
        (var, machine.layout().get(&trace.states.at(time).0, var).expect("part of the state"))
    };
    if let Some(process) = name.strip_prefix("control:") {
        let holder = machine.layout().holder(&trace.states.at(time).0);
        holder.is_some_and(|holder| system.processes[holder].name == process)
    } else if let Some((name, wanted)) = name.split_once('=') {
        let (var, value) = value(name);
        system.render_value(var, value) == wanted
    } else {
        let (name, position) = name.rsplit_once(':').expect("a bit");
        value(name).1 >> position.parse::<u32>().expect("a number") & 1 == 1
    }
}

#[test]
fn a_circuit_follows_a_trace() {
    for path in ["models/mutex/peterson-2-broken.smv", "models/mutex/semaphore-2-broken.smv"] {
        let machine = machine(path);
        let property = machine.system().properties.position(|p| p.name == "safe").expect("ours");
        let trace = violation(&machine, property, 20).expect("violated");
        let depth = trace.moves.len();
        let circuit = circuit::circuit(&machine, goal(&machine, "safe")).expect("supported");
        let netlist = aiger::parse(uwbmc::export::aiger::ascii(&circuit).as_bytes());
        let input = |time: usize, name: &str| match (name.strip_prefix("running:"), name.strip_prefix("next:")) {
            _ if time == depth => false,
            (Some(process), _) => machine.system().processes[trace.moves.at(time).process].name == process,
            (_, Some(name)) => bit(&machine, &trace, time + 1, name),
            _ => panic!("{path}: nothing helps the encoding only: {name}"),
        };
        assert_eq!(netlist.simulate(depth, input, |name| bit(&machine, &trace, 0, name)), [depth], "{path}");
        let nobody = |time: usize, name: &str| !name.starts_with("running:") && input(time, name);
        assert!(netlist.simulate(depth, nobody, |_| false).is_empty(), "{path}: without a selector there is no run");
    }
}

fn violation(machine: &Machine, property: PropertyId, bound: usize) -> Option<Trace> {
    let limits = Limits { depth: bound, memory: 1_000_000_000 };
    let found = search(machine, &[property], limits, &mut Handle::default()).without_fault().expect("no faults");
    found.violations().first().map(|(_, trace)| (*trace).clone())
}

/// The same system with an invariant that is always true.
fn with_truth(system: &System) -> Machine {
    let mut system = system.clone();
    let claim = Claim::Invariant(system.exprs.boolean(true));
    system.properties.push(Property::new("truth".to_owned(), claim, Span::default()));
    Machine::new(Arc::new(system))
}

#[test]
fn faults_are_reached_and_mentioned() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/smv/fault");
    for entry in std::fs::read_dir(folder).expect("part of the repository") {
        let path = format!("tests/smv/fault/{}", entry.expect("readable").file_name().to_string_lossy());
        let machine = with_truth(machine(&path).system());
        let limits = Limits { depth: 10, memory: 1_000_000_000 };
        let search = search(&machine, &[], limits, &mut Handle::default()).without_fault();
        let depth = search.expect_err("a fault is reachable").1.states.len();
        let formula = unrolled(&machine, "truth", depth);
        assert!(formula.comments.iter().any(|comment| comment.contains("no meaning")), "{path}");
        assert!(formula.solve().is_some(), "{path}");
        assert!(depth == 0 || unrolled(&machine, "truth", depth - 1).solve().is_none(), "{path}");
        assert_eq!(first_bad(&machine, "truth", depth + 1), Some(depth), "{path}");
    }
}

#[test]
fn one_feature_of_the_language_each() {
    for path in files::smv_files(&["tests/smv/good"]) {
        let name = path.to_str().expect("plain names");
        agree(&with_truth(machine(name).system()), 3, name);
    }
}

/// Every invariant is violated at the same depth in the model and in what is written of it.
fn agree(machine: &Machine, bound: usize, what: &str) {
    for (id, property) in machine.system().properties.iter_enumerated() {
        if matches!(property.claim, Claim::Invariant(_)) {
            let depth = violation(machine, id, bound).map(|trace| trace.moves.len());
            assert_eq!(first_bad(machine, &property.name, bound), depth, "{what}: {}", property.name);
            let clauses = unrolled(machine, &property.name, bound);
            assert_eq!(clauses.solve().is_some(), depth.is_some(), "{what}: {}", property.name);
        }
    }
}

/// A state as the registers of a circuit have it.
fn registers(machine: &Machine, state: &State, names: &[&str]) -> BTreeMap<String, bool> {
    let trace = Trace::starting(state.clone());
    names.iter().map(|name| ((*name).to_owned(), bit(machine, &trace, 0, name))).collect()
}

/// The steps of the circuit are those of the machine, from every state that it reaches in a few steps.
fn steps_agree(machine: &Machine, what: &str) {
    let machine = with_truth(machine.system());
    let circuit = circuit::circuit(&machine, goal(&machine, "truth")).expect("supported");
    let netlists = [
        aiger::parse(uwbmc::export::aiger::ascii(&circuit).as_bytes()),
        btor2::parse(&uwbmc::export::btor2::export(&circuit)),
    ];
    let mut open = BTreeSet::new();
    let collect = |state| {
        open.insert(state);
        ControlFlow::Continue(())
    };
    machine.initial_states(&mut machine.workspace(), collect).expect("no faults");
    let mut seen = BTreeSet::new();
    while let (Some(state), true) = (open.pop_first(), seen.len() < 12) {
        if !seen.insert(state.clone()) {
            continue;
        }
        let mut next = BTreeSet::new();
        let collect = |successor: system::Successor<'_>| {
            next.insert(State(successor.state.into()));
            ControlFlow::Continue(())
        };
        machine.successors(&state.0, &mut machine.workspace(), collect).expect("no faults");
        for netlist in &netlists {
            let names: Vec<&str> =
                netlist.registers.iter().map(|register| netlist.names[&register.literal].as_str()).collect();
            let own: Vec<&str> = names.into_iter().filter(|name| !name.starts_with("uwbmc:")).collect();
            let now = registers(&machine, &state, &own);
            let expected: BTreeSet<_> = next.iter().map(|state| registers(&machine, state, &own)).collect();
            let value = |name: &str| now.get(name).copied().unwrap_or(name == "uwbmc:started");
            let found = netlist.steps(value, "uwbmc:ended").into_iter().map(|mut step| {
                step.retain(|name, _| !name.starts_with("uwbmc:"));
                step
            });
            assert_eq!(found.collect::<BTreeSet<_>>(), expected, "{what}");
        }
        open.extend(next);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn random_systems(seed in any::<u64>()) {
        for coordination in [Coordination::None, Coordination::Program] {
            let machine = Machine::new(Arc::new(random_system(seed, coordination)));
            agree(&machine, 4, &format!("seed {seed}"));
            steps_agree(&machine, &format!("seed {seed}"));
        }
    }
}

#[test]
fn abc_finds_the_same_depths() {
    let names = ["berkeley-abc", "abc"];
    let Some(abc) = names.into_iter().find(|name| Command::new(name).args(["-c", "quit"]).output().is_ok()) else {
        eprintln!("skipped: ABC is not installed (Debian: apt-get install berkeley-abc)");
        return;
    };
    for (model, (name, depth)) in MODELS.iter().flat_map(|model| expected(model).into_iter().map(move |e| (model, e))) {
        let file = temporary("abc.aig");
        let file = file.to_str().expect("our temporary names are plain");
        let arguments = ["export", &format!("{model}.smv"), "--format", "aiger", "--property", &name, "-o", file];
        let written = uwbmc(&arguments);
        assert_eq!(written.status.code(), Some(0), "{}", String::from_utf8_lossy(&written.stderr));
        // ABC takes latches without a reset value as false unless it is told to make inputs of them.
        let script =
            format!("read_aiger {file}; logic; undc; strash; bmc3 -F {}", depth.map_or(FAR, |depth| depth + 2));
        let output = Command::new(abc).args(["-c", &script]).output().expect("it runs");
        let output = String::from_utf8_lossy(&output.stdout);
        match depth {
            Some(depth) => assert!(output.contains(&format!("asserted in frame {depth}.")), "{model}: {output}"),
            None => assert!(output.contains(&format!("No output asserted in {FAR} frames")), "{model}: {output}"),
        }
    }
}

#[test]
fn what_cannot_be_exported_is_an_error_that_says_why() {
    let path = temporary("no-invariant.smv");
    std::fs::write(&path, "MODULE main\nVAR x : boolean;\n").expect("writable");
    let no_invariant = path.to_str().expect("our temporary names are plain");
    let peterson = "models/mutex/peterson-2.smv";
    for (arguments, reason) in [
        (vec![no_invariant, "--format", "aiger"], "the model has no invariant to export"),
        (vec![peterson, "--format", "aiger", "--property", "no_starvation"], "no_starvation is in LTL"),
        (vec![peterson, "--format", "btor2", "--property", "nonsense"], "there is no property nonsense"),
        (vec![peterson, "--format", "dimacs"], "add --k N"),
        (vec![peterson, "--format", "aiger", "--k", "3"], "--k is for --format dimacs only"),
        (vec![peterson], "--format"),
    ] {
        let output = uwbmc(&[&["export"], &arguments[..]].concat());
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(reason), "{arguments:?}: {message}");
    }
}
