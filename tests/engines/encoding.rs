//! The size of unrollings: linear in the number of steps. How fast they are made is measured by the suite `encoding`.

use encoder::{ClauseSink, Lit, Rules, Unrolling};
use system::System;
use uwbmc::bounded::Strategy;
use uwbmc::experiment::table;
use uwbmc::smv::load;
use uwbmc::source::Source;

/// Counts what it is given.
#[derive(Default)]
struct Counter {
    variables: u32,
    clauses: usize,
}

impl ClauseSink for Counter {
    fn fresh(&mut self) -> Lit {
        self.variables += 1;
        Lit::numbered(self.variables)
    }

    fn clause(&mut self, _: &[Lit]) {
        self.clauses += 1;
    }
}

/// Dining philosophers: four bits each.
fn philosophers(count: usize) -> System {
    let source = Source::new("philosophers.smv", table::smv(count).as_bytes());
    load(&source, &[]).system.expect("accepted")
}

/// The clauses of an unrolling after each step.
fn clauses(system: &System, rules: Rules, steps: usize) -> Vec<usize> {
    let mut sink = Counter::default();
    let mut unrolling = Unrolling::new(system, rules, &mut sink).expect("supported");
    let mut counts = vec![sink.clauses];
    for _ in 0..steps {
        unrolling.extend(&mut sink);
        counts.push(sink.clauses);
    }
    counts
}

#[test]
fn each_step_costs_the_same() {
    let system = philosophers(20);
    for strategy in [Strategy::plain(), Strategy::pruned(), Strategy::paper(), Strategy::widening()] {
        let counts = clauses(&system, strategy.rules, 40);
        let (early, late) = (counts[20] - counts[19], counts[40] - counts[39]);
        assert_eq!(early, late, "{strategy:?}");
        // In the first steps most of the state is known.
        assert!(counts[1] - counts[0] < late, "{strategy:?}");
    }
}
