//! Programs without their beginning and the ends of their processes: the same verdicts, and every counterexample is one of the whole program.

use super::forgetting::{Fair, formula, search, seeds};
use std::sync::Arc;
use system::{Fairness, Machine};
use testkit::promela::{ending_program, ring_program, temporal_program};
use uwbmc::check::Settled;
use uwbmc::explicit::Interleavings;
use uwbmc::{Language, Model};

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
        let Some(settled) = Settled::new(model.machine.system(), property) else { return };
        let machine = Machine::new(Arc::new(settled.system.clone()));
        let lifted = |trace: &system::Trace| {
            let whole = settled.lift(model.machine.system(), trace).expect("the program makes the same steps");
            assert_eq!(whole.loop_start.is_some(), trace.loop_start.is_some(), "{text}");
            whole
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
