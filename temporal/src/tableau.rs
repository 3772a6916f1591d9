//! Tableaux: generalised Büchi automata with acceptance on transitions, made while they are used.
//!
//! A state is a set of formulas that have to hold from here on. A transition satisfies them in one of the ways in which that
//! is possible: it says what holds now, and what has to hold from the next state on. Acceptance set u, for a formula
//! `a U b`, has the transitions that do not put b off. The construction is that of J.-M. Couvreur (On-the-fly verification of
//! linear temporal logic, FM 1999), with ways that another one covers left out, and with ways kept apart by conditions that can
//! be told at once. Formulas without future operators count as conditions: a [`Monitor`] reads them.
//!
//! A past operator over formulas with future ones is guessed: a state has a bit that says that it held a step before, and
//! a run that sets the bit has to satisfy the formula. As all formulas are in negation normal form, it is no harm not to set it.

use super::Refusal;
use super::arena::{Arena, Node, NodeId};
use super::monitor::{Letter, Monitor};
use indexmap::IndexSet;
use rustc_hash::FxHashMap;

/// The most transitions from one state.
const MOST_EDGES: usize = 4096;

/// The most ways to satisfy a state that are tried.
const MOST_WAYS: usize = 1 << 18;

/// More transitions than this are not compared with each other.
const FEW: usize = 512;

/// A transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The conditions that have to be true.
    pub holds: Letter,
    /// The conditions that have to be false.
    pub fails: Letter,
    /// Where it leads.
    pub to: u32,
    /// The acceptance sets that it belongs to.
    pub marks: u64,
}

impl Edge {
    /// Whether the transition can be taken where conditions have some values.
    #[inline]
    pub fn allows(&self, letter: Letter) -> bool {
        letter & self.holds == self.holds && letter & self.fails == 0
    }
}

/// What has to hold from a state on, and which past operators held before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Obligations {
    formulas: Vec<NodeId>,
    remembered: u64,
}

/// A way to satisfy a state that is being found.
#[derive(Clone, Debug)]
struct Way {
    todo: Vec<NodeId>,
    done: Vec<NodeId>,
    holds: Letter,
    fails: Letter,
    next: Vec<NodeId>,
    /// The formulas that are put off.
    put_off: u64,
    remembered: u64,
    /// How many of the past operators that are guessed are decided.
    guessed: usize,
}

/// The automaton of a formula.
#[derive(Debug)]
pub struct Tableau {
    arena: Arena,
    /// For each condition, its bit and whether it is that bit or its negation.
    conditions: FxHashMap<NodeId, (u32, bool)>,
    /// For each `a U b`, its acceptance set.
    untils: FxHashMap<NodeId, u32>,
    /// The conditions, by their bits.
    wanted: Vec<NodeId>,
    /// Past operators over formulas with future ones, operands first.
    guessed: Vec<NodeId>,
    states: IndexSet<Obligations, rustc_hash::FxBuildHasher>,
    edges: Vec<Option<Vec<Edge>>>,
    /// How many bytes states and transitions take.
    bytes: usize,
}

impl Tableau {
    /// The automaton of the words that satisfy a formula, and the monitor that reads its conditions. Its first state is
    /// initial.
    pub fn new(arena: Arena, root: NodeId) -> Result<(Tableau, Monitor), Refusal> {
        let mut wanted = Vec::new();
        let mut tableau = Tableau {
            arena,
            conditions: FxHashMap::default(),
            untils: FxHashMap::default(),
            wanted: Vec::new(),
            guessed: Vec::new(),
            states: IndexSet::default(),
            edges: Vec::new(),
            bytes: 0,
        };
        for part in tableau.arena.parts(root) {
            tableau.classify(part);
        }
        for part in tableau.arena.parts(root) {
            if part == root || tableau.arena.has_future(part) {
                let operands = tableau.arena.get(part).operands();
                operands.chain((part == root).then_some(root)).for_each(|id| tableau.condition(id, &mut wanted));
            }
        }
        if tableau.untils.len() > u64::BITS as usize || tableau.guessed.len() > u64::BITS as usize {
            return Err(format!("the formula has more than {} temporal operators of a kind", u64::BITS));
        }
        let monitor = Monitor::new(&tableau.arena, &wanted)?;
        tableau.wanted = wanted;
        let weak = |id: &NodeId| matches!(tableau.arena.get(*id), Node::WeakYesterday(_) | Node::Triggered(..));
        let bits = tableau.guessed.iter().enumerate();
        let remembered = bits.filter(|(_, id)| weak(id)).fold(0, |bits, (bit, _)| bits | 1 << bit);
        tableau.state(Obligations { formulas: vec![root], remembered });
        Ok((tableau, monitor))
    }

    /// Notes the parts of the formula that need a bit or an acceptance set.
    fn classify(&mut self, part: NodeId) {
        let node = self.arena.get(part);
        if self.arena.has_future(part) && node.is_past() {
            self.guessed.push(part);
        } else if let Node::Until(..) = node {
            let set = self.untils.len() as u32;
            self.untils.insert(part, set);
        }
    }

    /// Notes a condition, if the formula is one.
    fn condition(&mut self, id: NodeId, wanted: &mut Vec<NodeId>) {
        let is_constant = matches!(id, NodeId::TRUE | NodeId::FALSE);
        if !is_constant && !self.arena.has_future(id) && !self.is_condition(id) {
            let bit = wanted.len() as u32;
            self.conditions.insert(id, (bit, true));
            self.conditions.insert(self.arena.not(id), (bit, false));
            wanted.push(id);
        }
    }

    /// The formulas without future operators that transitions depend on, by the bits of their letters.
    pub fn conditions(&self) -> &[NodeId] {
        &self.wanted
    }

    /// Where the formulas are.
    pub fn arena(&self) -> &Arena {
        &self.arena
    }

    /// All acceptance sets: a run is accepted if it has transitions of each infinitely often.
    pub fn acceptance(&self) -> u64 {
        (0..self.untils.len()).fold(0, |sets, set| sets | 1 << set)
    }

    /// Whether the form of the formula tells that repeating a state of a word makes no difference: it has no X, nor past.
    pub fn ignores_stuttering(&self) -> bool {
        let root = self.states.first().and_then(|obligations| obligations.formulas.first());
        let parts = root.map(|root| self.arena.parts(*root)).unwrap_or_default();
        !parts.into_iter().any(|part| self.arena.has_past(part) || matches!(self.arena.get(part), Node::Next(_)))
    }

    /// How many states have been met so far.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether no state has been met.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// How much memory states and transitions take, about.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The transitions from a state.
    pub fn edges(&mut self, state: u32) -> Result<&[Edge], Refusal> {
        if self.edges[state as usize].is_none() {
            let edges = self.make_edges(state)?;
            self.bytes += edges.len() * size_of::<Edge>();
            self.edges[state as usize] = Some(edges);
        }
        Ok(self.edges[state as usize].as_deref().unwrap_or_default())
    }

    fn state(&mut self, obligations: Obligations) -> u32 {
        let size = size_of::<Obligations>() + obligations.formulas.len() * size_of::<NodeId>();
        let (number, is_new) = self.states.insert_full(obligations);
        if is_new {
            self.bytes += size;
            self.edges.push(None);
        }
        number as u32
    }

    fn make_edges(&mut self, state: u32) -> Result<Vec<Edge>, Refusal> {
        let here = self.states[state as usize].clone();
        let acceptance = self.acceptance();
        let mut ways = self.ways(&here)?;
        if ways.len() <= FEW {
            ways = without_covered(ways);
        }
        let mut edges = Vec::new();
        for way in ways {
            let to = self.state(Obligations { formulas: way.next, remembered: way.remembered });
            edges.push(Edge { holds: way.holds, fails: way.fails, to, marks: acceptance & !way.put_off });
        }
        Ok(edges)
    }

    /// The ways to satisfy a state.
    fn ways(&self, here: &Obligations) -> Result<Vec<Way>, Refusal> {
        let first = Way {
            todo: here.formulas.clone(),
            done: Vec::new(),
            holds: 0,
            fails: 0,
            next: Vec::new(),
            put_off: 0,
            remembered: 0,
            guessed: 0,
        };
        let (mut open, mut ways, mut tried) = (vec![first], Vec::new(), 0);
        while let Some(mut way) = open.pop() {
            tried += 1;
            if ways.len() > MOST_EDGES || tried > MOST_WAYS {
                return Err("the automaton of the formula is too large".to_owned());
            }
            if let Some(node) = way.todo.pop() {
                if way.done.contains(&node) {
                    open.push(way);
                } else {
                    way.done.push(node);
                    self.satisfy(node, way, here.remembered, &mut open);
                }
            } else if let Some(guess) = self.guessed.get(way.guessed).copied() {
                self.guess(guess, way, here.remembered, &mut open);
            } else if let Some(next) = self.simplified(&way.next) {
                way.next = next;
                ways.push(way);
            }
        }
        ways.reverse();
        Ok(ways)
    }

    /// Opens the ways in which a formula can be satisfied.
    fn satisfy(&self, node: NodeId, mut way: Way, remembered: u64, open: &mut Vec<Way>) {
        if let Some((bit, is_true)) = self.conditions.get(&node) {
            if *is_true {
                way.holds |= 1 << bit
            } else {
                way.fails |= 1 << bit
            };
            if way.holds & way.fails == 0 {
                open.push(way);
            }
            return;
        }
        match self.arena.get(node) {
            Node::True => open.push(way),
            Node::False | Node::Atom(_) | Node::NotAtom(_) => {}
            Node::And(a, b) => open.push(way.with([a, b])),
            Node::Or(a, b) => {
                let (first, second) = if self.is_condition(b) { (b, a) } else { (a, b) };
                open.push(self.unless(first, &way).with([second]));
                open.push(way.with([first]));
            }
            Node::Next(a) => {
                way.next.push(a);
                open.push(way);
            }
            Node::Until(a, b) => {
                let mut later = self.unless(b, &way).with([a]);
                later.next.push(node);
                later.put_off |= 1 << self.untils[&node];
                open.push(later);
                open.push(way.with([b]));
            }
            Node::Releases(a, b) => {
                let mut later = self.unless(a, &way).with([b]);
                later.next.push(node);
                open.push(later);
                open.push(way.with([a, b]));
            }
            Node::Yesterday(_) | Node::WeakYesterday(_) => {
                if self.was(node, remembered) {
                    open.push(way);
                }
            }
            Node::Since(..) | Node::Triggered(..) => {
                open.extend(self.now(node, remembered).into_iter().map(|now| way.clone().with(now)));
            }
        }
    }

    fn is_condition(&self, node: NodeId) -> bool {
        self.conditions.contains_key(&node)
    }

    /// The way, where a formula that can be told at once does not hold: it is another way where it does.
    fn unless(&self, node: NodeId, way: &Way) -> Way {
        let negation = self.is_condition(node).then(|| self.arena.not(node));
        way.clone().with(negation)
    }

    /// Whether a past operator that is guessed held a step before.
    fn was(&self, node: NodeId, remembered: u64) -> bool {
        let bit = self.guessed.iter().position(|guessed| *guessed == node);
        bit.is_some_and(|bit| remembered >> bit & 1 == 1)
    }

    /// The ways in which a past operator holds now, given how it was a step before; of Y and Z, what they remember.
    fn now(&self, node: NodeId, remembered: u64) -> Vec<Vec<NodeId>> {
        match (self.arena.get(node), self.was(node, remembered)) {
            (Node::Yesterday(a) | Node::WeakYesterday(a), _) => vec![vec![a]],
            (Node::Since(a, b), true) => vec![vec![a], vec![b]],
            (Node::Triggered(a, b), false) => vec![vec![a, b]],
            (Node::Since(_, b) | Node::Triggered(_, b), _) => vec![vec![b]],
            _ => Vec::new(),
        }
    }

    /// Opens the ways in which the bit of a past operator can be set for the next state.
    fn guess(&self, node: NodeId, mut way: Way, remembered: u64, open: &mut Vec<Way>) {
        let bit = way.guessed;
        way.guessed += 1;
        open.push(way.clone());
        way.remembered |= 1 << bit;
        open.extend(self.now(node, remembered).into_iter().map(|now| way.clone().with(now)));
    }

    /// What has to hold from the next state on, without what other parts of it say anyway; nothing if it cannot hold.
    fn simplified(&self, next: &[NodeId]) -> Option<Vec<NodeId>> {
        let mut formulas = Vec::new();
        let mut open = next.to_vec();
        while let Some(id) = open.pop() {
            match self.arena.get(id) {
                Node::True => {}
                Node::False => return None,
                Node::And(a, b) if !self.is_condition(id) => open.extend([a, b]),
                _ => formulas.push(id),
            }
        }
        formulas.sort_unstable();
        formulas.dedup();
        let said: Vec<NodeId> = formulas.iter().flat_map(|id| self.said_by(*id)).collect();
        formulas.retain(|id| !said.contains(id));
        let contradicts = |id: &NodeId| formulas.contains(&self.arena.not(*id));
        (!formulas.iter().any(contradicts)).then_some(formulas)
    }

    /// The formulas that are to be satisfied whenever a formula is, in whatever way. Without them, a state has the same
    /// transitions.
    fn said_by(&self, id: NodeId) -> Vec<NodeId> {
        let (mut said, mut open) = (Vec::new(), vec![id]);
        while let Some(at) = open.pop() {
            match self.arena.get(at) {
                Node::And(a, b) => open.extend([a, b]),
                Node::Releases(_, b) => open.push(b),
                _ => {}
            }
            if at != id {
                said.push(at);
            }
        }
        said
    }
}

impl Way {
    /// The way, on which some formulas have to be satisfied too.
    fn with(mut self, formulas: impl IntoIterator<Item = NodeId>) -> Way {
        self.todo.extend(formulas);
        self
    }

    /// Whether whatever goes this way could as well go the other one.
    fn is_covered_by(&self, other: &Way) -> bool {
        is_part(other.holds, self.holds)
            && is_part(other.fails, self.fails)
            && is_part(other.put_off, self.put_off)
            && is_part(self.remembered, other.remembered)
            && other.next.iter().all(|id| self.next.contains(id))
    }
}

/// Whether all bits of one number are bits of another.
fn is_part(part: u64, of: u64) -> bool {
    part & !of == 0
}

/// Whether no other way covers the one at an index; of equal ones, the first is needed.
fn is_needed(ways: &[Way], index: usize) -> bool {
    let way = &ways[index];
    !ways
        .iter()
        .enumerate()
        .any(|(at, other)| at != index && way.is_covered_by(other) && (at < index || !other.is_covered_by(way)))
}

/// The ways that no other one covers; of equal ones, the first.
fn without_covered(ways: Vec<Way>) -> Vec<Way> {
    let needed: Vec<bool> = (0..ways.len()).map(|index| is_needed(&ways, index)).collect();
    ways.into_iter().zip(needed).filter(|(_, needed)| *needed).map(|(way, _)| way).collect()
}
