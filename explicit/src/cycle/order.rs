//! In which order the transitions from a state are tried.
//!
//! Where a violation is on many runs, most orders lead to one soon, but each has cases in which it does not: where a process is to be
//! starved, the others have to be tried first. So a few states are looked at in each of some orders before all are.

use system::{ProcessId, System};

/// The most orders in which another process is the last one.
const ROTATIONS: usize = 8;

/// How many orders are drawn for a program; for other systems, whose states may have many successors, one is.
const SHUFFLES: u64 = 3;

/// An order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// States that are known first, then as processes are declared.
    Forward,
    /// The other way round.
    Backward,
    /// From this of so many processes on, the one before it last.
    From(usize, usize),
    /// Another one in each state, drawn by a seed.
    Shuffled(u64),
}

impl Order {
    /// Orders in which to look for a violation.
    pub fn some(system: &System) -> Vec<Order> {
        if !system.has_statements {
            return vec![Order::Backward, Order::Shuffled(1)];
        }
        let processes = system.processes.len();
        let rotations = (1..processes.min(ROTATIONS + 1)).map(|first| Order::From(first, processes));
        let shuffles = (1..=SHUFFLES).map(Order::Shuffled);
        std::iter::once(Order::Backward).chain(rotations).chain(shuffles).collect()
    }

    /// When a transition from a state is tried: those with small numbers come first.
    pub fn rank(self, from: u32, place: usize, mover: Option<ProcessId>) -> u64 {
        let place = place as u64;
        match self {
            Order::Forward => place,
            Order::Backward => u64::MAX - place,
            Order::From(first, processes) => {
                let turn = mover.map_or(0, |mover| (mover.index() + processes - first) % processes);
                (turn as u64) << 32 | place
            }
            Order::Shuffled(seed) => drawn(seed << 48 ^ u64::from(from) << 16 ^ place),
        }
    }
}

/// The finalizer of SplitMix64 (G. Steele, D. Lea, C. Flood, 2014).
fn drawn(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
