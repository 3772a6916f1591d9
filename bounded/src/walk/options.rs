//! The steps that can be made from a state, laid out so that a walk can choose among them quickly.

use std::ops::Range;
use system::{Failure, Machine, ProcessId, PropertyId, Step, Successor, Visit, Workspace};

/// The most steps that are looked at in a state; a walk chooses among the first ones.
const MOST: usize = 4096;

/// The steps from a state, grouped by process.
#[derive(Default)]
pub(super) struct Options {
    steps: Vec<Step>,
    states: Vec<u64>,
    words: usize,
    /// The processes that can change the state.
    pub able: Vec<ProcessId>,
    groups: Vec<Range<usize>>,
    /// How many steps there are, those that change nothing included.
    pub seen: usize,
    /// A step that violates one of the properties.
    pub violation: Option<(PropertyId, usize)>,
}

impl Options {
    /// Looks at the steps from a state, and at what they violate.
    pub fn look(
        &mut self,
        machine: &Machine,
        state: &[u64],
        over_steps: &[PropertyId],
        workspace: &mut Workspace,
    ) -> Result<(), Failure> {
        self.clear(state.len());
        let mut failure = None;
        machine.successors(state, workspace, |mut successor| {
            match self.add(machine, state, over_steps, &mut successor) {
                Ok(()) if self.violation.is_none() && self.seen < MOST => Visit::Continue(()),
                Ok(()) => Visit::Break(()),
                Err(broken) => {
                    failure = Some(broken);
                    Visit::Break(())
                }
            }
        })?;
        failure.map_or(Ok(()), Err)
    }

    fn clear(&mut self, words: usize) {
        self.steps.clear();
        self.states.clear();
        self.able.clear();
        self.groups.clear();
        self.words = words;
        self.seen = 0;
        self.violation = None;
    }

    fn add(
        &mut self,
        machine: &Machine,
        from: &[u64],
        over_steps: &[PropertyId],
        successor: &mut Successor<'_>,
    ) -> Result<(), Failure> {
        self.seen += 1;
        let index = self.steps.len();
        for property in over_steps {
            if !successor.step_holds(*property)? {
                self.violation = Some((*property, index));
            }
        }
        if self.violation.is_none() && successor.state == from {
            return Ok(());
        }
        let process = machine.system().commands[successor.command].owner.process;
        if self.able.last() != Some(&process) {
            self.able.push(process);
            self.groups.push(index..index);
        }
        if let Some(group) = self.groups.last_mut() {
            group.end += 1;
        }
        self.steps.push(successor.step());
        self.states.extend_from_slice(successor.state);
        Ok(())
    }

    /// The options of one of the able processes.
    pub fn group(&self, able: usize) -> Range<usize> {
        self.groups[able].clone()
    }

    /// An option: the step, and the state that it leads to.
    pub fn get(&self, index: usize) -> (&Step, &[u64]) {
        (&self.steps[index], &self.states[index * self.words..][..self.words])
    }
}
