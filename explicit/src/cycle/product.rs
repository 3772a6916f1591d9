//! The product of a system with the automaton and the monitor of a formula.
//!
//! A state of the product is a state of the system, and a word with the state of the automaton and what the monitor
//! remembers.

use super::Marks;
use super::order::Order;
use super::reduction::Reduction;
use super::steps::{Detail, Pair, Step, Steps};
use super::violations::Violations;
use crate::options::worthwhile;
use crate::store::Store;
use crate::successors::initial_states;
use crate::tree::Cursor;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::rc::Rc;
use system::{Failure, Halt, Machine, Moved, Sorting, State, Symmetry};
use temporal::{Letter, Monitor, Refusal};

/// Why a state of the product has no list of successors.
#[derive(Clone, Debug)]
pub enum Wrong {
    /// The model has no meaning there.
    Fault(Failure),
    /// The work has to end.
    Interrupted,
    /// The automaton cannot be made.
    Refused(Refusal),
}

impl From<Halt> for Wrong {
    fn from(halt: Halt) -> Wrong {
        match halt {
            Halt::Failed(failure) => Wrong::Fault(failure),
            Halt::Interrupted => Wrong::Interrupted,
        }
    }
}

impl From<Failure> for Wrong {
    fn from(failure: Failure) -> Wrong {
        Wrong::Fault(failure)
    }
}

impl From<Refusal> for Wrong {
    fn from(why: Refusal) -> Wrong {
        Wrong::Refused(why)
    }
}

/// A transition of the product: the state that it leads to, and the number of its marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// Where it leads.
    pub to: u32,
    marks: u32,
}

/// What need not be looked at.
#[derive(Clone, Default)]
pub struct LeftOut {
    /// Which interleavings.
    pub reduction: Option<Reduction>,
    /// The processes that can change places: one state stands for all that differ by that.
    pub symmetry: Rc<Symmetry>,
}

impl LeftOut {
    /// Whether all has to be looked at.
    pub fn is_nothing(&self) -> bool {
        self.reduction.is_none() && self.symmetry.is_trivial()
    }
}

/// States that have been visited, and how they were.
pub struct Visited {
    store: Store,
    reading: Cursor,
    writing: Cursor,
    order: Order,
    left_out: LeftOut,
    begun: FxHashMap<u32, State>,
}

/// States of the product, and transitions between them.
pub struct Product<'a> {
    pub machine: &'a Machine,
    violations: Violations,
    monitor: Monitor,
    steps: Steps<'a>,
    store: Store,
    reading: Cursor,
    writing: Cursor,
    /// Sets of marks by number.
    marks: IndexSet<Marks, FxBuildHasher>,
    /// Marks that all have to recur.
    pub needed: Marks,
    /// Marks of which some have to recur if others do.
    pub pairs: Vec<Pair>,
    /// In which order transitions are tried.
    order: Order,
    /// The processes that can change places: one state stands for all that differ by that.
    symmetry: Rc<Symmetry>,
    sorting: Sorting,
    /// The states where runs begin that others stand for, by the number of those.
    begun: FxHashMap<u32, State>,
    /// The transitions from the state at hand: the steps, and their marks.
    found: Vec<(u32, Marks)>,
    /// The states that they lead to, side by side.
    ends: Vec<u64>,
    /// The transitions from it, with the numbers of those states.
    edges: Vec<Edge>,
    /// The transitions of the automaton by what was seen last: their marks, and the last words of the states that they lead to.
    allowed: Vec<(Marks, u64)>,
    /// What was seen last, and the last word of the state where it was.
    last_seen: Option<(u128, u64)>,
    /// The last marks, and their number.
    last_marks: Option<(Marks, u32)>,
    /// How many states the automaton had when it was last asked whether it grows.
    automaton: usize,
}

impl<'a> Product<'a> {
    /// Nothing is known of it at first.
    pub fn new(machine: &'a Machine, (violations, monitor): (Violations, Monitor)) -> Result<Product<'a>, Refusal> {
        let accepted = Marks::from(violations.acceptance());
        let reserved = Marks::BITS - accepted.leading_zeros();
        let finite_runs = violations.finite_runs(machine.system());
        let (steps, fair, pairs) = Steps::new(machine, monitor.atoms(), reserved, finite_runs)?;
        let store = Store::unfolded(machine.layout().words() + 1);
        Ok(Product {
            machine,
            violations,
            monitor,
            steps,
            reading: store.cursor(),
            writing: store.cursor(),
            store,
            marks: IndexSet::default(),
            needed: accepted | fair,
            pairs,
            order: Order::Forward,
            symmetry: Rc::default(),
            sorting: Sorting::default(),
            begun: FxHashMap::default(),
            found: Vec::new(),
            ends: Vec::new(),
            edges: Vec::new(),
            allowed: Vec::new(),
            last_seen: None,
            last_marks: None,
            automaton: 0,
        })
    }

    /// Puts all states aside. From now on, transitions are tried in another order, and what is left out need not be looked at.
    pub fn begin_anew(&mut self, order: Order, left_out: LeftOut) -> Visited {
        let store = Store::unfolded(self.machine.layout().words() + 1);
        let (reading, writing) = (store.cursor(), store.cursor());
        self.exchange(Visited { store, reading, writing, order, left_out, begun: FxHashMap::default() })
    }

    /// Goes on with states that were put aside, and puts those at hand aside.
    pub fn exchange(&mut self, visited: Visited) -> Visited {
        use std::mem::replace;
        let Visited { store, reading, writing, order, left_out: LeftOut { reduction, symmetry }, begun } = visited;
        Visited {
            store: replace(&mut self.store, store),
            reading: replace(&mut self.reading, reading),
            writing: replace(&mut self.writing, writing),
            order: replace(&mut self.order, order),
            left_out: LeftOut {
                reduction: replace(&mut self.steps.reduction, reduction),
                symmetry: replace(&mut self.symmetry, symmetry),
            },
            begun: replace(&mut self.begun, begun),
        }
    }

    /// From now on, no interleaving is left out: from states that are visited again there are at least the transitions that there were.
    pub fn look_at_all(&mut self) {
        self.steps.reduction = None;
    }

    /// What need not be looked at.
    pub fn left_out(&self) -> LeftOut {
        let (system, atoms) = (self.machine.system(), self.monitor.atoms());
        let symmetry = match self.steps.are_told_apart() {
            true => Symmetry::default(),
            false => worthwhile(Symmetry::keeping(system, atoms.to_vec())),
        };
        let ignores_stuttering = self.violations.ignores_stuttering;
        let reduction = ignores_stuttering.then(|| Reduction::new(system, atoms, &symmetry)).flatten();
        LeftOut { reduction, symmetry: Rc::new(symmetry) }
    }

    /// How many states have been met.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// How much memory is taken, with this many states more.
    pub fn bytes_with(&self, more: usize) -> usize {
        self.store.bytes_with(more, more) + self.steps.bytes() + self.violations.bytes()
    }

    /// Takes less memory for states, if that is possible.
    pub fn fold_all(&mut self) {
        self.store.fold_all();
    }

    /// Whether the automaton has got new states since this was last asked: to make their transitions may take long.
    pub fn automaton_grows(&mut self) -> bool {
        let states = self.violations.len();
        std::mem::replace(&mut self.automaton, states) < states
    }

    /// Whether some atomic section can go round for ever.
    pub fn is_endless(&self) -> bool {
        self.steps.is_endless
    }

    /// The marks of a transition.
    pub fn marks(&self, edge: Edge) -> Marks {
        self.marks[edge.marks as usize]
    }

    /// The initial states.
    pub fn initial(&mut self) -> Result<Vec<u32>, Halt> {
        initial_states(self.machine).map(|states| self.begin(states))
    }

    /// Some states of the system, with the automaton at its beginning.
    pub fn begin(&mut self, states: Vec<State>) -> Vec<u32> {
        self.ends.clear();
        for state in &states {
            let first = self.ends.len();
            self.ends.extend_from_slice(&state.0);
            self.symmetry.sort(self.machine.layout(), &mut self.ends[first..], &mut self.sorting);
            self.ends.push(join(0, self.monitor.beginning()));
        }
        let mut numbers = Vec::new();
        self.store.insert_all(&mut self.writing, &self.ends, |state| numbers.push(state.number()));
        if !self.symmetry.is_trivial() {
            self.begun = numbers.iter().copied().zip(states).collect();
        }
        numbers
    }

    /// The state of the system where a run begins, by the number of a state of the product.
    pub fn beginning(&self, number: u32) -> State {
        self.begun.get(&number).cloned().unwrap_or_else(|| self.state(number))
    }

    /// A state of the system by the number of a state of the product.
    pub fn state(&self, number: u32) -> State {
        let words = self.store.get(number).0;
        State(words[..words.len() - 1].into())
    }

    /// The transitions from a state, each once.
    pub fn edges(&mut self, from: u32) -> Result<&[Edge], Wrong> {
        self.collect(from, Detail::Ends)?;
        let Product { edges, found, marks: numbers, last_marks: last, store, writing, ends, .. } = self;
        edges.clear();
        let mut found = found.iter();
        let mut number = |marks: Marks| match last {
            Some((known, number)) if *known == marks => *number,
            _ => last.insert((marks, numbers.insert_full(marks).0 as u32)).1,
        };
        store.insert_all(writing, ends, |end| {
            edges.extend(found.next().map(|(_, marks)| Edge { to: end.number(), marks: number(*marks) }));
        });
        if self.order == Order::Forward {
            edges.sort_unstable();
            edges.dedup();
        } else {
            self.edges = self.in_order(from);
        }
        Ok(&self.edges)
    }

    /// Transitions that were found, each once, in the order in which they are tried.
    fn in_order(&self, from: u32) -> Vec<Edge> {
        let mut ranked: Vec<(u64, Edge)> = Vec::with_capacity(self.edges.len());
        for (place, (edge, (step, _))) in self.edges.iter().zip(&self.found).enumerate() {
            ranked.push((self.order.rank(from, place, self.steps.found[*step as usize].mover), *edge));
        }
        ranked.sort_unstable();
        let mut known = FxHashSet::default();
        ranked.into_iter().map(|(_, edge)| edge).filter(|edge| known.insert((edge.to, edge.marks))).collect()
    }

    /// How a transition is made from a state that another one stands for: the moves, and the states after them.
    pub fn way(&mut self, (at, from): (&State, u32), edge: Edge) -> Result<Vec<(Moved, State)>, Wrong> {
        let wanted = self.marks(edge);
        let end = self.store.get(edge.to);
        let mut at = at.clone();
        self.machine.layout().set_holder(&mut at.0, None);
        self.store.go_to(&mut self.reading, from);
        let own = self.reading.state()[at.0.len()];
        self.collect_from(&at.0, own, Detail::Ways)?;
        let ends = self.ends.chunks_exact(end.0.len());
        let matching = self.found.iter().zip(ends).find(|((_, marks), at)| *marks == wanted && **at == *end.0);
        Ok(matching.map(|((step, _), _)| self.steps.found[*step as usize].way.clone()).unwrap_or_default())
    }

    /// Finds the transitions from a state.
    fn collect(&mut self, from: u32, detail: Detail) -> Result<(), Wrong> {
        self.store.go_to(&mut self.reading, from);
        let reading = std::mem::take(&mut self.reading);
        let (state, own) = reading.state().split_at(reading.state().len() - 1);
        let collected = self.collect_from(state, own[0], detail);
        self.reading = reading;
        collected
    }

    /// Finds the transitions from a state of the system, with the state of the automaton and of the monitor.
    fn collect_from(&mut self, state: &[u64], own: u64, detail: Detail) -> Result<(), Wrong> {
        let (at, memory) = split(own);
        self.steps.collect(state, detail)?;
        self.ends.clear();
        self.found.clear();
        if !self.symmetry.is_trivial() {
            let ends = self.steps.ends.chunks_exact_mut(state.len());
            ends.for_each(|end| self.symmetry.sort(self.machine.layout(), end, &mut self.sorting));
        }
        let ends = self.steps.ends.chunks_exact(state.len());
        for (index, (Step { seen, marks, .. }, end)) in self.steps.found.iter().zip(ends).enumerate() {
            // Most steps see what the last one saw.
            if self.last_seen != Some((*seen, own)) {
                self.last_seen = None;
                let (letter, memory) = self.monitor.read(*seen as Letter, memory);
                let edges = self.violations.edges(at)?.iter().filter(|edge| edge.allows(letter));
                self.allowed.clear();
                self.allowed.extend(edges.map(|edge| (Marks::from(edge.marks), join(edge.to, memory))));
                self.last_seen = Some((*seen, own));
            }
            for (accepted, own) in &self.allowed {
                self.found.push((index as u32, marks | accepted));
                self.ends.extend_from_slice(end);
                self.ends.push(*own);
            }
        }
        Ok(())
    }
}

fn join(automaton: u32, memory: u32) -> u64 {
    u64::from(automaton) | u64::from(memory) << 32
}

fn split(word: u64) -> (u32, u32) {
    (word as u32, (word >> 32) as u32)
}
