//! The random graphs of §2.3 of \[JJ91\], and what it costs to search them in bounded memory.
//!
//! The paper stores 1.7 times as many states as there are with room for 40 % of them, on one graph whose size and degree
//! it does not tell. Nor does it tell which of the known states an arc leads to that does not lead to a new one, and that
//! decides:
//!
//!  * Anywhere. A search that comes to a forgotten state visits its m successors, m being the mean degree, and those that
//!    are forgotten as well, a share p = 1 - M / R if memory for M of R states is full: a tree that ends only if m p < 1,
//!    that is M / R > 1 - 1 / m. Half of the successors are new at first, so that a graph grows only with m ≥ 2, a greatest
//!    degree of 4: then less than half of the memory is never enough, however the degree is chosen, and paths of a third of
//!    the states add to that.
//!  * Ahead, to states whose successors are still to come. Paths are short, where a search forgets something it is soon at
//!    the end again, and most graphs of a greatest degree of 4 do as well as the paper's or better.

use super::memory::{Point, Way, curve};
use explicit::{Forgetting, Reduction};
use std::fmt::Write;
use std::sync::Arc;
use system::{Machine, Program, System};

/// How many seeds are tried for a graph of the wanted size.
const TRIES: u64 = 20_000;

/// Shares of memory, in percent.
const SHARES: [usize; 8] = [90, 80, 70, 60, 50, 40, 30, 20];

/// Where an arc leads that does not lead to a new state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arcs {
    /// To any state so far.
    Anywhere,
    /// To one whose successors are still to come, or to where it comes from.
    Ahead,
}

/// How graphs are made: breadth-first, with at most `most` states and out-degrees uniform from 0 to `degree`; with g states so
/// far a successor is new with probability 1 - g / min(2 g, `most`).
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// R_max.
    pub most: usize,
    /// d_max.
    pub degree: usize,
    /// What the paper leaves open.
    pub arcs: Arcs,
}

impl Rule {
    /// Graphs of at least two thirds of the states, from a seed on; as in the paper, those that end early are passed over.
    pub fn graphs(self, seed: u64) -> impl Iterator<Item = System> {
        let edges = (seed..seed + TRIES).map(move |seed| self.edges(seed));
        edges.filter(move |edges| edges.len() * 3 >= self.most * 2).map(|edges| walk(&edges))
    }

    fn edges(self, seed: u64) -> Vec<Vec<usize>> {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut edges: Vec<Vec<usize>> = vec![Vec::new()];
        let mut at = 0;
        while at < edges.len() {
            for _ in 0..random.usize(..=self.degree) {
                let known = edges.len();
                let is_new = random.usize(..(2 * known).min(self.most)) >= known;
                let to = match self.arcs {
                    _ if is_new => known,
                    Arcs::Anywhere => random.usize(..known),
                    Arcs::Ahead => random.usize(at..known),
                };
                if is_new {
                    edges.push(Vec::new());
                }
                edges[at].push(to);
            }
            at += 1;
        }
        edges
    }
}

/// A process that walks along the edges.
fn walk(edges: &[Vec<usize>]) -> System {
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

/// What searching some graphs costs, with random replacement.
#[derive(Clone, Debug)]
pub struct Costs {
    /// The mean number of states.
    pub states: f64,
    /// The mean number of arcs from a state.
    pub degree: f64,
    /// The mean length of the longest path, as a part of the states.
    pub path: f64,
    /// For each graph, insertions per state for each share of memory as far as they can be told.
    curves: Vec<Vec<f64>>,
}

impl Costs {
    /// Searches the first graphs that a rule gives.
    pub fn of(rule: Rule, count: usize) -> Costs {
        let mut costs = Costs { states: 0.0, degree: 0.0, path: 0.0, curves: Vec::new() };
        let way = Way { reduction: Reduction::default(), forgetting: Forgetting::AtRandom };
        for system in rule.graphs(1).take(count) {
            let arcs = system.commands.len();
            let machine = Machine::new(Arc::new(system));
            let Some(Point { states, cost: Some(all), .. }) = curve(&machine, &[100], way).pop() else { continue };
            let least = |share: usize| curve(&machine, &[share], way).pop().and_then(|point| point.cost);
            let costly = SHARES.into_iter().map_while(least);
            costs.curves.push(costly.map(|cost| cost.insertions as f64 / states as f64).collect());
            costs.states += states as f64;
            costs.degree += arcs as f64 / states as f64;
            costs.path += all.longest_path as f64 / states as f64;
        }
        let graphs = costs.curves.len().max(1) as f64;
        Costs { states: costs.states / graphs, degree: costs.degree / graphs, path: costs.path / graphs, ..costs }
    }

    /// The median of the insertions per state with room for a share of the states; nothing if most searches do not end.
    pub fn median(&self, share: usize) -> Option<f64> {
        let at = SHARES.iter().position(|other| *other == share)?;
        let mut costs: Vec<f64> = self.curves.iter().filter_map(|curve| curve.get(at).copied()).collect();
        costs.sort_unstable_by(f64::total_cmp);
        costs.get(self.curves.len() / 2).copied()
    }

    /// How many of how many graphs cost at most so much with room for a share of the states.
    pub fn within(&self, share: usize, most: f64) -> (usize, usize) {
        let at = SHARES.iter().position(|other| *other == share);
        let is_within = |curve: &&Vec<f64>| at.and_then(|at| curve.get(at)).is_some_and(|cost| *cost <= most);
        (self.curves.iter().filter(is_within).count(), self.curves.len())
    }
}

/// The costs for graphs of up to `most` states as comma-separated values.
pub fn table(most: usize, count: usize) -> String {
    let shares: Vec<String> = SHARES.iter().map(|share| format!("{share} %")).collect();
    let mut table = format!(
        "arcs to known states lead,greatest degree,graphs,states,mean degree,longest path,{},at most 1.7 with 40 %\n",
        shares.join(",")
    );
    for (arcs, name) in [(Arcs::Anywhere, "anywhere"), (Arcs::Ahead, "ahead")] {
        for degree in [4, 5, 6, 8] {
            let costs = Costs::of(Rule { most, degree, arcs }, count);
            let (within, graphs) = costs.within(40, 1.7);
            let Costs { states, degree: mean, path, .. } = costs;
            let _ = write!(table, "{name},{degree},{graphs},{states:.0},{mean:.2},{path:.2}");
            for share in SHARES {
                let median = costs.median(share).map(|cost| format!("{cost:.2}"));
                let _ = write!(table, ",{}", median.unwrap_or_default());
            }
            let _ = writeln!(table, ",{within}");
        }
    }
    table
}
