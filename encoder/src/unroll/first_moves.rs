//! Processes that can change places make their first moves in their order.
//!
//! Where two processes change places in all of a run, with their variables, it is a run of the same length, with the same loop, that
//! violates the same formulas and is as fair ([`Symmetry::of_runs`]). Of all runs that a lasso becomes that way, consider the one
//! whose sequence of movers is least. If a process moved in it before the one ahead of it in its class had moved, the two could
//! change places: neither has moved before that step, so that the sequence is the same up to there and less in that step. So the
//! first moves of a class come in its order, and a formula that says so has a lasso of each length of which there is one at all.
//!
//! The same holds beside scheduling constraints: where two steps are in the wrong order, putting them right makes the sequence of
//! movers less, too, so that the least one of all has neither. A formula that is restricted by switches may have fewer runs; what it is
//! refuted without is refuted for all.

use super::{Alike, Unrolling};
use crate::gate::Signal;
use crate::lit::ClauseSink;
use system::{ProcessId, Symmetry};

/// What is known of first moves.
#[derive(Default)]
pub(super) struct FirstMoves {
    /// Each process that has one ahead of it in its class, and that one.
    behind: Vec<(ProcessId, ProcessId)>,
    /// For each process, whether it has moved before the last state.
    moved: Vec<Signal>,
}

impl Unrolling<'_> {
    /// Says which processes can change places, if the rules ask for an order of them. Nothing has moved by then.
    pub fn are_alike(&mut self, symmetry: impl FnOnce() -> Symmetry) {
        if self.rules.alike == Alike::Ordered {
            let symmetry = symmetry();
            let pairs = symmetry.classes().flat_map(|class| class.windows(2).map(|pair| (pair[1], pair[0])));
            let moved = vec![Signal::FALSE; self.system.processes.len()];
            self.first_moves = FirstMoves { behind: pairs.collect(), moved };
        }
    }

    /// The mover of the step out of the last state has none ahead of it that has not moved.
    pub(super) fn order_first_moves(&mut self, sink: &mut dyn ClauseSink) {
        if self.first_moves.behind.is_empty() {
            return;
        }
        let selector = self.frames[self.frames.len() - 1].selector.clone();
        for (process, ahead) in self.first_moves.behind.clone() {
            let moved = self.first_moves.moved[ahead.index()];
            self.gates.assert_any(&[!selector[process.index()], moved], sink);
        }
        for (moved, moves) in self.first_moves.moved.iter_mut().zip(selector) {
            *moved = self.gates.or(*moved, moves);
        }
    }
}
