//! States folded into trees: words in pairs of numbers, these in pairs again, and so on.
//!
//! A step changes few words, so that most pairs of a new state have been seen before, and all that a state takes is its
//! root: the numbers of its two halves. This is the tree compression of A. Laarman, J. van de Pol and M. Weber (Parallel
//! recursive state compression for free, SPIN 2011). Nothing is lost by it. A [`Cursor`] remembers how the last state was
//! folded or unfolded, so that only what is different is done for the next one.

use super::rows::{Rows, hash};
use super::shape::{Node, Shape};
use bit_vec::BitVec;
use rustc_hash::FxHashSet;

/// States of at most this many words are their own roots: there is nothing to gain.
const NARROW: usize = 2;

/// Where the root is.
const ROOT: usize = 0;

/// No number of a node.
const UNKNOWN: u32 = u32::MAX;

/// How many nodes are remembered where they are found at once, as a power of two.
const RECENT: u32 = 14;

/// How many states there are when a tree takes another shape. The first number is also how many are looked at.
const RESHAPED: [usize; 2] = [1 << 12, 1 << 16];

/// How many states there may be before they are folded, where they are not at once, and how many words they may take: 256 MB.
const UNFOLDED: usize = 1 << 21;
const UNFOLDED_WORDS: usize = 1 << 25;

/// How many words are compared at a time.
const LANES: usize = 8;

/// Folds states of one length.
#[derive(Debug)]
pub struct Tree {
    shape: Option<Shape>,
    width: usize,
    /// Words and pairs of numbers, each once. It does not matter that a word can look like a pair: its position tells.
    nodes: Rows,
    /// Nodes that were needed lately, by their hash.
    recent: Vec<(u64, u32)>,
    /// How often the shape was changed.
    reshaped: usize,
    /// How often nodes were taken out or the shape was changed: cursors from before know nothing.
    epoch: u32,
}

/// A state, and the numbers of its parts in a tree.
#[derive(Clone, Debug, Default)]
pub struct Cursor {
    state: Vec<u64>,
    /// For each position of the tree, the number of what is there.
    numbers: Vec<u32>,
    /// The positions whose numbers are not known, as bits.
    stale: Vec<u64>,
    root: Vec<u64>,
    todo: Vec<(u32, u64)>,
    epoch: u32,
}

impl Cursor {
    /// The state.
    #[inline]
    pub fn state(&self) -> &[u64] {
        &self.state
    }

    /// What the state is stored as.
    #[inline]
    pub fn root(&self) -> &[u64] {
        &self.root
    }

    /// Forgets all numbers if some nodes were taken out.
    #[inline]
    fn refresh(&mut self, tree: &Tree) {
        if self.epoch != tree.epoch {
            *self = tree.cursor();
        }
    }

    /// Takes over another state.
    #[inline]
    fn set(&mut self, shape: &Shape, state: &[u64]) {
        let Cursor { state: before, stale, .. } = self;
        for (lane, (before, now)) in before.chunks_mut(LANES).zip(state.chunks(LANES)).enumerate() {
            if before.iter().zip(now).fold(0, |differs, (before, now)| differs | (before ^ now)) == 0 {
                continue;
            }
            for (offset, (before, now)) in before.iter_mut().zip(now).enumerate() {
                if std::mem::replace(before, *now) != *now {
                    mark(stale, shape.leaf(LANES * lane + offset));
                }
            }
        }
    }

    /// Finds the numbers that are not known, from the leaves to the root; false where there is none so far.
    #[inline]
    fn fold(&mut self, shape: &Shape, mut number_of: impl FnMut(u64) -> Option<u32>) -> bool {
        for block in (0..self.stale.len()).rev() {
            while self.stale[block] != 0 {
                let bit = 63 - self.stale[block].leading_zeros() as usize;
                let position = 64 * block + bit;
                let value = match shape.node(position) {
                    Node::Word(word) => self.state[word as usize],
                    Node::Pair([left, right]) => {
                        u64::from(self.numbers[left as usize]) | u64::from(self.numbers[right as usize]) << 32
                    }
                };
                if position == ROOT {
                    self.root[0] = value;
                } else if let Some(number) = number_of(value) {
                    if std::mem::replace(&mut self.numbers[position], number) != number {
                        mark(&mut self.stale, shape.parent(position));
                    }
                } else {
                    return false;
                }
                self.stale[block] &= !(1 << bit);
            }
        }
        true
    }

    /// Forgets the numbers of what is not known, and of all that is above it.
    fn forget_stale(&mut self, shape: &Shape) {
        for block in (0..self.stale.len()).rev() {
            while self.stale[block] != 0 {
                let bit = 63 - self.stale[block].leading_zeros() as usize;
                let position = 64 * block + bit;
                self.numbers[position] = UNKNOWN;
                mark(&mut self.stale, shape.parent(position));
                self.stale[block] &= !(1 << bit);
            }
        }
    }
}

#[inline]
fn mark(stale: &mut [u64], position: usize) {
    stale[position / 64] |= 1 << (position % 64);
}

impl Tree {
    /// For states of this many words.
    pub fn new(width: usize) -> Tree {
        Tree::balanced(&vec![0.0; width])
    }

    /// For states of this many words, which are not folded before there are many: see [`Tree::fold_in_time`].
    pub fn unfolded(width: usize) -> Tree {
        Tree { shape: None, width, nodes: Rows::new(1), recent: Vec::new(), reshaped: 0, epoch: 0 }
    }

    /// For states whose words weigh so much.
    fn balanced(weights: &[f64]) -> Tree {
        let width = weights.len();
        let shape = (width > NARROW).then(|| Shape::balanced(weights));
        let recent = vec![(0, UNKNOWN); if shape.is_some() { 1 << RECENT } else { 0 }];
        Tree { shape, width, nodes: Rows::new(1), recent, reshaped: 0, epoch: 0 }
    }

    /// Whether states are folded.
    pub fn is_folded(&self) -> bool {
        self.shape.is_some()
    }

    /// How many words a root has.
    pub fn root_width(&self) -> usize {
        if self.shape.is_some() { 1 } else { self.width }
    }

    /// A cursor for this tree.
    pub fn cursor(&self) -> Cursor {
        let positions = self.shape.as_ref().map_or(0, Shape::len);
        let mut cursor = Cursor {
            state: vec![0; self.width],
            numbers: vec![UNKNOWN; positions],
            stale: vec![0; positions.div_ceil(64)],
            root: vec![0; self.root_width()],
            todo: Vec::new(),
            epoch: self.epoch,
        };
        (0..positions).for_each(|position| mark(&mut cursor.stale, position));
        cursor
    }

    /// How many nodes there are besides roots.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The most nodes that a single state can add.
    pub fn most_new(&self) -> usize {
        self.shape.as_ref().map_or(0, Shape::len)
    }

    /// How many nodes were taken out and not replaced.
    pub fn room(&self) -> usize {
        self.nodes.room()
    }

    /// The most memory that nodes take while this many more come.
    pub fn bytes_with(&self, more: usize) -> usize {
        if self.shape.is_some() { self.nodes.bytes_with(more) } else { 0 }
    }

    /// Folds a state: the cursor has its root.
    #[inline]
    pub fn fold(&mut self, cursor: &mut Cursor, state: &[u64]) {
        let Some(shape) = &self.shape else { return cursor.root.copy_from_slice(state) };
        cursor.refresh(self);
        cursor.set(shape, state);
        let (nodes, recent) = (&mut self.nodes, &mut self.recent);
        cursor.fold(shape, |value| {
            let hash = hash(&[value]);
            let recent = &mut recent[(hash >> (64 - RECENT)) as usize];
            if recent.0 != value || recent.1 == UNKNOWN {
                *recent = (value, nodes.insert(&[value], hash).number());
            }
            Some(recent.1)
        });
    }

    /// The same without adding anything; false if something would have to be added, so that the state is new.
    #[inline]
    pub fn fold_known(&self, cursor: &mut Cursor, state: &[u64]) -> bool {
        let Some(shape) = &self.shape else {
            cursor.root.copy_from_slice(state);
            return true;
        };
        cursor.refresh(self);
        cursor.set(shape, state);
        cursor.fold(shape, |value| self.nodes.find(&[value], hash(&[value])))
    }

    /// Brings the cursor to the state with a root.
    #[inline]
    pub fn unfold(&self, cursor: &mut Cursor, root: &[u64]) {
        let Some(shape) = &self.shape else { return cursor.state.copy_from_slice(root) };
        cursor.refresh(self);
        cursor.forget_stale(shape);
        cursor.root.copy_from_slice(root);
        cursor.todo.push((ROOT as u32, root[0]));
        while let Some((position, value)) = cursor.todo.pop() {
            match shape.node(position as usize) {
                Node::Word(word) => cursor.state[word as usize] = value,
                Node::Pair(halves) => {
                    for (half, number) in halves.into_iter().zip([value as u32, (value >> 32) as u32]) {
                        if std::mem::replace(&mut cursor.numbers[half as usize], number) != number {
                            cursor.todo.push((half, self.nodes.get(number)[0]));
                        }
                    }
                }
            }
        }
    }
    /// Takes another shape if it is time for it: when there are so many states that one can tell which words change much.
    #[inline]
    pub fn reshape_in_time(&mut self, roots: &mut Rows) {
        if self.shape.is_some() && RESHAPED.get(self.reshaped).is_some_and(|time| roots.len() >= *time) {
            self.reshape(roots);
        }
    }

    /// Begins to fold states if there are so many that it is time for it: few take little memory as they are, and to look them up takes one
    /// look instead of one for each part. Their numbers stay the same.
    #[inline]
    pub fn fold_in_time(&mut self, roots: &mut Rows) {
        if self.shape.is_none() && (roots.len() >= UNFOLDED || roots.len() * self.width >= UNFOLDED_WORDS) {
            self.fold_all(roots);
        }
    }

    /// Folds all states, unless they are.
    pub fn fold_all(&mut self, roots: &mut Rows) {
        if self.shape.is_some() || self.width <= NARROW {
            return;
        }
        let reshaped = RESHAPED.iter().filter(|time| roots.len() >= **time).count();
        let mut tree = Tree { epoch: self.epoch + 1, reshaped, ..Tree::balanced(&self.weights(roots)) };
        let (mut writing, mut folded) = (tree.cursor(), Rows::new(tree.root_width()));
        for number in 0..roots.len() as u32 {
            tree.fold(&mut writing, roots.get(number));
            folded.insert(writing.root(), hash(writing.root()));
        }
        (*self, *roots) = (tree, folded);
    }

    /// How much the words of states differ.
    fn weights(&self, roots: &Rows) -> Vec<f64> {
        let mut seen: Vec<FxHashSet<u64>> = vec![FxHashSet::default(); self.width];
        let (mut reading, mut before) = (self.cursor(), Vec::new());
        for root in roots.numbers().step_by(roots.len().div_ceil(RESHAPED[0]).max(1)) {
            self.unfold(&mut reading, roots.get(root));
            // A word that is the same as in the state before has been seen.
            for (at, (seen, word)) in seen.iter_mut().zip(reading.state()).enumerate() {
                if before.get(at) != Some(word) {
                    seen.insert(*word);
                }
            }
            before.clear();
            before.extend_from_slice(reading.state());
        }
        seen.iter().map(|seen| (seen.len().max(1) as f64).log2()).collect()
    }

    fn reshape(&mut self, roots: &mut Rows) {
        let (epoch, reshaped) = (self.epoch + 1, self.reshaped + 1);
        let mut tree = Tree { epoch, reshaped, ..Tree::balanced(&self.weights(roots)) };
        let (mut reading, mut writing) = (self.cursor(), tree.cursor());
        roots.rewrite(|root| {
            self.unfold(&mut reading, root);
            tree.fold(&mut writing, reading.state());
            root.copy_from_slice(writing.root());
        });
        *self = tree;
    }

    /// Takes out the nodes that no root leads to.
    ///
    /// Position by position, because what a node leads to depends on where it is.
    pub fn keep(&mut self, roots: &Rows) {
        let Some(shape) = &self.shape else { return };
        let nobody = BitVec::from_elem(self.nodes.most(), false);
        let mut used = nobody.clone();
        let mut open = Vec::new();
        let mut descend = |position: usize, values: &mut dyn Iterator<Item = u64>, open: &mut Vec<(u32, BitVec)>| {
            let Node::Pair([left, right]) = shape.node(position) else { return };
            let mut halves = [nobody.clone(), nobody.clone()];
            for value in values {
                halves[0].set(value as u32 as usize, true);
                halves[1].set((value >> 32) as usize, true);
            }
            halves.iter().for_each(|half| _ = used.or(half));
            open.extend([left, right].into_iter().zip(halves));
        };
        descend(ROOT, &mut roots.numbers().map(|root| roots.get(root)[0]), &mut open);
        while let Some((position, numbers)) = open.pop() {
            let numbers = (0..).zip(&numbers).filter(|(_, is_in)| *is_in).map(|(number, _)| number);
            descend(position as usize, &mut numbers.map(|number| self.nodes.get(number)[0]), &mut open);
        }
        let unused = (0..).zip(&used).filter(|(_, is_used)| !is_used).map(|(number, _)| number);
        unused.for_each(|number| self.nodes.remove(number));
        self.nodes.tidy();
        self.recent.fill((0, UNKNOWN));
        self.epoch += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::Inserted;
    use super::*;
    use proptest::prelude::*;

    /// States that differ from others in few words, as those of a search do.
    fn states() -> impl Strategy<Value = Vec<Vec<u64>>> {
        (1..40usize).prop_flat_map(|width| {
            let changes = prop::collection::vec((0..width, 0..4u64), 1..4);
            prop::collection::vec(changes, 1..60).prop_map(move |steps| {
                let mut state = vec![0; width];
                let step = |changes: &Vec<(usize, u64)>| {
                    changes.iter().for_each(|(word, value)| state[*word] = *value << 33 | *value);
                    state.clone()
                };
                steps.iter().map(step).collect()
            })
        })
    }

    proptest! {
        #[test]
        fn what_is_folded_late_keeps_its_number(states in states(), late in 0..20usize) {
            let width = states[0].len();
            let (mut tree, mut roots) = (Tree::unfolded(width), Rows::new(width));
            let (mut writing, mut reading) = (tree.cursor(), tree.cursor());
            let mut known: Vec<&Vec<u64>> = Vec::new();
            for (index, state) in states.iter().enumerate() {
                if index == late {
                    tree.fold_all(&mut roots);
                }
                tree.fold(&mut writing, state);
                let number = roots.insert(writing.root(), hash(writing.root())).number() as usize;
                if number == known.len() {
                    known.push(state);
                }
                prop_assert_eq!(known[number], state);
                for (number, state) in (0..).zip(&known) {
                    tree.unfold(&mut reading, roots.get(number));
                    prop_assert_eq!(reading.state(), &state[..]);
                }
            }
        }

        #[test]
        fn what_is_folded_comes_back(states in states(), seed in 0..1000u64, kept in 1..5usize) {
            let mut random = fastrand::Rng::with_seed(seed);
            let weights: Vec<f64> = states[0].iter().map(|_| random.f64()).collect();
            let mut tree = Tree::balanced(&weights);
            let mut roots = Rows::new(tree.root_width());
            let (mut writing, mut reading, mut looking) = (tree.cursor(), tree.cursor(), tree.cursor());
            let mut known: Vec<(u32, &Vec<u64>)> = Vec::new();
            for (index, state) in states.iter().enumerate() {
                let before = known.iter().find(|(_, known)| *known == state).map(|(number, _)| *number);
                let is_known = tree.fold_known(&mut looking, state);
                let found = is_known.then(|| roots.find(looking.root(), hash(looking.root()))).flatten();
                prop_assert_eq!(found, before);
                tree.fold(&mut writing, state);
                let inserted = roots.insert(writing.root(), hash(writing.root()));
                prop_assert_eq!(before.is_none(), inserted.is_new());
                if let Inserted::New(number) = inserted {
                    known.push((number, state));
                }
                if index % 5 == 4 && tree.root_width() < states[0].len() {
                    tree.reshape(&mut roots);
                }
                if index % 7 == 6 {
                    let (stay, go) = known.split_at(known.len() / kept);
                    go.iter().for_each(|(number, _)| roots.remove(*number));
                    known = stay.to_vec();
                    tree.keep(&roots);
                }
                if let Some((number, state)) = known.get(random.usize(..states.len())) {
                    tree.unfold(&mut reading, roots.get(*number));
                    prop_assert_eq!(reading.state(), &state[..]);
                }
            }
        }
    }
}
