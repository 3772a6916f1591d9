//! Formulas in negation normal form, each once, simplified when they are made.
//!
//! Every formula is made together with its negation, so that negating costs nothing. F and G are `TRUE U p` and `FALSE V p`;
//! O and H are `TRUE S p` and `FALSE T p`.

use rustc_hash::FxHashMap;
use system::ExprId;

/// A formula of an [`Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The formula that is always true.
    pub const TRUE: NodeId = NodeId(0);
    /// The formula that is never true.
    pub const FALSE: NodeId = NodeId(1);
}

/// The shape of a formula in negation normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// Always true.
    True,
    /// Never true.
    False,
    /// A boolean expression.
    Atom(ExprId),
    /// Its negation.
    NotAtom(ExprId),
    /// Conjunction.
    And(NodeId, NodeId),
    /// Disjunction.
    Or(NodeId, NodeId),
    /// X.
    Next(NodeId),
    /// U.
    Until(NodeId, NodeId),
    /// V.
    Releases(NodeId, NodeId),
    /// Y.
    Yesterday(NodeId),
    /// Z.
    WeakYesterday(NodeId),
    /// S.
    Since(NodeId, NodeId),
    /// T.
    Triggered(NodeId, NodeId),
}

impl Node {
    /// What the formula is made of.
    pub fn operands(self) -> impl Iterator<Item = NodeId> {
        let (first, second) = match self {
            Node::True | Node::False | Node::Atom(_) | Node::NotAtom(_) => (None, None),
            Node::Next(a) | Node::Yesterday(a) | Node::WeakYesterday(a) => (Some(a), None),
            Node::And(a, b)
            | Node::Or(a, b)
            | Node::Until(a, b)
            | Node::Releases(a, b)
            | Node::Since(a, b)
            | Node::Triggered(a, b) => (Some(a), Some(b)),
        };
        first.into_iter().chain(second)
    }

    /// Whether the operator speaks of what comes.
    pub fn is_future(self) -> bool {
        matches!(self, Node::Next(_) | Node::Until(..) | Node::Releases(..))
    }

    /// Whether the operator speaks of what was.
    pub fn is_past(self) -> bool {
        matches!(self, Node::Yesterday(_) | Node::WeakYesterday(_) | Node::Since(..) | Node::Triggered(..))
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    node: Node,
    negation: NodeId,
    has_future: bool,
    has_past: bool,
}

/// Formulas, each once.
#[derive(Clone, Debug)]
pub struct Arena {
    entries: Vec<Entry>,
    known: FxHashMap<Node, NodeId>,
    contradictions: Contradictions,
}

/// What becomes of `p & !p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contradictions {
    /// It is FALSE.
    Simplified,
    /// It stays.
    Kept,
}

impl Default for Arena {
    fn default() -> Arena {
        Arena::new(Contradictions::Simplified)
    }
}

impl Arena {
    /// An arena that simplifies by the laws of Kleene's logic only, in which `p & !p` is not known as long as p is not. So what the beginning of a
    /// run says of a formula, however it goes on, is not changed: that `X p & X !p` is violated shows after one step.
    pub fn of_beginnings() -> Arena {
        Arena::new(Contradictions::Kept)
    }

    fn new(contradictions: Contradictions) -> Arena {
        let mut arena = Arena { entries: Vec::new(), known: FxHashMap::default(), contradictions };
        arena.add(Node::True, Node::False);
        arena
    }

    /// Whether one formula is the negation of another, which is to be made use of.
    fn contradicts(&self, a: NodeId, b: NodeId) -> bool {
        self.contradictions == Contradictions::Simplified && self.not(a) == b
    }

    /// The shape of a formula.
    pub fn get(&self, id: NodeId) -> Node {
        self.entries[id.0 as usize].node
    }

    /// The negation of a formula.
    pub fn not(&self, id: NodeId) -> NodeId {
        self.entries[id.0 as usize].negation
    }

    /// Whether a formula says something about the future.
    pub fn has_future(&self, id: NodeId) -> bool {
        self.entries[id.0 as usize].has_future
    }

    /// Whether a formula says something about the past.
    pub fn has_past(&self, id: NodeId) -> bool {
        self.entries[id.0 as usize].has_past
    }

    /// A formula and all that it is made of, each once, operands before what they are part of.
    pub fn parts(&self, root: NodeId) -> Vec<NodeId> {
        let (mut parts, mut open) = (std::collections::BTreeSet::new(), vec![root]);
        while let Some(id) = open.pop() {
            if parts.insert(id) {
                open.extend(self.get(id).operands());
            }
        }
        parts.into_iter().collect()
    }

    /// The boolean expressions that a formula is made of.
    pub fn conditions(&self, root: NodeId) -> Vec<ExprId> {
        let conditions = self.parts(root).into_iter().filter_map(|part| match self.get(part) {
            Node::Atom(expr) | Node::NotAtom(expr) => Some(expr),
            _ => None,
        });
        conditions.collect()
    }

    fn add(&mut self, node: Node, negated: Node) -> NodeId {
        if let Some(known) = self.known.get(&node) {
            return *known;
        }
        let id = NodeId(self.entries.len() as u32);
        for (offset, node) in [node, negated].into_iter().enumerate() {
            let has_future = node.is_future() || node.operands().any(|part| self.has_future(part));
            let has_past = node.is_past() || node.operands().any(|part| self.has_past(part));
            let negation = NodeId(id.0 + 1 - offset as u32);
            self.entries.push(Entry { node, negation, has_future, has_past });
            self.known.insert(node, NodeId(id.0 + offset as u32));
        }
        id
    }

    /// A boolean expression as a formula.
    pub fn atom(&mut self, expr: ExprId) -> NodeId {
        self.add(Node::Atom(expr), Node::NotAtom(expr))
    }

    /// Conjunction.
    pub fn and(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let (a, b) = (a.min(b), a.max(b));
        if a == NodeId::TRUE || a == b || self.is_disjunct(a, b) {
            return b;
        }
        if a == NodeId::FALSE || b == NodeId::FALSE || self.contradicts(a, b) {
            return NodeId::FALSE;
        }
        if b == NodeId::TRUE || self.is_disjunct(b, a) {
            return a;
        }
        match (self.get(a), self.get(b)) {
            (Node::Releases(NodeId::FALSE, a), Node::Releases(NodeId::FALSE, b)) => {
                let both = self.and(a, b);
                self.globally(both)
            }
            _ => self.add(Node::And(a, b), Node::Or(self.not(a), self.not(b))),
        }
    }

    /// Whether the first formula is a disjunction with the second in it.
    fn is_disjunct(&self, whole: NodeId, part: NodeId) -> bool {
        matches!(self.get(whole), Node::Or(a, b) if a == part || b == part)
    }

    /// Disjunction.
    pub fn or(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let neither = self.and(self.not(a), self.not(b));
        self.not(neither)
    }

    /// X.
    pub fn next(&mut self, a: NodeId) -> NodeId {
        if matches!(a, NodeId::TRUE | NodeId::FALSE) || self.is_about_the_limit(a) {
            return a;
        }
        self.add(Node::Next(a), Node::Next(self.not(a)))
    }

    /// Whether a formula is `G F p` or `F G p`: then it does not matter from where one looks.
    fn is_about_the_limit(&self, id: NodeId) -> bool {
        match self.get(id) {
            Node::Until(NodeId::TRUE, a) => matches!(self.get(a), Node::Releases(NodeId::FALSE, _)),
            Node::Releases(NodeId::FALSE, a) => matches!(self.get(a), Node::Until(NodeId::TRUE, _)),
            _ => false,
        }
    }

    /// U.
    pub fn until(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if matches!(b, NodeId::TRUE | NodeId::FALSE) || a == NodeId::FALSE || a == b {
            return b;
        }
        match (a, self.get(b)) {
            (NodeId::TRUE, Node::Until(_, goal)) => return self.until(NodeId::TRUE, goal),
            (_, Node::Until(other, _)) if a == other => return b,
            _ if a == NodeId::TRUE && self.is_about_the_limit(b) => return b,
            _ if self.contradicts(a, b) => return self.until(NodeId::TRUE, b),
            _ => {}
        }
        self.add(Node::Until(a, b), Node::Releases(self.not(a), self.not(b)))
    }

    /// V.
    pub fn releases(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let until = self.until(self.not(a), self.not(b));
        self.not(until)
    }

    /// F.
    pub fn eventually(&mut self, a: NodeId) -> NodeId {
        self.until(NodeId::TRUE, a)
    }

    /// G.
    pub fn globally(&mut self, a: NodeId) -> NodeId {
        self.releases(NodeId::FALSE, a)
    }

    /// Y.
    pub fn yesterday(&mut self, a: NodeId) -> NodeId {
        if a == NodeId::FALSE {
            return a;
        }
        self.add(Node::Yesterday(a), Node::WeakYesterday(self.not(a)))
    }

    /// Z.
    pub fn weak_yesterday(&mut self, a: NodeId) -> NodeId {
        let yesterday = self.yesterday(self.not(a));
        self.not(yesterday)
    }

    /// S.
    pub fn since(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if matches!(b, NodeId::TRUE | NodeId::FALSE) || a == NodeId::FALSE || a == b {
            return b;
        }
        match (a, self.get(b)) {
            (NodeId::TRUE, Node::Since(_, goal)) => return self.since(NodeId::TRUE, goal),
            (_, Node::Since(other, _)) if a == other => return b,
            _ => {}
        }
        self.add(Node::Since(a, b), Node::Triggered(self.not(a), self.not(b)))
    }

    /// T.
    pub fn triggered(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let since = self.since(self.not(a), self.not(b));
        self.not(since)
    }
}
