//! The lists of two watched literals.
//!
//! A clause that is deactivated keeps its watches, which propagation skips; a list is cleaned only when most of it is
//! dead, so that a deletion costs constant time on average. The watched literals of an inactive clause do not change,
//! so activating it again is to put back those of its two watches that were cleaned away.

use super::database::{ClauseId, Database};
use crate::lit::Code;

/// A clause that watches a literal, and another literal of it: if that is true, the clause need not be visited.
#[derive(Clone, Copy)]
pub(super) struct Watch {
    pub(super) clause: ClauseId,
    pub(super) blocker: Code,
}

/// Which of the two lists of a literal.
#[derive(Clone, Copy)]
pub(super) enum Tier {
    /// Clauses that were core when they were last visited.
    Core,
    /// The others.
    Other,
}

/// For every literal, the clauses that watch it.
pub(super) struct Watches {
    core: Vec<Vec<Watch>>,
    other: Vec<Vec<Watch>>,
    /// For every literal, how many of its watches belong to inactive clauses.
    dead: Vec<usize>,
    /// For every clause, whether the watches of its first two literals are in the lists; of an active one, both are.
    is_listed: Vec<[bool; 2]>,
}

impl Watches {
    /// No watches, for this many variables and clauses.
    pub(super) fn new(variables: usize, clauses: usize) -> Watches {
        let lists = vec![Vec::new(); 2 * variables];
        Watches {
            core: lists.clone(),
            other: lists,
            dead: vec![0; 2 * variables],
            is_listed: vec![[false; 2]; clauses],
        }
    }

    /// Adds a watch to a literal's list.
    pub(super) fn push(&mut self, tier: Tier, literal: Code, watch: Watch) {
        self.tier(tier)[literal.index()].push(watch);
    }

    /// Takes a literal's list out, to be put back after a visit.
    pub(super) fn take(&mut self, tier: Tier, literal: Code) -> Vec<Watch> {
        std::mem::take(&mut self.tier(tier)[literal.index()])
    }

    /// Puts a literal's list back.
    pub(super) fn put_back(&mut self, tier: Tier, literal: Code, list: Vec<Watch>) {
        debug_assert!(self.tier(tier)[literal.index()].is_empty());
        self.tier(tier)[literal.index()] = list;
    }

    /// Lets the first two literals of a clause be watched.
    pub(super) fn activate(&mut self, clause: ClauseId, database: &Database) {
        let &[first, second, ..] = database.literals(clause) else { return };
        let tier = if database.is_core(clause) { Tier::Core } else { Tier::Other };
        let was_listed = std::mem::replace(&mut self.is_listed[clause.index()], [true; 2]);
        for (was_listed, literal, blocker) in [(was_listed[0], first, second), (was_listed[1], second, first)] {
            if was_listed {
                self.dead[literal.index()] -= 1;
            } else {
                self.push(tier, literal, Watch { clause, blocker });
            }
        }
    }

    /// Notes that a clause has become inactive.
    pub(super) fn deactivate(&mut self, clause: ClauseId, database: &Database) {
        let &[first, second, ..] = database.literals(clause) else { return };
        for literal in [first, second] {
            let index = literal.index();
            self.dead[index] += 1;
            if 2 * self.dead[index] > self.core[index].len() + self.other[index].len() {
                self.clean(literal, database);
            }
        }
    }

    /// Takes the watches of inactive clauses out of a literal's lists.
    fn clean(&mut self, literal: Code, database: &Database) {
        for list in [&mut self.core[literal.index()], &mut self.other[literal.index()]] {
            list.retain(|&Watch { clause, .. }| {
                let is_active = database.is_active(clause);
                let side = usize::from(database.literals(clause)[0] != literal);
                self.is_listed[clause.index()][side] = is_active;
                is_active
            });
        }
        self.dead[literal.index()] = 0;
    }

    fn tier(&mut self, tier: Tier) -> &mut Vec<Vec<Watch>> {
        match tier {
            Tier::Core => &mut self.core,
            Tier::Other => &mut self.other,
        }
    }
}
