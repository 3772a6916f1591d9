//! Programs without their beginning and the ends of their processes: the same verdicts, and every counterexample is one of the whole program.

use super::forgetting::{Fair, formula, search, seeds};
use std::sync::Arc;
use system::{Apart, Fairness, Machine, Slice};
use testkit::promela::{ending_program, ring_program, temporal_program};
use uwbmc::check::Settled;
use uwbmc::explicit::Interleavings;
use uwbmc::{Language, Model, Options, check};

/// How many formulas were compared, and how many states were visited in whole programs and in settled ones.
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
        let property = formula(&model);
        // What cannot influence the formula is left out first, as a check does.
        let slice = Slice::new(model.machine.system(), &[property], Apart::Kept);
        let influential = slice.as_ref().map_or(model.machine.system(), |slice| &slice.system);
        let Some(settled) = Settled::new(influential, property) else { return };
        let machine = Machine::new(Arc::new(settled.system.clone()));
        let lifted = |trace: &system::Trace| {
            let known = settled.lift(influential, trace).expect("the program makes the same steps");
            assert_eq!(known.loop_start.is_some(), trace.loop_start.is_some(), "{text}");
            let all = |slice: &Slice| slice.lift(model.machine.system(), &known).expect("the whole program, too");
            slice.as_ref().map_or_else(|| known.clone(), all)
        };
        for interleavings in [Interleavings::All, Interleavings::Fewest] {
            let asked = (&model, property);
            let Some((expected, states)) = search(asked, &model.machine, Interleavings::All, Clone::clone) else {
                return;
            };
            let Some((found, fewer)) = search(asked, &machine, interleavings, lifted) else { return };
            assert_eq!(found, expected, "{interleavings:?} {:?}\n{text}", model.machine.system().fairness.first());
            self.formulas += 1;
            self.all += states;
            self.fewer += fewer;
        }
    }

    fn all(program: fn(u64) -> String) -> Compared {
        let mut compared = Compared::default();
        for seed in 0..seeds() {
            for fairness in [None, Some(Fairness::Weak as Fair), Some(Fairness::Strong as Fair)] {
                compared.add(&program(seed), fairness);
            }
        }
        compared
    }
}

#[test]
fn programs_are_settled_with_the_same_verdicts() {
    for program in [temporal_program as fn(u64) -> String, ring_program, ending_program] {
        let Compared { formulas, all, fewer } = Compared::all(program);
        println!("{formulas} formulas, {all} states, {fewer} without what keeps the books");
        assert!(formulas > 0 && fewer <= all);
    }
}

/// A queue lock: who waits is told apart by a number that the queue holds.
const QUEUE_LOCK: &str = "
mtype = { rest, wait, critical, end };
mtype pc[6] = rest;
int left = 6;
chan queue = [6] of { int };
init { atomic { int i = 0; do :: i < 6 -> run P(i); i++ :: else -> break od } }
proctype P(int i) {
    do
    :: atomic { pc[i] == rest -> pc[i] = wait; queue!i }
    :: atomic { pc[i] == wait; queue?<eval(i)>; -> pc[i] = critical }
    :: atomic { pc[i] == critical -> queue?_; pc[i] = end; left-- }
    :: left == 0 -> break
    od
}
ltl safe { [] !(pc[0] == critical && pc[1] == critical) }
ltl served { [] ((pc[0] == wait) -> <> (pc[0] == critical)) }
";

/// An invariant that is written as a formula does not see the states inside of atomic sections, so that the system records who has control.
/// That says who is who, and it matters to no other formula.
#[test]
fn what_an_invariant_needs_tells_no_processes_apart_for_other_formulas() {
    let model = Model::parse(QUEUE_LOCK, Language::Promela).expect("a program");
    let options = Options { properties: vec!["served".to_owned()], ..Options::default() };
    let report = check(&model, &options, &mut ()).expect("an answer");
    assert_eq!(report.properties[0].verdict.word(), "holds");
    let states = report.cost.states.expect("states were visited");
    // 3,000 times as many without what is left out.
    assert!(states < 10_000, "{states} states");
}
