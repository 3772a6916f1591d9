//! Figure 1 of \[JJ91\]: how often states are stored when there is room for fewer and fewer of them.
//!
//! The paper stores 1.7 times as many states as there are with room for 40 % of them, on a random graph whose size and degree it does
//! not tell. Graphs made by its rule have paths of a quarter of their states and more; with that the factor is
//! not reached here, whichever degree is taken. It is on systems with short paths, if sleep sets leave out most ways to a state.

use super::program::Program;
use crate::explicit::{Forgetting, Options, Order, Reduction, Replacement, Search, Stop, run};
use std::fmt::Write;
use std::ops::ControlFlow;
use system::{Machine, System};

/// Insertions are not counted beyond so many for each state.
const MOST: usize = 20;

/// How many seeds are tried for a graph of the wanted size.
const TRIES: u64 = 20_000;

/// A random graph as in §2.3 of the paper: at most `most` states, out-degrees uniform from 0 to `degree`, made
/// breadth-first, where with g states so far a successor is new with probability 1 - g / min(2 g, `most`).
///
/// As in the paper, graphs that end early are passed over: of seeds from the given one on, the first is taken that gives
/// at least three quarters of the states (none of the next twenty thousand does if degrees are too small for that).
pub fn random_graph(most: usize, degree: usize, seed: u64) -> System {
    let edges = (seed..seed + TRIES).map(|seed| edges(most, degree, seed)).find(|edges| edges.len() * 4 >= most * 3);
    let edges = edges.unwrap_or_else(|| vec![Vec::new()]);
    let mut program = Program::default();
    let process = program.process("walk", edges.len(), &[]);
    let always = program.always();
    for (from, successors) in edges.iter().enumerate() {
        for to in successors {
            program.command(process, from, *to, always, Vec::new());
        }
    }
    program.system
}

fn edges(most: usize, degree: usize, seed: u64) -> Vec<Vec<usize>> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut edges: Vec<Vec<usize>> = vec![Vec::new()];
    let mut at = 0;
    while at < edges.len() {
        for _ in 0..random.usize(..=degree) {
            let known = edges.len();
            let is_new = random.usize(..(2 * known).min(most)) >= known;
            let to = if is_new { known } else { random.usize(..known) };
            if is_new {
                edges.push(Vec::new());
            }
            edges[at].push(to);
        }
        at += 1;
    }
    edges
}

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
    let states = search(machine, usize::MAX, usize::MAX, way).map_or(0, |found| found.states);
    let point = |share: &usize| {
        let found = search(machine, states * share / 100, states * MOST, way);
        let cost = found.filter(|found| found.stop == Stop::Complete).and_then(|found| found.replacement);
        Point { share: *share, states, cost }
    };
    shares.iter().map(point).collect()
}

fn search(machine: &Machine, capacity: usize, most: usize, way: Way) -> Option<Search> {
    let Way { reduction, forgetting } = way;
    let options = Options { order: Order::DepthFirst, capacity, reduction, forgetting, ..Options::default() };
    let progress = |states: usize| if states > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    run(machine, &[], &options, |now| progress(now.states)).ok()
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
