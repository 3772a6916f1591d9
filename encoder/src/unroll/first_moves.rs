//! Processes that can change places make their first moves in their order.
//!
//! Where two processes change places in all of a run, with their variables, it is a run of the same length, with the same loop, that
//! violates the same formulas and is as fair ([`Symmetry::of_runs`]). Of all runs that a lasso becomes that way, consider the one
//! whose sequence of movers is least. If a process moved in it before the one ahead of it in its class had moved, the two could
//! change places: neither has moved before that step, so that the sequence is the same up to there and less in that step. So the
//! first moves of a class come in its order, and a formula that says so has a lasso of each length of which there is one at all.
//!
//! For the same reason it has a run of each length to a state, or by a step, that violates an invariant, that is a deadlock, or that has no
//! meaning, if there is one at all ([`Symmetry::of_finite_runs`]). Each of the other choices about a formula is a set of runs, or is an assumption:
//!
//!  * Scheduling constraints: where two steps are in the wrong order, putting them right makes the sequence of movers less, too, and leads to
//!    the same state, so that the least run of all those of a length that go wrong breaks neither rule.
//!  * Without steps that change nothing: no shortest run has one, and the least one of the shortest runs is among them. So if there is no run
//!    of some length, no state is that far away: it would become another one as far away, at the end of a run that the formula has.
//!  * Where one process makes the steps of those that never do anything ([`represented`](super::idle)), it is the first of them, and what can change
//!    places with it never does anything either. So it comes first in its class and can always move: a run can wait after it has gone wrong,
//!    which is what asking about several bounds at once needs. The others of its class do not move at all.
//!  * Switches are assumed off. A core without a restriction refutes a formula without restrictions, which has a run of each length that
//!    goes wrong if the system has one; that a restricted one may have fewer runs only means that more is widened.
//!  * How far processes can be is true of every run.
//!
//! What was found out before the formula says this is true of all runs, so that it can be said at any time. It is never said in formulas
//! that are certified, nor in those of the paper.

use super::{Alike, Unrolling};
use crate::gate::Signal;
use crate::lit::ClauseSink;
use system::{ProcessId, Symmetry};

/// What is known of first moves.
#[derive(Default)]
pub(super) struct FirstMoves {
    /// Each process that has one ahead of it in its class, and that one.
    behind: Vec<(ProcessId, ProcessId)>,
    /// For each process, whether it has moved in the steps that were looked at.
    moved: Vec<Signal>,
}

impl Unrolling<'_> {
    /// Says which processes can change places, if the rules ask for an order of them.
    pub fn are_alike(&mut self, symmetry: impl FnOnce() -> Symmetry, sink: &mut dyn ClauseSink) {
        if self.rules.alike == Alike::Ordered {
            let symmetry = symmetry();
            let pairs = symmetry.classes().flat_map(|class| class.windows(2).map(|pair| (pair[1], pair[0])));
            let moved = vec![Signal::FALSE; self.system.processes.len()];
            self.first_moves = FirstMoves { behind: pairs.collect(), moved };
            for step in 0..self.depth().0 {
                self.order_first_moves(step, sink);
            }
        }
    }

    /// The mover of a step has none ahead of it that has not moved. All steps before it have been looked at.
    pub(super) fn order_first_moves(&mut self, step: usize, sink: &mut dyn ClauseSink) {
        if self.first_moves.behind.is_empty() {
            return;
        }
        let selector = self.frames[step].selector.clone();
        for (process, ahead) in self.first_moves.behind.clone() {
            let moved = self.first_moves.moved[ahead.index()];
            self.gates.assert_any(&[!selector[process.index()], moved], sink);
        }
        for (moved, moves) in self.first_moves.moved.iter_mut().zip(selector) {
            *moved = self.gates.or(*moved, moves);
        }
    }
}
