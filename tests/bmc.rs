//! Bounded model checking agrees with breadth-first search: on our models and on random systems, at every depth.

#[path = "common/files.rs"]
mod files;
#[path = "../system/tests/random/mod.rs"]
mod random;

use encoder::Scheduling;
use proptest::prelude::*;
use random::{Coordination, random_system};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use system::{Claim, Machine, PropertyId};
use uwbmc::engine::{Bounded, Mode, Reuse, Stop, bmc};
use uwbmc::explicit::{Limits, Search, search};
use uwbmc::sat::Choice;
use uwbmc::smv::load;
use uwbmc::source::Source;

fn solvers() -> Vec<Choice> {
    <Choice as clap::ValueEnum>::value_variants().to_vec()
}

/// Every way of working.
fn modes() -> Vec<Mode> {
    let reuses = [Reuse::Incremental, Reuse::Fresh];
    let schedulings = [Scheduling::Free, Scheduling::Peephole];
    reuses.into_iter().flat_map(|reuse| schedulings.map(|scheduling| Mode { reuse, scheduling })).collect()
}

fn invariants(machine: &Machine) -> Vec<PropertyId> {
    let is_invariant = |id: &PropertyId| matches!(machine.system().properties[*id].claim, Claim::Invariant(_));
    machine.system().properties.indices().filter(is_invariant).collect()
}

fn explicit(machine: &Machine, bound: usize) -> Search {
    let limits = Limits { depth: bound, memory: 1_000_000_000 };
    search(machine, &invariants(machine), limits, |_, _| ControlFlow::Continue(())).expect("no faults")
}

fn bounded(machine: &Machine, bound: usize, solver: Choice, mode: Mode) -> Bounded {
    bmc(machine, &invariants(machine), bound, &|| solver.start(), mode, |_| true).expect("supported")
}

/// The depth at which each violated property is violated first, in order of properties.
fn depths(violations: &[(PropertyId, system::Trace)]) -> Vec<(PropertyId, usize)> {
    let mut depths: Vec<_> = violations.iter().map(|(id, trace)| (*id, trace.moves.len())).collect();
    depths.sort_unstable();
    depths
}

fn agree(machine: &Machine, bound: usize, solver: Choice, mode: Mode, what: &str) {
    let (slow, fast) = (explicit(machine, bound), bounded(machine, bound, solver, mode));
    assert!(fast.fault.is_none(), "{what}: no fault is reachable");
    assert_eq!(depths(&slow.violations), depths(&fast.violations), "{what} with {solver:?}");
    for (property, trace) in &fast.violations {
        trace.replay(machine).unwrap_or_else(|mismatch| panic!("{what}: {mismatch:?}"));
        assert_eq!(trace.violates(machine, *property), Some(trace.moves.len()), "{what}");
    }
}

fn machine(path: &str) -> Machine {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let source = Source::new(path.display().to_string(), &std::fs::read(&path).expect("readable"));
    Machine::new(Arc::new(load(&source, &[]).system.expect("accepted")))
}

#[test]
fn small_models_of_every_family() {
    for (path, bound) in [
        ("models/paper/figure1.smv", 6),
        ("models/mutex/peterson-2.smv", 12),
        ("models/mutex/peterson-3-broken.smv", 12),
        ("models/mutex/bakery-2-broken.smv", 11),
        ("models/mutex/semaphore-3-broken.smv", 8),
        ("models/philosophers/philosophers-3-broken.smv", 8),
        ("models/philosophers/philosophers-3.smv", 8),
        ("models/leader/leader-3.smv", 12),
        ("models/leader/leader-3-any.smv", 9),
        ("models/leader/leader-3-broken.smv", 10),
        ("models/abp/abp-1-broken.smv", 10),
        ("models/abp/abp-2.smv", 8),
        ("models/prodcons/prodcons-1-2x1-broken.smv", 10),
        ("models/rw/rw-2x1-broken.smv", 8),
        ("models/barrier/barrier-2-broken.smv", 12),
        ("models/twopc/twopc-2-broken-early.smv", 12),
        ("models/mesi/mesi-2-broken.smv", 12),
    ] {
        let machine = machine(path);
        for solver in solvers() {
            for mode in modes() {
                agree(&machine, bound, solver, mode, path);
            }
        }
    }
}

#[test]
fn one_feature_of_the_language_each() {
    for path in files::smv_files(&["tests/smv/good"]) {
        let name = path.to_str().expect("plain names");
        agree(&machine(name), 4, Choice::default(), Mode::default(), name);
    }
}

#[test]
fn faults_are_found_with_the_run_that_leads_to_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/smv/fault");
    for entry in std::fs::read_dir(folder).expect("part of the repository") {
        let path = entry.expect("readable").path();
        let name = format!("tests/smv/fault/{}", path.file_name().expect("a file").to_string_lossy());
        let machine = machine(&name);
        let limits = Limits { depth: 10, memory: 1_000_000_000 };
        let explicit = search(&machine, &invariants(&machine), limits, |_, _| ControlFlow::Continue(()));
        let finding = explicit.expect_err("a fault is reachable");
        let found = bounded(&machine, 10, Choice::default(), Mode::default());
        let (failure, trace) = found.fault.unwrap_or_else(|| panic!("{name}: the fault is not found"));
        assert_eq!(failure.fault, finding.failure.fault, "{name}");
        assert_eq!(trace.states.len(), finding.trace.states.len(), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn random_systems(seed in any::<u64>()) {
        let machine = Machine::new(Arc::new(random_system(seed, Coordination::None)));
        let bound = 4;
        let slow = explicit(&machine, bound);
        for mode in modes() {
            let fast = bounded(&machine, bound, Choice::default(), mode);
            prop_assert!(fast.fault.is_none());
            prop_assert_eq!(depths(&slow.violations), depths(&fast.violations), "seed {} {:?}", seed, mode);
            for (_, trace) in &fast.violations {
                prop_assert!(trace.replay(&machine).is_ok(), "seed {}: {:?}", seed, trace.replay(&machine));
            }
            if fast.stop == Stop::NoLongerRuns {
                prop_assert_eq!(slow.stop, uwbmc::explicit::Stop::Complete, "seed {}", seed);
            }
        }
    }
}
