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
//! from which a search has begun are never forgotten: two of them could otherwise be searched in turns for ever. They remember which
//! search met them, so that the way to a violation is found again by searching from each of them to the next.

use super::Cycles;
use super::lasso::closed;
use super::steps::{Detail, Steps};
use crate::successors::initial_states;
use engine::Findings;
use indexmap::{IndexMap, IndexSet};
use limits::{Handle, Progress};
use rustc_hash::{FxBuildHasher, FxHashSet};
use system::{Claim, Halt, Machine, PropertyId, State, Trace};
use temporal::{Arena, Edge, Letter, Monitor, Refusal, Tableau, normalise};

/// The state of the automaton after it had no transition.
const LOST: u64 = u32::MAX as u64;

/// The most states of an automaton that is looked at whole.
const MOST_STATES: usize = 1000;

/// How many states are stored between two looks at the limits.
const CHUNK: usize = 1 << 10;

/// What storing a state takes besides the state itself, in bytes, about.
const OVERHEAD: usize = 64;

/// What a check came to, and what it took.
#[derive(Clone, Debug)]
pub struct OnLine {
    /// A run that violates the formula, if there is one.
    pub violation: Option<Trace>,
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

impl From<Halt> for Obstacle {
    fn from(halt: Halt) -> Obstacle {
        Obstacle::Halt(halt)
    }
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

/// Checks a formula in about this many bytes of memory; `None` if its automaton is not deterministic, or the model has no meaning
/// somewhere.
pub fn find_cycle_on_line(
    machine: &Machine,
    property: PropertyId,
    memory: usize,
    seed: u64,
    handle: &mut Handle<'_>,
) -> Option<Findings> {
    let bytes = (machine.layout().words() + 1) * size_of::<u64>() + OVERHEAD;
    let room = Room { states: memory / bytes, insertions: usize::MAX };
    let found = match check_on_line(machine, property, room, seed, handle) {
        Ok(OnLine { violation: Some(trace), .. }) => Cycles::Violation(trace),
        Ok(OnLine { violation: None, insertions, .. }) => Cycles::Nothing { states: insertions },
        Err(Obstacle::Memory) => Cycles::Memory,
        Err(Obstacle::Halt(Halt::Interrupted)) => Cycles::Interrupted { states: 0 },
        Err(Obstacle::Refused(_) | Obstacle::Halt(Halt::Failed(_))) => return None,
    };
    Some(found.findings(property, handle))
}

/// Checks a formula whose automaton is deterministic.
pub fn check_on_line(
    machine: &Machine,
    property: PropertyId,
    room: Room,
    seed: u64,
    handle: &mut Handle<'_>,
) -> Result<OnLine, Obstacle> {
    let mut search = Search::new(machine, property, room, seed).map_err(Obstacle::Refused)?;
    for state in initial_states(machine)? {
        let own = search.monitor.beginning();
        search.begin_from([&state.0[..], &[u64::from(own) << 32]].concat().into(), None);
    }
    while search.begun < search.roots.len() {
        search.begun += 1;
        if let Some(round) = search.traverse(search.begun - 1, None, handle)? {
            search.found.violation = Some(search.trace(&round, handle)?);
            return Ok(search.found);
        }
    }
    if search.steps.is_endless {
        return Err(Obstacle::Refused("an atomic section can go round for ever".to_owned()));
    }
    Ok(search.found)
}

struct Search<'a> {
    steps: Steps<'a>,
    monitor: Monitor,
    /// The transitions of the automaton, by state.
    automaton: Vec<Vec<Edge>>,
    acceptance: u64,
    /// The states that searches begin from, in order, and the number of the one whose search met them.
    roots: IndexMap<Whole, Option<usize>, FxBuildHasher>,
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
        let (steps, ..) = Steps::new(machine, monitor.atoms(), 0, system.finite_runs)?;
        Ok(Search {
            steps,
            monitor,
            acceptance: tableau.acceptance(),
            automaton: deterministic(&mut tableau)?,
            roots: IndexMap::default(),
            begun: 0,
            visited: IndexSet::default(),
            room,
            random: seed,
            found: OnLine { violation: None, insertions: 0, forgotten: 0, most: 0 },
        })
    }

    /// A search has to begin from this state, unless one has.
    fn begin_from(&mut self, state: Whole, from: Option<usize>) {
        if !self.roots.contains_key(&state) {
            self.roots.insert(state, from);
            self.found.insertions += 1;
        }
    }

    fn root(&self, number: usize) -> Result<Whole, Obstacle> {
        self.roots.get_index(number).map(|(root, _)| root.clone()).ok_or(Obstacle::Memory)
    }

    /// Searches from a root along transitions that are not accepting, for a cycle of them, or for an accepting transition to a goal:
    /// the states on the way there, and the last one.
    fn traverse(
        &mut self,
        number: usize,
        goal: Option<&Whole>,
        handle: &mut Handle<'_>,
    ) -> Result<Option<Vec<Whole>>, Obstacle> {
        let root = self.root(number)?;
        let mut on_path: FxHashSet<Whole> = FxHashSet::default();
        let mut path = vec![(root.clone(), self.successors(&root, Detail::Ends)?)];
        on_path.insert(root);
        while let Some((_, todo)) = path.last_mut() {
            let Some(Successor { to, is_accepting }) = todo.pop() else {
                if let Some((done, _)) = path.pop() {
                    on_path.remove(&done);
                    self.visited.insert(done);
                }
                continue;
            };
            let is_end = if is_accepting { goal == Some(&to) } else { goal.is_none() && on_path.contains(&to) };
            if is_end {
                return Ok(Some(path.into_iter().map(|(state, _)| state).chain([to]).collect()));
            } else if is_accepting && goal.is_none() {
                self.begin_from(to, Some(number));
            } else if !is_accepting && !self.visited.contains(&to) && !on_path.contains(&to) {
                self.make_room(path.len(), handle)?;
                self.found.insertions += 1;
                let todo = self.successors(&to, Detail::Ends)?;
                on_path.insert(to.clone());
                path.push((to, todo));
            }
        }
        Ok(None)
    }

    /// The run that goes from an initial state to the root of the last search, and from there the way to where it goes round.
    fn trace(&mut self, round: &[Whole], handle: &mut Handle<'_>) -> Result<Trace, Obstacle> {
        let mut chain = vec![self.begun - 1];
        while let Some((_, Some(from))) = chain.last().and_then(|last| self.roots.get_index(*last)) {
            chain.push(*from);
        }
        chain.reverse();
        let mut way = vec![self.root(chain[0])?];
        for pair in chain.windows(2) {
            self.visited.clear();
            let goal = self.root(pair[1])?;
            let part = self.traverse(pair[0], Some(&goal), handle)?.ok_or(Obstacle::Memory)?;
            way.extend(part.into_iter().skip(1));
        }
        let start = round.iter().position(|state| Some(state) == round.last()).unwrap_or_default();
        way.extend_from_slice(&round[1..=start]);
        let first = State(way[0][..way[0].len() - 1].into());
        let mut trace = Trace::starting(first);
        self.follow(&mut trace, &way).ok_or(Obstacle::Memory)?;
        closed(trace, |trace| self.follow(trace, &round[start..])).ok_or(Obstacle::Memory)
    }

    /// Makes the steps from each state of a way to the next.
    fn follow(&mut self, trace: &mut Trace, way: &[Whole]) -> Option<()> {
        for pair in way.windows(2) {
            let place = self.successors(&pair[0], Detail::Ways).ok()?.iter().position(|step| step.to == pair[1])?;
            for (moved, state) in self.steps.found[place].way.clone() {
                trace.push(moved, state);
            }
        }
        Some(())
    }

    /// Forgets a state that is done, if there is no room for another one.
    fn make_room(&mut self, path: usize, handle: &mut Handle<'_>) -> Result<(), Obstacle> {
        let stored = path + self.visited.len();
        let now = Progress::States { states: stored + self.roots.len(), depth: 0 };
        if self.found.insertions.is_multiple_of(CHUNK) && handle.see(now).is_break() {
            return Err(Obstacle::Halt(Halt::Interrupted));
        }
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

    fn successors(&mut self, from: &[u64], detail: Detail) -> Result<Vec<Successor>, Obstacle> {
        let (state, own) = from.split_at(from.len() - 1);
        let (at, memory) = (own[0] & LOST, (own[0] >> 32) as u32);
        self.steps.collect(state, detail)?;
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
        if !are_apart(&edges) {
            return Err("its automaton is not deterministic".to_owned());
        }
        automaton.push(edges);
    }
    Ok(automaton)
}

/// Whether no two transitions can be taken with the same letter.
fn are_apart(edges: &[Edge]) -> bool {
    edges
        .iter()
        .enumerate()
        .all(|(at, one)| edges[at + 1..].iter().all(|other| one.holds & other.fails | one.fails & other.holds != 0))
}
