//! The states seen so far, numbered in order of arrival: their roots, and the tree that they are folded into.

use super::rows::{Inserted, Rows, hash};
use super::tree::{Cursor, Tree};
use system::State;

/// How many states are added at a time: while one waits for memory, the next ones are looked up.
const BLOCK: usize = 32;

/// A set of packed states.
#[derive(Debug)]
pub struct Store {
    tree: Tree,
    roots: Rows,
    /// The roots of a block of states, where they are folded.
    block: Vec<u64>,
    /// The hashes of the roots, and which of them were there.
    found: Vec<(u64, Option<u32>)>,
}

impl Store {
    /// An empty store for states of this many words.
    pub fn new(width: usize) -> Store {
        let tree = Tree::new(width);
        let roots = Rows::new(tree.root_width());
        Store { tree, roots, block: Vec::new(), found: Vec::new() }
    }

    /// An empty store for states of this many words, which are stored as they are before there are many.
    pub fn unfolded(width: usize) -> Store {
        Store { tree: Tree::unfolded(width), roots: Rows::new(width), block: Vec::new(), found: Vec::new() }
    }

    /// Takes less memory for states that are stored as they are.
    pub fn fold_all(&mut self) {
        self.tree.fold_all(&mut self.roots);
    }

    /// A cursor for this store.
    pub fn cursor(&self) -> Cursor {
        self.tree.cursor()
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.roots.len()
    }

    /// How many nodes there are in the tree.
    pub fn nodes(&self) -> usize {
        self.tree.nodes()
    }

    /// The most memory that the store takes while it gets this many more states and nodes.
    pub fn bytes_with(&self, states: usize, nodes: usize) -> usize {
        self.roots.bytes_with(states) + self.tree.bytes_with(nodes)
    }

    /// Brings a cursor to a state.
    #[inline]
    pub fn go_to(&self, cursor: &mut Cursor, number: u32) {
        self.tree.unfold(cursor, self.roots.get(number));
    }

    /// A state by number.
    pub fn get(&self, number: u32) -> State {
        let mut cursor = self.cursor();
        self.go_to(&mut cursor, number);
        State(cursor.state().into())
    }

    /// The number of a state, if it is there.
    #[inline]
    pub fn find(&self, cursor: &mut Cursor, state: &[u64]) -> Option<u32> {
        if !self.tree.fold_known(cursor, state) {
            return None;
        }
        self.roots.find(cursor.root(), hash(cursor.root()))
    }

    /// Adds a state unless it is there.
    #[inline]
    pub fn insert(&mut self, cursor: &mut Cursor, state: &[u64]) -> Inserted {
        self.tree.fold(cursor, state);
        self.roots.insert(cursor.root(), hash(cursor.root()))
    }

    /// Adds states that are side by side unless they are there; tells in order what became of them.
    pub fn insert_all(&mut self, cursor: &mut Cursor, states: &[u64], mut told: impl FnMut(Inserted)) {
        let width = cursor.state().len();
        for states in states.chunks(BLOCK * width) {
            self.tree.fold_in_time(&mut self.roots);
            self.tree.reshape_in_time(&mut self.roots);
            self.block.clear();
            if self.tree.is_folded() {
                for state in states.chunks_exact(width) {
                    self.tree.fold(cursor, state);
                    self.block.extend_from_slice(cursor.root());
                }
            }
            let block = if self.tree.is_folded() { &self.block[..] } else { states };
            let block = block.chunks_exact(self.tree.root_width());
            self.found.clear();
            for root in block.clone() {
                let hash = hash(root);
                let is_alone = states.len() == width;
                self.found.push((hash, if is_alone { None } else { self.roots.find(root, hash) }));
            }
            for (root, (hash, found)) in block.zip(&self.found) {
                told(match found {
                    Some(number) => Inserted::Known(*number),
                    None => self.roots.insert(root, *hash),
                });
            }
        }
    }
}
