//! Checking properties while searching.

use system::{Claim, CommandId, Failure, Machine, PropertyId, Successor, Workspace};

/// The properties of a search that are not violated so far, by kind.
#[derive(Clone, Debug, Default)]
pub struct Open {
    /// Invariants over states.
    pub states: Vec<PropertyId>,
    /// Invariants over steps.
    pub steps: Vec<PropertyId>,
    /// Deadlock freedom.
    pub deadlock: Vec<PropertyId>,
    /// How many there were at the beginning.
    asked: usize,
}

impl Open {
    /// All the properties that can be searched for.
    pub fn new(machine: &Machine, properties: &[PropertyId]) -> Open {
        let mut open = Open { asked: properties.len(), ..Open::default() };
        for property in properties {
            match machine.system().properties[*property].claim {
                Claim::Invariant(_) if machine.is_state_invariant(*property) => open.states.push(*property),
                Claim::Invariant(_) => open.steps.push(*property),
                Claim::DeadlockFree => open.deadlock.push(*property),
                _ => {}
            }
        }
        open
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

/// Decides invariants; one for each thread.
#[derive(Debug)]
pub struct Checker {
    workspace: Workspace,
    /// For each property and command, whether the command may change what the property reads, if that is known.
    concerns: Vec<Vec<Option<bool>>>,
}

impl Checker {
    pub fn new(machine: &Machine) -> Checker {
        let commands = machine.system().commands.len();
        let concerns = machine.system().properties.iter().map(|_| vec![None; commands]).collect();
        Checker { workspace: machine.workspace(), concerns }
    }

    /// Tells which invariants a state violates. They held before the command that led to it, so that only those matter
    /// that read something it may change.
    pub fn check_state(
        &mut self,
        machine: &Machine,
        open: &Open,
        command: Option<CommandId>,
        state: &[u64],
        mut violated: impl FnMut(PropertyId),
    ) -> Result<(), Failure> {
        for property in &open.states {
            let matters = command.is_none_or(|command| self.is_concerned(machine, *property, command));
            if matters && !machine.holds(*property, state, &mut self.workspace)? {
                violated(*property);
            }
        }
        Ok(())
    }

    fn is_concerned(&mut self, machine: &Machine, property: PropertyId, command: CommandId) -> bool {
        *self.concerns[property.index()][command.index()]
            .get_or_insert_with(|| machine.may_influence(command, property))
    }
}

/// Tells which invariants over steps a step violates.
pub fn check_step(
    open: &Open,
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
