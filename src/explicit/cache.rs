//! States in bounded memory: \[JJ91\] §2.1. When there is no room, a visited state that is not on the current path is
//! forgotten: any, or of some chosen at random the one below which the fewest states were stored, since to visit it again
//! takes the least work.

use super::options::Forgetting;
use super::store::{are_equal, hash};
use hashbrown::HashTable;

/// Of how many states the cheapest is forgotten. More of them gain little.
const CANDIDATES: usize = 8;

/// What became of a state that was to be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entered {
    /// It was there.
    Known(u32),
    /// It is new, or was forgotten.
    New(u32),
    /// There is no room for it: every stored state is on the current path.
    Full,
}

/// Visited states, some of them on the current path.
#[derive(Debug)]
pub struct Cache {
    words: Vec<u64>,
    width: usize,
    table: HashTable<u32>,
    /// How often each state is on the current path.
    on_path: Vec<u16>,
    /// How many stored states are on the current path.
    path: usize,
    forgetting: Forgetting,
    /// For each state, the logarithm of how many states were stored below it, where that matters.
    effort: Vec<u8>,
    /// Slots without a state.
    free: Vec<u32>,
    random: fastrand::Rng,
    /// How many states were stored, and how many forgotten.
    pub insertions: usize,
    pub replaced: usize,
}

impl Cache {
    pub fn new(width: usize, forgetting: Forgetting, seed: u64) -> Cache {
        Cache {
            words: Vec::new(),
            width,
            table: HashTable::new(),
            on_path: Vec::new(),
            path: 0,
            forgetting,
            effort: Vec::new(),
            free: Vec::new(),
            random: fastrand::Rng::with_seed(seed),
            insertions: 0,
            replaced: 0,
        }
    }

    /// The most states that were stored at a time.
    pub fn len(&self) -> usize {
        self.on_path.len()
    }

    /// The most memory that is in use while one more state is stored.
    pub fn bytes_with_one_more(&self) -> usize {
        let places = self.table.num_buckets() * (size_of::<u32>() + 1);
        let grows = self.table.len() == self.table.capacity();
        let states = self.len() * (self.width * size_of::<u64>() + size_of::<u16>()) + self.effort.len();
        states + if grows { 3 * places } else { places }
    }

    pub fn get(&self, slot: u32) -> &[u64] {
        let start = slot as usize * self.width;
        &self.words[start..start + self.width]
    }

    pub fn find(&self, state: &[u64]) -> Option<u32> {
        self.table.find(hash(state), |slot| are_equal(self.get(*slot), state)).copied()
    }

    pub fn is_on_path(&self, slot: u32) -> bool {
        self.on_path[slot as usize] > 0
    }

    /// Stores a state unless it is there; `may_grow` says whether there is room for one more.
    pub fn enter(&mut self, state: &[u64], may_grow: bool) -> Entered {
        if let Some(slot) = self.find(state) {
            return Entered::Known(slot);
        }
        let slot = if let Some(slot) = self.free.pop() {
            self.words[slot as usize * self.width..][..self.width].copy_from_slice(state);
            slot
        } else if may_grow {
            self.words.extend_from_slice(state);
            self.on_path.push(0);
            if self.forgetting == Forgetting::Cheapest {
                self.effort.push(0);
            }
            (self.on_path.len() - 1) as u32
        } else {
            let Some(slot) = self.forget() else { return Entered::Full };
            self.words[slot as usize * self.width..][..self.width].copy_from_slice(state);
            slot
        };
        let (words, width) = (&self.words, self.width);
        self.table.insert_unique(hash(state), slot, |slot| hash(&words[*slot as usize * width..][..width]));
        self.insertions += 1;
        Entered::New(slot)
    }

    /// Takes a state that is not on the path out.
    fn forget(&mut self) -> Option<u32> {
        if self.path == self.len() {
            return None;
        }
        let slot = match self.forgetting {
            Forgetting::AtRandom => self.candidate()?,
            Forgetting::Cheapest => {
                let candidates: [Option<u32>; CANDIDATES] = std::array::from_fn(|_| self.candidate());
                candidates.into_iter().flatten().min_by_key(|slot| self.effort[*slot as usize])?
            }
        };
        self.take_out(slot);
        self.replaced += 1;
        Some(slot)
    }

    fn take_out(&mut self, slot: u32) {
        let found = self.table.find_entry(hash(self.get(slot)), |other| *other == slot);
        if let Ok(entry) = found {
            entry.remove();
        }
    }

    /// Takes a state off the path and, if it is there no more, out of the store.
    pub fn drop_last(&mut self, slot: u32) {
        self.pop(slot, 0);
        if !self.is_on_path(slot) {
            self.take_out(slot);
            self.free.push(slot);
        }
    }

    /// A state that is not on the path, from a place chosen at random on.
    fn candidate(&mut self) -> Option<u32> {
        let count = self.len();
        let start = self.random.usize(..count);
        (start..count).chain(0..start).find(|slot| self.on_path[*slot] == 0).map(|slot| slot as u32)
    }

    /// Puts a state onto the path.
    pub fn push(&mut self, slot: u32) {
        self.on_path[slot as usize] += 1;
        self.path += usize::from(self.on_path[slot as usize] == 1);
    }

    /// Takes a state off the path, once. So many states were stored while it was there.
    pub fn pop(&mut self, slot: u32, stored: usize) {
        if let Some(effort) = self.effort.get_mut(slot as usize) {
            *effort = (usize::BITS - stored.leading_zeros()) as u8;
        }
        self.on_path[slot as usize] -= 1;
        self.path -= usize::from(self.on_path[slot as usize] == 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_is_never_forgotten() {
        let mut cache = Cache::new(1, Forgetting::AtRandom, 7);
        for number in 0..10u64 {
            let Entered::New(slot) = cache.enter(&[number], true) else { panic!("all are new") };
            if number < 9 {
                cache.push(slot);
            }
        }
        assert!(matches!(cache.enter(&[3], false), Entered::Known(3)));
        let Entered::New(slot) = cache.enter(&[10], false) else { panic!("one can be forgotten") };
        assert_eq!((slot, cache.find(&[9]), cache.replaced), (9, None, 1));
        cache.push(slot);
        assert_eq!(cache.enter(&[11], false), Entered::Full);
        cache.pop(4, 0);
        assert_eq!(cache.enter(&[11], false), Entered::New(4));
        assert_eq!((cache.find(&[4]), cache.find(&[11])), (None, Some(4)));
    }
}
