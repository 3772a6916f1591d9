//! Dead variables are forgotten: fewer states, the same verdicts, and every counterexample is one of the whole program.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use system::{Fairness, Machine, ProcessId, PropertyId, Resets, State};
use testkit::locals::local_program;
use testkit::promela::{ring_program, temporal_program};
use uwbmc::engine::{Stop, Verdict};
use uwbmc::explicit::{Interleavings, find_cycle};
use uwbmc::limits::{Handle, Patience};
use uwbmc::{Language, Model};

/// Larger products are passed over.
const MOST: usize = 20_000;

/// How many programs of each kind are compared; `UWBMC_PROMELA_SEEDS` says otherwise.
const SEEDS: u64 = 250;

/// What is asked for a process.
pub type Fair = fn(ProcessId) -> Fairness;

pub fn seeds() -> u64 {
    std::env::var("UWBMC_PROMELA_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(SEEDS)
}

/// The formula `f` of a program.
pub fn formula(model: &Model) -> PropertyId {
    model.machine.system().properties.position(|property| property.name == "f").expect("a formula")
}

/// The verdict on a formula, `lifted` saying how a counterexample is one of the program, and how many states were visited; `None` if there are too
/// many, or the program has no meaning somewhere.
pub fn search(
    (model, property): (&Model, PropertyId),
    machine: &Machine,
    interleavings: Interleavings,
    lifted: impl Fn(&system::Trace) -> system::Trace,
) -> Option<(&'static str, usize)> {
    let mut handle = Handle::default();
    let few = &mut handle.patient(Patience::of_states(MOST));
    let found = find_cycle(machine, property, interleavings, 1 << 30, few).without_fault().ok()?;
    match (&found.verdicts[0].1, found.stop) {
        (Verdict::Holds(_), _) => Some(("holds", found.states())),
        (Verdict::Violated(trace), _) => {
            let confirmed = uwbmc::check::confirm(&model.machine, property, &lifted(trace));
            confirmed.expect("a counterexample is a run of the program that violates the formula");
            Some(("violated", 0))
        }
        (_, Stop::Refused) => Some(("unknown", 0)),
        _ => None,
    }
}

/// How many formulas were compared, and how many states were visited with and without forgetting.
#[derive(Default)]
struct Compared {
    formulas: u64,
    all: usize,
    fewer: usize,
}

impl Compared {
    fn add(&mut self, text: &str, fairness: Option<Fair>) {
        let Ok(mut model) = Model::parse(text, Language::Promela) else { return };
        if let Some(fairness) = fairness {
            model.assume_fairness(fairness);
        }
        let fairness = model.machine.system().fairness.first().copied();
        let property = formula(&model);
        let Some(resets) = Resets::new(model.machine.system(), property) else { return };
        let forgetful = Machine::new(Arc::new(resets.system.clone()));
        let lifted = |trace: &system::Trace| {
            let whole = resets.lift(model.machine.system(), trace).expect("the program makes the same steps");
            assert_eq!(whole.loop_start.is_some(), trace.loop_start.is_some(), "{text}");
            whole
        };
        for interleavings in [Interleavings::All, Interleavings::Fewest] {
            let asked = (&model, property);
            let Some((expected, states)) = search(asked, &model.machine, interleavings, Clone::clone) else { return };
            let Some((found, fewer)) = search(asked, &forgetful, interleavings, lifted) else { return };
            assert_eq!(found, expected, "{fairness:?} {interleavings:?}\n{text}");
            // A program may have a few states more: a variable keeps its first value on a way where it is dead from the beginning, and
            // loses it on another one to the same place.
            (self.formulas, self.all, self.fewer) = (self.formulas + 1, self.all + states, self.fewer + fewer);
        }
    }
}

#[test]
fn what_is_forgotten_changes_no_verdict() {
    let fairness: [Option<Fair>; 3] = [None, Some(Fairness::Weak), Some(Fairness::Strong)];
    let mut saved = 0;
    for program in [local_program, ring_program, temporal_program] {
        let mut compared = Compared::default();
        for seed in 0..seeds() {
            compared.add(&program(seed), fairness[seed as usize % 3]);
        }
        let Compared { formulas, all, fewer } = compared;
        println!("{formulas} formulas compared; {fewer} states instead of {all}");
        assert!(4 * formulas > seeds() && fewer <= all, "{formulas} {fewer} {all}");
        saved += all - fewer;
    }
    assert!(saved > 0);
}

/// The states of the product of a program, with and without forgetting.
fn sizes(text: &str) -> (usize, usize) {
    let model = Model::parse(text, Language::Promela).expect("a program");
    let property = formula(&model);
    let visited = |machine: &Machine| {
        let found = find_cycle(machine, property, Interleavings::All, 1 << 30, &mut Handle::default());
        assert!(matches!(found.verdict(property), Some(Verdict::Holds(_))), "{text}");
        found.states()
    };
    let forgetful = Resets::new(model.machine.system(), property).map(|resets| Machine::new(Arc::new(resets.system)));
    let all = visited(&model.machine);
    (all, forgetful.map_or(all, |machine| visited(&machine)))
}

#[test]
fn a_variable_is_forgotten_after_it_was_read_last() {
    let text = |more: &str| {
        format!(
            "byte g; byte x; active proctype P() {{ do :: x = 1; g = x :: x = 2; g = x od }}
active proctype Q() {{ do :: g = 0; {more} od }} ltl f {{ <> [] (g < 3) }}"
        )
    };
    let (all, fewer) = sizes(&text("skip"));
    assert!(fewer < all, "{fewer} {all}");
    // A process that looks from elsewhere keeps it alive.
    let (all, fewer) = sizes(&text("x < 9"));
    assert_eq!(fewer, all);
}

#[test]
fn what_is_computed_for_nothing_is_forgotten() {
    let text = "byte g; active proctype P() { byte n; do :: g = 1 - g; n = (n + 1) % 50 od } ltl f { <> [] (g < 2) }";
    let (all, fewer) = sizes(text);
    assert!(10 * fewer < all, "{fewer} {all}");
}

/// A process that is created where another one has ended begins with zeros, although those are written nowhere.
#[test]
fn who_is_created_again_begins_anew() {
    let text = "byte g; proctype P() { byte x; byte y; g = x; x = 2; y = x; g = 0; y = y + 1; g = y - y }
init { run P(); run P(); run P() } ltl f { [] (g == 0 && <> (g < 2)) }";
    let (all, fewer) = sizes(text);
    assert!(fewer <= all, "{fewer} {all}");
}

/// A value that cannot be stored is still noticed.
#[test]
fn what_fails_is_not_forgotten() {
    let text = "byte g; byte a[2]; active proctype P() { byte x; byte y; x = 2; y = a[x]; do :: g = 1 - g od } ltl f { [] <> (g == 1) }";
    let model = Model::parse(text, Language::Promela).expect("a program");
    let property = formula(&model);
    let resets = Resets::new(model.machine.system(), property).expect("x is dead after it was read");
    for machine in [&model.machine, &Machine::new(Arc::new(resets.system))] {
        let found = find_cycle(machine, property, Interleavings::All, 1 << 30, &mut Handle::default());
        assert!(found.fault.is_some(), "{:?}", found.verdicts);
    }
}

/// The states that are reached, as long as there are not too many.
fn reached(machine: &Machine) -> Option<BTreeSet<State>> {
    let (mut seen, mut open) = (BTreeSet::new(), Vec::new());
    let mut workspace = machine.workspace();
    let begin = |state| {
        open.push(state);
        ControlFlow::Continue(())
    };
    machine.initial_states(&mut workspace, begin).ok()?;
    while let Some(state) = open.pop() {
        if seen.len() > MOST || !seen.insert(state.clone()) {
            continue;
        }
        let add = |successor: system::Successor<'_>| {
            open.push(State(successor.state.into()));
            ControlFlow::Continue(())
        };
        machine.successors(&state.0, &mut workspace, add).ok()?;
    }
    Some(seen)
}

/// What is taken for granted where variables of created processes are forgotten: a program moves another process only from where that one waits
/// to be created.
#[test]
fn processes_are_begun_where_they_wait() {
    let mut begun = 0;
    for seed in 0..seeds() / 5 {
        for text in [local_program(seed), ring_program(seed), temporal_program(seed)] {
            let Ok(model) = Model::parse(&text, Language::Promela) else { continue };
            let (machine, system) = (&model.machine, model.machine.system());
            assert_eq!(system.dormant.len(), system.processes.len());
            for state in reached(machine).into_iter().flatten() {
                let look = |successor: system::Successor<'_>| {
                    let next = State(successor.state.into());
                    let command = &system.commands[successor.command];
                    for (process, waits) in &system.dormant {
                        let takes_part = command.parts().any(|part| part.process == *process);
                        let (from, to) = (machine.point(*process, &state), machine.point(*process, &next));
                        if !takes_part && from != to {
                            assert_eq!(from, Some(*waits), "{text}");
                            begun += 1;
                        }
                    }
                    ControlFlow::Continue(())
                };
                let _ = machine.successors(&state.0, &mut machine.workspace(), look);
            }
        }
    }
    assert!(begun > 100, "{begun}");
}

/// Fairness that reads variables keeps them alive.
#[test]
fn what_fairness_reads_is_alive() {
    let text = "byte g; active proctype P() { byte x; do :: x = 1; g = x; x = 0 :: g = 0 od } ltl f { [] <> (g == 1) }";
    let model = Model::parse(text, Language::Promela).expect("a program");
    let property = formula(&model);
    assert!(Resets::new(model.machine.system(), property).is_some());
    let mut system = model.machine.system().clone();
    let x = system.variables.position(|variable| variable.name.ends_with('x')).expect("a variable");
    let sort = system.variables[x].domain.sort();
    let (now, one) = (system.exprs.now(x, sort), system.exprs.constant(1, sort));
    let is_one = system.exprs.equal(now, one);
    system.fairness.push(Fairness::Justice(is_one));
    assert!(Resets::new(&system, property).is_none());
}

/// A loop need not come back to the very same state where what differs decides nothing; the report says so.
#[test]
fn counters_that_decide_nothing_keep_no_loop_open() {
    let text = |more: &str| {
        format!(
            "int n; int m; bool a; active proctype P() {{ do :: a = !a; n++; m = n {more} od }}
ltl f {{ <> [] a }} ltl rises {{ <> [] (n > 5) }} ltl follows {{ <> [] (m > 5) }}"
        )
    };
    let model = Model::parse(&text(""), Language::Promela).expect("a program");
    let report = uwbmc::check(&model, &uwbmc::Options::default().property("f".to_owned()), &mut ()).expect("checked");
    let Verdict::Violated(trace) = &report.properties[0].verdict else { panic!("{}", report.properties[0].verdict) };
    assert!(report.remarks.iter().any(|remark| remark.contains("other values in n, m")), "{:?}", report.remarks);
    assert!(trace.moves.len() < 20 && trace.loop_start.is_some() && trace.replay(&model.machine).is_ok());
    // It says nothing about formulas that read the counters.
    let properties = &model.machine.system().properties;
    for (id, property) in properties.iter_enumerated().filter(|(_, property)| property.name != "end_states") {
        assert_eq!(trace.violates(&model.machine, id).is_some(), property.name == "f", "{}", property.name);
    }
    // Nor is it a run for ever where a guard reads one of them, or what is computed from them can fail.
    let (start, last) = (&trace.states.at(trace.loop_start.expect("a loop")), trace.states.last().expect("a state"));
    assert!(model.machine.comes_back(start, last));
    for more in [":: m == 9 -> a = 1", "; m = 1 / n"] {
        let other = Model::parse(&text(more), Language::Promela).expect("a program");
        assert!(!other.machine.comes_back(start, last), "{more}");
    }
}
