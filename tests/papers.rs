//! The figures of the papers behind the explicit engines.

use std::ops::ControlFlow;
use std::sync::Arc;
use system::Machine;
use uwbmc::experiment::philosophers::{Row, philosophers, row};
use uwbmc::experiment::protocol::sizes;
use uwbmc::explicit::{Limits, Reduction, StepLimits, stateless};

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
    let [plain, unrefined, refined] = sizes(3, 6);
    assert!(unrefined.states < plain.states, "{unrefined:?} of {plain:?}");
    assert!(refined.states * 3 < unrefined.states * 2, "{refined:?} of {unrefined:?}");
    assert!(refined.transitions < unrefined.transitions && unrefined.transitions < plain.transitions);
}
