//! The fewest context switches: a search, cheapest first, over the runs in which no process makes more steps than in
//! the given one.

use super::Goal;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use system::{Moved, ProcessId, State, Trace};

/// The most runs that are kept.
const MOST_NODES: usize = 300_000;

/// Where a run can be: how many steps each process has made, the state, and who moved last.
type Place = (Box<[u32]>, State, Option<ProcessId>);

/// A run, as its last step and the run before it.
struct Node {
    place: Place,
    switches: u32,
    steps: u32,
    before: Option<(usize, Moved)>,
    is_goal: bool,
}

/// A violating run with the fewest context switches, and among those the fewest steps; none if there is too much to
/// search.
pub fn fewest_switches(goal: &Goal<'_>, trace: &Trace) -> Option<Trace> {
    let mut limits = vec![0u32; goal.machine.system().processes.len()];
    trace.moves.iter().for_each(|moved| limits[moved.process.index()] += 1);
    let mut search = Search { goal, limits, nodes: Vec::new(), open: BinaryHeap::new(), closed: HashSet::new() };
    search.start(&trace.states.first()?);
    search.run()
}

struct Search<'a, 'g> {
    goal: &'a Goal<'g>,
    limits: Vec<u32>,
    nodes: Vec<Node>,
    /// Positions of nodes, cheapest first, earliest found first among equals.
    open: BinaryHeap<Reverse<(u32, u32, usize)>>,
    closed: HashSet<Place>,
}

impl Search<'_, '_> {
    fn start(&mut self, state: &State) {
        let is_goal = self.goal.is_reached(state, &mut self.goal.machine.workspace());
        let place = (vec![0; self.limits.len()].into(), state.clone(), None);
        self.push(Node { place, switches: 0, steps: 0, before: None, is_goal });
    }

    fn push(&mut self, node: Node) {
        self.open.push(Reverse((node.switches, node.steps, self.nodes.len())));
        self.nodes.push(node);
    }

    fn run(&mut self) -> Option<Trace> {
        while let Some(Reverse((_, _, at))) = self.open.pop() {
            if self.nodes[at].is_goal {
                return Some(self.trace_to(at));
            }
            if self.closed.insert(self.nodes[at].place.clone()) {
                self.expand(at);
            }
            if self.nodes.len() > MOST_NODES || self.goal.is_exhausted() {
                return None;
            }
        }
        None
    }

    fn expand(&mut self, at: usize) {
        let Node { place: (counts, state, last), switches, steps, .. } = &self.nodes[at];
        let (counts, last, switches, steps) = (counts.clone(), *last, *switches, *steps);
        let mut workspace = self.goal.machine.workspace();
        let found = self.goal.steps(state, &mut workspace, |moved, _| {
            let process = moved.process.index();
            counts[process] < self.limits[process]
        });
        for (moved, state, is_reached) in found {
            let process = moved.process;
            let mut counts = counts.clone();
            counts[process.index()] += 1;
            let switches = switches + u32::from(last.is_some_and(|last| last != process));
            let is_goal = is_reached || self.goal.is_reached(&state, &mut workspace);
            let place = (counts, state, Some(process));
            if is_goal || !self.closed.contains(&place) {
                self.push(Node { place, switches, steps: steps + 1, before: Some((at, moved)), is_goal });
            }
        }
    }

    fn trace_to(&self, at: usize) -> Trace {
        let before = |node: &&Node| node.before.as_ref().map(|(before, _)| &self.nodes[*before]);
        let mut nodes: Vec<&Node> = std::iter::successors(Some(&self.nodes[at]), before).collect();
        nodes.reverse();
        let moves = nodes.iter().filter_map(|node| Some(node.before.as_ref()?.1.clone()));
        let states = nodes.iter().map(|node| node.place.1.clone());
        Trace { states: states.collect(), moves: moves.collect(), loop_start: None }
    }
}
