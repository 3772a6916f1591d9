//! Attempts at a model, each with an order of variables and limits.
//!
//! Which order is good shows when it is tried: all of them have a little effort in turns, then four times as much, and so on.
//! An order that needs too many nodes is left out from then on.

use super::Trouble;
use super::order::{Order, Turns};
use diagrams::Exhausted;

/// How much every order is allowed at first, in results of operations: about a second's worth.
const FIRST: u64 = 1 << 22;
/// How much more it is allowed each time.
const MORE: u64 = 4;

/// What all attempts together may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many nodes there may be.
    pub nodes: usize,
    /// How many results every order may compute at first.
    first: u64,
    /// How many results an attempt may compute.
    effort: u64,
}

impl Limits {
    /// As many nodes as fit into this many bytes, with the tables that belong to them.
    pub fn of_memory(bytes: usize) -> Limits {
        /// A node, its place in the unique table, and the results in the cache, which has up to eight for each node; all of it
        /// while tables grow. Measured: 177 MB for what 128 bytes a node were to keep within 100 MB.
        const BYTES: usize = 256;
        /// The cache does not grow for ever: what it takes at most, while it grows, and what nodes take without it.
        const CACHE: usize = 520 << 20;
        const BYTES_BESIDES: usize = 64;
        Limits::of_nodes((bytes / BYTES).max(bytes.saturating_sub(CACHE) / BYTES_BESIDES))
    }

    /// This many nodes, and as many results as it takes.
    pub const fn of_nodes(nodes: usize) -> Limits {
        Limits { nodes, first: FIRST, effort: u64::MAX }
    }

    /// The same with at most this many results for each attempt.
    pub fn with_effort(self, effort: u64) -> Limits {
        Limits { first: self.first.min(effort), effort: self.effort.min(effort), ..self }
    }

    /// The same with at least this many results for the first order, as far as the limit allows.
    pub fn starting_with(self, effort: u64) -> Limits {
        Limits { first: self.first.max(effort).min(self.effort), ..self }
    }

    /// What each of some has, where all of them are to take about as much as one.
    pub(super) fn shared(self, among: usize) -> Limits {
        /// So much work that it says something.
        const LEAST: u64 = 1 << 16;
        self.with_effort((self.effort / among.max(1) as u64).max(LEAST))
    }

    /// What each order has at first.
    pub(super) fn first_round(self) -> Limits {
        self.with_effort(self.first)
    }

    /// What each order has after this, within limits of all rounds; `None` if that was the last one.
    pub(super) fn next_round(self, all: Limits) -> Option<Limits> {
        let effort = self.effort.saturating_mul(MORE).min(all.effort);
        (effort > self.effort).then_some(Limits { first: effort, effort, ..self })
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
        Attempt { order: Order::Force, nodes, effort: u64::MAX }
    }

    /// Works until an attempt is through or has failed for another reason than its limits, or all have taken what they may. The
    /// first order has more than the others.
    pub fn in_turns<T>(
        Turns { orders, less }: Turns,
        limits: Limits,
        mut work: impl FnMut(Attempt) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let (mut open, mut effort) = (orders.to_vec(), limits.first);
        while !open.is_empty() {
            for order in open.clone() {
                let effort = if order == orders[0] { effort } else { effort / less };
                match work(Attempt { order, nodes: limits.nodes, effort }) {
                    Err(Trouble::Stopped(Exhausted::Effort)) => {}
                    Err(Trouble::Stopped(Exhausted::Nodes)) => open.retain(|other| *other != order),
                    other => return other,
                }
            }
            if effort == limits.effort && !open.is_empty() {
                return Err(Exhausted::Effort.into());
            }
            effort = effort.saturating_mul(MORE).min(limits.effort);
        }
        Err(Exhausted::Nodes.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNLIMITED: Limits = Limits { nodes: 1, first: FIRST, effort: u64::MAX };

    const LESS: u64 = 4;
    const ORDERS: &[Order] = &[Order::Force, Order::Sifted, Order::Declared];
    const TURNS: Turns = Turns { orders: ORDERS, less: LESS };

    #[test]
    fn orders_have_turns_until_they_need_too_many_nodes() {
        let mut tried = Vec::new();
        let found = Attempt::in_turns(TURNS, UNLIMITED, |attempt| {
            tried.push((attempt.order, attempt.effort));
            match (attempt.order, tried.len()) {
                (Order::Declared, _) => Err(Exhausted::Nodes.into()),
                (_, 1..=4) => Err(Exhausted::Effort.into()),
                _ => Ok(7),
            }
        });
        assert_eq!(found, Ok(7));
        let [force, sifted, declared] = [ORDERS[0], ORDERS[1], ORDERS[2]];
        let first = [(force, FIRST), (sifted, FIRST / LESS), (declared, FIRST / LESS)];
        assert_eq!(tried[..3], first);
        assert_eq!(tried[3..], [(force, FIRST * MORE), (sifted, FIRST)]);
    }

    #[test]
    fn nothing_is_left_when_every_order_has_too_many_nodes() {
        let found: Result<(), Trouble> = Attempt::in_turns(TURNS, UNLIMITED, |_| Err(Exhausted::Nodes.into()));
        assert_eq!(found, Err(Exhausted::Nodes.into()));
    }

    #[test]
    fn no_attempt_takes_more_effort_than_allowed() {
        let mut most = 0;
        let found: Result<(), Trouble> = Attempt::in_turns(TURNS, UNLIMITED.with_effort(2 * FIRST), |attempt| {
            most = most.max(attempt.effort);
            Err(Exhausted::Effort.into())
        });
        assert_eq!((found, most), (Err(Exhausted::Effort.into()), 2 * FIRST));
    }
}
