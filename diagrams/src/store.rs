//! The unique table: every function has one node.

use crate::node::{BOTTOM, FALSE, Node, NodeId, TRUE, VACANT};

/// A slot of the table that holds no node.
const EMPTY: u32 = u32::MAX;

/// All nodes, and a table by open addressing to find them.
pub(crate) struct Store {
    /// By number; terminals come first.
    pub nodes: Vec<Node>,
    table: Vec<u32>,
    /// Slots whose nodes were garbage.
    free: Vec<NodeId>,
}

/// The node of a constant.
fn terminal(id: NodeId) -> Node {
    Node { level: BOTTOM, low: id, high: id }
}

impl Store {
    pub fn new() -> Store {
        Store { nodes: vec![terminal(FALSE), terminal(TRUE)], table: vec![EMPTY; 1 << 10], free: Vec::new() }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    /// How many numbers of nodes are in use, those of garbage among them.
    pub fn slots(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id as usize]
    }

    #[inline]
    pub fn level(&self, id: NodeId) -> u32 {
        self.nodes[id as usize].level
    }

    /// The node, if it exists, or the slot of the table where it belongs.
    #[inline]
    pub fn find(&self, node: Node) -> Result<NodeId, usize> {
        let mask = self.table.len() - 1;
        let mut slot = node.hash() as usize & mask;
        loop {
            match self.table[slot] {
                EMPTY => return Err(slot),
                id if self.nodes[id as usize] == node => return Ok(id),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// Adds a node that [`Store::find`] has a slot for.
    pub fn add(&mut self, node: Node, slot: usize) -> NodeId {
        let id = self.place(node);
        self.table[slot] = id;
        if self.len() * 3 > self.table.len() * 2 {
            self.rebuild(self.table.len() * 2);
        }
        id
    }

    /// Gives a node a number. It is not found before it is in the table.
    pub fn place(&mut self, node: Node) -> NodeId {
        match self.free.pop() {
            Some(id) => {
                self.nodes[id as usize] = node;
                id
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as NodeId - 1
            }
        }
    }

    /// Takes the number of a node back.
    pub fn vacate(&mut self, id: NodeId) {
        self.nodes[id as usize] = Node { level: VACANT, low: FALSE, high: FALSE };
        self.free.push(id);
    }

    /// Enters all nodes anew, after they have changed.
    pub fn enter_all(&mut self) {
        let mut size = self.table.len();
        while self.len() * 3 > size * 2 {
            size *= 2;
        }
        self.rebuild(size);
    }

    /// Enters all nodes into a table of this size.
    fn rebuild(&mut self, size: usize) {
        self.table.clear();
        self.table.resize(size, EMPTY);
        let mask = size - 1;
        for (id, node) in self.nodes.iter().enumerate().skip(2).filter(|(_, node)| node.level != VACANT) {
            let mut slot = node.hash() as usize & mask;
            while self.table[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            self.table[slot] = id as u32;
        }
    }

    /// Forgets every node that the roots do not need, and says for each node whether it is needed.
    pub fn sweep(&mut self, roots: impl Iterator<Item = NodeId>) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        needed[FALSE as usize] = true;
        needed[TRUE as usize] = true;
        let mut open: Vec<NodeId> = roots.collect();
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut needed[id as usize], true) {
                let node = self.node(id);
                open.extend([node.low, node.high]);
            }
        }
        self.free.clear();
        for (id, node) in self.nodes.iter_mut().enumerate().rev().filter(|(id, _)| !needed[*id]) {
            *node = Node { level: VACANT, low: FALSE, high: FALSE };
            self.free.push(id as NodeId);
        }
        self.rebuild(self.table.len());
        needed
    }
}
