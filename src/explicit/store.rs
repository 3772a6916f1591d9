//! The states seen so far: packed side by side, found by hash.

use hashbrown::HashTable;

/// How many bytes a place in the hash table takes: the number, and a byte of control.
const PLACE: usize = size_of::<u32>() + 1;

/// A set of packed states of equal length, numbered in order of arrival.
#[derive(Debug)]
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

    /// The most memory that the store takes while it gets so many more states.
    pub fn bytes_with(&self, more: usize) -> usize {
        let words = (self.len() + more) * self.width * size_of::<u64>();
        let places = self.table.num_buckets();
        // A table that grows is twice as large, and the old one is still there.
        let grows = self.len() + more > self.table.capacity();
        words + places * PLACE + if grows { 2 * places * PLACE } else { 0 }
    }

    /// A state by number.
    #[inline]
    pub fn get(&self, number: u32) -> &[u64] {
        let start = number as usize * self.width;
        &self.words[start..start + self.width]
    }

    /// The number of a state, if it is there.
    #[inline]
    pub fn find(&self, state: &[u64], hash: u64) -> Option<u32> {
        self.table.find(hash, |number| are_equal(self.get(*number), state)).copied()
    }

    /// Adds a state unless it is there; says which it is and whether it is new.
    #[inline]
    pub fn insert(&mut self, state: &[u64], hash: u64) -> (u32, bool) {
        let (words, width) = (&self.words, self.width);
        let at = |number: u32| &words[number as usize * width..(number as usize + 1) * width];
        let entry = self.table.entry(hash, |number| are_equal(at(*number), state), |number| self::hash(at(*number)));
        match entry {
            hashbrown::hash_table::Entry::Occupied(found) => (*found.get(), false),
            hashbrown::hash_table::Entry::Vacant(place) => {
                let number = (words.len() / width) as u32;
                place.insert(number);
                self.words.extend_from_slice(state);
                (number, true)
            }
        }
    }
}

/// Whether two states are the same; a loop, as a call to compare a few words takes longer than comparing them.
#[inline]
pub fn are_equal(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}

/// The hash of a packed state.
#[inline]
pub fn hash(state: &[u64]) -> u64 {
    let mut mixed = 0u64;
    for word in state {
        mixed = (mixed ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^= mixed >> 32;
    }
    mixed.wrapping_mul(0xd6e8_feb8_6659_fd93)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_stored_once() {
        let mut store = Store::new(2);
        for round in 0..3 {
            for number in 0..1000u64 {
                let state = [number, number * 7];
                assert_eq!(store.insert(&state, hash(&state)), (number as u32, round == 0));
            }
        }
        assert_eq!(store.len(), 1000);
        assert_eq!(store.get(3), [3, 21]);
        assert_eq!(store.find(&[3, 21], hash(&[3, 21])), Some(3));
        assert_eq!(store.find(&[3, 22], hash(&[3, 22])), None);
    }
}
