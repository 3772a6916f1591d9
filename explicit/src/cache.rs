//! States in bounded memory: \[JJ91\] §2.1. When there is no room, a visited state that is not on the current path is
//! forgotten: any, or of some chosen at random the one below which the fewest states were stored, since to visit it again
//! takes the least work.
//!
//! What is no longer needed of the tree that states are folded into is found from time to time, or when there is no room
//! for more of it. If there is none even so, an eighth of the states is forgotten at once.

use super::options::Forgetting;
use super::rows::{Rows, hash};
use super::tree::{Cursor, Tree};

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

/// What there is room for.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// For one more state.
    pub state: bool,
    /// For the nodes of one more state, and for tables to grow.
    pub memory: bool,
}

/// After this many states are forgotten, at least, the tree is looked through.
const FEW: usize = 1 << 10;

/// Visited states, some of them on the current path.
#[derive(Debug)]
pub struct Cache {
    tree: Tree,
    roots: Rows,
    /// Where states are looked up and stored.
    looking: Cursor,
    /// How many states went since the tree was looked through.
    gone: usize,
    /// How often each state is on the current path.
    on_path: Vec<u16>,
    /// How many stored states are on the current path.
    path: usize,
    forgetting: Forgetting,
    /// For each state, the logarithm of how many states were stored below it, where that matters.
    effort: Vec<u8>,
    random: fastrand::Rng,
    /// How many states were stored, and how many forgotten.
    pub insertions: usize,
    pub replaced: usize,
}

impl Cache {
    pub fn new(tree: Tree, forgetting: Forgetting, seed: u64) -> Cache {
        Cache {
            roots: Rows::new(tree.root_width()),
            looking: tree.cursor(),
            tree,
            gone: 0,
            on_path: Vec::new(),
            path: 0,
            forgetting,
            effort: Vec::new(),
            random: fastrand::Rng::with_seed(seed),
            insertions: 0,
            replaced: 0,
        }
    }

    /// The most states that were stored at a time.
    pub fn len(&self) -> usize {
        self.on_path.len()
    }

    /// The most memory that is in use while this many more states are stored.
    pub fn bytes_with(&self, more: usize) -> usize {
        let marks = self.len() * size_of::<u16>() + self.effort.len();
        self.roots.bytes_with(more) + self.tree.bytes_with(more * self.tree.most_new()) + marks
    }

    /// A cursor for its states.
    pub fn cursor(&self) -> Cursor {
        self.tree.cursor()
    }

    /// Brings a cursor to a state.
    pub fn go_to(&self, cursor: &mut Cursor, slot: u32) {
        self.tree.unfold(cursor, self.roots.get(slot));
    }

    pub fn find(&mut self, state: &[u64]) -> Option<u32> {
        let Cache { tree, roots, looking, .. } = self;
        let is_folded = tree.fold_known(looking, state);
        is_folded.then(|| roots.find(looking.root(), hash(looking.root()))).flatten()
    }

    pub fn is_on_path(&self, slot: u32) -> bool {
        self.on_path[slot as usize] > 0
    }

    /// Stores a state unless it is there.
    pub fn enter(&mut self, state: &[u64], room: Room) -> Entered {
        if room.memory {
            self.tree.reshape_in_time(&mut self.roots);
            self.tree.fold(&mut self.looking, state);
        }
        if let Some(slot) = self.find(state) {
            return Entered::Known(slot);
        }
        if !room.memory && !self.make_room() {
            return Entered::Full;
        }
        if !room.state && !self.make_place(room) {
            return Entered::Full;
        }
        if self.gone >= self.len().max(FEW) {
            self.collect();
        }
        self.tree.fold(&mut self.looking, state);
        let root = self.looking.root();
        let slot = self.roots.insert(root, hash(root)).number();
        if slot as usize == self.on_path.len() {
            self.on_path.push(0);
            if self.forgetting == Forgetting::Cheapest {
                self.effort.push(0);
            }
        }
        self.insertions += 1;
        Entered::New(slot)
    }

    /// Makes a place for one more state, and for many if the table has no more places and cannot grow.
    fn make_place(&mut self, room: Room) -> bool {
        if self.roots.room() == 0 && !self.forget() {
            return false;
        }
        if self.roots.is_tight() && !room.memory {
            self.forget_many();
            self.roots.tidy();
        }
        true
    }

    /// Makes room for nodes of one more state at least, and of many if that takes looking through the tree.
    fn make_room(&mut self) -> bool {
        let needed = self.tree.most_new();
        if self.tree.room() >= needed {
            return true;
        }
        self.collect();
        while self.tree.room() < needed.max(self.tree.nodes() / 16) && self.forget_many() {
            self.collect();
        }
        self.tree.room() >= needed
    }

    /// Takes out of the tree what no state needs.
    fn collect(&mut self) {
        self.tree.keep(&self.roots);
        self.gone = 0;
    }

    /// Forgets an eighth of the states, or one at least.
    fn forget_many(&mut self) -> bool {
        let before = self.replaced;
        for _ in 0..self.roots.len() / 8 + 1 {
            if !self.forget() {
                break;
            }
        }
        self.replaced > before
    }

    /// Takes a state that is not on the path out, if there is one.
    fn forget(&mut self) -> bool {
        if self.path == self.roots.len() {
            return false;
        }
        let slot = match self.forgetting {
            Forgetting::AtRandom => self.candidate(),
            Forgetting::Cheapest => {
                let candidates: [Option<u32>; CANDIDATES] = std::array::from_fn(|_| self.candidate());
                candidates.into_iter().flatten().min_by_key(|slot| self.effort[*slot as usize])
            }
        };
        slot.is_some_and(|slot| {
            self.take_out(slot);
            self.replaced += 1;
            true
        })
    }

    fn take_out(&mut self, slot: u32) {
        self.roots.remove(slot);
        self.gone += 1;
    }

    /// Takes a state off the path and, if it is there no more, out of the store.
    pub fn drop_last(&mut self, slot: u32) {
        self.pop(slot, 0);
        if !self.is_on_path(slot) {
            self.take_out(slot);
        }
    }

    /// A stored state that is not on the path, from a place chosen at random on.
    fn candidate(&mut self) -> Option<u32> {
        let count = self.len();
        let start = self.random.usize(..count);
        let mut slots = (start..count).chain(0..start).map(|slot| slot as u32);
        slots.find(|slot| !self.is_on_path(*slot) && self.roots.contains(*slot))
    }

    /// Puts a state onto the path.
    pub fn push(&mut self, slot: u32) {
        self.on_path[slot as usize] += 1;
        self.path += usize::from(self.on_path[slot as usize] == 1);
    }

    /// Takes a state off the path, once. This many states were stored while it was there.
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
        let (room, full) = (Room { state: true, memory: true }, Room { state: false, memory: false });
        let mut cache = Cache::new(Tree::new(1), Forgetting::AtRandom, 7);
        for number in 0..10u64 {
            let Entered::New(slot) = cache.enter(&[number], room) else { panic!("all are new") };
            if number < 9 {
                cache.push(slot);
            }
        }
        assert!(matches!(cache.enter(&[3], full), Entered::Known(3)));
        let Entered::New(slot) = cache.enter(&[10], full) else { panic!("one can be forgotten") };
        assert_eq!((slot, cache.find(&[9]), cache.replaced), (9, None, 1));
        cache.push(slot);
        assert_eq!(cache.enter(&[11], full), Entered::Full);
        cache.pop(4, 0);
        assert_eq!(cache.enter(&[11], full), Entered::New(4));
        assert_eq!((cache.find(&[4]), cache.find(&[11])), (None, Some(4)));
    }
}
