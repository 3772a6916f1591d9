//! Automata that are known whole, without what no accepted word passes.

use super::Refusal;
use super::components::components;
use super::simulation::Simulation;
use super::tableau::{Edge, Tableau};
use rustc_hash::FxHashMap;

/// Automata with more transitions than this for each of the most states are too large.
const EDGES_PER_STATE: usize = 64;

/// Automata with more states, or more transitions, than this are only trimmed: to compare all with each other would take long.
const MOST_COMPARED: (usize, usize) = (64, 1024);

/// A generalised Büchi automaton with acceptance on transitions. State 0 is initial.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// The transitions from each state.
    pub edges: Vec<Vec<Edge>>,
    /// All acceptance sets.
    pub acceptance: u64,
}

impl Automaton {
    /// The automaton of a tableau, simplified; `None` if it has more states than this, or very many transitions.
    pub fn of(tableau: &mut Tableau, most: usize) -> Result<Option<Automaton>, Refusal> {
        let (mut edges, mut count) = (Vec::new(), 0);
        while edges.len() < tableau.len() {
            if tableau.len() > most || count > EDGES_PER_STATE * most {
                return Ok(None);
            }
            let own = tableau.edges(edges.len() as u32)?.to_vec();
            count += own.len();
            edges.push(own);
        }
        Ok(Some(Automaton { edges, acceptance: tableau.acceptance() }.simplified()))
    }

    /// An automaton of the same words: without transitions to where no word is accepted any more, with one state for those that
    /// simulate each other, and without transitions that another one is as good as.
    pub fn simplified(mut self) -> Automaton {
        self.trim();
        let count: usize = self.edges.iter().map(Vec::len).sum();
        if self.edges.len() <= MOST_COMPARED.0 && count <= MOST_COMPARED.1 {
            self.merge();
            self.trim();
        }
        self.sorted().reached()
    }

    /// Removes what no accepted word passes. Marks count only where a word can be accepted.
    fn trim(&mut self) {
        let component = components(&self.edges, end);
        let accepting = self.accepting(&component);
        let mut is_useful = accepting.clone();
        // Components are numbered from the ends.
        let mut order: Vec<usize> = (0..self.edges.len()).collect();
        order.sort_by_key(|state| component[*state]);
        for state in order {
            let leads_on = self.edges[state].iter().any(|edge| is_useful[component[end(edge)]]);
            is_useful[component[state]] |= leads_on;
        }
        for (state, edges) in self.edges.iter_mut().enumerate() {
            edges.retain(|edge| is_useful[component[end(edge)]]);
            for edge in edges {
                let counts = component[state] == component[end(edge)] && accepting[component[state]];
                edge.marks = if counts { edge.marks } else { 0 };
            }
        }
    }

    /// For each component, whether a word that stays there can be accepted: it has transitions of every acceptance set.
    fn accepting(&self, component: &[usize]) -> Vec<bool> {
        let count = component.iter().max().map_or(0, |last| last + 1);
        let mut marks: Vec<Option<u64>> = vec![None; count];
        for (state, edges) in self.edges.iter().enumerate() {
            for edge in edges.iter().filter(|edge| component[end(edge)] == component[state]) {
                *marks[component[state]].get_or_insert(0) |= edge.marks;
            }
        }
        marks.into_iter().map(|marks| marks.is_some_and(|marks| marks & self.acceptance == self.acceptance)).collect()
    }

    /// Makes one state of those that simulate each other, and leaves out transitions that others cover.
    fn merge(&mut self) {
        let simulation = Simulation::new(&self.edges);
        let representatives = simulation.representatives();
        for edges in &mut self.edges {
            for edge in edges.iter_mut() {
                edge.to = representatives[end(edge)] as u32;
            }
            *edges = uncovered(edges, &simulation);
        }
    }

    /// The transitions that lead on come before those that lead back: a search meets what is accepted the sooner.
    fn sorted(mut self) -> Automaton {
        let component = components(&self.edges, end);
        self.edges.iter_mut().for_each(|edges| edges.sort_by_key(|edge| component[end(edge)]));
        self
    }

    /// The states that are reached from the initial one, in that order.
    fn reached(self) -> Automaton {
        let mut numbers: FxHashMap<usize, u32> = FxHashMap::from_iter([(0, 0)]);
        let (mut order, mut edges) = (vec![0], Vec::new());
        while let Some(state) = order.get(edges.len()).copied() {
            let mut own = self.edges[state].clone();
            for edge in &mut own {
                let next = order.len() as u32;
                let number = *numbers.entry(end(edge)).or_insert(next);
                if number == next {
                    order.push(end(edge));
                }
                edge.to = number;
            }
            edges.push(own);
        }
        Automaton { edges, ..self }
    }
}

/// Transitions that no other one covers; of those that cover each other, the first.
fn uncovered(edges: &[Edge], simulation: &Simulation) -> Vec<Edge> {
    (0..edges.len()).filter(|at| !is_covered(edges, *at, simulation)).map(|at| edges[at]).collect()
}

/// Whether the transition at a place can be left out for another one.
fn is_covered(edges: &[Edge], at: usize, simulation: &Simulation) -> bool {
    let edge = &edges[at];
    edges.iter().enumerate().any(|(place, other)| {
        place != at && simulation.covers(other, edge) && (place < at || !simulation.covers(edge, other))
    })
}

fn end(edge: &Edge) -> usize {
    edge.to as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Letter;

    /// Numbers that look random (G. Marsaglia, Xorshift RNGs, 2003).
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, end: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 16) % end
        }
    }

    /// A random automaton over two conditions.
    fn random_automaton(numbers: &mut Numbers) -> Automaton {
        let (states, sets) = (1 + numbers.below(4), numbers.below(3));
        let acceptance = (1 << sets) - 1;
        let mut edge = || {
            let holds = numbers.below(4);
            let fails = numbers.below(4) & !holds;
            Edge { holds, fails, to: numbers.below(states) as u32, marks: numbers.below(4) & acceptance }
        };
        let counts = (0..states).map(|state| 1 + (state + edge().holds) % 4).collect::<Vec<u64>>();
        let edges = counts.into_iter().map(|count| (0..count).map(|_| edge()).collect()).collect();
        Automaton { edges, acceptance }
    }

    /// Whether an automaton accepts the word of some letters, after the last of which comes the one at `again`. By
    /// definition: a state at a position is reached, and from it itself, passing all acceptance sets.
    fn accepts(automaton: &Automaton, letters: &[Letter], again: usize) -> bool {
        let number = |state: usize, position: usize| state * letters.len() + position;
        let mut steps = Vec::new();
        for (state, edges) in automaton.edges.iter().enumerate() {
            for (position, letter) in letters.iter().enumerate() {
                let next = if position + 1 < letters.len() { position + 1 } else { again };
                let allowed = edges.iter().filter(|edge| edge.allows(*letter));
                steps.extend(allowed.map(|edge| (number(state, position), number(end(edge), next), edge.marks)));
            }
        }
        let count = automaton.edges.len() * letters.len();
        let mut leads = vec![vec![false; count]; count];
        steps.iter().for_each(|(from, to, _)| leads[*from][*to] = true);
        for between in 0..count {
            for from in 0..count {
                for to in 0..count {
                    leads[from][to] |= leads[from][between] && leads[between][to];
                }
            }
        }
        let comes = |from: usize, to: usize| from == to || leads[from][to];
        (0..count).filter(|at| comes(0, *at) && leads[*at][*at]).any(|at| {
            let round = steps.iter().filter(|(from, to, _)| comes(at, *from) && comes(*to, at));
            round.fold(0, |marks, (_, _, more)| marks | more) & automaton.acceptance == automaton.acceptance
        })
    }

    #[test]
    fn simpler_automata_accept_the_same_words() {
        let mut numbers = Numbers(0x5eed);
        let (mut accepted, mut refused, mut smaller) = (0, 0, 0);
        for _ in 0..400 {
            let automaton = random_automaton(&mut numbers);
            let simpler = automaton.clone().simplified();
            smaller += usize::from(simpler.edges.len() < automaton.edges.len());
            for _ in 0..40 {
                let letters: Vec<Letter> = (0..1 + numbers.below(5)).map(|_| numbers.below(4)).collect();
                let again = numbers.below(letters.len() as u64) as usize;
                let expected = accepts(&automaton, &letters, again);
                assert_eq!(
                    accepts(&simpler, &letters, again),
                    expected,
                    "{automaton:?} {simpler:?} {letters:?} {again}"
                );
                if expected { accepted += 1 } else { refused += 1 }
            }
        }
        assert!(accepted > 2_000 && refused > 2_000 && smaller > 100, "{accepted} {refused} {smaller}");
    }
}
