//! Automata, and the claims that they make.

use super::label::{self, Label};
use rustc_hash::FxHashMap;
use system::{ClaimAutomaton, ClaimMove, ClaimStateId, ExprId, Exprs, IndexVec, Span, Statements};

/// A generalised Büchi automaton with acceptance on its transitions.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// What its labels speak of.
    pub propositions: Vec<Proposition>,
    pub(super) starts: Vec<u32>,
    pub(super) transitions: Vec<Vec<Transition>>,
    /// How many acceptance sets there are.
    pub(super) sets: u32,
}

/// An atomic proposition: a condition on states of a model.
#[derive(Clone, Debug)]
pub struct Proposition {
    /// The condition, in the language of the model.
    pub text: String,
    /// Where it is written.
    pub span: Span,
}

/// A transition.
#[derive(Clone, Debug)]
pub(super) struct Transition {
    pub label: Label,
    pub to: u32,
    /// The acceptance sets that it belongs to, a bit each.
    pub marks: u64,
    /// Where it is written.
    pub span: Span,
}

/// A state of the automaton, and how many acceptance sets have been passed since all of them had been; before the first
/// step, none is chosen.
type Place = (Option<u32>, u32);

/// How acceptance on transitions becomes acceptance in states.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counting {
    /// All transitions of a state belong to the same sets, of which there is one: the state is accepting or not.
    States,
    /// Sets are waited for in turn.
    Turns,
}

impl Automaton {
    /// The claim that no run is accepted, given the propositions as expressions. It has a single initial state, and one
    /// acceptance set, of states.
    pub fn claim(&self, name: &str, propositions: &[ExprId], exprs: &mut Exprs) -> ClaimAutomaton {
        let counting = self.counting();
        let first: Place = (None, 0);
        let (mut places, mut numbers) = (vec![first], FxHashMap::from_iter([(first, ClaimStateId::new(0))]));
        let mut moves: IndexVec<ClaimStateId, Vec<ClaimMove>> = IndexVec::new();
        while let Some(place) = places.get(moves.len()).copied() {
            let mut own = Vec::new();
            for transition in self.leaving(place) {
                let to = (Some(transition.to), self.passed(place, transition.marks, counting));
                let number = *numbers.entry(to).or_insert_with(|| {
                    places.push(to);
                    ClaimStateId::new(places.len() - 1)
                });
                let guard = label::expression(&transition.label, propositions, exprs);
                own.push(ClaimMove { guard, to: number, statements: Statements::One });
            }
            moves.push(own);
        }
        let accepting = places.iter().enumerate().filter(|(_, place)| self.is_accepting(**place, counting));
        let accepting = accepting.map(|(number, _)| ClaimStateId::new(number)).collect();
        ClaimAutomaton { name: name.to_owned(), moves, accepting }
    }

    fn is_accepting(&self, place: Place, counting: Counting) -> bool {
        match counting {
            Counting::States => place.0.is_some() && self.leaving(place).any(|transition| transition.marks != 0),
            Counting::Turns => place.0.is_some() && place.1 == self.sets,
        }
    }

    fn counting(&self) -> Counting {
        if self.sets == 1 && self.transitions.iter().all(|own| is_uniform(own)) {
            Counting::States
        } else {
            Counting::Turns
        }
    }

    /// The transitions from a place.
    fn leaving(&self, (state, _): Place) -> impl Iterator<Item = &Transition> {
        let states = match state {
            Some(state) => vec![state],
            None => self.starts.clone(),
        };
        states.into_iter().flat_map(|state| &self.transitions[state as usize])
    }

    /// How many sets have been passed after a transition.
    fn passed(&self, (_, before): Place, marks: u64, counting: Counting) -> u32 {
        if counting == Counting::States {
            return 0;
        }
        let mut passed = if before == self.sets { 0 } else { before };
        while passed < self.sets && marks >> passed & 1 == 1 {
            passed += 1;
        }
        passed
    }
}

/// Whether the transitions of a state all have the same marks.
fn is_uniform(own: &[Transition]) -> bool {
    own.windows(2).all(|pair| pair[0].marks == pair[1].marks)
}
