//! Finds the clause that a deletion means, whatever the order of its literals.

use std::collections::HashMap;

use super::database::{ClauseId, Database};
use crate::lit::Code;

/// The clauses that are not deleted, by their literals.
#[derive(Default)]
pub(super) struct ClauseIndex {
    /// The last clause with this hash.
    heads: HashMap<u64, ClauseId>,
    /// For every clause, the one before it with the same hash.
    next: Vec<Option<ClauseId>>,
}

impl ClauseIndex {
    /// Adds the clause that was stored last.
    pub(super) fn insert(&mut self, id: ClauseId, literals: &[Code]) {
        debug_assert_eq!(id.index(), self.next.len());
        self.next.push(self.heads.insert(hash(literals), id));
    }

    /// Takes out the last clause with these literals.
    pub(super) fn remove(&mut self, literals: &[Code], database: &Database) -> Option<ClauseId> {
        let wanted = sorted(literals);
        let head = *self.heads.get(&hash(literals))?;
        let (mut before, mut found) = (None, head);
        while sorted(database.literals(found)) != wanted {
            before = Some(found);
            found = self.next[found.index()]?;
        }
        let rest = self.next[found.index()];
        match (before, rest) {
            (Some(before), rest) => self.next[before.index()] = rest,
            (None, Some(rest)) => drop(self.heads.insert(hash(literals), rest)),
            (None, None) => drop(self.heads.remove(&hash(literals))),
        }
        Some(found)
    }
}

fn sorted(literals: &[Code]) -> Vec<Code> {
    let mut literals = literals.to_vec();
    literals.sort_unstable();
    literals
}

/// A hash that does not depend on the order: the sum of the literals' hashes.
fn hash(literals: &[Code]) -> u64 {
    literals.iter().map(|literal| mix(literal.index() as u64)).fold(0, u64::wrapping_add)
}

/// The finalizer of SplitMix64 (Steele, Lea, Flood 2014).
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
