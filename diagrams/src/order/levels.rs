//! Nodes by level, so that neighbouring levels can change places.

use crate::node::{FALSE, Node, NodeId, TRUE, VACANT, Variable, mix};
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
    tables: Vec<Table>,
    /// How many nodes were looked at.
    pub work: u64,
}

/// The nodes of a level.
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
        let mut levels = Levels { store, references, following: vec![END; slots], tables, work: 0 };
        for (level, members) in members.iter().enumerate() {
            levels.fill(level as u32, members);
        }
        levels
    }

    /// Gives the nodes back to the store.
    pub fn finish(self) {
        self.store.enter_all();
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// How many places there are for variables.
    pub fn places(&self) -> usize {
        self.tables.len() / 2
    }

    /// How many nodes the variable at a place has.
    pub fn count(&self, place: usize) -> usize {
        self.tables[2 * place].count + self.tables[2 * place + 1].count
    }

    /// The variable at a place changes places with the one below it, each with its next value.
    pub fn swap_places(&mut self, place: usize) {
        let top = 2 * place as u32;
        for level in [top + 1, top, top + 2, top + 1] {
            self.swap(level);
        }
    }

    /// A level and the one below it change places.
    ///
    /// A node of the upper level that does not read the lower one just goes down. Every other one stays where it is and what
    /// it is, its branches now being those of the other variable; what was below it comes up, or is not needed any more.
    fn swap(&mut self, upper: u32) {
        let lower = upper + 1;
        let (above, below) = (self.take(upper), self.take(lower));
        self.work += (above.len() + below.len()) as u64;
        for id in &below {
            self.store.nodes[*id as usize].level = upper;
        }
        let reads = |id: &NodeId| {
            let node = self.store.node(*id);
            self.store.level(node.low) == upper || self.store.level(node.high) == upper
        };
        let (split, others): (Vec<NodeId>, Vec<NodeId>) = above.into_iter().partition(reads);
        for id in &others {
            self.store.nodes[*id as usize].level = lower;
        }
        self.fill(lower, &others);
        for id in &split {
            self.split(*id, upper);
        }
        let (mut kept, dead): (Vec<NodeId>, Vec<NodeId>) =
            below.into_iter().partition(|id| self.references[*id as usize] > 0);
        dead.into_iter().for_each(|id| self.remove(id));
        kept.extend(split);
        self.fill(upper, &kept);
    }

    /// Exchanges the decisions of a node of the upper level and of its children.
    fn split(&mut self, id: NodeId, upper: u32) {
        let Node { low, high, .. } = self.store.node(id);
        let branches = |child: NodeId| match self.store.node(child) {
            node if node.level == upper => (node.low, node.high),
            _ => (child, child),
        };
        let ((low0, low1), (high0, high1)) = (branches(low), branches(high));
        let new_low = self.make(upper + 1, low0, high0);
        self.references[new_low as usize] += 1;
        let new_high = self.make(upper + 1, low1, high1);
        self.references[new_high as usize] += 1;
        self.references[low as usize] -= 1;
        self.references[high as usize] -= 1;
        self.store.nodes[id as usize] = Node { level: upper, low: new_low, high: new_high };
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
        let table = &self.tables[node.level as usize];
        if table.count >= 2 * table.buckets.len() {
            let mut members = self.take(node.level);
            members.push(id);
            self.fill(node.level, &members);
        } else {
            self.enter(id);
        }
        id
    }

    /// A node that nothing leads to any more. What it leads to has other nodes that lead there.
    fn remove(&mut self, id: NodeId) {
        let Node { low, high, .. } = self.store.node(id);
        for child in [low, high].into_iter().filter(|child| !matches!(*child, FALSE | TRUE)) {
            self.references[child as usize] -= 1;
        }
        self.store.vacate(id);
    }

    /// The nodes of a level, which has none then.
    fn take(&mut self, level: u32) -> Vec<NodeId> {
        let table = std::mem::take(&mut self.tables[level as usize]);
        let mut members = Vec::with_capacity(table.count);
        for first in table.buckets {
            let mut id = first;
            while id != END {
                members.push(id);
                id = self.following[id as usize];
            }
        }
        members
    }

    /// Makes nodes the nodes of a level.
    fn fill(&mut self, level: u32, members: &[NodeId]) {
        let buckets = vec![END; members.len().next_power_of_two().max(4)];
        self.tables[level as usize] = Table { buckets, count: 0 };
        members.iter().for_each(|id| self.enter(*id));
    }

    fn enter(&mut self, id: NodeId) {
        let node = self.store.node(id);
        let table = &mut self.tables[node.level as usize];
        let bucket = table.bucket(node);
        self.following[id as usize] = std::mem::replace(&mut table.buckets[bucket], id);
        table.count += 1;
    }
}
