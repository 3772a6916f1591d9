//! Attempts at a model, each with an order of variables and limits.
//!
//! Which order is good shows when it is tried: all of them have a little effort in turns, then four times as much, and so on.
//! An order that needs too many nodes is left out from then on.

use super::Trouble;
use super::order::Order;
use diagrams::Exhausted;
use std::collections::VecDeque;

/// How much every order is allowed at first, in results of operations: about a second's worth.
const FIRST: u64 = 1 << 22;

/// What all attempts together may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many nodes there may be.
    pub nodes: usize,
    /// How many results an attempt may compute.
    pub effort: u64,
}

impl Limits {
    /// As many nodes as fit into this many bytes, with the tables that belong to them.
    pub fn of_memory(bytes: usize) -> Limits {
        /// A node, its place in the unique table, and results in the cache.
        const BYTES: usize = 128;
        Limits { nodes: bytes / BYTES, effort: u64::MAX }
    }
}

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

    /// Works until an attempt is through or has failed for another reason than its limits, or all have taken what they may.
    pub fn in_turns<T>(limits: Limits, mut work: impl FnMut(Attempt) -> Result<T, Trouble>) -> Result<T, Trouble> {
        let first = |order| Attempt { order, nodes: limits.nodes, effort: FIRST.min(limits.effort) };
        let mut open: VecDeque<Attempt> = Order::ALL.into_iter().map(first).collect();
        let mut why = Exhausted::Nodes;
        while let Some(attempt) = open.pop_front() {
            match work(attempt) {
                Err(Trouble::Stopped(Exhausted::Effort)) if attempt.effort >= limits.effort => why = Exhausted::Effort,
                Err(Trouble::Stopped(Exhausted::Effort)) => {
                    let effort = attempt.effort.saturating_mul(4).min(limits.effort);
                    open.push_back(Attempt { effort, ..attempt });
                }
                Err(Trouble::Stopped(Exhausted::Nodes)) => {}
                other => return other,
            }
        }
        Err(Trouble::Stopped(why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNLIMITED: Limits = Limits { nodes: 1, effort: u64::MAX };

    #[test]
    fn orders_have_turns_until_they_need_too_many_nodes() {
        let mut tried = Vec::new();
        let found = Attempt::in_turns(UNLIMITED, |attempt| {
            tried.push((attempt.order, attempt.effort));
            match (attempt.order, tried.len()) {
                (Order::Declared, _) => Err(Exhausted::Nodes.into()),
                (_, 1..=4) => Err(Exhausted::Effort.into()),
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
        let found: Result<(), Trouble> = Attempt::in_turns(UNLIMITED, |_| Err(Exhausted::Nodes.into()));
        assert_eq!(found, Err(Exhausted::Nodes.into()));
    }

    #[test]
    fn no_attempt_takes_more_effort_than_allowed() {
        let mut tried = 0;
        let limits = Limits { effort: 2 * FIRST, ..UNLIMITED };
        let found: Result<(), Trouble> = Attempt::in_turns(limits, |attempt| {
            tried += attempt.effort;
            Err(Exhausted::Effort.into())
        });
        assert_eq!((found, tried), (Err(Exhausted::Effort.into()), 9 * FIRST));
    }
}
