//! Unit propagation with two watched literals, core clauses first.
//!
//! Core first means that a clause that is not core is visited only when the core clauses have nothing more to say; so
//! the conflicts that are found rest on few clauses that were not core before, and the core stays small \[HHW13\].
//! A clause that becomes core changes over to the core lists when it next moves a watch or is unit.
//!
//! # Invariant
//!
//! When propagation is complete, a watched literal of an active clause is false only if another literal of the clause
//! is true, and no backtracking undoes the latter without the former. It holds because either both got their
//! values in the same run of propagation or the true literal was first, or, for a lemma that had at most one literal
//! that was not false when it was added, because the lemma is gone before that literal is undone.

use super::database::ClauseId;
use super::engine::{Conflict, Engine};
use super::watches::{Tier, Watch};
use crate::lit::Code;

/// What became of a watch.
enum Visit {
    /// It stays.
    Keep,
    /// The clause watches another literal now, or is in the other tier.
    Moved,
    /// It stays; the clause made its other watched literal true.
    Unit,
    /// The clause is false.
    Conflict(ClauseId),
}

impl Engine {
    /// Propagates what is assigned until nothing more follows or there is a conflict.
    pub(super) fn propagate(&mut self) -> Option<Conflict> {
        loop {
            while self.trail.core_head < self.trail.len() {
                if let Some(conflict) = self.visit_core() {
                    return Some(Conflict::Clause(conflict));
                }
            }
            if self.trail.other_head == self.trail.len() {
                return None;
            }
            if let Some(conflict) = self.visit_other() {
                return Some(Conflict::Clause(conflict));
            }
        }
    }

    /// Tells all core clauses of the next literal.
    fn visit_core(&mut self) -> Option<ClauseId> {
        let falsified = !self.trail.literal(self.trail.core_head);
        self.trail.core_head += 1;
        let mut list = self.watches.take(Tier::Core, falsified);
        let (mut index, mut conflict) = (0, None);
        while index < list.len() && conflict.is_none() {
            match self.visit(Tier::Core, falsified, &mut list[index]) {
                Visit::Keep | Visit::Unit => index += 1,
                Visit::Moved => drop(list.swap_remove(index)),
                Visit::Conflict(clause) => conflict = Some(clause),
            }
        }
        self.watches.put_back(Tier::Core, falsified, list);
        conflict
    }

    /// Tells other clauses of the next literal, up to the first one that is unit.
    fn visit_other(&mut self) -> Option<ClauseId> {
        let falsified = !self.trail.literal(self.trail.other_head);
        let mut index = self.trail.other_watch;
        let mut list = self.watches.take(Tier::Other, falsified);
        let (mut unit, mut conflict) = (false, None);
        while index < list.len() && !unit && conflict.is_none() {
            match self.visit(Tier::Other, falsified, &mut list[index]) {
                Visit::Keep => index += 1,
                Visit::Unit if self.database.is_core(list[index].clause) => {
                    self.watches.push(Tier::Core, falsified, list.swap_remove(index));
                    unit = true;
                }
                Visit::Unit => (index, unit) = (index + 1, true),
                Visit::Moved => drop(list.swap_remove(index)),
                Visit::Conflict(clause) => conflict = Some(clause),
            }
        }
        self.trail.other_watch = index;
        if index == list.len() {
            (self.trail.other_head, self.trail.other_watch) = (self.trail.other_head + 1, 0);
        }
        self.watches.put_back(Tier::Other, falsified, list);
        conflict
    }

    /// Tells a clause that a literal which it watches has become false.
    fn visit(&mut self, tier: Tier, falsified: Code, watch: &mut Watch) -> Visit {
        let clause = watch.clause;
        if self.trail.is_true(watch.blocker) || !self.database.is_active(clause) {
            return Visit::Keep;
        }
        let tier = if self.database.is_core(clause) { Tier::Core } else { tier };
        let literals = self.database.literals_mut(clause);
        if literals[0] == falsified {
            literals.swap(0, 1);
        }
        let first = literals[0];
        watch.blocker = first;
        if self.trail.is_true(first) {
            return Visit::Keep;
        }
        if let Some(found) = literals[2..].iter().position(|&literal| !self.trail.is_false(literal)) {
            literals.swap(1, 2 + found);
            let watched = literals[1];
            self.watches.push(tier, watched, *watch);
            return Visit::Moved;
        }
        if self.trail.is_false(first) {
            return Visit::Conflict(clause);
        }
        self.trail.assign(first, Some(clause));
        Visit::Unit
    }
}
