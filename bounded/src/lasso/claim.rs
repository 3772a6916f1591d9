//! Runs that a claim accepts: the automaton moves along, once in each state that others see, and has to be where it was when
//! the loop is closed.

use super::closing::{Closing, Recurring, clause};
use encoder::{ClauseSink, Lit, Time, Unrolling};
use system::ClaimAutomaton;
use temporal::Refusal;

/// A claim with more states is not looked at: that it is in one of them only is said of each pair.
const MOST_STATES: usize = 100;

/// A claim on a run that gets longer.
pub(super) struct Accepted {
    automaton: ClaimAutomaton,
    /// Where the automaton is before it looks at the last state, by its states.
    at: Vec<Lit>,
    /// Where it is when the loop begins.
    around: Vec<Lit>,
    /// Whether it begins at its beginning.
    first: Lit,
    accepts: Recurring,
}

/// Why a claim cannot be followed.
pub(super) fn refuses(automaton: &ClaimAutomaton) -> Option<Refusal> {
    let states = automaton.moves.len();
    (states > MOST_STATES).then(|| format!("the claim has {states} states, more than {MOST_STATES}"))
}

impl Accepted {
    pub fn new(automaton: &ClaimAutomaton, sink: &mut dyn ClauseSink) -> Accepted {
        let at = places(automaton, sink);
        let around = automaton.moves.iter().map(|_| sink.fresh()).collect();
        Accepted { automaton: automaton.clone(), first: at[0], at, around, accepts: Recurring::default() }
    }

    /// One position more: the one before the last state.
    pub fn extend(&mut self, closing: &Closing, unrolling: &mut Unrolling<'_>, sink: &mut dyn ClauseSink) {
        let position = closing.starts.len() - 1;
        let next = places(&self.automaton, sink);
        for (from, moves) in self.automaton.moves.iter_enumerated() {
            let here = self.at[from.index()];
            let mut ways = vec![!here];
            ways.extend(closing.seen.map(|seen| !seen));
            for step in moves {
                let way = sink.fresh();
                let guard = unrolling.holds_at(Time(position), step.guard, sink);
                sink.clause(&[!way, guard]);
                sink.clause(&[!way, next[step.to.index()]]);
                ways.push(way);
            }
            sink.clause(&ways);
            if let Some(seen) = closing.seen {
                sink.clause(&[!here, seen, next[from.index()]]);
            }
        }
        for (at, around) in self.at.iter().zip(&self.around) {
            sink.clause(&[!closing.starts[position], !*around, *at]);
        }
        let accepting: Vec<Lit> = self.automaton.accepting.iter().map(|state| self.at[state.index()]).collect();
        let seen: Vec<Lit> = closing.seen.into_iter().collect();
        let parts: Vec<&[Lit]> = std::iter::once(accepting.as_slice()).chain(seen.chunks(1)).collect();
        self.accepts.extend(closing.inside[position], &parts, sink);
        self.at = next;
    }

    /// What closes the loop at the last state, if the query is true.
    pub fn close(&self, query: Lit, sink: &mut dyn ClauseSink) {
        sink.clause(&[!query, self.first]);
        for (at, around) in self.at.iter().zip(&self.around) {
            sink.clause(&[!query, !*at, *around]);
        }
        sink.clause(&clause(!query, self.accepts.lit()));
    }
}

/// Literals for the states of an automaton, at most one of which is true.
fn places(automaton: &ClaimAutomaton, sink: &mut dyn ClauseSink) -> Vec<Lit> {
    let places: Vec<Lit> = automaton.moves.iter().map(|_| sink.fresh()).collect();
    for (index, one) in places.iter().enumerate() {
        for other in &places[index + 1..] {
            sink.clause(&[!*one, !*other]);
        }
    }
    places
}
