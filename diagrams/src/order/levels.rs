//! Nodes by level, so that neighbouring levels can change places.
//!
//! While levels move, a node keeps the number of the level that its variable had at first. So nodes that do not read both of two
//! neighbours have nothing to do when these change places.

use crate::node::{Node, NodeId, TRUE, VACANT, Variable, mix};
use crate::store::Store;

/// The end of a bucket.
const END: NodeId = NodeId::MAX;

/// All nodes of a store, by level. Nothing in it is garbage.
pub(crate) struct Levels<'s> {
    store: &'s mut Store,
    /// How many nodes lead to each node; a handle counts as one.
    references: Vec<u32>,
    /// The next node in the same bucket.
    following: Vec<NodeId>,
    /// The nodes of the variable that had this level at first.
    tables: Vec<Table>,
    /// The level that the variable had at first which is now at this one.
    order: Vec<u32>,
    /// How many nodes were looked at.
    pub work: u64,
}

/// The nodes of a variable.
#[derive(Default)]
struct Table {
    buckets: Vec<NodeId>,
    count: usize,
}

impl Table {
    fn bucket(&self, node: Node) -> usize {
        mix(u64::from(node.low) << 32 | u64::from(node.high), 0) as usize & (self.buckets.len() - 1)
    }
}

impl<'s> Levels<'s> {
    /// The nodes of a store without garbage, those with handles named.
    pub fn new(store: &'s mut Store, handles: &[NodeId], variables: Variable) -> Levels<'s> {
        let slots = store.nodes.len();
        let mut references = vec![0; slots];
        let mut members: Vec<Vec<NodeId>> = vec![Vec::new(); 2 * variables as usize];
        for (id, node) in store.nodes.iter().enumerate().skip(2).filter(|(_, node)| node.level != VACANT) {
            members[node.level as usize].push(id as NodeId);
            references[node.low as usize] += 1;
            references[node.high as usize] += 1;
        }
        handles.iter().for_each(|id| references[*id as usize] += 1);
        let tables = members.iter().map(|_| Table::default()).collect();
        let order = (0..members.len() as u32).collect();
        let mut levels = Levels { store, references, following: vec![END; slots], tables, order, work: 0 };
        for (level, members) in members.iter().enumerate() {
            levels.fill(level as u32, members);
        }
        levels
    }

    /// Gives the nodes back to the store, with the levels that they have now.
    pub fn finish(self) {
        let mut level = vec![0; self.order.len()];
        for (now, first) in self.order.iter().enumerate() {
            level[*first as usize] = now as u32;
        }
        for node in self.store.nodes.iter_mut().skip(2).filter(|node| node.level != VACANT) {
            node.level = level[node.level as usize];
        }
        self.store.enter_all();
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// How many places there are for variables.
    pub fn places(&self) -> usize {
        self.order.len() / 2
    }

    /// How many nodes the variable at a place has.
    pub fn count(&self, place: usize) -> usize {
        let of = |level: usize| self.tables[self.order[level] as usize].count;
        of(2 * place) + of(2 * place + 1)
    }

    /// The variable at a place changes places with the one below it, each with its next value.
    pub fn swap_places(&mut self, place: usize) {
        let top = 2 * place;
        for level in [top + 1, top, top + 2, top + 1] {
            self.swap(level);
        }
    }

    /// A level and the one below it change places.
    ///
    /// A node of the upper one that does not read the lower one is not concerned. Every other one stays what it is, but decides
    /// on the other variable first.
    fn swap(&mut self, level: usize) {
        let (upper, lower) = (self.order[level], self.order[level + 1]);
        self.order.swap(level, level + 1);
        if self.tables[lower as usize].count == 0 {
            return;
        }
        self.work += self.tables[upper as usize].count as u64;
        for id in self.take_readers(upper, lower) {
            self.split(id, upper, lower);
        }
    }

    /// Takes out of a table the nodes that read a variable right below.
    fn take_readers(&mut self, upper: u32, lower: u32) -> Vec<NodeId> {
        let Levels { store, following, tables, .. } = self;
        let (table, mut found) = (&mut tables[upper as usize], Vec::new());
        for bucket in &mut table.buckets {
            let (mut id, mut kept) = (*bucket, END);
            while id != END {
                let (node, next) = (store.node(id), following[id as usize]);
                if store.level(node.low) == lower || store.level(node.high) == lower {
                    found.push(id);
                } else {
                    following[id as usize] = std::mem::replace(&mut kept, id);
                }
                id = next;
            }
            *bucket = kept;
        }
        table.count -= found.len();
        found
    }

    /// Exchanges the decisions of a node and of its children.
    fn split(&mut self, id: NodeId, upper: u32, lower: u32) {
        let Node { low, high, .. } = self.store.node(id);
        let ((low0, low1), (high0, high1)) = (self.branches(low, lower), self.branches(high, lower));
        let new_low = self.make(upper, low0, high0);
        self.references[new_low as usize] += 1;
        let new_high = self.make(upper, low1, high1);
        self.references[new_high as usize] += 1;
        self.store.nodes[id as usize] = Node { level: lower, low: new_low, high: new_high };
        self.enter(id);
        self.release(low);
        self.release(high);
    }

    /// The function where the variable of a level is false and where it is true.
    fn branches(&self, id: NodeId, level: u32) -> (NodeId, NodeId) {
        match self.store.node(id) {
            node if node.level == level => (node.low, node.high),
            _ => (id, id),
        }
    }

    /// The node for a function.
    fn make(&mut self, level: u32, low: NodeId, high: NodeId) -> NodeId {
        if low == high {
            return low;
        }
        let node = Node { level, low, high };
        let table = &self.tables[level as usize];
        let mut id = table.buckets[table.bucket(node)];
        while id != END {
            if self.store.node(id) == node {
                return id;
            }
            id = self.following[id as usize];
        }
        self.references[low as usize] += 1;
        self.references[high as usize] += 1;
        self.add(node)
    }

    fn add(&mut self, node: Node) -> NodeId {
        let id = self.store.place(node);
        if self.references.len() <= id as usize {
            self.references.resize(id as usize + 1, 0);
            self.following.resize(id as usize + 1, END);
        }
        self.references[id as usize] = 0;
        self.enter(id);
        id
    }

    /// A node that led to another one does not any more. If nothing does, that one is gone; what it led to has other nodes that
    /// lead there by then.
    fn release(&mut self, id: NodeId) {
        self.references[id as usize] -= 1;
        if id <= TRUE || self.references[id as usize] > 0 {
            return;
        }
        self.leave(id);
        let Node { low, high, .. } = self.store.node(id);
        self.references[low as usize] -= 1;
        self.references[high as usize] -= 1;
        self.store.vacate(id);
    }

    /// Makes nodes the nodes of a level.
    fn fill(&mut self, level: u32, members: &[NodeId]) {
        let buckets = vec![END; members.len().next_power_of_two().max(4)];
        self.tables[level as usize] = Table { buckets, count: 0 };
        members.iter().for_each(|id| self.enter(*id));
    }

    /// Enters a node into the table of its level.
    fn enter(&mut self, id: NodeId) {
        let node = self.store.node(id);
        self.make_room(node.level);
        let table = &mut self.tables[node.level as usize];
        let bucket = table.bucket(node);
        self.following[id as usize] = std::mem::replace(&mut table.buckets[bucket], id);
        table.count += 1;
    }

    /// Takes a node out of the table of its level.
    fn leave(&mut self, id: NodeId) {
        let node = self.store.node(id);
        let table = &mut self.tables[node.level as usize];
        let bucket = table.bucket(node);
        let next = self.following[id as usize];
        if table.buckets[bucket] == id {
            table.buckets[bucket] = next;
        } else {
            let mut before = table.buckets[bucket];
            while self.following[before as usize] != id {
                before = self.following[before as usize];
            }
            self.following[before as usize] = next;
        }
        table.count -= 1;
    }

    /// Has more buckets where they are full.
    fn make_room(&mut self, level: u32) {
        let table = &mut self.tables[level as usize];
        if table.count < 2 * table.buckets.len() {
            return;
        }
        let full = std::mem::take(table);
        table.buckets = vec![END; 4 * full.buckets.len()];
        for first in full.buckets {
            let mut id = first;
            while id != END {
                let next = self.following[id as usize];
                self.enter(id);
                id = next;
            }
        }
    }
}
