//! On-line checking against a deterministic Büchi automaton in bounded memory: §3 of \[JJ91\].
//!
//! The automaton accepts the runs that satisfy the formula. As it is deterministic, a run violates the formula if and only if it
//! passes accepting transitions only finitely often; so the product without them must have no cycle. It is searched depth first
//! from the initial states and from every state that an accepting transition leads to. No component is computed, and states
//! that are done may be forgotten.
//!
//! # Differs from the paper
//!
//! Acceptance is on transitions. Where the automaton has no transition, the run goes on in a state that is never accepting. States
//! from which a search has begun are never forgotten: two of them could otherwise be searched in turns for ever.

use super::steps::{Detail, Steps};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};
use system::{Claim, Halt, Machine, PropertyId};
use temporal::{Arena, Edge, Letter, Monitor, Refusal, Tableau, normalise};

/// The state of the automaton after it had no transition.
const LOST: u64 = u32::MAX as u64;

/// The most states of an automaton that is looked at whole.
const MOST_STATES: usize = 1000;

/// What a check came to, and what it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnLine {
    /// Whether some run violates the formula.
    pub is_violated: bool,
    /// How often states were stored.
    pub insertions: usize,
    /// How many states were forgotten.
    pub forgotten: usize,
    /// The most states that were stored at a time.
    pub most: usize,
}

/// Why a check is not made.
#[derive(Clone, Debug)]
pub enum Obstacle {
    /// The formula, or the system, is not of the form that it needs.
    Refused(Refusal),
    /// The model has no meaning somewhere, or the work had to end.
    Halt(Halt),
    /// The path alone does not fit, or forgetting costs too much.
    Memory,
}

/// What a check may take.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// How many states are stored at a time, besides those that searches begin from.
    pub states: usize,
    /// How often states are stored in all.
    pub insertions: usize,
}

/// A state of the product.
type Whole = Box<[u64]>;

/// Checks a formula whose automaton is deterministic.
pub fn check_on_line(machine: &Machine, property: PropertyId, room: Room, seed: u64) -> Result<OnLine, Obstacle> {
    let mut search = Search::new(machine, property, room, seed).map_err(Obstacle::Refused)?;
    for state in crate::successors::initial_states(machine).map_err(Obstacle::Halt)? {
        let own = search.monitor.beginning();
        search.begin_from([&state.0[..], &[u64::from(own) << 32]].concat().into());
    }
    while let Some(root) = search.roots.get_index(search.begun).cloned() {
        search.begun += 1;
        if search.traverse(root)? {
            search.found.is_violated = true;
            break;
        }
    }
    Ok(search.found)
}

struct Search<'a> {
    steps: Steps<'a>,
    monitor: Monitor,
    /// The transitions of the automaton, by state.
    automaton: Vec<Vec<Edge>>,
    acceptance: u64,
    /// The states that searches begin from, in order.
    roots: IndexSet<Whole, FxBuildHasher>,
    /// How many of them have begun.
    begun: usize,
    /// States that are done.
    visited: IndexSet<Whole, FxBuildHasher>,
    room: Room,
    /// The state of a generator of numbers, for choosing which state to forget.
    random: u64,
    found: OnLine,
}

/// A transition of the product.
struct Successor {
    to: Whole,
    is_accepting: bool,
}

impl<'a> Search<'a> {
    fn new(machine: &'a Machine, property: PropertyId, room: Room, seed: u64) -> Result<Search<'a>, Refusal> {
        let system = machine.system();
        let Claim::Ltl(formula) = system.properties[property].claim else {
            return Err("it is not a formula of LTL".to_owned());
        };
        if !system.fairness.is_empty() {
            return Err("on-line checking knows no fairness".to_owned());
        }
        let mut arena = Arena::default();
        let root = normalise(system, formula, &mut arena)?;
        let (mut tableau, monitor) = Tableau::new(arena, root)?;
        let (steps, ..) = Steps::new(machine, monitor.atoms(), 0, system.finite_runs, None)?;
        Ok(Search {
            steps,
            monitor,
            acceptance: tableau.acceptance(),
            automaton: deterministic(&mut tableau)?,
            roots: IndexSet::default(),
            begun: 0,
            visited: IndexSet::default(),
            room,
            random: seed,
            found: OnLine { is_violated: false, insertions: 0, forgotten: 0, most: 0 },
        })
    }

    /// A search has to begin from this state, unless one has.
    fn begin_from(&mut self, state: Whole) {
        if self.roots.insert(state) {
            self.found.insertions += 1;
        }
    }

    /// Searches from a root along transitions that are not accepting. Whether there is a cycle of them.
    fn traverse(&mut self, root: Whole) -> Result<bool, Obstacle> {
        let mut on_path: FxHashSet<Whole> = FxHashSet::default();
        let mut path = vec![(root.clone(), self.successors(&root)?)];
        on_path.insert(root);
        while let Some((_, todo)) = path.last_mut() {
            let Some(Successor { to, is_accepting }) = todo.pop() else {
                if let Some((done, _)) = path.pop() {
                    on_path.remove(&done);
                    self.visited.insert(done);
                }
                continue;
            };
            if is_accepting {
                self.begin_from(to);
            } else if on_path.contains(&to) {
                return Ok(true);
            } else if !self.visited.contains(&to) {
                self.make_room(path.len())?;
                self.found.insertions += 1;
                let todo = self.successors(&to)?;
                on_path.insert(to.clone());
                path.push((to, todo));
            }
        }
        Ok(false)
    }

    /// Forgets a state that is done, if there is no room for another one.
    fn make_room(&mut self, path: usize) -> Result<(), Obstacle> {
        let stored = path + self.visited.len();
        self.found.most = self.found.most.max(stored + self.roots.len());
        if self.found.insertions > self.room.insertions {
            return Err(Obstacle::Memory);
        }
        if stored < self.room.states {
            return Ok(());
        }
        if self.visited.is_empty() {
            return Err(Obstacle::Memory);
        }
        // Xorshift (G. Marsaglia, 2003).
        self.random |= 1;
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.visited.swap_remove_index((self.random % self.visited.len() as u64) as usize);
        self.found.forgotten += 1;
        Ok(())
    }

    fn successors(&mut self, from: &[u64]) -> Result<Vec<Successor>, Obstacle> {
        let (state, own) = from.split_at(from.len() - 1);
        let (at, memory) = (own[0] & LOST, (own[0] >> 32) as u32);
        self.steps.collect(state, Detail::Ends).map_err(Obstacle::Halt)?;
        let ends = self.steps.ends.chunks_exact(state.len());
        let mut successors = Vec::new();
        for (step, end) in self.steps.found.iter().zip(ends) {
            let (letter, memory) = self.monitor.read(step.seen as Letter, memory);
            let edges = self.automaton.get(at as usize).map(Vec::as_slice).unwrap_or_default();
            let edge = edges.iter().find(|edge| edge.allows(letter));
            let to = edge.map_or(LOST, |edge| u64::from(edge.to)) | u64::from(memory) << 32;
            let is_accepting = edge.is_some_and(|edge| edge.marks == self.acceptance);
            successors.push(Successor { to: [end, &[to]].concat().into(), is_accepting });
        }
        Ok(successors)
    }
}

/// All transitions of an automaton that is deterministic and has one acceptance set at most.
fn deterministic(tableau: &mut Tableau) -> Result<Vec<Vec<Edge>>, Refusal> {
    if tableau.acceptance().count_ones() > 1 {
        return Err("its automaton has several acceptance sets".to_owned());
    }
    let mut automaton: Vec<Vec<Edge>> = Vec::new();
    while automaton.len() < tableau.len() {
        if automaton.len() == MOST_STATES {
            return Err(format!("its automaton has more than {MOST_STATES} states"));
        }
        let edges = tableau.edges(automaton.len() as u32)?.to_vec();
        let are_apart = |one: &Edge, other: &Edge| one.holds & other.fails | one.fails & other.holds != 0;
        let is_apart = |(at, edge): (usize, &Edge)| edges[at + 1..].iter().all(|other| are_apart(edge, other));
        if !edges.iter().enumerate().all(is_apart) {
            return Err("its automaton is not deterministic".to_owned());
        }
        automaton.push(edges);
    }
    Ok(automaton)
}
