//! Invariants of processes that can change places: their first moves come in an order, and what is violated is violated as soon as before.

use encoder::{Alike, Grain, Rules, Valid};
use std::collections::BTreeMap;
use std::sync::Arc;
use system::{Claim, Machine, PropertyId, Symmetry};
use testkit::symmetric::{instances, numbered_instances};
use uwbmc::bounded::{Carry, Lengths, Likeness, Reuse, Strategy, Sweep};
use uwbmc::engine::{self, Findings, Stop};
use uwbmc::explicit::{Limits, search};
use uwbmc::limits::Handle;
use uwbmc::sat::{Choice, Setup};
use uwbmc::smv::load;
use uwbmc::source::Source;

const BOUND: usize = 6;

fn seeds() -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first = number("UWBMC_FUZZ_FIRST").unwrap_or(0);
    first..first + number("UWBMC_FUZZ_CASES").unwrap_or(15)
}

fn machine(text: &str) -> Machine {
    let loaded = load(&Source::new("alike.smv", text.as_bytes()), &[]);
    Machine::new(Arc::new(loaded.system.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.diagnostics))))
}

fn invariants(machine: &Machine) -> Vec<PropertyId> {
    let is_invariant = |id: &PropertyId| matches!(machine.system().properties[*id].claim, Claim::Invariant(_));
    machine.system().properties.indices().filter(is_invariant).collect()
}

/// Ways to sweep, all of which order processes from the first step on, or once there was a conflict.
fn strategies() -> Vec<(&'static str, Strategy)> {
    let ours = Strategy::widening();
    let by_point = Strategy { rules: Rules { grain: Grain::Point, ..ours.rules }, ..ours };
    let papers = Strategy { rules: Rules { valid: Valid::Paper, ..by_point.rules }, ..ours };
    let ways = [
        ("plain", Strategy::plain()),
        ("scheduling constraints", Strategy::pruned()),
        ("ours", ours),
        ("a switch for each point", by_point),
        ("the paper's valid", papers),
        ("ours with scheduling constraints", Strategy::scheduled()),
        ("restarting", Strategy { carry: Carry::Restart, ..ours }),
        ("a formula for each bound", Strategy { reuse: Reuse::Fresh, ..Strategy::plain() }),
    ];
    let when = [Likeness::AtOnce, Likeness::After(1)];
    let ways =
        ways.into_iter().flat_map(|(name, strategy)| when.map(|likeness| (name, Strategy { likeness, ..strategy })));
    ways.inspect(|(name, strategy)| assert_eq!(strategy.rules.alike, Alike::Ordered, "{name}")).collect()
}

fn swept(machine: &Machine, properties: &[PropertyId], lengths: Lengths, strategy: Strategy) -> Findings {
    let start = |phase| Choice::default().start(Setup { phase, ..Setup::default() });
    let mut sweep = Sweep::new(machine, properties, lengths, strategy, &start).expect("supported");
    engine::run(&mut sweep, &mut Handle::default()).expect("nothing fails")
}

/// The length of what was found for each violated property.
fn lengths(machine: &Machine, found: &Findings, what: &str) -> BTreeMap<PropertyId, usize> {
    let violations = found.violations().into_iter().map(|(property, trace)| {
        trace.replay(machine).unwrap_or_else(|mismatch| panic!("{what}: {mismatch:?}"));
        assert_eq!(trace.violates(machine, property), Some(trace.moves.len()), "{what}");
        (property, trace.moves.len())
    });
    violations.collect()
}

/// Compares with a search over all states, and at single bounds with formulas that have all runs. How many properties are violated by a step.
fn agree(machine: &Machine, properties: &[PropertyId], text: &str) -> usize {
    let limits = Limits { depth: BOUND, memory: usize::MAX };
    let states = search(machine, properties, limits, &mut Handle::default());
    let expected = lengths(machine, &states, text);
    for (name, strategy) in strategies() {
        let what = format!("{name}, {:?}:\n{text}", strategy.likeness);
        let found = swept(machine, properties, Lengths::UpTo(BOUND), strategy);
        assert_eq!(lengths(machine, &found, &what), expected, "{what}");
        let is_settled = found.settled == Some(BOUND) || found.stop == Stop::NoLongerRuns;
        assert!(is_settled || expected.len() == properties.len(), "{what}");
    }
    let free = Strategy { rules: Rules { alike: Alike::Free, ..Strategy::plain().rules }, ..Strategy::plain() };
    for bound in 0..4 {
        let exactly = |strategy| swept(machine, properties, Lengths::Exactly(bound), strategy).violations().len();
        let ordered = Strategy { likeness: Likeness::AtOnce, ..Strategy::plain() };
        assert_eq!(exactly(ordered), exactly(free), "exactly {bound} steps:\n{text}");
    }
    expected.values().filter(|length| **length > 0).count()
}

#[test]
fn the_order_of_first_moves_loses_no_shortest_counterexample() {
    let (mut alike, mut violated) = (0, 0);
    for seed in seeds() {
        for text in [instances(seed), numbered_instances(seed).0] {
            let machine = machine(&text);
            // Each by itself, too, so that others do not tell apart what it does not.
            let all = invariants(&machine);
            let alone = all.iter().map(|property| vec![*property]);
            for properties in [all.clone()].into_iter().chain(alone) {
                if Symmetry::of_finite_runs(machine.system(), &properties).is_trivial() {
                    continue;
                }
                alike += 1;
                violated += agree(&machine, &properties, &text);
            }
        }
    }
    println!("{alike} questions about processes that can change places, {violated} answers by runs with steps");
    assert!(alike > 30 && violated > 10, "{alike} {violated}");
}

/// Four workers of which each adds one, to a variable for which the third is too much, or to one that all can add to.
fn counting(most: usize) -> Machine {
    machine(&format!(
        "MODULE worker(n) VAR pc : 0..1; ASSIGN init(pc) := 0; next(pc) := 1; next(n) := case pc = 0 : n + 1; TRUE : n; esac;
         MODULE main VAR n : 0..{most}; a : process worker(n); b : process worker(n); c : process worker(n); d : process worker(n);
         ASSIGN init(n) := 0; INVARSPEC n < 4; INVARSPEC a.pc + b.pc + c.pc + d.pc < 4; INVARSPEC d.pc = 1 -> c.pc = 1"
    ))
}

#[test]
fn faults_are_found_as_soon_as_before() {
    let machine = counting(2);
    for (name, strategy) in strategies() {
        let found = swept(&machine, &invariants(&machine)[..2], Lengths::UpTo(BOUND), strategy);
        let (_, trace) = found.fault.unwrap_or_else(|| panic!("{name}: the third overflows"));
        assert_eq!(trace.moves.len(), 2, "{name}");
    }
}

/// What tells processes apart is violated by a run in which they do not come in their order.
#[test]
fn properties_that_tell_processes_apart_are_answered_as_before() {
    let machine = counting(4);
    let all = invariants(&machine);
    assert_eq!(Symmetry::of_finite_runs(machine.system(), &all[..2]).sizes(), [4]);
    assert_eq!(Symmetry::of_finite_runs(machine.system(), &all).sizes(), [2]);
    for (name, strategy) in strategies() {
        let found = swept(&machine, &all, Lengths::UpTo(BOUND), strategy);
        assert_eq!(lengths(&machine, &found, name), BTreeMap::from([(all[0], 4), (all[1], 4), (all[2], 1)]), "{name}");
    }
}

/// Where runs begin counts: a worker that has to wait for another one does not go first, though it is the first of those that do the same.
#[test]
fn where_processes_begin_tells_them_apart() {
    let machine = machine(
        "MODULE worker(n) VAR pc : 0..2; ASSIGN next(pc) := case pc = 0 | pc = 2 & n > 0 : 1; TRUE : pc; esac;
           next(n) := case pc = 0 & n < 3 : n + 1; TRUE : n; esac;
         MODULE main VAR n : 0..3; a : process worker(n); b : process worker(n); c : process worker(n);
         ASSIGN init(n) := 0; init(a.pc) := 2; init(b.pc) := 0; init(c.pc) := 0;
         INVARSPEC a.pc + b.pc + c.pc != 3",
    );
    let all = invariants(&machine);
    assert_eq!(Symmetry::of(machine.system(), &all).sizes(), [3]);
    assert_eq!(Symmetry::of_finite_runs(machine.system(), &all).sizes(), [2]);
    for (name, strategy) in strategies() {
        let found = swept(&machine, &all, Lengths::UpTo(BOUND), strategy);
        assert_eq!(lengths(&machine, &found, name), BTreeMap::from([(all[0], 1)]), "{name}");
    }
}

/// The order is in the formula: of four workers, only the first can begin.
#[test]
fn the_first_of_a_class_begins() {
    let machine = counting(4);
    let all = invariants(&machine);
    let ordered = Strategy { likeness: Likeness::AtOnce, ..Strategy::plain() };
    let found = swept(&machine, &all[..2], Lengths::UpTo(4), ordered);
    let workers: Vec<usize> = found.violations()[0].1.moves.iter().map(|moved| moved.process.index()).collect();
    assert!(workers.is_sorted(), "{workers:?}");
}
