//! Simpler counterexamples are counterexamples, are simpler, and are as simple as they claim; what is said not to matter
//! does not.

use std::ops::ControlFlow;
use std::path::Path;
use system::{Machine, Moved, PropertyId, State, Trace};
use testkit::traces;
use testkit::traces::Run;
use testkit::walks;
use uwbmc::limits::{Observer, Progress};
use uwbmc::trace::{Core, context_switches, simplify};

const BROKEN: [&str; 7] = [
    "mutex/peterson-2-broken",
    "mutex/semaphore-3-broken",
    "mutex/bakery-2-broken",
    "prodcons/prodcons-2-2x2-broken",
    "abp/abp-1-broken",
    "rw/rw-2x1-broken",
    "twopc/twopc-2-broken-early",
];

fn path(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(name).with_extension("smv")
}

/// Random runs of the broken models that violate a property: long, and full of what does not matter.
fn violating_walks() -> Vec<Run> {
    let mut found = Vec::new();
    for name in BROKEN {
        let text = std::fs::read_to_string(path(name)).expect("readable");
        for seed in 0..40 {
            let mut run = walks::walk(name, &text, 120, seed);
            let properties = run.machine.system().properties.indices();
            run.property = properties.into_iter().find(|id| run.trace.violates(&run.machine, *id).is_some());
            if run.property.is_some() {
                found.push(run);
            }
        }
    }
    assert!(found.len() > 60, "{} of the walks violate a property", found.len());
    found
}

fn steps_of(machine: &Machine, trace: &Trace) -> Vec<usize> {
    let mut steps = vec![0; machine.system().processes.len()];
    trace.moves.iter().for_each(|moved| steps[moved.process.index()] += 1);
    steps
}

fn assert_simpler(run: &Run, property: PropertyId, simpler: &Trace) {
    simpler.replay(&run.machine).unwrap_or_else(|mismatch| panic!("{}: {mismatch:?}", run.source.name()));
    assert_eq!(simpler.violates(&run.machine, property), Some(simpler.moves.len()), "it ends with the violation");
    let cost = |trace: &Trace| (context_switches(trace), trace.moves.len());
    assert!(cost(simpler) < cost(&run.trace));
    let (before, after) = (steps_of(&run.machine, &run.trace), steps_of(&run.machine, simpler));
    assert!(after.iter().zip(&before).all(|(after, before)| after <= before), "no process makes more steps");
}

#[test]
fn a_simpler_trace_replays_violates_and_is_simpler() {
    let mut dropped = 0;
    for run in violating_walks() {
        let property = run.property.expect("a violation");
        let simplified = simplify(&run.machine, property, &run.trace, &mut ()).expect("a random run can be simplified");
        assert_simpler(&run, property, &simplified.trace);
        dropped += run.trace.moves.len() - simplified.trace.moves.len();
        let again = simplify(&run.machine, property, &simplified.trace, &mut ());
        assert!(again.is_none() || !simplified.is_fewest, "what has the fewest context switches stays as it is");
    }
    println!("{dropped} steps dropped");
}

/// Ends the work after it has been asked this many times.
struct Impatient(usize);

impl Observer for Impatient {
    fn see(&mut self, _: &Progress) -> ControlFlow<()> {
        let is_over = self.0 == 0;
        self.0 = self.0.saturating_sub(1);
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn work_that_is_ended_early_gives_the_simplest_trace_so_far() {
    let mut ended = 0;
    for run in violating_walks().iter().step_by(5) {
        let property = run.property.expect("a violation");
        let end = run.trace.violates(&run.machine, property).expect("a violation");
        let mut last = usize::MAX;
        for patience in [0, 1, 2, 4, 8, 30] {
            let found = simplify(&run.machine, property, &run.trace, &mut Impatient(patience));
            let steps = found.as_ref().map_or(end, |found| found.trace.moves.len());
            assert!(steps <= last, "{}: more time gives nothing worse", run.source.name());
            last = steps;
            if let Some(found) = found {
                assert_simpler(run, property, &found.trace);
                ended += 1;
            }
        }
    }
    assert!(ended > 20, "{ended}");
}

#[test]
fn shortest_counterexamples_keep_their_length_and_lose_context_switches() {
    let mut switches = (0, 0);
    for name in BROKEN {
        for run in traces::counterexamples(&path(name)) {
            let property = run.property.expect("a violation");
            let before = context_switches(&run.trace);
            let Some(simplified) = simplify(&run.machine, property, &run.trace, &mut ()) else {
                switches = (switches.0 + before, switches.1 + before);
                continue;
            };
            assert_simpler(&run, property, &simplified.trace);
            assert_eq!(simplified.trace.moves.len(), run.trace.moves.len(), "no run is shorter than the shortest");
            switches = (switches.0 + before, switches.1 + context_switches(&simplified.trace));
        }
    }
    println!("{} context switches became {}", switches.0, switches.1);
    assert!(switches.1 < switches.0);
}

/// The fewest context switches of a violating run in which no process makes more than this many steps: all of them are
/// tried.
fn fewest(
    machine: &Machine,
    property: PropertyId,
    left: &mut [usize],
    state: &State,
    last: Option<usize>,
) -> Option<usize> {
    if machine.holds(property, &state.0, &mut machine.workspace()) == Ok(false) {
        return Some(0);
    }
    let mut steps = Vec::new();
    let collect = |successor: system::Successor<'_>| {
        let process = machine.system().commands[successor.command].owner.process.index();
        steps.push((process, State(successor.state.into())));
        ControlFlow::Continue(())
    };
    machine.successors(&state.0, &mut machine.workspace(), collect).expect("no fault");
    let mut best: Option<usize> = None;
    for (process, next) in steps {
        if left[process] == 0 {
            continue;
        }
        left[process] -= 1;
        let switch = usize::from(last.is_some_and(|last| last != process));
        let found = fewest(machine, property, left, &next, Some(process)).map(|found| found + switch);
        left[process] += 1;
        best = best.into_iter().chain(found).min();
    }
    best
}

#[test]
fn the_fewest_context_switches_are_the_fewest() {
    for name in ["mutex/peterson-2-broken", "mutex/semaphore-2-broken", "twopc/twopc-2-broken-early"] {
        for run in traces::counterexamples(&path(name)) {
            let property = run.property.expect("a violation");
            let simplified = simplify(&run.machine, property, &run.trace, &mut ());
            let shown = simplified.as_ref().map_or(&run.trace, |simplified| &simplified.trace);
            let mut left = steps_of(&run.machine, shown);
            let oracle = fewest(&run.machine, property, &mut left, &run.trace.states.at(0), None);
            assert_eq!(Some(context_switches(shown)), oracle, "{name}");
            assert!(simplified.is_none_or(|simplified| simplified.is_fewest));
        }
    }
}

/// Makes the steps of the core only, with the values that matter, and says whether the property is violated.
fn violates_by_core(run: &Run, core: &Core) -> bool {
    let (machine, system) = (&run.machine, run.machine.system());
    let matters: Vec<_> = system
        .variables
        .iter_enumerated()
        .filter(|(_, variable)| core.variables.contains(&variable.name))
        .map(|(var, _)| var)
        .collect();
    let layout = machine.layout();
    let mut trace = Trace::starting(run.trace.states.at(0));
    for step in &core.steps {
        let (old, goal) = (&run.trace.states.at(step - 1), &run.trace.states.at(*step));
        let process = run.trace.moves.at(step - 1).process;
        let is_wanted = |state: &[u64]| {
            let changed = matters.iter().filter(|var| layout.get(&old.0, **var) != layout.get(&goal.0, **var));
            changed.into_iter().all(|var| layout.get(state, *var) == layout.get(&goal.0, *var))
        };
        let mut next = None;
        let look = |successor: system::Successor<'_>| {
            let taken = successor.step();
            if system.commands[taken.command].owner.process != process || !is_wanted(successor.state) {
                return ControlFlow::Continue(());
            }
            let moved = Moved { process, command: Some(taken.command), inputs: taken.inputs };
            next = Some((moved, State(successor.state.into())));
            ControlFlow::Break(())
        };
        let from = trace.states.last().expect("a state").clone();
        machine.successors(&from.0, &mut machine.workspace(), look).expect("no fault");
        let Some((moved, state)) = next else { return false };
        trace.moves.push(moved);
        trace.states.push(state);
    }
    trace.replay(machine).is_ok() && run.property.is_some_and(|property| trace.violates(machine, property).is_some())
}

#[test]
fn the_core_alone_is_a_violation() {
    let (mut spared, mut all) = (0, 0);
    for run in violating_walks() {
        let core = run.document().core.expect("a violation has a core");
        assert!(violates_by_core(&run, &core), "{}: {core:?}", run.source.name());
        all += run.trace.violates(&run.machine, run.property.expect("a property")).expect("a violation");
        spared += core.steps.len();
    }
    println!("{spared} of {all} steps matter");
    assert!(spared < all * 2 / 3, "{spared} of {all} steps matter");
}

/// Relations and constraints tie variables together that no assignment mentions.
#[test]
fn conditions_on_every_step_keep_their_variables_in_the_core() {
    let text = "MODULE main\nVAR x : 0..3; y : 0..3; z : boolean;\nINIT x = 0 & y = 0\nINVAR x >= y\n
        TRANS next(y) = y | next(y) = y + 1\nINVARSPEC y < 2\n";
    let mut tested = 0;
    for seed in 0..20 {
        let mut run = walks::walk("conditions.smv", text, 40, seed);
        run.property = Some(PropertyId::from(0));
        let Some(core) = run.document().core else { continue };
        assert!(core.variables.contains(&"x".to_owned()) && !core.variables.contains(&"z".to_owned()), "{core:?}");
        assert!(violates_by_core(&run, &core), "{core:?}");
        tested += 1;
    }
    assert!(tested > 5, "{tested} walks violate the property");
}

#[test]
fn properties_of_steps_deadlocks_and_lassos() {
    let text = "MODULE main\nIVAR go : boolean;\nVAR x : 0..3;\nASSIGN init(x) := 0;
        next(x) := case go & x < 3 : x + 1; TRUE : x; esac;\nINVARSPEC !(go & x = 2)\n";
    let mut run = walks::walk("steps.smv", text, 60, 1);
    let property = PropertyId::from(0);
    run.property = Some(property);
    let simplified = simplify(&run.machine, property, &run.trace, &mut ()).expect("stuttering can be dropped");
    assert_simpler(&run, property, &simplified.trace);
    assert_eq!(simplified.trace.moves.len(), 3);
    let text = "MODULE main\nVAR x : 0..3;\nINIT x = 0\nTRANS x < 2 & (next(x) = x + 1 | next(x) = x)\n";
    let mut run = walks::walk("stuck.smv", text, 60, 2);
    let mut system = run.machine.system().clone();
    let claim = system::Claim::DeadlockFree;
    system.properties.push(system::Property::new("deadlock".to_owned(), claim, system::Span::default()));
    run.machine = Machine::new(std::sync::Arc::new(system));
    let simplified = simplify(&run.machine, property, &run.trace, &mut ()).expect("stuttering can be dropped");
    assert_simpler(&run, property, &simplified.trace);
    assert_eq!(simplified.trace.moves.len(), 2);
}

/// A random run of two processes, closed where it comes back to a state and then violates the first property.
fn random_lasso(text: &str, seed: u64) -> Option<Run> {
    let mut run = walks::walk("lasso.smv", text, 40, seed);
    run.property = Some(PropertyId::from(0));
    for last in (1..run.trace.states.len()).rev() {
        for start in 0..last {
            let lasso = system::Trace { loop_start: Some(start), ..run.trace.beginning(last) };
            if lasso.states.at(start) == lasso.states.at(last)
                && lasso.violates(&run.machine, PropertyId::from(0)).is_some()
            {
                run.trace = lasso;
                return Some(run);
            }
        }
    }
    None
}

#[test]
fn lassos_stay_lassos() {
    let text = "MODULE main\nVAR a : process ring; b : process ring;\nJUSTICE a.running\nLTLSPEC G F b.n = 2\n
        MODULE ring\nVAR n : 0..2;\nASSIGN init(n) := 0; next(n) := (n + 1) mod 3;\n";
    let mut simpler = 0;
    for seed in 0..30 {
        let Some(run) = random_lasso(text, seed) else { continue };
        let Some(simplified) = simplify(&run.machine, PropertyId::from(0), &run.trace, &mut ()) else { continue };
        let trace = simplified.trace;
        trace.replay(&run.machine).expect("a run");
        assert!(trace.violates(&run.machine, PropertyId::from(0)).is_some() && trace.loop_start.is_some());
        assert!(trace.moves.len() <= run.trace.moves.len());
        simpler += 1;
    }
    assert!(simpler > 0);
}
