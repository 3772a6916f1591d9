//! The reachable states and the steps between them.

use super::Unlabelled;
use crate::cycle::{Detail, Marks, Steps};
use crate::rows::Inserted;
use crate::store::Store;
use limits::{Handle, Progress};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use system::{ExprId, FiniteRuns, Machine, State};

/// How many states are expanded between two looks at the limits.
const CHUNK: usize = 1 << 10;

/// A step.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Where it leads.
    pub to: u32,
    /// The justice constraints that it meets.
    pub marks: Marks,
}

/// The reachable states by number.
pub struct Graph {
    store: Store,
    /// The initial states.
    pub initial: Vec<u32>,
    /// The steps from each state.
    pub edges: Vec<Vec<Edge>>,
    /// The states before each state.
    pub before: Vec<Vec<u32>>,
    /// Which of the atoms each state satisfies. States without steps are on no infinite run: there it does not matter.
    pub atoms: Vec<u128>,
    /// What has to be met again and again.
    pub needed: Marks,
}

impl Graph {
    /// Visits all states.
    pub fn new(
        machine: &Machine,
        atoms: &[ExprId],
        memory: usize,
        handle: &mut Handle<'_>,
    ) -> Result<Graph, Unlabelled> {
        let steps = Steps::new(machine, atoms, 0, FiniteRuns::Ignored);
        let (mut steps, needed, _) = steps.map_err(Unlabelled::Refused)?;
        let width = machine.layout().words();
        let mut graph = Graph {
            store: Store::new(width),
            initial: Vec::new(),
            edges: Vec::new(),
            before: Vec::new(),
            atoms: Vec::new(),
            needed,
        };
        let (mut reading, mut writing) = (graph.store.cursor(), graph.store.cursor());
        let looked = machine.initial_states(&mut machine.workspace(), |state| {
            if let Inserted::New(number) = graph.store.insert(&mut writing, &state.0) {
                graph.initial.push(number);
            }
            ControlFlow::Continue(())
        });
        looked.map_err(Unlabelled::of)?;
        let mut taken = 0;
        while graph.edges.len() < graph.store.len() {
            if graph.edges.len().is_multiple_of(CHUNK) {
                graph.look(taken + steps.bytes(), memory, handle)?;
            }
            graph.store.go_to(&mut reading, graph.edges.len() as u32);
            steps.collect(reading.state(), Detail::Ends).map_err(Unlabelled::of)?;
            let mut leaving = Vec::with_capacity(steps.found.len());
            for (step, end) in steps.found.iter().zip(steps.ends.chunks(width)) {
                let to = graph.store.insert(&mut writing, end).number();
                leaving.push(Edge { to, marks: step.marks });
            }
            graph.atoms.push(steps.found.first().map_or(0, |step| step.seen));
            taken += leaving.len() * (size_of::<Edge>() + size_of::<u32>()) + size_of::<Vec<Edge>>() * 4;
            graph.edges.push(leaving);
        }
        graph.turn_round();
        Ok(graph)
    }

    /// Whether there are time and memory for more.
    fn look(&self, taken: usize, memory: usize, handle: &mut Handle<'_>) -> Result<(), Unlabelled> {
        let bytes = taken + self.store.bytes_with(CHUNK, CHUNK);
        if bytes > memory {
            return Err(Unlabelled::Memory);
        }
        match handle.see(Progress::States { states: self.store.len(), depth: 0 }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Unlabelled::Interrupted),
        }
    }

    fn turn_round(&mut self) {
        self.before = vec![Vec::new(); self.edges.len()];
        for (from, leaving) in self.edges.iter().enumerate() {
            for edge in leaving {
                self.before[edge.to as usize].push(from as u32);
            }
        }
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.edges.len()
    }

    /// A state.
    pub fn state(&self, number: u32) -> State {
        self.store.get(number)
    }

    /// A shortest path of at least no step from a state to a goal, whose other states are all on the way.
    pub fn path(&self, start: u32, is_on_way: impl Fn(u32) -> bool, is_goal: impl Fn(u32) -> bool) -> Option<Vec<u32>> {
        let mut origin: Vec<Option<u32>> = vec![None; self.states()];
        let mut open = VecDeque::from([start]);
        while let Some(state) = open.pop_front() {
            if is_goal(state) {
                return Some(back(&origin, start, state));
            }
            for edge in self.edges[state as usize].iter().filter(|_| is_on_way(state)) {
                let known = &mut origin[edge.to as usize];
                if edge.to != start && known.is_none() {
                    *known = Some(state);
                    open.push_back(edge.to);
                }
            }
        }
        None
    }
}

/// The way from the start to a state.
fn back(origin: &[Option<u32>], start: u32, mut state: u32) -> Vec<u32> {
    let mut path = vec![state];
    while let Some(before) = origin[state as usize].filter(|_| state != start) {
        path.push(before);
        state = before;
    }
    path.reverse();
    path
}
