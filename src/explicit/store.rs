//! The states seen so far: packed side by side, found by hash.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A state in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored(pub u32);

/// A set of packed states of equal length, numbered in order of arrival.
pub struct Store {
    words: Vec<u64>,
    width: usize,
    table: HashTable<u32>,
}

impl Store {
    /// An empty store for states of so many words.
    pub fn new(width: usize) -> Store {
        Store { words: Vec::new(), width, table: HashTable::new() }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// How much memory the store takes, about.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * 8 + self.table.capacity() * 5
    }

    /// A state by number.
    pub fn get(&self, stored: Stored) -> &[u64] {
        let start = stored.0 as usize * self.width;
        &self.words[start..start + self.width]
    }

    /// Adds a state unless it is there; says which it is and whether it is new.
    pub fn insert(&mut self, state: &[u64]) -> (Stored, bool) {
        let (words, width) = (&self.words, self.width);
        let at = |index: u32| &words[index as usize * width..(index as usize + 1) * width];
        let entry = self.table.entry(hash(state), |index| at(*index) == state, |index| hash(at(*index)));
        match entry {
            hashbrown::hash_table::Entry::Occupied(found) => (Stored(*found.get()), false),
            hashbrown::hash_table::Entry::Vacant(place) => {
                let index = (words.len() / width) as u32;
                place.insert(index);
                self.words.extend_from_slice(state);
                (Stored(index), true)
            }
        }
    }
}

fn hash(state: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    state.iter().for_each(|word| hasher.write_u64(*word));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_stored_once() {
        let mut store = Store::new(2);
        for round in 0..3 {
            for number in 0..1000u64 {
                let (stored, is_new) = store.insert(&[number, number * 7]);
                assert_eq!((stored, is_new), (Stored(number as u32), round == 0));
            }
        }
        assert_eq!(store.len(), 1000);
        assert_eq!(store.get(Stored(3)), [3, 21]);
    }
}
