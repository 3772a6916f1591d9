//! Agreement with NuSMV, where it is installed: what it accepts we accept, we count the same states, and bounded model
//! checking finds violations at the same depths.
//!
//! The binary is found in the environment variable `NUSMV` or as `NuSMV` in the path. `UWBMC_SMV_CORPUS` names a
//! folder with more models to compare on.

use std::path::Path;
use std::sync::Arc;
use system::{Claim, Machine, PropertyId, render_expr};
use testkit::files;
use testkit::nusmv;
use testkit::texts;
use uwbmc::bounded::{Strategy, Sweep};
use uwbmc::diagnostic::Style;
use uwbmc::engine::{self, Stop};
use uwbmc::explicit::{Limits, search};
use uwbmc::limits::{Handle, Patience};
use uwbmc::sat::{Choice, Setup};
use uwbmc::smv::load;
use uwbmc::source::Source;

/// How many states we visit of a model.
const MOST_STATES: usize = 100_000;

/// The number of states that NuSMV counts, if it prints all its digits.
fn nusmv_states(nusmv: &Path, model: &Path) -> Option<usize> {
    let text = nusmv::ask(nusmv, model, "go\nprint_reachable_states")?;
    let after = text.split("reachable states: ").nth(1)?;
    let digits = after.split_whitespace().next()?;
    digits.parse().ok()
}

fn our_states(path: &Path) -> Option<usize> {
    let source = Source::new(path.display().to_string(), &std::fs::read(path).expect("readable"));
    let loaded = load(&source, &[]);
    let text = loaded.diagnostics.render(&source, Style::Plain);
    let system = loaded.system.unwrap_or_else(|| panic!("NuSMV accepts this, we do not:\n{text}"));
    if system.state_bits() > 400 {
        return None;
    }
    let machine = Machine::new(Arc::new(system));
    let limits = Limits { depth: usize::MAX, memory: 1_000_000_000 };
    let mut watch = ();
    let mut handle = Handle::new(Some(nusmv::PATIENCE), usize::MAX, &mut watch);
    let found = search(&machine, &[], limits, &mut handle.patient(Patience::of_states(MOST_STATES)));
    assert!(found.fault.is_none(), "NuSMV builds {}, we find a fault: {:?}", path.display(), found.fault);
    (found.stop == Stop::Complete).then_some(found.states())
}

#[test]
fn nusmv_counts_the_same_states() {
    let Some(nusmv) = nusmv::find() else {
        println!("skipped: NuSMV is not installed");
        return;
    };
    let mut files = files::smv_files(&["models/paper", "models/abp", "models/leader"]);
    // An absolute path is taken as it is.
    files.extend(std::env::var("UWBMC_SMV_CORPUS").map(|folder| files::smv_files(&[&folder])).unwrap_or_default());
    let mut compared = 0;
    for path in files {
        let Some(theirs) = nusmv_states(&nusmv, &path) else {
            println!("not compared: NuSMV gives no exact count for {}", path.display());
            continue;
        };
        match our_states(&path) {
            Some(ours) => assert_eq!(ours, theirs, "states of {}", path.display()),
            None => {
                println!("not compared: too large for us: {}", path.display());
                continue;
            }
        }
        println!("compared: {} has {theirs} states", path.display());
        compared += 1;
    }
    assert!(compared >= 5, "only {compared} models compared");
}

/// NuSMV reads no model with a function or an operator that is newer than itself; that leaves about a third.
#[test]
fn nusmv_counts_the_states_of_random_models() {
    let Some(nusmv) = nusmv::find() else {
        println!("skipped: NuSMV is not installed");
        return;
    };
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("random-behaviour.smv");
    let mut compared = 0;
    for seed in 0..40 {
        let text = texts::random_model(seed);
        let (behaviour, _) = text.split_once("INVARSPEC").expect("properties");
        std::fs::write(&path, behaviour).expect("writable");
        let Some(theirs) = nusmv_states(&nusmv, &path) else { continue };
        let Some(ours) = our_states(&path) else { continue };
        assert_eq!(ours, theirs, "states of the model of seed {seed}");
        compared += 1;
    }
    println!("{compared} random models compared");
    assert!(compared >= 8, "only {compared} models compared");
}

/// How deep runs are compared.
const BOUND: usize = 8;

/// The ways to ask NuSMV for the depth of a violation. As an LTL formula, an invariant is violated by fair lassos only,
/// which may be longer where there are fairness constraints.
fn questions(invariant: &str, is_fair: bool) -> Vec<String> {
    let mut questions = vec![format!("go_bmc\ncheck_invar_bmc -a een-sorensson -k {BOUND} -p \"{invariant}\"")];
    if !is_fair {
        questions.push(format!("go_bmc\ncheck_ltlspec_bmc -k {BOUND} -p \"G ({invariant})\""));
    }
    questions
}

/// The bound at which NuSMV's bounded model checking refutes an invariant; `Some(None)` if it does not.
#[allow(clippy::option_option, reason = "no answer, no violation and a violation are three things")]
fn nusmv_depth(nusmv: &Path, model: &Path, question: &str) -> Option<Option<usize>> {
    let text = nusmv::ask(nusmv, model, question)?;
    let refuted = text.lines().filter(|line| line.contains("counterexample found with bound")).count();
    match (text.contains("is false"), refuted) {
        (true, refuted) => Some(Some(refuted)),
        (false, refuted) if refuted == BOUND + 1 || text.contains("is true") => Some(None),
        _ => None,
    }
}

/// Ours, by a strategy; `None` if there is no time for it.
#[allow(clippy::option_option, reason = "no answer, no violation and a violation are three things")]
fn our_depth(machine: &Machine, property: PropertyId, strategy: Strategy) -> Option<Option<usize>> {
    let start = |phase| Choice::default().start(Setup { phase, ..Setup::default() });
    let mut sweep = Sweep::new(machine, &[property], BOUND, strategy, &start).expect("SMV is supported");
    let mut watch = ();
    let mut handle = Handle::new(Some(nusmv::PATIENCE), usize::MAX, &mut watch);
    let found = engine::run(&mut sweep, &mut handle).expect("nothing fails");
    assert!(found.fault.is_none(), "NuSMV has no such faults");
    (found.stop != Stop::Interrupted).then(|| found.violations().first().map(|(_, trace)| trace.moves.len()))
}

#[test]
fn nusmv_finds_the_same_depths() {
    let Some(nusmv) = nusmv::find() else {
        println!("skipped: NuSMV is not installed");
        return;
    };
    let mut files = files::smv_files(&["models/paper", "models/abp", "models/rw", "models/mutex"]);
    files.extend(std::env::var("UWBMC_SMV_CORPUS").map(|folder| files::smv_files(&[&folder])).unwrap_or_default());
    let mut compared = 0;
    for path in files {
        let source = Source::new(path.display().to_string(), &std::fs::read(&path).expect("readable"));
        let Some(system) = load(&source, &[]).system else { continue };
        let machine = Machine::new(Arc::new(system));
        for (id, property) in machine.system().properties.iter_enumerated() {
            let Claim::Invariant(expr) = property.claim else { continue };
            let what = format!("{} of {}", property.name, path.display());
            let text = render_expr(machine.system(), expr);
            let questions = questions(&text, !machine.system().fairness.is_empty());
            let questions = questions.iter().filter(|_| machine.is_state_invariant(id));
            let theirs: Vec<_> = questions.filter_map(|question| nusmv_depth(&nusmv, &path, question)).collect();
            if theirs.is_empty() {
                println!("not compared: NuSMV gives no answer for {what}");
                continue;
            }
            for strategy in [Strategy::plain(), Strategy::widening()] {
                match our_depth(&machine, id, strategy) {
                    Some(ours) => assert!(theirs.iter().all(|theirs| *theirs == ours), "{what}: {ours:?} {theirs:?}"),
                    None => println!("not compared: no time for {what}"),
                }
            }
            compared += 1;
        }
    }
    println!("{compared} invariants compared");
    assert!(compared >= 20, "only {compared} invariants compared");
}
