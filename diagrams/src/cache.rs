//! The cache of operations: direct-mapped, so that a newer result replaces an older one. It grows with the nodes.

use crate::node::{NodeId, mix};

/// How many results the cache has room for at first and at most.
const FEWEST: usize = 1 << 14;
const MOST: usize = 1 << 24;

/// The bits of a tag that say which operation it is.
const OPERATION: u32 = 15;

/// What is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    And = 1,
    Or,
    Without,
    Xor,
    Choose,
    Exists,
    AndExists,
    Next,
    Previous,
    Later,
    Earlier,
    Close,
    Restrict,
}

/// An operation and its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    operands: [NodeId; 3],
    tag: u32,
}

impl Key {
    pub fn new(operation: Operation, operands: [NodeId; 3]) -> Key {
        Key { operands, tag: operation as u32 }
    }

    /// An operation that also depends on a number below 2^28.
    pub fn with(operation: Operation, operands: [NodeId; 3], extra: u32) -> Key {
        Key { operands, tag: operation as u32 | extra << 4 }
    }

    fn hash(self) -> usize {
        let [a, b, c] = self.operands.map(u64::from);
        mix(a << 32 | b, c << 32 | u64::from(self.tag)) as usize
    }
}

#[derive(Clone, Copy)]
struct Entry {
    key: Key,
    result: NodeId,
}

/// No operation has tag 0.
const NOTHING: Entry = Entry { key: Key { operands: [0; 3], tag: 0 }, result: 0 };

pub(crate) struct Cache {
    entries: Vec<Entry>,
}

impl Cache {
    pub fn new() -> Cache {
        Cache { entries: vec![NOTHING; FEWEST] }
    }

    #[inline]
    pub fn get(&self, key: Key) -> Option<NodeId> {
        let entry = &self.entries[key.hash() & (self.entries.len() - 1)];
        (entry.key == key).then_some(entry.result)
    }

    #[inline]
    pub fn put(&mut self, key: Key, result: NodeId) {
        let slot = key.hash() & (self.entries.len() - 1);
        self.entries[slot] = Entry { key, result };
    }

    /// Forgets results about nodes that are gone.
    pub fn retain(&mut self, is_there: impl Fn(NodeId) -> bool) {
        for entry in &mut self.entries {
            let mut nodes = entry.key.operands.into_iter().chain([entry.result]);
            if !nodes.all(&is_there) {
                *entry = NOTHING;
            }
        }
    }

    /// Forgets the results of an operation.
    pub fn forget(&mut self, operation: Operation) {
        for entry in &mut self.entries {
            if operation as u32 == entry.key.tag & OPERATION {
                *entry = NOTHING;
            }
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(NOTHING);
    }

    /// Has at least four times as many entries as there are nodes: saturation remembers several results about each.
    pub fn grow(&mut self, nodes: usize) {
        if 4 * nodes <= self.entries.len() || self.entries.len() >= MOST {
            return;
        }
        let larger = vec![NOTHING; self.entries.len() * 2];
        let old = std::mem::replace(&mut self.entries, larger);
        for entry in old.into_iter().filter(|entry| entry.key.tag != 0) {
            self.put(entry.key, entry.result);
        }
    }
}
