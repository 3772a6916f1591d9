//! Every model in `models/` has the states, verdicts and depths that its sidecar says.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use system::{Fairness, Machine, ProcessId, PropertyId};
use testkit::sidecar;
use testkit::{files, pml};
use uwbmc::engine::{Findings, Stop};
use uwbmc::explicit::{Limits, search};
use uwbmc::limits::{Handle, Patience};
use uwbmc::smv::load;
use uwbmc::source::Source;
use uwbmc::{Options, Verdict, check};

/// The largest state space that is searched here; larger models are searched to the depth of their violation only.
const LARGEST: usize = 700_000;

fn models() -> Vec<PathBuf> {
    files::smv_files(&["models"])
}

fn machine(path: &Path) -> Machine {
    let source = Source::new(path.display().to_string(), &std::fs::read(path).expect("readable"));
    let loaded = load(&source, &[]);
    assert!(loaded.diagnostics.is_empty(), "{} has diagnostics", path.display());
    Machine::new(Arc::new(loaded.system.expect("accepted")))
}

/// Searches for some properties; `None` if that would visit too many states.
fn look(machine: &Machine, properties: &[PropertyId], depth: usize) -> Option<Findings> {
    let limits = Limits { depth, memory: 2_000_000_000 };
    let mut handle = Handle::default();
    let found = search(machine, properties, limits, &mut handle.patient(Patience::of_states(LARGEST)));
    assert!(found.fault.is_none(), "our models have no faults");
    (found.stop != Stop::Interrupted).then_some(found)
}

fn property(machine: &Machine, name: &str) -> PropertyId {
    let properties = &machine.system().properties;
    properties.position(|property| property.name == name).unwrap_or_else(|| panic!("there is no property {name}"))
}

#[test]
fn the_number_of_states_is_the_sidecars() {
    let mut checked = 0;
    for path in models() {
        let sidecar = sidecar::read(&path);
        assert!(!sidecar.about.is_empty() && !sidecar.source.is_empty(), "{}", path.display());
        match sidecar.states {
            Some(states) if states <= LARGEST => {
                let found = look(&machine(&path), &[], usize::MAX).expect("few states");
                assert_eq!(found.states(), states, "states of {}", path.display());
                checked += 1;
            }
            _ => println!("skipped: {} has too many states for this test", path.display()),
        }
    }
    assert!(checked > 90, "{checked} models checked");
}

#[test]
fn verdicts_and_depths_are_the_sidecars() {
    for path in models() {
        let machine = machine(&path);
        for expected in sidecar::read(&path).property {
            let id = property(&machine, &expected.name);
            let what = format!("{} of {}", expected.name, path.display());
            let Some(found) = look(&machine, &[id], expected.depth.unwrap_or(usize::MAX)) else {
                println!("skipped: {what} needs too many states for this test");
                continue;
            };
            match (expected.verdict.as_str(), found.violations().as_slice()) {
                ("holds", []) => assert_eq!(found.stop, Stop::Complete, "{what}"),
                ("violated", [(_, trace)]) => {
                    assert_eq!(Some(trace.moves.len()), expected.depth, "depth of {what}");
                    trace.replay(&machine).unwrap_or_else(|mismatch| panic!("{what}: {mismatch:?}"));
                    assert_eq!(trace.violates(&machine, id), expected.depth, "{what}");
                }
                (verdict, violations) => panic!("{what}: expected {verdict}, found {} violations", violations.len()),
            }
        }
    }
}

#[test]
fn liveness_is_what_the_sidecars_say() {
    let mut checked = 0;
    for path in files::smv_files(&["models/liveness"]).into_iter().chain(pml::files("models/liveness")) {
        for expected in sidecar::read(&path).liveness {
            let verdict = |fairness: Option<fn(ProcessId) -> Fairness>| {
                let mut model = uwbmc::Model::load(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                fairness.into_iter().for_each(|fair| model.assume_fairness(fair));
                let report = check(&model, &Options::default().property(expected.name.clone()), &mut ());
                report.expect("checked").properties[0].verdict.word().to_owned()
            };
            assert_eq!(verdict(None), expected.verdict, "{} of {}", expected.name, path.display());
            if let Some(fairly) = &expected.with_fairness {
                let found = verdict(Some(Fairness::Weak));
                assert_eq!(found, *fairly, "{} of {}, with fairness", expected.name, path.display());
            }
            checked += 1;
        }
    }
    assert!(checked > 40, "{checked} properties checked");
}

/// Where a search over states has no chance, and a solver alone takes long.
#[test]
fn violations_of_large_models_are_found() {
    let mut found = 0;
    for path in files::smv_files(&["models/large"]).into_iter().chain(pml::files("models/large")) {
        let sidecar = sidecar::read(&path);
        assert!(!sidecar.about.is_empty() && !sidecar.source.is_empty(), "{}", path.display());
        let model = uwbmc::Model::load(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for expected in sidecar.property {
            let name = &expected.name;
            property(&model.machine, name);
            let Some(within) = expected.within else {
                assert_eq!(expected.verdict, "holds", "{name} of {}: a violation is within a bound", path.display());
                continue;
            };
            let report = check(&model, &Options::default().bound(within).property(name), &mut ()).expect("checked");
            let verdict = &report.properties[0].verdict;
            assert!(matches!(verdict, Verdict::Violated(_)), "{name} of {}: {verdict}", path.display());
            found += 1;
        }
    }
    assert!(found > 32, "{found} violations");
}
