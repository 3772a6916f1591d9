//! Breadth-first search: shortest counterexamples, and the whole state space where it is small enough.

use super::store::{Store, Stored};
use std::ops::ControlFlow;
use system::{Claim, Failure, Machine, Moved, PropertyId, State, Successor, Trace, Visit, Workspace};

/// How far a search may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most steps from an initial state.
    pub depth: usize,
    /// The most bytes for states.
    pub memory: usize,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Every reachable state was visited.
    Complete,
    /// The states at the greatest allowed depth were visited, and they have successors that were not.
    Depth,
    /// The memory limit was reached.
    Memory,
    /// Somebody asked for it.
    Interrupted,
    /// Every property is decided.
    Decided,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Search {
    /// Violations of the properties, in the order in which they were found.
    pub violations: Vec<(PropertyId, Trace)>,
    /// The depth of the first state without successors that is no valid end, if there is one.
    pub deadlock: Option<usize>,
    /// How many states were visited.
    pub states: usize,
    /// How many initial states there are.
    pub initial_states: usize,
    /// The greatest depth that was visited completely.
    pub depth: usize,
    /// Why the search ended.
    pub stop: Stop,
}

/// A search that could not be finished because the model is wrong: the fault, and the run that leads to it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What went wrong.
    pub failure: Failure,
    /// A run to the state where it went wrong.
    pub trace: Trace,
}

/// Searches for violations of invariants and deadlock freedom. `progress` is told states and depth from time to
/// time, and can end the search.
pub fn search(
    machine: &Machine,
    properties: &[PropertyId],
    limits: Limits,
    mut progress: impl FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<Search, Box<Finding>> {
    let mut search = Bfs::new(machine, properties, limits);
    search.start().map_err(|failure| search.finding(failure, None))?;
    search.result.initial_states = search.store.len();
    loop {
        if let Some(stop) = search.is_over() {
            search.result.stop = stop;
            break;
        }
        let level_end = search.store.len();
        while search.at < level_end {
            let current = Stored(search.at as u32);
            search.expand(current).map_err(|failure| search.finding(failure, Some(current)))?;
            search.at += 1;
            if search.at.is_multiple_of(4096) && progress(search.store.len(), search.result.depth).is_break() {
                search.result.stop = Stop::Interrupted;
                search.result.states = search.store.len();
                return Ok(search.result);
            }
            if search.is_decided() {
                break;
            }
        }
        search.result.depth += 1;
    }
    search.result.states = search.store.len();
    Ok(search.result)
}

struct Bfs<'a> {
    machine: &'a Machine,
    workspace: Workspace,
    /// For the work inside a visit, while the other one holds the enumeration.
    spare: Workspace,
    limits: Limits,
    store: Store,
    /// The state that each state was first reached from; initial states are their own.
    parents: Vec<u32>,
    /// The next state to expand.
    at: usize,
    /// Properties that are not violated so far.
    open: Vec<PropertyId>,
    result: Search,
}

impl<'a> Bfs<'a> {
    fn new(machine: &'a Machine, properties: &[PropertyId], limits: Limits) -> Self {
        Bfs {
            machine,
            workspace: machine.workspace(),
            spare: machine.workspace(),
            limits,
            store: Store::new(machine.layout().words()),
            parents: Vec::new(),
            at: 0,
            open: properties.to_vec(),
            result: Search {
                violations: Vec::new(),
                deadlock: None,
                states: 0,
                initial_states: 0,
                depth: 0,
                stop: Stop::Complete,
            },
        }
    }

    fn start(&mut self) -> Result<(), Failure> {
        let mut initial = Vec::new();
        let machine = self.machine;
        machine.initial_states(&mut self.workspace, |state| {
            initial.push(state);
            Visit::Continue(())
        })?;
        for state in initial {
            let (stored, is_new) = self.store.insert(&state.0);
            if is_new {
                self.parents.push(stored.0);
                self.check_state(stored)?;
            }
        }
        Ok(())
    }

    /// Whether there were properties and all of them are violated.
    fn is_decided(&self) -> bool {
        self.open.is_empty() && !self.result.violations.is_empty()
    }

    fn is_over(&self) -> Option<Stop> {
        if self.is_decided() {
            Some(Stop::Decided)
        } else if self.at == self.store.len() {
            Some(Stop::Complete)
        } else if self.result.depth >= self.limits.depth {
            Some(Stop::Depth)
        } else if self.store.bytes() > self.limits.memory || self.store.len() > u32::MAX as usize / 2 {
            Some(Stop::Memory)
        } else {
            None
        }
    }

    /// Visits the successors of a state.
    fn expand(&mut self, current: Stored) -> Result<(), Failure> {
        let machine = self.machine;
        let state = State(self.store.get(current).into());
        let mut workspace = std::mem::take(&mut self.workspace);
        let mut failed = None;
        let mut moves = 0usize;
        let outcome = machine.successors(&state.0, &mut workspace, |successor| {
            moves += 1;
            match self.arrive(current, successor) {
                Ok(()) => Visit::Continue(()),
                Err(failure) => {
                    failed = Some(failure);
                    Visit::Break(())
                }
            }
        });
        self.workspace = workspace;
        outcome?;
        if let Some(failure) = failed {
            return Err(failure);
        }
        if moves == 0 && !machine.is_valid_end(&state) {
            self.deadlocked(current);
        }
        Ok(())
    }

    fn arrive(&mut self, from: Stored, mut successor: Successor<'_>) -> Result<(), Failure> {
        self.check_step(from, &mut successor)?;
        let (stored, is_new) = self.store.insert(successor.state);
        if is_new {
            self.parents.push(from.0);
            self.check_state(stored)?;
        }
        Ok(())
    }

    /// Checks the invariants over states.
    fn check_state(&mut self, stored: Stored) -> Result<(), Failure> {
        let mut at = 0;
        while let Some(property) = self.open.get(at).copied() {
            at += 1;
            if self.machine.is_state_invariant(property)
                && !self.machine.holds(property, self.store.get(stored), &mut self.spare)?
            {
                let trace = self.trace_to(stored);
                self.violated(property, trace);
                at -= 1;
            }
        }
        Ok(())
    }

    /// Checks the invariants over steps.
    fn check_step(&mut self, from: Stored, successor: &mut Successor<'_>) -> Result<(), Failure> {
        let mut at = 0;
        while let Some(property) = self.open.get(at).copied() {
            at += 1;
            let is_invariant = matches!(self.machine.system().properties[property].claim, Claim::Invariant(_));
            if is_invariant && !self.machine.is_state_invariant(property) && !successor.step_holds(property)? {
                let mut trace = self.trace_to(from);
                trace.states.push(State(successor.state.into()));
                trace.moves.push(moved(self.machine, successor));
                self.violated(property, trace);
                at -= 1;
            }
        }
        Ok(())
    }

    fn deadlocked(&mut self, stored: Stored) {
        self.result.deadlock.get_or_insert(self.result.depth);
        for property in self.open.clone() {
            if matches!(self.machine.system().properties[property].claim, Claim::DeadlockFree) {
                let trace = self.trace_to(stored);
                self.violated(property, trace);
            }
        }
    }

    fn violated(&mut self, property: PropertyId, trace: Trace) {
        self.open.retain(|open| *open != property);
        self.result.violations.push((property, trace));
    }

    /// The run that first led to a state: its states by their parents, its steps by looking for them again.
    fn trace_to(&self, stored: Stored) -> Trace {
        let mut numbers = vec![stored];
        while let Some(last) = numbers.last().copied()
            && self.parents[last.0 as usize] != last.0
        {
            numbers.push(Stored(self.parents[last.0 as usize]));
        }
        let states: Vec<State> = numbers.iter().rev().map(|number| State(self.store.get(*number).into())).collect();
        let moves = states.windows(2).filter_map(|pair| step_between(self.machine, &pair[0], &pair[1])).collect();
        Trace { states, moves, loop_start: None }
    }

    fn finding(&self, failure: Failure, at: Option<Stored>) -> Box<Finding> {
        let trace = at.map_or_else(Trace::default, |stored| self.trace_to(stored));
        Box::new(Finding { failure, trace })
    }
}

/// Some step that leads from one state to another.
fn step_between(machine: &Machine, from: &State, to: &State) -> Option<Moved> {
    let mut workspace = machine.workspace();
    let mut found = None;
    let _ = machine.successors(&from.0, &mut workspace, |successor| {
        if *successor.state == *to.0 {
            found = Some(moved(machine, &successor));
            return Visit::Break(());
        }
        Visit::Continue(())
    });
    found
}

fn moved(machine: &Machine, successor: &Successor<'_>) -> Moved {
    let step = successor.step();
    let process = machine.system().commands[step.command].owner.process;
    Moved { process, command: Some(step.command), inputs: step.inputs }
}
