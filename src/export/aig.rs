//! Sequential circuits of and-gates and inverters, in which equal gates are one.

use rustc_hash::FxHashMap;
use std::ops::Not;

/// A node's output or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge(u32);

impl Edge {
    /// The constant false.
    pub const FALSE: Edge = Edge(0);
    /// The constant true.
    pub const TRUE: Edge = Edge(1);

    /// The index of the node among [`Circuit::nodes`].
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the edge negates the node's output.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl Not for Edge {
    type Output = Edge;

    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

/// Where an edge starts. Gates come after what they read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// The constant false: the first node.
    Constant,
    /// An input, by its place among the inputs.
    Input(usize),
    /// A latch, by its place among the latches.
    Latch(usize),
    /// A conjunction.
    And(Edge, Edge),
}

/// The value of a latch in the first state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// A constant.
    To(bool),
    /// Either value.
    Free,
}

/// A bit that lives from one time to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latch {
    /// Its name, without spaces.
    pub name: String,
    /// Its first value.
    pub reset: Reset,
    /// Its next value.
    pub next: Edge,
}

/// A circuit that asks for a state in which `bad` is true.
#[derive(Clone, Debug)]
pub struct Circuit {
    /// The names of the inputs, without spaces.
    pub inputs: Vec<String>,
    /// The latches.
    pub latches: Vec<Latch>,
    /// All nodes, the constant first.
    pub nodes: Vec<Node>,
    /// What is asked for.
    pub bad: Edge,
    /// The name of what is asked for, without spaces.
    pub goal: String,
    /// What people should know.
    pub remarks: Vec<String>,
}

impl Default for Circuit {
    fn default() -> Circuit {
        Circuit {
            inputs: Vec::new(),
            latches: Vec::new(),
            nodes: vec![Node::Constant],
            bad: Edge::FALSE,
            goal: String::new(),
            remarks: Vec::new(),
        }
    }
}

/// A circuit under construction.
#[derive(Default)]
pub struct Builder {
    circuit: Circuit,
    known: FxHashMap<(Edge, Edge), Edge>,
}

impl Builder {
    /// Ends the construction.
    pub fn finish(self) -> Circuit {
        self.circuit
    }

    fn node(&mut self, node: Node) -> Edge {
        let index = self.circuit.nodes.len() as u32;
        self.circuit.nodes.push(node);
        Edge(index << 1)
    }

    /// A new input.
    pub fn input(&mut self, name: String) -> Edge {
        self.circuit.inputs.push(name);
        self.node(Node::Input(self.circuit.inputs.len() - 1))
    }

    /// A new latch, which stays false until it is told otherwise.
    pub fn latch(&mut self, name: String, reset: Reset) -> Edge {
        self.circuit.latches.push(Latch { name, reset, next: Edge::FALSE });
        self.node(Node::Latch(self.circuit.latches.len() - 1))
    }

    /// Says what the next value of a latch is.
    pub fn set_next(&mut self, latch: Edge, next: Edge) {
        if let Node::Latch(index) = self.circuit.nodes[latch.node()] {
            self.circuit.latches[index].next = next;
        }
    }

    /// Conjunction.
    pub fn and(&mut self, a: Edge, b: Edge) -> Edge {
        match (a.max(b), a.min(b)) {
            (_, Edge::FALSE) => Edge::FALSE,
            (other, Edge::TRUE) => other,
            (a, b) if a == b => a,
            (a, b) if a == !b => Edge::FALSE,
            pair => match self.known.get(&pair) {
                Some(edge) => *edge,
                None => {
                    let edge = self.node(Node::And(pair.0, pair.1));
                    self.known.insert(pair, edge);
                    edge
                }
            },
        }
    }

    /// Disjunction.
    pub fn or(&mut self, a: Edge, b: Edge) -> Edge {
        !self.and(!a, !b)
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: Edge, b: Edge) -> Edge {
        let (only_a, only_b) = (self.and(a, !b), self.and(!a, b));
        self.or(only_a, only_b)
    }

    /// `if c then a else b`
    pub fn mux(&mut self, c: Edge, a: Edge, b: Edge) -> Edge {
        let (then, otherwise) = (self.and(c, a), self.and(!c, b));
        self.or(then, otherwise)
    }
}
