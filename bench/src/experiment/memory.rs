//! Figure 1 of \[JJ91\]: how often states are stored when there is room for fewer and fewer of them.
//!
//! Random graphs made as in the paper are in [`super::graph`]. On our own systems the paper's factor is reached if sleep sets
//! leave out most ways to a state.

use engine::{Findings, Replacement, Stop};
use explicit::{Forgetting, Options, Order, Reduction, run};
use limits::{Handle, Patience};
use std::fmt::Write;
use system::Machine;

/// Insertions are not counted beyond this many for each state.
const MOST: usize = 20;

/// A depth-first search with room for a share of the states, in percent, and for all of them.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// The share, in percent.
    pub share: usize,
    /// R, the number of states.
    pub states: usize,
    /// What forgetting cost; nothing if the path did not fit or the search took too long.
    pub cost: Option<Replacement>,
}

/// How a graph is searched.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// Which interleavings are left out.
    pub reduction: Reduction,
    /// Which states are forgotten.
    pub forgetting: Forgetting,
}

/// Searches with room for different shares of the states.
pub fn curve(machine: &Machine, shares: &[usize], way: Way) -> Vec<Point> {
    let states = search(machine, usize::MAX, usize::MAX, way).map_or(0, |found| found.states());
    let point = |share: &usize| {
        let found = search(machine, states * share / 100, states * MOST, way);
        let cost = found.filter(|found| found.stop == Stop::Complete).and_then(|found| found.cost.replacement);
        Point { share: *share, states, cost }
    };
    shares.iter().map(point).collect()
}

fn search(machine: &Machine, capacity: usize, most: usize, way: Way) -> Option<Findings> {
    let Way { reduction, forgetting } = way;
    let options = Options { order: Order::DepthFirst, capacity, reduction, forgetting, ..Options::default() };
    let mut handle = Handle::default();
    run(machine, &[], &options, &mut handle.patient(Patience::of_states(most))).without_fault().ok()
}

/// The curves of some machines as comma-separated values.
pub fn table<'a>(machines: impl IntoIterator<Item = (&'a str, &'a Machine, Way)>) -> String {
    let mut table = "graph,states,share of memory in percent,longest path,insertions,insertions per state\n".to_owned();
    let shares: Vec<usize> = (1..=10).rev().map(|tenth| 10 * tenth).collect();
    for (name, machine, way) in machines {
        for Point { share, states, cost } in curve(machine, &shares, way) {
            let _ = match cost {
                Some(cost) => {
                    let each = cost.insertions as f64 / states as f64;
                    writeln!(table, "{name},{states},{share},{},{},{each:.2}", cost.longest_path, cost.insertions)
                }
                None => writeln!(table, "{name},{states},{share},,,"),
            };
        }
    }
    table
}
