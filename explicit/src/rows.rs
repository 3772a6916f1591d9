//! Rows of words, each once, numbered: packed side by side, found by hash.

use bit_vec::BitVec;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// How many bytes a place in the hash table takes: the number, and a byte of control.
const PLACE: usize = size_of::<u32>() + 1;

/// What became of a row that was to be added: its number, and whether it was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// It is new.
    New(u32),
    /// It was there.
    Known(u32),
}

impl Inserted {
    /// The row's number.
    #[inline]
    pub fn number(self) -> u32 {
        match self {
            Inserted::New(number) | Inserted::Known(number) => number,
        }
    }

    /// Whether the row was not there.
    #[inline]
    pub fn is_new(self) -> bool {
        matches!(self, Inserted::New(_))
    }
}

/// A set of rows of equal length, numbered in order of arrival. The number of a row that is taken out is given again.
#[derive(Debug)]
pub struct Rows {
    words: Vec<u64>,
    width: usize,
    table: HashTable<u32>,
    free: Vec<u32>,
}

impl Rows {
    /// An empty set of rows of this many words.
    pub fn new(width: usize) -> Rows {
        Rows { words: Vec::new(), width, table: HashTable::new(), free: Vec::new() }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// The most rows that there were at a time: numbers are smaller than this.
    pub fn most(&self) -> usize {
        self.words.len() / self.width
    }

    /// How many numbers are to be given again.
    pub fn room(&self) -> usize {
        self.free.len()
    }

    /// Whether the table has to grow, or to be tidied, for one more row.
    pub fn is_tight(&self) -> bool {
        self.table.len() == self.table.capacity()
    }

    /// The numbers of all rows, in no order.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        self.table.iter().copied()
    }

    /// The most memory that the rows take while this many more arrive.
    pub fn bytes_with(&self, more: usize) -> usize {
        let appended = more.saturating_sub(self.free.len());
        let words = (self.words.len() + appended * self.width) * size_of::<u64>();
        let places = self.table.num_buckets() * PLACE;
        // A table that grows is twice as large, and the old one is still there.
        let grows = self.len() + more > self.table.capacity();
        words + if grows { 3 * places } else { places } + size_of_val(&self.free[..])
    }

    /// A row by number.
    #[inline]
    pub fn get(&self, number: u32) -> &[u64] {
        row(&self.words, self.width, number)
    }

    /// The number of a row, if it is there.
    #[inline]
    pub fn find(&self, wanted: &[u64], hash: u64) -> Option<u32> {
        self.table.find(hash, |number| are_equal(self.get(*number), wanted)).copied()
    }

    /// Adds a row unless it is there.
    #[inline]
    pub fn insert(&mut self, wanted: &[u64], hash: u64) -> Inserted {
        if self.is_tight() && self.free.is_empty() {
            self.grow();
        }
        let Rows { words, width, table, free } = self;
        let at = |number: u32| row(words, *width, number);
        match table.entry(hash, |number| are_equal(at(*number), wanted), |number| self::hash(at(*number))) {
            Entry::Occupied(found) => Inserted::Known(*found.get()),
            Entry::Vacant(place) => {
                let number = free.pop().unwrap_or((words.len() / *width) as u32);
                place.insert(number);
                match words.get_mut(number as usize * *width..) {
                    Some(row) if !row.is_empty() => row[..*width].copy_from_slice(wanted),
                    _ => words.extend_from_slice(wanted),
                }
                Inserted::New(number)
            }
        }
    }

    /// Whether there is a row with this number.
    pub fn contains(&self, number: u32) -> bool {
        self.table.find(hash(self.get(number)), |other| *other == number).is_some()
    }

    /// Takes a row out.
    pub fn remove(&mut self, number: u32) {
        let found = self.table.find_entry(hash(row(&self.words, self.width, number)), |other| *other == number);
        if let Ok(entry) = found {
            entry.remove();
            self.free.push(number);
        }
    }

    /// Gives rows other contents, which have to be different for different rows.
    pub fn rewrite(&mut self, mut change: impl FnMut(&mut [u64])) {
        for number in self.table.iter() {
            change(&mut self.words[*number as usize * self.width..][..self.width]);
        }
        self.tidy();
    }

    /// Makes room in the table where rows that were taken out have left marks, without growing it.
    pub fn tidy(&mut self) {
        self.table.clear();
        self.refill();
    }

    /// Makes the table twice as large. A table that grows by itself looks at rows in the order of their hashes, and waits for memory at each.
    fn grow(&mut self) {
        let more = 2 * self.len();
        self.table.clear();
        self.table.reserve(more, |_| 0);
        self.refill();
    }

    /// Puts all rows into the table, which is empty, in the order in which they are stored.
    fn refill(&mut self) {
        let Rows { words, width, table, free } = self;
        let mut is_free = BitVec::from_elem(words.len() / *width, false);
        free.iter().for_each(|number| is_free.set(*number as usize, true));
        for (number, _) in (0..).zip(&is_free).filter(|(_, is_free)| !is_free) {
            let own = hash(row(words, *width, number));
            table.insert_unique(own, number, |other| hash(row(words, *width, *other)));
        }
    }
}

#[inline]
fn row(words: &[u64], width: usize, number: u32) -> &[u64] {
    &words[number as usize * width..][..width]
}

/// Whether two rows are the same; a loop, as a call to compare a few words takes longer than comparing them.
#[inline]
pub fn are_equal(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}

/// The hash of some words. Of many, every fourth is mixed with the same others first, so that none waits for the one before it.
#[inline]
pub fn hash(words: &[u64]) -> u64 {
    let (fours, rest) = words.as_chunks::<4>();
    let mut mixed = 0;
    if let Some((first, fours)) = fours.split_first() {
        let mut lanes = first.map(|word| mix(0, word));
        for four in fours {
            lanes.iter_mut().zip(four).for_each(|(lane, word)| *lane = mix(*lane, *word));
        }
        mixed = lanes.into_iter().fold(mixed, mix);
    }
    rest.iter().fold(mixed, |mixed, word| mix(mixed, *word)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

#[inline]
fn mix(mixed: u64, word: u64) -> u64 {
    let mixed = (mixed ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_stored_once() {
        let mut rows = Rows::new(2);
        for round in 0..3 {
            for number in 0..1000u64 {
                let row = [number, number * 7];
                let expected = if round == 0 { Inserted::New(number as u32) } else { Inserted::Known(number as u32) };
                assert_eq!(rows.insert(&row, hash(&row)), expected);
            }
        }
        assert_eq!(rows.len(), 1000);
        assert_eq!(rows.get(3), [3, 21]);
        assert_eq!(rows.find(&[3, 21], hash(&[3, 21])), Some(3));
        assert_eq!(rows.find(&[3, 22], hash(&[3, 22])), None);
        rows.remove(3);
        rows.tidy();
        assert_eq!(rows.find(&[3, 21], hash(&[3, 21])), None);
        assert_eq!(rows.find(&[4, 28], hash(&[4, 28])), Some(4));
        assert_eq!(rows.insert(&[3, 22], hash(&[3, 22])), Inserted::New(3));
        assert_eq!((rows.len(), rows.most()), (1000, 1000));
    }
}
