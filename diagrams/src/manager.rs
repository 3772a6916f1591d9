//! The manager: nodes, cache, budget and handles.

use crate::cache::{Cache, Key, Operation};
use crate::handle::{Diagram, Pins};
use crate::node::{FALSE, Node, NodeId, TRUE, Variable};
use crate::order::{Arrangement, Ordering, Review};
use crate::saturate::{Direction, Relation};
use crate::store::Store;
use std::fmt;

/// Why an operation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// The budget of nodes is used up.
    Nodes,
    /// More results were computed than allowed.
    Effort,
    /// The alarm rang.
    Interrupted,
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Exhausted::Nodes => "the decision diagrams have more nodes than allowed",
            Exhausted::Effort => "the decision diagrams took more work than allowed",
            Exhausted::Interrupted => "interrupted",
        })
    }
}

impl std::error::Error for Exhausted {}

/// After how many results that had to be computed the alarm is asked.
const PATIENCE: u64 = 1 << 13;
/// The numbers that nodes can have.
const MOST_NODES: usize = u32::MAX as usize - 2;
/// Below this many nodes, garbage is left alone.
const FEW: usize = 1 << 18;

/// When garbage is collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collecting {
    /// When there is much of it.
    WhenMuch,
    /// Whenever it can be, which shows whether something is needed that nothing keeps.
    AtEveryOccasion,
}

/// What the recursions work on.
pub(crate) struct Core {
    pub store: Store,
    pub cache: Cache,
    pub variables: Variable,
    pub arrangement: Arrangement,
    pub review: Review,
    /// Whether an operation ended because the order of variables is to be looked at.
    is_interrupted: bool,
    /// What long operations still need, besides what has a handle.
    pub roots: Vec<NodeId>,
    pins: Pins,
    collecting: Collecting,
    /// From how many nodes on garbage is collected before an operation, and during one.
    full: usize,
    short: usize,
    budget: usize,
    /// The budget of everything; that of some work may be smaller.
    pub whole_budget: usize,
    /// How many results had to be computed, and how many may.
    pub computed: u64,
    effort: u64,
    pub alarm: Box<dyn Fn(usize) -> bool>,
}

impl Core {
    /// The node for a function; equal branches need none.
    #[inline]
    pub fn make(&mut self, level: u32, low: NodeId, high: NodeId) -> Result<NodeId, Exhausted> {
        if low == high {
            return Ok(low);
        }
        let node = Node { level, low, high };
        match self.store.find(node) {
            Ok(id) => Ok(id),
            Err(slot) => self.add(node, slot),
        }
    }

    fn add(&mut self, node: Node, slot: usize) -> Result<NodeId, Exhausted> {
        if self.store.len() >= self.budget {
            return Err(Exhausted::Nodes);
        }
        if self.store.len() >= self.review.from {
            self.is_interrupted = true;
            return Err(Exhausted::Nodes);
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
        compute: impl FnOnce(&mut Core) -> Result<NodeId, Exhausted>,
    ) -> Result<NodeId, Exhausted> {
        if let Some(known) = self.cache.get(key) {
            return Ok(known);
        }
        self.computed += 1;
        if self.computed.is_multiple_of(PATIENCE) {
            self.pause()?;
        }
        let result = compute(self)?;
        self.cache.put(key, result);
        Ok(result)
    }

    /// Whether to go on.
    #[cold]
    fn pause(&self) -> Result<(), Exhausted> {
        if (self.alarm)(self.store.len()) {
            return Err(Exhausted::Interrupted);
        }
        if self.computed > self.effort { Err(Exhausted::Effort) } else { Ok(()) }
    }

    /// Collects garbage if there may be much, before an operation. Only what has a handle survives.
    #[inline]
    pub fn tidy(&mut self) {
        if self.store.len() > self.full {
            self.improve();
        }
    }

    /// Collects garbage if there is hardly room for more. Results about garbage are lost, and saturation lives on results.
    #[inline]
    pub fn make_room(&mut self) {
        if self.store.len() > self.short {
            self.collect();
        }
    }

    /// The nodes that have a handle.
    pub fn handles(&self) -> Vec<NodeId> {
        let pins = self.pins.borrow();
        pins.iter().enumerate().filter(|(_, count)| **count > 0).map(|(id, _)| id as NodeId).collect()
    }

    /// Forgets all nodes that no handle and no root needs, and results about them.
    pub fn collect(&mut self) {
        let handles = self.handles();
        let needed = self.store.sweep(handles.into_iter().chain(self.roots.iter().copied()));
        self.cache.retain(|id| needed[id as usize]);
        self.look_ahead(self.store.len());
    }

    /// Decides when to collect garbage again, now that this many nodes are needed.
    fn look_ahead(&mut self, kept: usize) {
        (self.full, self.short) = match self.collecting {
            Collecting::AtEveryOccasion => (0, 0),
            // Close to the budget it is worth looking again soon, but not after every few nodes.
            Collecting::WhenMuch => {
                let much = (4 * kept).min(self.budget - self.budget / 8).max(kept + kept / 4);
                let half_of_the_rest = kept + self.budget.saturating_sub(kept) / 2;
                (much.max(FEW.min(self.budget / 2)), half_of_the_rest.max(self.budget - self.budget / 8))
            }
        };
    }
}

/// Makes diagrams and works with them.
pub struct Manager {
    pub(crate) core: Core,
    /// The relations that remembered closures are about. They have handles, so that no other relation gets their numbers.
    pub(crate) closed_under: Option<(Direction, Vec<Relation>)>,
}

impl Manager {
    /// A manager for this many variables that makes at most this many nodes.
    pub fn new(variables: Variable, budget: usize) -> Manager {
        let core = Core {
            store: Store::new(),
            cache: Cache::new(),
            variables,
            arrangement: Arrangement::new(variables),
            review: Review::new(Ordering::Fixed),
            is_interrupted: false,
            roots: Vec::new(),
            pins: Pins::default(),
            collecting: Collecting::WhenMuch,
            full: 0,
            short: 0,
            budget: budget.min(MOST_NODES),
            whole_budget: budget.min(MOST_NODES),
            computed: 0,
            effort: u64::MAX,
            alarm: Box::new(|_| false),
        };
        let mut manager = Manager { core, closed_under: None };
        manager.set_collecting(Collecting::WhenMuch);
        manager
    }

    /// From now on, operations end with [`Exhausted::Interrupted`] soon after the alarm rings. It is told how many nodes there
    /// are.
    pub fn heed(&mut self, alarm: impl Fn(usize) -> bool + 'static) {
        self.core.alarm = Box::new(alarm);
    }

    /// From now on, operations end with [`Exhausted::Effort`] soon after about this many more results had to be computed, all
    /// operations of the manager together. Unlike an alarm, it rings at the same point every time.
    pub fn limit_effort(&mut self, results: u64) {
        self.core.effort = self.core.computed.saturating_add(results);
    }

    /// Counts work that is done elsewhere, as much as this many results.
    pub fn spend(&mut self, results: u64) -> Result<(), Exhausted> {
        let before = self.core.computed / PATIENCE;
        self.core.computed += results;
        if self.core.computed / PATIENCE > before { self.core.pause() } else { Ok(()) }
    }

    /// From now on, there are at most this many nodes.
    pub fn limit_nodes(&mut self, budget: usize) {
        let budget = budget.min(MOST_NODES);
        (self.core.budget, self.core.whole_budget) = (budget, budget);
        self.core.look_ahead(self.core.store.len());
    }

    /// Allows at most this many results from now on; says how many were left, for [`Manager::limit_effort`].
    pub fn allow(&mut self, results: u64) -> u64 {
        let left = self.core.effort.saturating_sub(self.core.computed);
        self.limit_effort(results.min(left));
        left
    }

    /// Says when garbage is collected.
    pub fn set_collecting(&mut self, when: Collecting) {
        self.core.collecting = when;
        self.core.look_ahead(0);
    }

    /// How many variables there are.
    pub fn variables(&self) -> Variable {
        self.core.variables
    }

    /// How many nodes there are, garbage included.
    pub fn nodes(&self) -> usize {
        self.core.store.len()
    }

    /// For how many nodes there is room in memory: garbage that was collected still takes some.
    pub fn room(&self) -> usize {
        self.core.store.slots()
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
    pub fn now(&mut self, variable: Variable) -> Result<Diagram, Exhausted> {
        self.perform(|core| core.make(core.arrangement.now(variable), FALSE, TRUE))
    }

    /// The next value of a variable.
    pub fn next(&mut self, variable: Variable) -> Result<Diagram, Exhausted> {
        self.perform(|core| core.make(core.arrangement.next(variable), FALSE, TRUE))
    }

    /// The conjunction of variables' values now, which names a set of variables.
    pub fn cube(&mut self, variables: &[Variable]) -> Result<Diagram, Exhausted> {
        self.conjunction(variables, Arrangement::now)
    }

    /// The same of next values.
    pub fn next_cube(&mut self, variables: &[Variable]) -> Result<Diagram, Exhausted> {
        self.conjunction(variables, Arrangement::next)
    }

    /// The set of a single state, by the values of all variables that states have (in order).
    pub fn minterm(&mut self, variables: &[Variable], values: &[bool]) -> Result<Diagram, Exhausted> {
        self.perform(|core| {
            core.arrangement.sorted(variables).into_iter().rev().try_fold(TRUE, |below, at| {
                let (low, high) = if values[at] { (FALSE, below) } else { (below, FALSE) };
                core.make(core.arrangement.now(variables[at]), low, high)
            })
        })
    }

    fn conjunction(
        &mut self,
        variables: &[Variable],
        level: fn(&Arrangement, Variable) -> u32,
    ) -> Result<Diagram, Exhausted> {
        self.perform(|core| {
            let mut levels: Vec<u32> = variables.iter().map(|variable| level(&core.arrangement, *variable)).collect();
            levels.sort_unstable();
            levels.dedup();
            levels.into_iter().rev().try_fold(TRUE, |below, level| core.make(level, FALSE, below))
        })
    }

    pub(crate) fn handle(&self, id: NodeId) -> Diagram {
        Diagram::new(id, &self.core.pins)
    }

    /// Runs an operation. Garbage is collected before it if there is much, and once more if the budget is used up; if the order
    /// of variables has to change, the operation begins anew.
    pub(crate) fn perform(
        &mut self,
        mut operation: impl FnMut(&mut Core) -> Result<NodeId, Exhausted>,
    ) -> Result<Diagram, Exhausted> {
        self.core.tidy();
        let (mut interruptions, mut is_tidy) = (0, false);
        loop {
            let result = operation(&mut self.core);
            self.core.roots.clear();
            if std::mem::take(&mut self.core.is_interrupted) {
                interruptions += 1;
                self.core.review(interruptions);
                self.core.pause()?;
            } else if result == Err(Exhausted::Nodes) && !std::mem::replace(&mut is_tidy, true) {
                let before = self.nodes();
                self.collect();
                if before - self.nodes() <= self.core.budget / 8 {
                    return Err(Exhausted::Nodes);
                }
            } else {
                return result.map(|id| self.handle(id));
            }
        }
    }

    /// Works with at most this many more nodes than there are; `None` if that was not enough.
    pub fn within<T>(
        &mut self,
        nodes: usize,
        work: impl FnOnce(&mut Manager) -> Result<T, Exhausted>,
    ) -> Result<Option<T>, Exhausted> {
        let Core { budget, full, short, .. } = self.core;
        self.core.budget = budget.min(self.nodes().saturating_add(nodes));
        let is_reduced = self.core.budget < budget;
        let result = work(self);
        (self.core.budget, self.core.full, self.core.short) = (budget, full, short);
        match result {
            Err(Exhausted::Nodes) if is_reduced => Ok(None),
            other => other.map(Some),
        }
    }

    /// Forgets all nodes that no handle needs.
    pub fn collect(&mut self) {
        self.core.collect();
    }

    /// How many nodes a diagram has, terminals aside.
    pub fn size(&self, diagram: &Diagram) -> usize {
        self.reachable(diagram).len()
    }

    /// The nodes of a diagram, terminals aside.
    pub(crate) fn reachable(&self, diagram: &Diagram) -> Vec<NodeId> {
        let mut is_seen = vec![false; self.core.store.slots()];
        let (mut open, mut found) = (vec![diagram.id()], Vec::new());
        while let Some(id) = open.pop() {
            if id > TRUE && !std::mem::replace(&mut is_seen[id as usize], true) {
                let node = self.core.store.node(id);
                open.extend([node.low, node.high]);
                found.push(id);
            }
        }
        found
    }

    /// The variables that a diagram reads.
    pub fn support(&self, diagram: &Diagram) -> Support {
        let mut levels: Vec<u32> = self.reachable(diagram).into_iter().map(|id| self.core.store.level(id)).collect();
        levels.sort_unstable();
        levels.dedup();
        let (now, next): (Vec<u32>, Vec<u32>) = levels.into_iter().partition(|level| level.is_multiple_of(2));
        Support { now: self.variables_at(now), next: self.variables_at(next) }
    }

    /// The variables of some levels, in order.
    fn variables_at(&self, levels: Vec<u32>) -> Vec<Variable> {
        let mut variables: Vec<Variable> =
            levels.into_iter().map(|level| self.core.arrangement.variable(level)).collect();
        variables.sort_unstable();
        variables
    }
}

/// The variables that a diagram reads, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Support {
    /// Those whose value now matters.
    pub now: Vec<Variable>,
    /// Those whose next value does.
    pub next: Vec<Variable>,
}

/// Operations of one operand have no second one.
pub(crate) fn unary(operation: Operation, operand: NodeId) -> Key {
    Key::new(operation, [operand, FALSE, FALSE])
}

/// Operations of two operands have no third one.
pub(crate) fn binary(operation: Operation, a: NodeId, b: NodeId) -> Key {
    Key::new(operation, [a, b, FALSE])
}
