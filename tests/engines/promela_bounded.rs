//! The engines that unroll agree with breadth-first search on Promela programs, at every depth: on small files, on
//! random programs and on our own models.

use crate::unbounded;
use encoder::Order;
use system::{Claim, Machine, PropertyId, Trace};
use testkit::nested;
use testkit::pml;
use testkit::promela;
use uwbmc::bounded::{Hunter, Jobs, Race, Strategy, Sweep, Workers, race};
use uwbmc::engine::{self, Findings};
use uwbmc::explicit::{Limits, search};
use uwbmc::limits::Handle;
use uwbmc::sat::{Choice, Phase, Setup, Solver};

fn start(phase: Phase) -> Box<dyn Solver> {
    Choice::default().start(Setup { phase, ..Setup::default() })
}

fn checkable(machine: &Machine) -> Vec<PropertyId> {
    let claim = |id: &PropertyId| &machine.system().properties[*id].claim;
    let is_checkable = |id: &PropertyId| matches!(claim(id), Claim::Invariant(_) | Claim::DeadlockFree);
    machine.system().properties.indices().filter(is_checkable).collect()
}

/// What is found within a bound: how deep each violation is, or after how many steps the model has no meaning.
#[derive(Debug, PartialEq, Eq)]
enum Finding {
    Depths(Vec<(PropertyId, usize)>),
    Fault(usize),
}

impl Finding {
    fn of(violations: &[(PropertyId, &Trace)]) -> Finding {
        let mut depths: Vec<_> = violations.iter().map(|(id, trace)| (*id, trace.moves.len())).collect();
        depths.sort_unstable();
        Finding::Depths(depths)
    }
}

fn explicit(machine: &Machine, properties: &[PropertyId], bound: usize) -> Finding {
    let limits = Limits { depth: bound, memory: 1_000_000_000 };
    match search(machine, properties, limits, &mut Handle::default()).without_fault() {
        Ok(found) => Finding::of(&found.violations()),
        Err(fault) => Finding::Fault(fault.1.moves.len()),
    }
}

fn unrolled(machine: &Machine, properties: &[PropertyId], bound: usize, strategy: Strategy) -> Findings {
    let mut sweep = Sweep::new(machine, properties, bound, strategy, &start).expect("supported");
    engine::run(&mut sweep, &mut Handle::default()).expect("nothing fails")
}

fn raced(machine: &Machine, properties: &[PropertyId], bound: usize) -> Findings {
    let question = Race { machine, properties, bound, start: &start, guest: None, tell: &|_| () };
    let (provers, scouts) = (vec![Strategy::widening(), Strategy::plain()], vec![Strategy::scout(Order::RoundRobin)]);
    race(
        question,
        &Workers { provers, hunter: Hunter::Present, scouts, ..Workers::default() },
        Jobs::One,
        &mut Handle::default(),
    )
    .expect("supported")
}

/// Every violation is one: its run replays and ends with it.
fn confirm(machine: &Machine, found: &Findings, what: &str) {
    for (property, trace) in found.violations() {
        trace.replay(machine).unwrap_or_else(|mismatch| panic!("{what}: {mismatch:?}"));
        assert_eq!(trace.violates(machine, property), Some(trace.moves.len()), "{what}");
    }
}

/// The same depths by breadth-first search and by each way to sweep; the same violations within the bound by the race. What is asked beside a
/// claim is asked of the system with it.
fn agree(machine: &Machine, bound: usize, what: &str) {
    for (asked, properties) in machine.grouped(&checkable(machine)) {
        agree_on(asked, &properties, bound, what);
    }
}

fn agree_on(machine: &Machine, properties: &[PropertyId], bound: usize, what: &str) {
    let expected = explicit(machine, properties, bound);
    for strategy in [Strategy::plain(), Strategy::pruned(), Strategy::widening()] {
        let found = unrolled(machine, properties, bound, strategy);
        confirm(machine, &found, what);
        match (&expected, &found.fault) {
            (Finding::Fault(steps), Some((_, trace))) => assert_eq!(*steps, trace.moves.len(), "{what} {strategy:?}"),
            _ => assert_eq!(expected, Finding::of(&found.violations()), "{what} {strategy:?}"),
        }
    }
    let found = raced(machine, properties, bound);
    confirm(machine, &found, what);
    if let Finding::Depths(expected) = &expected {
        let Finding::Depths(found) = Finding::of(&found.violations()) else { unreachable!("made of violations") };
        let ids = |depths: &[(PropertyId, usize)]| depths.iter().map(|(id, _)| *id).collect::<Vec<_>>();
        assert_eq!(ids(expected), ids(&found), "{what}: the race");
        assert!(found.iter().all(|(_, depth)| *depth <= bound), "{what}: {found:?} within {bound}");
    }
}

#[test]
fn one_feature_of_the_language_each() {
    for path in pml::files("tests/promela/good") {
        let machine = pml::machine(&path);
        // A formula for a hundred processes takes its time.
        let bound = if machine.system().processes.len() > 40 { 5 } else { 8 };
        agree(&machine, bound, &path.display().to_string());
    }
}

#[test]
fn our_own_models() {
    for path in pml::files("models") {
        agree(&pml::machine(&path), 10, &path.display().to_string());
    }
}

#[test]
fn faults() {
    for path in pml::files("tests/promela/fault") {
        agree(&pml::machine(&path), 12, &path.display().to_string());
    }
}

/// How many random programs there are; UWBMC_FUZZ_CASES asks for more.
fn cases() -> u64 {
    std::env::var("UWBMC_FUZZ_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(40)
}

/// Programs with nested `d_step`, `else` and `unless`, and everything that the others do not have.
#[test]
fn nested_random_programs() {
    let mut compared = 0;
    let first = std::env::var("UWBMC_FUZZ_FIRST").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    for seed in first..first + cases() {
        let text = match seed % 4 {
            0 => nested::observed_program(seed),
            1 => nested::governed_program(seed),
            _ => nested::nested_program(seed),
        };
        let Some(machine) = pml::machine_of_random(&format!("seed {seed}"), &text) else { continue };
        let what = format!("seed {seed}:\n{text}");
        agree(&machine, 7, &what);
        // They take much longer.
        if seed < 40 || seed % 8 == 0 {
            for (asked, properties) in machine.grouped(&checkable(&machine)) {
                unbounded::agree(asked.system(), &properties, &what);
            }
        }
        compared += 1;
    }
    println!("{compared} of {} programs compared", cases());
    assert!(compared > cases() / 2, "{compared} programs");
}

#[test]
fn random_programs() {
    for seed in 0..cases() {
        let text = promela::program(seed);
        let machine = pml::machine_of(&format!("seed {seed}"), &text);
        agree(&machine, 9, &format!("seed {seed}:\n{text}"));
    }
}
