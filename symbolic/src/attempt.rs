//! Attempts at a model, each with an order of variables and limits.
//!
//! Which order is good shows when it is tried: all of them have a little effort in turns, then four times as much, and so on.
//! An order that needs too many nodes is left out from then on.

use super::Trouble;
use super::order::Order;
use diagrams::Stop;
use std::collections::VecDeque;

/// How much every order is allowed at first, in results of operations: about a second's worth.
const FIRST: u64 = 1 << 22;

/// How to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The order of variables.
    pub order: Order,
    /// How many nodes there may be.
    pub nodes: usize,
    /// How many results may be computed.
    pub effort: u64,
}

impl Attempt {
    /// The most promising order, as long as it takes.
    pub fn within(nodes: usize) -> Attempt {
        Attempt { order: Order::ALL[0], nodes, effort: u64::MAX }
    }

    /// Works until an attempt is through or has failed for another reason than its limits, or all have too many nodes.
    pub fn in_turns<T>(nodes: usize, mut work: impl FnMut(Attempt) -> Result<T, Trouble>) -> Result<T, Trouble> {
        let first = |order| Attempt { order, nodes, effort: FIRST };
        let mut open: VecDeque<Attempt> = Order::ALL.into_iter().map(first).collect();
        while let Some(attempt) = open.pop_front() {
            match work(attempt) {
                Err(Trouble::Stopped(Stop::Effort)) => {
                    open.push_back(Attempt { effort: attempt.effort.saturating_mul(4), ..attempt });
                }
                Err(Trouble::Stopped(Stop::Nodes)) => {}
                other => return other,
            }
        }
        Err(Trouble::Stopped(Stop::Nodes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_have_turns_until_they_need_too_many_nodes() {
        let mut tried = Vec::new();
        let found = Attempt::in_turns(1, |attempt| {
            tried.push((attempt.order, attempt.effort));
            match (attempt.order, tried.len()) {
                (Order::Declared, _) => Err(Stop::Nodes.into()),
                (_, 1..=4) => Err(Stop::Effort.into()),
                _ => Ok(7),
            }
        });
        assert_eq!(found, Ok(7));
        let force = [(Order::Force, FIRST), (Order::Force, 4 * FIRST)];
        let dependencies = [(Order::Dependencies, FIRST), (Order::Dependencies, 4 * FIRST)];
        assert_eq!(tried, [force[0], dependencies[0], (Order::Declared, FIRST), force[1], dependencies[1]]);
    }

    #[test]
    fn nothing_is_left_when_every_order_has_too_many_nodes() {
        let found: Result<(), Trouble> = Attempt::in_turns(1, |_| Err(Stop::Nodes.into()));
        assert_eq!(found, Err(Stop::Nodes.into()));
    }
}
