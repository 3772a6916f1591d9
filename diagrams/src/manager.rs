//! The manager: nodes, cache, budget and handles.

use crate::cache::{Cache, Key, Operation};
use crate::handle::{Diagram, Pins};
use crate::node::{FALSE, Node, NodeId, TRUE, Variable, next, now};
use crate::store::Store;
use std::fmt;

/// Why an operation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The budget of nodes is used up.
    Nodes,
    /// The alarm rang.
    Interrupted,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::Nodes => "the decision diagrams have more nodes than allowed",
            Stop::Interrupted => "interrupted",
        })
    }
}

impl std::error::Error for Stop {}

/// After how many new nodes the alarm is asked.
const PATIENCE: u32 = 1 << 13;
/// Below this many nodes, garbage is left alone.
const FEW: usize = 1 << 18;

/// What the recursions work on.
pub(crate) struct Core {
    pub store: Store,
    pub cache: Cache,
    pub variables: Variable,
    budget: usize,
    made: u32,
    alarm: Box<dyn Fn() -> bool>,
}

impl Core {
    /// The node for a function; equal branches need none.
    #[inline]
    pub fn make(&mut self, level: u32, low: NodeId, high: NodeId) -> Result<NodeId, Stop> {
        if low == high {
            return Ok(low);
        }
        let node = Node { level, low, high };
        match self.store.find(node) {
            Ok(id) => Ok(id),
            Err(slot) => self.add(node, slot),
        }
    }

    fn add(&mut self, node: Node, slot: usize) -> Result<NodeId, Stop> {
        if self.store.len() >= self.budget {
            return Err(Stop::Nodes);
        }
        self.made = self.made.wrapping_add(1);
        if self.made.is_multiple_of(PATIENCE) && (self.alarm)() {
            return Err(Stop::Interrupted);
        }
        let id = self.store.add(node, slot);
        self.cache.grow(self.store.len());
        Ok(id)
    }

    /// The function where the variable at a level is false and where it is true.
    #[inline]
    pub fn branches(&self, id: NodeId, level: u32) -> (NodeId, NodeId) {
        let node = self.store.node(id);
        if node.level == level { (node.low, node.high) } else { (id, id) }
    }

    /// Looks a result up, or computes and remembers it.
    #[inline]
    pub fn remembered(
        &mut self,
        key: Key,
        compute: impl FnOnce(&mut Core) -> Result<NodeId, Stop>,
    ) -> Result<NodeId, Stop> {
        if let Some(known) = self.cache.get(key) {
            return Ok(known);
        }
        let result = compute(self)?;
        self.cache.put(key, result);
        Ok(result)
    }
}

/// Makes diagrams and works with them.
pub struct Manager {
    pub(crate) core: Core,
    pub(crate) pins: Pins,
    /// How many nodes there were after the last collection.
    kept: usize,
}

impl Manager {
    /// A manager for this many variables that makes at most this many nodes.
    pub fn new(variables: Variable, budget: usize) -> Manager {
        let most = u32::MAX as usize - 2;
        let core = Core {
            store: Store::new(),
            cache: Cache::new(),
            variables,
            budget: budget.min(most),
            made: 0,
            alarm: Box::new(|| false),
        };
        Manager { core, pins: Pins::default(), kept: 0 }
    }

    /// From now on, operations end with [`Stop::Interrupted`] soon after the alarm rings.
    pub fn heed(&mut self, alarm: impl Fn() -> bool + 'static) {
        self.core.alarm = Box::new(alarm);
    }

    /// How many variables there are.
    pub fn variables(&self) -> Variable {
        self.core.variables
    }

    /// How many nodes there are, garbage included.
    pub fn nodes(&self) -> usize {
        self.core.store.len()
    }

    /// The constant false, also known as the empty set.
    pub fn never(&self) -> Diagram {
        self.handle(FALSE)
    }

    /// The constant true.
    pub fn always(&self) -> Diagram {
        self.handle(TRUE)
    }

    /// The value of a variable now.
    pub fn now(&mut self, variable: Variable) -> Result<Diagram, Stop> {
        self.perform(|core| core.make(now(variable), FALSE, TRUE))
    }

    /// The next value of a variable.
    pub fn next(&mut self, variable: Variable) -> Result<Diagram, Stop> {
        self.perform(|core| core.make(next(variable), FALSE, TRUE))
    }

    /// The conjunction of variables' values now, which names a set of variables.
    pub fn cube(&mut self, variables: &[Variable]) -> Result<Diagram, Stop> {
        self.conjunction(variables.iter().map(|variable| now(*variable)).collect())
    }

    /// The same of next values.
    pub fn next_cube(&mut self, variables: &[Variable]) -> Result<Diagram, Stop> {
        self.conjunction(variables.iter().map(|variable| next(*variable)).collect())
    }

    /// The set of a single state, by the values of all variables that states have (in order).
    pub fn minterm(&mut self, variables: &[Variable], values: &[bool]) -> Result<Diagram, Stop> {
        self.perform(|core| {
            variables.iter().zip(values).rev().try_fold(TRUE, |below, (variable, value)| {
                let (low, high) = if *value { (FALSE, below) } else { (below, FALSE) };
                core.make(now(*variable), low, high)
            })
        })
    }

    fn conjunction(&mut self, mut levels: Vec<u32>) -> Result<Diagram, Stop> {
        levels.sort_unstable();
        levels.dedup();
        self.perform(|core| levels.iter().rev().try_fold(TRUE, |below, level| core.make(*level, FALSE, below)))
    }

    pub(crate) fn handle(&self, id: NodeId) -> Diagram {
        Diagram::new(id, &self.pins)
    }

    /// Runs an operation. Garbage is collected before it if there is much, and once more if the budget is used up.
    pub(crate) fn perform(
        &mut self,
        mut operation: impl FnMut(&mut Core) -> Result<NodeId, Stop>,
    ) -> Result<Diagram, Stop> {
        if self.nodes() > FEW.max(4 * self.kept) {
            self.collect();
        }
        let mut result = operation(&mut self.core);
        if result == Err(Stop::Nodes) {
            let before = self.nodes();
            self.collect();
            if before - self.nodes() > self.core.budget / 8 {
                result = operation(&mut self.core);
            }
        }
        result.map(|id| self.handle(id))
    }

    /// Forgets all nodes that no handle needs.
    pub fn collect(&mut self) {
        let pins = self.pins.borrow();
        let roots = pins.iter().enumerate().filter(|(_, count)| **count > 0).map(|(id, _)| id as NodeId);
        self.core.store.sweep(roots);
        self.core.cache.clear();
        drop(pins);
        self.kept = self.nodes();
    }

    /// How many nodes a diagram has, terminals aside.
    pub fn size(&self, diagram: &Diagram) -> usize {
        self.reachable(diagram).len()
    }

    /// The nodes of a diagram, terminals aside.
    pub(crate) fn reachable(&self, diagram: &Diagram) -> Vec<NodeId> {
        let mut seen = std::collections::HashSet::new();
        let mut open = vec![diagram.id()];
        while let Some(id) = open.pop() {
            if id > TRUE && seen.insert(id) {
                let node = self.core.store.node(id);
                open.extend([node.low, node.high]);
            }
        }
        let mut found: Vec<NodeId> = seen.into_iter().collect();
        found.sort_unstable();
        found
    }

    /// The variables that a diagram reads, now or next, in order.
    pub fn support(&self, diagram: &Diagram) -> Vec<Variable> {
        let nodes = self.reachable(diagram).into_iter();
        let mut variables: Vec<Variable> = nodes.map(|id| self.core.store.level(id) / 2).collect();
        variables.sort_unstable();
        variables.dedup();
        variables
    }
}

/// Operations of one operand have no second one.
pub(crate) fn unary(operation: Operation, operand: NodeId) -> Key {
    Key::new(operation, [operand, FALSE, FALSE])
}

/// Operations of two operands have no third one.
pub(crate) fn binary(operation: Operation, a: NodeId, b: NodeId) -> Key {
    Key::new(operation, [a, b, FALSE])
}
