//! Checking properties while searching.

use super::trace::moved;
use system::{
    Claim, CommandId, Dependency, Failure, Halt, Machine, Moved, ProcessId, PropertyId, State, Successor, Visit,
    Watched, Workspace,
};

/// The properties of a search that are not violated so far, by kind.
#[derive(Clone, Debug, Default)]
pub struct OpenProperties {
    /// Invariants over states.
    pub states: Vec<PropertyId>,
    /// Invariants over steps.
    pub steps: Vec<PropertyId>,
    /// Deadlock freedom.
    pub deadlock: Vec<PropertyId>,
    /// How many there were at the beginning.
    asked: usize,
    /// The control points of each process from which invariants over steps look at its steps.
    watched: Vec<(ProcessId, Vec<bool>)>,
}

impl OpenProperties {
    /// All the properties that can be searched for.
    pub fn new(machine: &Machine, properties: &[PropertyId]) -> OpenProperties {
        let mut open = OpenProperties { asked: properties.len(), ..OpenProperties::default() };
        for property in properties {
            match machine.system().properties[*property].claim {
                Claim::Invariant(_) if machine.is_state_invariant(*property) => open.states.push(*property),
                Claim::Invariant(_) => open.steps.push(*property),
                Claim::DeadlockFree => open.deadlock.push(*property),
                _ => {}
            }
        }
        if !open.steps.is_empty() {
            open.watched = watched_points(machine, &open.steps);
        }
        open
    }

    /// The invariants that a reduction has to keep an eye on, if it can.
    pub fn watched(&self, machine: &Machine) -> Option<Watched<'_>> {
        self.steps.iter().all(|property| Dependency::can_watch(machine.system(), *property)).then_some(Watched {
            states: &self.states,
            steps: &self.steps,
            conditions: &[],
        })
    }

    /// Whether an invariant over steps may look at steps from a state.
    pub fn looks_at_steps_from(&self, machine: &Machine, state: &[u64]) -> bool {
        !self.steps.is_empty()
            && self
                .watched
                .iter()
                .any(|(process, points)| machine.point_in(*process, state).is_none_or(|point| points[point.index()]))
    }

    /// Closes a violated property; false if it was closed before.
    pub fn close(&mut self, property: PropertyId) -> bool {
        let before = self.len();
        for list in [&mut self.states, &mut self.steps, &mut self.deadlock] {
            list.retain(|open| *open != property);
        }
        self.len() < before
    }

    /// Whether there were properties and all of them are violated.
    pub fn is_decided(&self) -> bool {
        self.len() == 0 && self.asked > 0
    }

    fn len(&self) -> usize {
        self.states.len() + self.steps.len() + self.deadlock.len()
    }
}

/// The control points of processes from which some invariants over steps look at steps.
pub fn watched_points(machine: &Machine, steps: &[PropertyId]) -> Vec<(ProcessId, Vec<bool>)> {
    let system = machine.system();
    let subjects = Dependency::subjects(system, steps);
    let mut watched: Vec<Vec<bool>> =
        system.processes.iter().map(|process| vec![false; process.points.len()]).collect();
    for (_, command) in system.commands.iter_enumerated().filter(|(id, _)| subjects[*id]) {
        let points = &mut watched[command.owner.process.index()];
        match command.owner.from {
            Some(point) => points[point.index()] = true,
            None => points.fill(true),
        }
    }
    let numbered = watched.into_iter().enumerate().map(|(process, points)| (ProcessId::from(process), points));
    numbered.filter(|(_, points)| points.contains(&true)).collect()
}

/// Decides invariants; one for each thread.
#[derive(Debug)]
pub struct Checker {
    workspace: Workspace,
    /// For each property and command, the parts of the property that the command may change, if that is known.
    influenced: Vec<Vec<Option<Box<[u32]>>>>,
}

impl Checker {
    pub fn new(machine: &Machine) -> Checker {
        let commands = machine.system().commands.len();
        let influenced = machine.system().properties.iter().map(|_| vec![None; commands]).collect();
        Checker { workspace: machine.workspace(), influenced }
    }

    /// Tells which invariants a state violates. They held before the command that led to it, so that only those parts
    /// matter that read something it may change.
    pub fn check_state(
        &mut self,
        machine: &Machine,
        open: &OpenProperties,
        command: Option<CommandId>,
        state: &[u64],
        mut violated: impl FnMut(PropertyId),
    ) -> Result<(), Failure> {
        for property in open.states.iter().copied() {
            let holds = match command {
                None => machine.holds(property, state, &mut self.workspace)?,
                Some(command) => {
                    let parts = self.influenced[property.index()][command.index()]
                        .get_or_insert_with(|| machine.influenced_parts(command, property).into());
                    machine.parts_hold(property, parts, state, &mut self.workspace)?
                }
            };
            if !holds {
                violated(property);
            }
        }
        Ok(())
    }
}

/// A violation by a state, or by a step from it.
pub type Violation = (PropertyId, Option<(Moved, State)>);

impl Checker {
    /// Every violation by a state or by a step from it.
    pub fn violations(
        &mut self,
        machine: &Machine,
        open: &OpenProperties,
        command: Option<CommandId>,
        state: &[u64],
    ) -> Result<Vec<Violation>, Halt> {
        let mut violations = Vec::new();
        self.check_state(machine, open, command, state, |property| violations.push((property, None)))?;
        if !open.looks_at_steps_from(machine, state) {
            return Ok(violations);
        }
        let mut failed = None;
        machine.successors(state, &mut self.workspace, |mut successor| {
            let mut violated = Vec::new();
            failed = check_step(open, &mut successor, |property| violated.push(property)).err();
            for property in violated {
                violations.push((property, Some((moved(machine, &successor), State(successor.state.into())))));
            }
            if failed.is_some() { Visit::Break(()) } else { Visit::Continue(()) }
        })?;
        failed.map_or(Ok(violations), |failure| Err(failure.into()))
    }
}

/// Tells which invariants over steps a step violates.
pub fn check_step(
    open: &OpenProperties,
    successor: &mut Successor<'_>,
    mut violated: impl FnMut(PropertyId),
) -> Result<(), Failure> {
    for property in &open.steps {
        if !successor.step_holds(*property)? {
            violated(*property);
        }
    }
    Ok(())
}
