//! What a lasso has to satisfy to violate a formula: the negated formula, position by position and round by round.
//!
//! A formula looks at the states that others see. At a position inside an atomic section that goes on, a part of it has the
//! value that it has at the next position that is seen, and what a past operator looks back at is the last one that was.

use super::closing::{Closing, Hides, Recurring, clause};
use super::prefix::Prefixes;
use encoder::{ClauseSink, Lit, Time, Unrolling};
use rustc_hash::FxHashMap;
use std::ops::Not;
use system::{ExprId, System};
use temporal::{Arena, Node, NodeId};

/// A part of the formula, the n-th time that a position of the loop is passed, from 0.
pub(super) type Part = (NodeId, usize);

/// A formula on a run that gets longer.
pub(super) struct Encoded {
    arena: Arena,
    pub(super) root: NodeId,
    /// All parts, operands first, each with the number of rounds after which its value does not change any more.
    pub(super) parts: Vec<(NodeId, usize)>,
    rounds: FxHashMap<NodeId, usize>,
    /// What is said of the first position.
    pub(super) whole: Option<Lit>,
    /// The values at the last position that was spoken of.
    pub(super) now: FxHashMap<Part, Lit>,
    /// The values at the last of the positions so far that others see, if there is anything that looks back. Where some are not seen, there is a
    /// round more of them than of the part: see [`hold`](Encoded::hold).
    pub(super) held: FxHashMap<Part, Lit>,
    hides: Hides,
    /// What is asked of the position after the last that has a step out of it.
    pub(super) ahead: FxHashMap<Part, Lit>,
    /// What is asked of the loop's first position in the next round, by what was ahead in this one.
    again: FxHashMap<Part, Lit>,
    /// What is asked of the loop's last position, by the round.
    back: FxHashMap<Part, Lit>,
    /// Whether the goals of U recur.
    goals: Vec<(NodeId, NodeId, Recurring)>,
    /// What finite runs say of it, where they count.
    pub(super) prefixes: Option<Prefixes>,
}

impl Encoded {
    /// The formula that a run has to satisfy.
    pub fn new(system: &System, arena: Arena, root: NodeId) -> Encoded {
        let mut rounds: FxHashMap<NodeId, usize> = FxHashMap::default();
        let mut parts = Vec::new();
        let mut goals = Vec::new();
        for part in arena.parts(root) {
            let node = arena.get(part);
            let nested = node.operands().map(|operand| rounds[&operand]).max().unwrap_or(0);
            let needed = nested + usize::from(node.is_past());
            rounds.insert(part, needed);
            parts.push((part, needed));
            if let Node::Until(_, goal) = node {
                goals.push((part, goal, Recurring::default()));
            }
        }
        Encoded {
            prefixes: Prefixes::of(system, &arena, root),
            arena,
            root,
            parts,
            rounds,
            whole: None,
            now: FxHashMap::default(),
            held: FxHashMap::default(),
            hides: Hides::None,
            ahead: FxHashMap::default(),
            again: FxHashMap::default(),
            back: FxHashMap::default(),
            goals,
        }
    }

    /// One position more: the one before the last state.
    pub fn extend(&mut self, closing: &Closing, unrolling: &mut Unrolling<'_>, sink: &mut dyn ClauseSink) {
        let position = closing.starts.len() - 1;
        let start = closing.starts[position];
        let before = std::mem::take(&mut self.held);
        let asked = std::mem::take(&mut self.ahead);
        let place = Place { position, start, before: &before, after: After::Step };
        self.now.clear();
        self.hides = closing.hides;
        if closing.hides == Hides::Some {
            self.ask_everything_again(sink);
        }
        for (part, rounds) in self.parts.clone() {
            for round in 0..=rounds {
                let value = self.value((part, round), place, unrolling, sink);
                let value = match closing.seen {
                    Some(seen) => self.unless_hidden((part, round), value, place, seen, sink),
                    None => value,
                };
                self.now.insert((part, round), value);
                if let Some(asked) = asked.get(&(part, round)) {
                    sink.clause(&[!*asked, value]);
                }
            }
        }
        self.whole.get_or_insert(self.now[&(self.root, 0)]);
        for ((part, round), asked) in sorted(&self.again) {
            let value = self.at(part, round + 1);
            sink.clause(&[!start, !asked, value]);
        }
        for index in 0..self.goals.len() {
            let (until, goal, mut recurring) = self.goals[index];
            let last_round = self.rounds[&until];
            recurring.extend(closing.inside[position], &[&[self.at(goal, last_round)]], sink);
            self.goals[index].2 = recurring;
        }
        if self.arena.has_past(self.root) {
            self.hold(place, closing.seen, sink);
        }
    }

    /// Whatever can be asked of the loop's first position at a later one is to be asked of it by now: of every part, where
    /// positions that are not seen pass on what they are asked.
    fn ask_everything_again(&mut self, sink: &mut dyn ClauseSink) {
        for (part, rounds) in &self.parts {
            for round in 0..=*rounds {
                self.again.entry((*part, round)).or_insert_with(|| sink.fresh());
            }
        }
    }

    /// The value of a part where others see the state, else what it is at the next position.
    fn unless_hidden(
        &mut self,
        (part, round): Part,
        here: Lit,
        place: Place<'_>,
        seen: Lit,
        sink: &mut dyn ClauseSink,
    ) -> Lit {
        let value = sink.fresh();
        let next = self.next(part, round, place, sink);
        sink.clause(&[!value, !seen, here]);
        sink.clause(&[!value, seen, next]);
        value
    }

    /// Remembers the values at the last position that others see: this one, or the one before it.
    ///
    /// Where the loop begins at a position that is not seen, what was seen last is what came before the loop in the first round, and the
    /// loop's last position of the round before in all others. So what is held there in round r + 1 is a value of round r, and does not change any
    /// more one round after the part itself: there is one round more of it. At the loop's last position, where some position of the loop has been
    /// seen, that makes no difference.
    fn hold(&mut self, place: Place<'_>, seen: Option<Lit>, sink: &mut dyn ClauseSink) {
        for (part, _) in self.parts.clone() {
            for round in 0..=self.rounds_held(part) {
                let here = self.at(part, round);
                let held = match seen {
                    Some(seen) => {
                        let held = sink.fresh();
                        // The first state is seen.
                        let previous = self.previous(part, round, place, Beginning::True, sink);
                        sink.clause(&[!held, !seen, here]);
                        sink.clause(&[!held, seen, previous]);
                        held
                    }
                    None => here,
                };
                self.held.insert((part, round), held);
            }
        }
    }

    /// The round after which what is held of a part does not change any more.
    fn rounds_held(&self, part: NodeId) -> usize {
        self.rounds[&part] + usize::from(self.hides == Hides::Some)
    }

    /// The value of a part at the last position, in a round or the last round that differs.
    fn at(&self, part: NodeId, round: usize) -> Lit {
        self.now[&(part, round.min(self.rounds[&part]))]
    }

    /// A literal that implies a part of the formula at a position.
    pub(super) fn value(
        &mut self,
        (part, round): Part,
        place: Place<'_>,
        unrolling: &mut Unrolling<'_>,
        sink: &mut dyn ClauseSink,
    ) -> Lit {
        let node = self.arena.get(part);
        let known = match node {
            Node::Atom(expr) => self.atom(expr, place, unrolling, sink),
            Node::NotAtom(expr) => self.atom(expr, place, unrolling, sink).map(Lit::not),
            _ => None,
        };
        if let Some(known) = known {
            return known;
        }
        let value = sink.fresh();
        match node {
            Node::True => {}
            Node::False | Node::Atom(_) | Node::NotAtom(_) => sink.clause(&[!value]),
            Node::And(a, b) => {
                sink.clause(&[!value, self.at(a, round)]);
                sink.clause(&[!value, self.at(b, round)]);
            }
            Node::Or(a, b) => sink.clause(&[!value, self.at(a, round), self.at(b, round)]),
            Node::Next(a) => {
                let next = self.next(a, round, place, sink);
                sink.clause(&[!value, next]);
            }
            Node::Until(a, b) => {
                let next = self.next(part, round, place, sink);
                sink.clause(&[!value, self.at(b, round), self.at(a, round)]);
                sink.clause(&[!value, self.at(b, round), next]);
            }
            Node::Releases(a, b) => {
                let next = self.next(part, round, place, sink);
                sink.clause(&[!value, self.at(b, round)]);
                sink.clause(&[!value, self.at(a, round), next]);
            }
            Node::Yesterday(a) | Node::WeakYesterday(a) => {
                let at_first = if matches!(node, Node::Yesterday(_)) { Beginning::False } else { Beginning::True };
                let previous = self.previous(a, round, place, at_first, sink);
                sink.clause(&[!value, previous]);
            }
            Node::Since(a, b) => {
                let previous = self.previous(part, round, place, Beginning::False, sink);
                sink.clause(&[!value, self.at(b, round), self.at(a, round)]);
                sink.clause(&[!value, self.at(b, round), previous]);
            }
            Node::Triggered(a, b) => {
                let previous = self.previous(part, round, place, Beginning::True, sink);
                sink.clause(&[!value, self.at(b, round)]);
                sink.clause(&[!value, self.at(a, round), previous]);
            }
        }
        value
    }

    /// Whether a condition holds at a position, if that is known there.
    fn atom(
        &self,
        expr: ExprId,
        place: Place<'_>,
        unrolling: &mut Unrolling<'_>,
        sink: &mut dyn ClauseSink,
    ) -> Option<Lit> {
        match place.after {
            After::Step => Some(unrolling.holds_at(Time(place.position), expr, sink)),
            After::Nothing(_) => {
                let is_known = self.prefixes.as_ref().is_some_and(|prefixes| !prefixes.sees_step(expr));
                is_known.then(|| !unrolling.violates(expr, sink))
            }
        }
    }

    /// A literal that implies a part at the position that comes next: in the loop's last position, that is its first in
    /// the next round.
    fn next(&mut self, part: NodeId, round: usize, place: Place<'_>, sink: &mut dyn ClauseSink) -> Lit {
        if let After::Nothing(never) = place.after {
            return never;
        }
        let round = round.min(self.rounds[&part]);
        self.again.entry((part, round)).or_insert_with(|| sink.fresh());
        *self.ahead.entry((part, round)).or_insert_with(|| sink.fresh())
    }

    /// A literal that implies a part at the position that came before: for the loop's first position, from the second
    /// round on, that is its last in the round before.
    fn previous(
        &mut self,
        part: NodeId,
        round: usize,
        place: Place<'_>,
        at_first: Beginning,
        sink: &mut dyn ClauseSink,
    ) -> Lit {
        let previous = sink.fresh();
        let wanted = (part, round.min(self.rounds_held(part)));
        let Place { start, before, .. } = place;
        // Before the loop there is no second round, and it does not matter what is said there.
        if round > 0 {
            let back = (part, (round - 1).min(self.rounds[&part]));
            let last = *self.back.entry(back).or_insert_with(|| sink.fresh());
            sink.clause(&[!previous, !start, last]);
        }
        match before.get(&wanted) {
            Some(value) if round > 0 => sink.clause(&[!previous, start, *value]),
            Some(value) => sink.clause(&[!previous, *value]),
            None if round == 0 && at_first == Beginning::False => sink.clause(&[!previous]),
            None => {}
        }
        previous
    }

    /// What closes the loop at the last state, if the query is true.
    pub fn close(&self, query: Lit, sink: &mut dyn ClauseSink) {
        sink.clause(&clause(!query, self.whole));
        for (part, ahead) in sorted(&self.ahead) {
            sink.clause(&[!query, !ahead, self.again[&part]]);
        }
        for ((part, round), back) in sorted(&self.back) {
            sink.clause(&[!query, !back, self.held[&(part, round)]]);
        }
        for (until, _, recurring) in &self.goals {
            if let Some(pending) = self.ahead.get(&(*until, self.rounds[until])) {
                sink.clause(&clause(!query, std::iter::once(!*pending).chain(recurring.lit())));
            }
        }
    }
}

/// A position of the run.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub position: usize,
    /// Whether the loop begins there.
    pub start: Lit,
    /// The values at the position before.
    pub before: &'a FxHashMap<Part, Lit>,
    pub after: After,
}

/// What comes after a position.
#[derive(Clone, Copy)]
pub(super) enum After {
    /// A step.
    Step,
    /// Nothing that counts, which this literal says: it is false.
    Nothing(Lit),
}

/// What an operator says of the time before the first position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beginning {
    False,
    True,
}

/// The same clauses in each run.
pub(super) fn sorted(parts: &FxHashMap<Part, Lit>) -> Vec<(Part, Lit)> {
    let mut sorted: Vec<(Part, Lit)> = parts.iter().map(|(part, lit)| (*part, *lit)).collect();
    sorted.sort_unstable_by_key(|(part, _)| *part);
    sorted
}
