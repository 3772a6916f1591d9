//! The depth-first search for a component that has every mark.
//!
//! The algorithm of J.-M. Couvreur (FM 1999), which takes generalised acceptance: the components of what has been seen so far
//! are kept on a stack, with the marks of the transitions inside each, and merged when a transition closes a cycle. Where
//! there are pairs of marks (strong fairness), a component is looked at when it is complete, and split.

use super::lasso::{lasso, stem};
use super::product::{Edge, Product, Wrong};
use super::streett::fair_part;
use super::{Cycles, Marks};
use limits::{Handle, Progress};
use system::{Failure, Halt, State, Trace};

/// How many states are met or entered between two looks at the limits.
const CHUNK: usize = 1 << 10;

/// The place of a state in the search that has not been entered.
const UNSEEN: u32 = 0;

/// The place of a state that is on no cycle that matters.
const DONE: u32 = u32::MAX;

/// A state on the path, and where its transitions are that have not been taken.
struct Frame {
    state: u32,
    first_edge: usize,
}

/// A component on the path.
struct Root {
    /// The place of its first state.
    place: u32,
    /// Where its states begin among those that are alive.
    first: usize,
    /// The marks inside.
    marks: Marks,
    /// The marks of the transition that leads into it.
    entering: Marks,
    has_cycle: bool,
}

/// States of a component, and which of the transitions between them count.
#[derive(Clone, Debug)]
pub struct Component {
    /// The states.
    pub states: Vec<u32>,
    /// Marks that a cycle has to have.
    pub wanted: Marks,
    /// Marks that a cycle must not have.
    pub forbidden: Marks,
}

/// A search for cycles.
pub struct Search<'p, 'a> {
    product: &'p mut Product<'a>,
    initial: Vec<u32>,
    /// For each state, when it was entered.
    places: Vec<u32>,
    entered: u32,
    /// When to look at the limits again.
    next_look: usize,
    path: Vec<Frame>,
    edges: Vec<Edge>,
    roots: Vec<Root>,
    /// The states that were entered and are not done, in order.
    alive: Vec<u32>,
}

/// Why a search ends early.
enum End {
    Found(Component),
    Wrong(u32, Wrong),
    Memory,
    Interrupted,
}

impl<'p, 'a> Search<'p, 'a> {
    /// Nothing has been entered.
    pub fn new(product: &'p mut Product<'a>) -> Search<'p, 'a> {
        Search {
            product,
            initial: Vec::new(),
            places: Vec::new(),
            entered: 0,
            next_look: 0,
            path: Vec::new(),
            edges: Vec::new(),
            roots: Vec::new(),
            alive: Vec::new(),
        }
    }

    /// Searches from every initial state.
    pub fn run(mut self, memory: usize, handle: &mut Handle<'_>) -> Cycles {
        self.initial = match self.product.initial() {
            Ok(initial) => initial,
            Err(Halt::Interrupted) => return self.interrupted(),
            Err(Halt::Failed(failure)) => return Cycles::Fault(failure, Trace::default()),
        };
        self.search(memory, handle)
    }

    /// Searches from some states.
    pub fn run_from(mut self, states: Vec<State>, memory: usize, handle: &mut Handle<'_>) -> Cycles {
        self.initial = self.product.begin(states);
        self.search(memory, handle)
    }

    fn search(mut self, memory: usize, handle: &mut Handle<'_>) -> Cycles {
        for number in self.initial.clone() {
            match self.search_from(number, memory, handle) {
                Ok(()) => {}
                Err(End::Found(found)) => return self.violation(found, handle),
                Err(End::Memory) => return Cycles::Memory,
                Err(End::Interrupted | End::Wrong(_, Wrong::Interrupted)) => return self.interrupted(),
                Err(End::Wrong(_, Wrong::Refused(why))) => return Cycles::Refused(why),
                Err(End::Wrong(state, Wrong::Fault(failure))) => return self.fault(state, failure, handle),
            }
        }
        if self.product.is_endless() {
            let why = "an atomic section can go round for ever, where no formula looks";
            return Cycles::Refused(why.to_owned());
        }
        Cycles::Nothing { states: self.product.len() }
    }

    fn search_from(&mut self, start: u32, memory: usize, handle: &mut Handle<'_>) -> Result<(), End> {
        if self.place(start) != UNSEEN {
            return Ok(());
        }
        self.enter(start, 0)?;
        while let Some(frame) = self.path.last() {
            let state = frame.state;
            if self.edges.len() == frame.first_edge {
                self.leave(state)?;
                continue;
            }
            let Some(edge) = self.edges.pop() else { continue };
            match self.place(edge.to) {
                DONE => {}
                UNSEEN => {
                    if self.done() >= self.next_look || self.product.automaton_grows() {
                        self.next_look = self.done() + CHUNK;
                        self.look_at_limits(memory, handle)?;
                    }
                    self.enter(edge.to, self.product.marks(edge))?;
                }
                place => self.close(place, self.product.marks(edge))?,
            }
        }
        Ok(())
    }

    /// How much has been done: states that were met, and entered.
    fn done(&self) -> usize {
        self.product.len() + self.entered as usize
    }

    fn place(&self, state: u32) -> u32 {
        self.places.get(state as usize).copied().unwrap_or(UNSEEN)
    }

    fn look_at_limits(&self, memory: usize, handle: &mut Handle<'_>) -> Result<(), End> {
        if self.bytes() > memory {
            return Err(End::Memory);
        }
        if handle.see(self.progress()).is_break() { Err(End::Interrupted) } else { Ok(()) }
    }

    /// How far the search is.
    fn progress(&self) -> Progress {
        Progress::States { states: self.product.len(), depth: 0 }
    }

    /// How much memory it takes.
    fn bytes(&self) -> usize {
        let own = self.places.capacity() * size_of::<u32>()
            + self.edges.capacity() * size_of::<Edge>()
            + self.path.capacity() * size_of::<Frame>()
            + self.alive.capacity() * size_of::<u32>()
            + self.roots.capacity() * size_of::<Root>();
        self.product.bytes_with(CHUNK) + own
    }

    fn enter(&mut self, state: u32, entering: Marks) -> Result<(), End> {
        let first_edge = self.edges.len();
        let edges = self.product.edges(state).map_err(|wrong| End::Wrong(state, wrong))?;
        self.edges.extend(edges.into_iter().rev());
        self.places.resize(self.product.len(), UNSEEN);
        self.entered += 1;
        let place = self.entered;
        self.places[state as usize] = place;
        self.path.push(Frame { state, first_edge });
        self.roots.push(Root { place, first: self.alive.len(), marks: 0, entering, has_cycle: false });
        self.alive.push(state);
        Ok(())
    }

    /// A transition leads back to a state that is alive: all components from there on are one.
    fn close(&mut self, place: u32, marks: Marks) -> Result<(), End> {
        let mut merged = marks;
        while self.roots.last().is_some_and(|root| root.place > place) {
            if let Some(root) = self.roots.pop() {
                merged |= root.marks | root.entering;
            }
        }
        let needed = self.product.needed;
        let Some(root) = self.roots.last_mut() else { return Ok(()) };
        root.marks |= merged;
        root.has_cycle = true;
        if self.product.pairs.is_empty() && root.marks & needed == needed {
            let states = self.alive[root.first..].to_vec();
            return Err(End::Found(Component { states, wanted: needed, forbidden: 0 }));
        }
        Ok(())
    }

    /// All transitions of a state have been taken. If its component is complete, it is done.
    fn leave(&mut self, state: u32) -> Result<(), End> {
        self.path.pop();
        let place = self.place(state);
        let Some(root) = self.roots.pop_if(|root| root.place == place) else { return Ok(()) };
        let states = self.alive.split_off(root.first);
        let needed = self.product.needed;
        if root.has_cycle && !self.product.pairs.is_empty() && root.marks & needed == needed {
            let part = fair_part(self.product, &states).map_err(|wrong| End::Wrong(state, wrong))?;
            if let Some(found) = part {
                return Err(End::Found(found));
            }
        }
        states.into_iter().for_each(|state| self.places[state as usize] = DONE);
        Ok(())
    }

    /// The run of a counterexample. Only an interruption can keep it from being found.
    fn violation(mut self, mut found: Component, handle: &mut Handle<'_>) -> Cycles {
        found.states.sort_unstable();
        let known: Vec<u32> = self.path.iter().map(|frame| frame.state).collect();
        let _ = handle.see(self.progress());
        let Search { product, initial, places, .. } = &mut self;
        let is_entered = |state| is_entered(places, state);
        match lasso(product, (initial, &known), is_entered, &found, handle) {
            Some(trace) => Cycles::Violation(trace),
            None => self.interrupted(),
        }
    }

    fn interrupted(&self) -> Cycles {
        Cycles::Interrupted { states: self.product.len() }
    }

    /// A run to the state where the model has no meaning.
    fn fault(mut self, state: u32, failure: Failure, handle: &mut Handle<'_>) -> Cycles {
        let _ = handle.see(self.progress());
        let Search { product, initial, places, .. } = &mut self;
        if failure.command.is_none() {
            let why = failure.fault.describe(product.machine.system());
            return Cycles::Refused(format!("a condition of the formula or of fairness has no value: {why}"));
        }
        let trace = stem(product, initial, |state| is_entered(places, state), state, handle);
        Cycles::Fault(failure, trace.unwrap_or_default())
    }
}

fn is_entered(places: &[u32], state: u32) -> bool {
    places.get(state as usize).is_some_and(|place| *place != UNSEEN)
}
