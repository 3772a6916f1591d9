//! The figures of the papers behind the explicit engines.

use std::ops::ControlFlow;
use std::sync::Arc;
use system::Machine;
use uwbmc::experiment::memory::{Point, Way, curve, random_graph};
use uwbmc::experiment::philosophers::{Row, philosophers, row};
use uwbmc::experiment::protocol::{protocol, sizes};
use uwbmc::explicit::{Forgetting, Limits, Reduction, StepLimits, stateless};

/// Figure 4 of [God97], and the numbers of states.
#[test]
fn philosophers_are_those_of_the_paper() {
    let paper = [(17, 18, 18), (75, 123, 1_680), (321, 708, 386_816), (1_363, 3_765, 354_940_010)];
    for (index, (states, classical, stateless)) in paper.into_iter().enumerate() {
        let found = row(index + 2);
        let Row { deadlocks, reduced, .. } = found;
        assert_eq!((found.states, found.classical, found.stateless), (states, classical, stateless));
        assert_eq!(deadlocks, 1);
        assert!(reduced[2] <= classical, "{found:?}");
    }
    assert_eq!(row(6).states, 5_777);
}

/// The number of steps without reductions is counted above; here they are made.
#[test]
fn stateless_steps_are_counted_right() {
    let machine = Machine::new(Arc::new(philosophers(4)));
    let limits = Limits { depth: usize::MAX, memory: usize::MAX };
    let goes_on = |_| ControlFlow::Continue(());
    let found = stateless(&machine, &[], limits, Reduction::default(), StepLimits::default(), goes_on);
    assert_eq!(found.expect("no faults").search.transitions, 386_816);
}

/// §6 of [GP93]: refining dependencies pays on a protocol with channels.
#[test]
fn refined_dependencies_leave_fewer_states() {
    let [plain, unrefined, refined, branching] = sizes(3, 6);
    assert!(unrefined.states < plain.states, "{unrefined:?} of {plain:?}");
    assert!(refined.states * 3 < unrefined.states * 2, "{refined:?} of {unrefined:?}");
    assert!(branching.stored < refined.stored && branching.states >= refined.states, "{branching:?} of {refined:?}");
    assert!(refined.transitions < unrefined.transitions && unrefined.transitions < plain.transitions);
}

/// Figure 1 of [JJ91]: with room for 40 % of the states, the paper stores 1.7 times as many. Where different orders of
/// independent steps meet again and again, that takes sleep sets.
#[test]
fn forgetting_states_costs_no_more_than_in_the_paper() {
    let sleep = Reduction { sleep: true, ..Reduction::default() };
    for system in [philosophers(6), protocol(3, 6)] {
        let way = Way { reduction: sleep, forgetting: Forgetting::AtRandom };
        let points = curve(&Machine::new(Arc::new(system)), &[100, 40], way);
        let insertions: Vec<usize> =
            points.iter().map(|point| point.cost.expect("short paths fit").insertions).collect();
        assert_eq!(insertions[0], points[0].states);
        assert!(insertions[1] > points[1].states && insertions[1] * 10 <= points[1].states * 17, "{points:?}");
    }
}

/// On random graphs made as in the paper, paths are long: a third of the states and more.
#[test]
fn random_graphs_need_room_for_their_paths() {
    let machine = Machine::new(Arc::new(random_graph(2000, 5, 1)));
    let way = Way { reduction: Reduction::default(), forgetting: Forgetting::AtRandom };
    let points = curve(&machine, &[100, 80, 60, 20], way);
    let [all, most, some, few] = points.as_slice() else { panic!("four shares were asked for") };
    let cost = |point: &Point| point.cost.map(|cost| cost.insertions);
    assert!(all.states >= 1500 && cost(all) == Some(all.states));
    assert!(cost(most).is_some_and(|insertions| insertions * 10 < all.states * 13), "{most:?}");
    assert!(cost(some) > cost(most), "{some:?}");
    assert!(all.cost.is_some_and(|cost| cost.longest_path > few.states / 5) && cost(few).is_none(), "{few:?}");
}

/// The lock in Promela is the lock that we search: SPIN finds as many states.
#[test]
fn spin_finds_the_states_of_the_lock() {
    if std::process::Command::new("spin").arg("-V").output().is_err() {
        println!("skipped: there is no spin");
        return;
    }
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("spin");
    let table = uwbmc::cli::spin::compare(&folder, 3).expect("spin and gcc run");
    let states: Vec<&str> = table.lines().skip(1).take(3).filter_map(|line| line.split(',').nth(2)).collect();
    assert_eq!(states, [states[0]; 3], "{table}");
}
