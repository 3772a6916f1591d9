//! The depth-first search for a component that has every mark.
//!
//! The algorithm of J.-M. Couvreur (FM 1999), which takes generalised acceptance: the components of what has been seen so far
//! are kept on a stack, with the marks of the transitions inside each, and merged when a transition closes a cycle. Where
//! there are pairs of marks (strong fairness), a component is looked at when it is complete, and split.

use super::lasso::{lasso, stem};
use super::order::Order;
use super::product::{Edge, LeftOut, Product, Wrong};
use super::streett::fair_part;
use super::{Cycles, Marks};
use limits::{Handle, Patience, Progress};
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

/// How far a search is.
#[derive(Default)]
struct Walk {
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

/// A search for cycles. One that was interrupted can go on.
pub struct Search<'a> {
    product: Product<'a>,
    walk: Walk,
}

/// Why a search ends early.
enum End {
    Found(Component),
    Wrong(u32, Wrong),
    Memory,
    Interrupted,
}

impl<'a> Search<'a> {
    /// Nothing has been entered.
    pub fn new(product: Product<'a>) -> Search<'a> {
        Search { product, walk: Walk::default() }
    }

    /// Begins anew, unless there is nothing to be left out.
    pub fn leave_out(&mut self, left_out: LeftOut) {
        if !left_out.is_nothing() {
            self.walk = Walk::default();
            drop(self.product.begin_anew(Order::Forward, left_out));
        }
    }

    /// What need not be looked at.
    pub fn left_out(&self) -> LeftOut {
        self.product.left_out()
    }

    /// Searches from every initial state, or goes on where it was interrupted.
    pub fn run(&mut self, memory: usize, handle: &mut Handle<'_>) -> Cycles {
        if self.walk.initial.is_empty() {
            self.walk.initial = match self.product.initial() {
                Ok(initial) => initial,
                Err(Halt::Interrupted) => return self.interrupted(),
                Err(Halt::Failed(failure)) => return Cycles::Fault(failure, Trace::default()),
            };
        }
        self.search(memory, handle)
    }

    /// Searches from some states.
    pub fn run_from(&mut self, states: Vec<State>, memory: usize, handle: &mut Handle<'_>) -> Cycles {
        self.walk.initial = self.product.begin(states);
        self.search(memory, handle)
    }

    /// Looks at this many states; `None` if there are more, and nothing is known.
    pub fn run_up_to(&mut self, most: usize, memory: usize, handle: &mut Handle<'_>) -> Option<Cycles> {
        match self.run(memory, &mut handle.patient(Patience::of_states(most))) {
            Cycles::Interrupted { states } if states > most && handle.why().is_none() => None,
            found => Some(found),
        }
    }

    /// Looks at this many states in each of some other orders, leaving nothing out; `None` if nothing is known then. The search can go on
    /// where it was.
    pub fn run_in_orders(&mut self, most: usize, memory: usize, handle: &mut Handle<'_>) -> Option<Cycles> {
        for order in Order::some(self.product.machine.system()) {
            let visited = self.product.begin_anew(order, LeftOut::default());
            let walk = std::mem::take(&mut self.walk);
            if let Some(found) = self.run_up_to(most, memory, handle) {
                return Some(found);
            }
            (self.walk, _) = (walk, self.product.exchange(visited));
        }
        None
    }

    fn search(&mut self, memory: usize, handle: &mut Handle<'_>) -> Cycles {
        match self.search_all(memory, handle) {
            Ok(()) => {}
            Err(End::Found(found)) => return self.violation(found, handle),
            Err(End::Memory) => return Cycles::Memory,
            Err(End::Interrupted | End::Wrong(_, Wrong::Interrupted)) => return self.interrupted(),
            Err(End::Wrong(_, Wrong::Refused(why))) => return Cycles::Refused(why),
            Err(End::Wrong(state, Wrong::Fault(failure))) => return self.fault(state, failure, handle),
        }
        if self.product.is_endless() {
            let why = "an atomic section can go round for ever, where no formula looks";
            return Cycles::Refused(why.to_owned());
        }
        Cycles::Nothing { states: self.product.len() }
    }

    fn search_all(&mut self, memory: usize, handle: &mut Handle<'_>) -> Result<(), End> {
        self.search_on(memory, handle)?;
        for number in self.walk.initial.clone() {
            if self.place(number) == UNSEEN {
                self.enter(number, 0)?;
                self.search_on(memory, handle)?;
            }
        }
        Ok(())
    }

    /// Takes the transitions that have not been taken from the states on the path.
    fn search_on(&mut self, memory: usize, handle: &mut Handle<'_>) -> Result<(), End> {
        while let Some(frame) = self.walk.path.last() {
            let state = frame.state;
            if self.walk.edges.len() == frame.first_edge {
                self.leave(state)?;
                continue;
            }
            let Some(edge) = self.walk.edges.pop() else { continue };
            match self.place(edge.to) {
                DONE => {}
                UNSEEN => {
                    if let Err(end) = self.go(edge, memory, handle) {
                        self.walk.edges.push(edge);
                        return Err(end);
                    }
                }
                place => self.close(place, self.product.marks(edge))?,
            }
        }
        Ok(())
    }

    /// Enters the state that a transition leads to, after a look at the limits now and then.
    fn go(&mut self, edge: Edge, memory: usize, handle: &mut Handle<'_>) -> Result<(), End> {
        if self.done() >= self.walk.next_look || self.product.automaton_grows() {
            self.walk.next_look = self.done() + CHUNK;
            self.look_at_limits(memory, handle)?;
        }
        self.enter(edge.to, self.product.marks(edge))
    }

    /// How much has been done: states that were met, and entered.
    fn done(&self) -> usize {
        self.product.len() + self.walk.entered as usize
    }

    fn place(&self, state: u32) -> u32 {
        self.walk.places.get(state as usize).copied().unwrap_or(UNSEEN)
    }

    fn look_at_limits(&mut self, memory: usize, handle: &mut Handle<'_>) -> Result<(), End> {
        if self.bytes() > memory / 2 {
            self.product.fold_all();
        }
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
        let Walk { places, edges, path, alive, roots, .. } = &self.walk;
        let own = places.capacity() * size_of::<u32>()
            + edges.capacity() * size_of::<Edge>()
            + path.capacity() * size_of::<Frame>()
            + alive.capacity() * size_of::<u32>()
            + roots.capacity() * size_of::<Root>();
        self.product.bytes_with(CHUNK) + own
    }

    fn enter(&mut self, state: u32, entering: Marks) -> Result<(), End> {
        let edges = self.product.edges(state).map_err(|wrong| End::Wrong(state, wrong))?;
        let walk = &mut self.walk;
        let first_edge = walk.edges.len();
        walk.edges.extend(edges.iter().rev());
        walk.places.resize(self.product.len(), UNSEEN);
        walk.entered += 1;
        let place = walk.entered;
        walk.places[state as usize] = place;
        walk.path.push(Frame { state, first_edge });
        walk.roots.push(Root { place, first: walk.alive.len(), marks: 0, entering, has_cycle: false });
        walk.alive.push(state);
        Ok(())
    }

    /// A transition leads back to a state that is alive: all components from there on are one.
    fn close(&mut self, place: u32, marks: Marks) -> Result<(), End> {
        let (mut merged, roots) = (marks, &mut self.walk.roots);
        while let Some(root) = roots.pop_if(|root| root.place > place) {
            merged |= root.marks | root.entering;
        }
        let needed = self.product.needed;
        let Some(root) = roots.last_mut() else { return Ok(()) };
        root.marks |= merged;
        root.has_cycle = true;
        if self.product.pairs.is_empty() && root.marks & needed == needed {
            let states = self.walk.alive[root.first..].to_vec();
            return Err(End::Found(Component { states, wanted: needed, forbidden: 0 }));
        }
        Ok(())
    }

    /// All transitions of a state have been taken. If its component is complete, it is done.
    fn leave(&mut self, state: u32) -> Result<(), End> {
        self.walk.path.pop();
        let place = self.place(state);
        let Some(root) = self.walk.roots.pop_if(|root| root.place == place) else { return Ok(()) };
        let needed = self.product.needed;
        if root.has_cycle && !self.product.pairs.is_empty() && root.marks & needed == needed {
            let states = &self.walk.alive[root.first..];
            let part = fair_part(&mut self.product, states).map_err(|wrong| End::Wrong(state, wrong))?;
            if let Some(found) = part {
                return Err(End::Found(found));
            }
        }
        let Walk { alive, places, .. } = &mut self.walk;
        alive.drain(root.first..).for_each(|state| places[state as usize] = DONE);
        Ok(())
    }

    /// The run of a counterexample. Only an interruption can keep it from being found.
    fn violation(&mut self, mut found: Component, handle: &mut Handle<'_>) -> Cycles {
        found.states.sort_unstable();
        let known: Vec<u32> = self.walk.path.iter().map(|frame| frame.state).collect();
        let _ = handle.see(self.progress());
        let Search { product, walk: Walk { initial, places, .. } } = self;
        if product.pairs.is_empty() {
            product.look_at_all();
        }
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
    fn fault(&mut self, state: u32, failure: Failure, handle: &mut Handle<'_>) -> Cycles {
        let _ = handle.see(self.progress());
        let Search { product, walk: Walk { initial, places, .. } } = self;
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
