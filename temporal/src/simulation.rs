//! Simulation: where a state of an automaton can do whatever another one can, transition by transition, and is accepted as well.
//!
//! Then it accepts every word that the other one does (direct simulation, with acceptance on transitions). States that simulate each
//! other are one, and a transition is left out if there is another one that asks for no more, is in no fewer acceptance sets and
//! leads to a state that simulates the one that it leads to (D. Bustan, O. Grumberg, Simulation-based minimization, ACM TOCL 2003).

use super::tableau::Edge;

/// Which states simulate which.
pub struct Simulation {
    /// For each state, those that simulate it.
    simulating: Vec<Vec<bool>>,
}

impl Simulation {
    /// The largest one: every pair of states is taken for one, until a transition of the first has no match.
    pub fn new(edges: &[Vec<Edge>]) -> Simulation {
        let mut simulation = Simulation { simulating: vec![vec![true; edges.len()]; edges.len()] };
        let mut is_stable = false;
        while !is_stable {
            is_stable = true;
            for state in 0..edges.len() {
                for other in 0..edges.len() {
                    if simulation.simulating[state][other] && !simulation.matches(&edges[state], &edges[other]) {
                        simulation.simulating[state][other] = false;
                        is_stable = false;
                    }
                }
            }
        }
        simulation
    }

    /// Whether each of some transitions is covered by one of others.
    fn matches(&self, edges: &[Edge], others: &[Edge]) -> bool {
        edges.iter().all(|edge| others.iter().any(|other| self.covers(other, edge)))
    }

    /// Whether a transition can be taken instead of another one, whenever that can be, and is as good.
    pub fn covers(&self, one: &Edge, other: &Edge) -> bool {
        one.holds & !other.holds == 0
            && one.fails & !other.fails == 0
            && other.marks & !one.marks == 0
            && self.simulating[other.to as usize][one.to as usize]
    }

    /// For each state, the first of those that it simulates and that simulate it.
    pub fn representatives(&self) -> Vec<usize> {
        let count = self.simulating.len();
        (0..count).map(|state| (0..count).find(|other| self.are_equal(state, *other)).unwrap_or(state)).collect()
    }

    /// Whether two states simulate each other.
    fn are_equal(&self, state: usize, other: usize) -> bool {
        self.simulating[state][other] && self.simulating[other][state]
    }
}
