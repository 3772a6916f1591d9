//! The steps that can be made from a state, laid out so that a walk can choose among them quickly.

use std::cell::Cell;
use system::{Failure, Halt, Machine, ProcessId, PropertyId, Step, Successor, Visit, Workspace};

/// The most steps that are looked at in a state; a walk chooses among the first ones.
const MOST: usize = 4096;

/// Steps from a state, those of one process after those of another.
#[derive(Default)]
pub(super) struct Options {
    steps: Vec<Step>,
    states: Vec<u64>,
    words: usize,
    /// The last process that has a step which changes nothing.
    stays: Option<ProcessId>,
    /// How many steps there are, those that change nothing included.
    pub seen: usize,
    /// A step that violates one of the properties.
    pub violation: Option<(PropertyId, usize)>,
}

/// What is looked at.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub machine: &'a Machine,
    pub state: &'a [u64],
    /// The invariants over steps that are looked at.
    pub over_steps: &'a [PropertyId],
}

impl Options {
    /// Looks at all steps from a state, and at what they violate.
    pub fn look(&mut self, view: View<'_>, workspace: &mut Workspace) -> Result<(), Halt> {
        self.clear(view.state.len());
        let mut failure = None;
        view.machine.successors(view.state, workspace, |successor| self.add(view, successor, &mut failure))?;
        failure.map_or(Ok(()), |failure| Err(failure.into()))
    }

    /// Looks at the steps of one process after the other, up to the first that can change the state. In a large system that
    /// is a small part of all steps.
    pub fn look_for(
        &mut self,
        view: View<'_>,
        workspace: &mut Workspace,
        mut next: impl FnMut() -> Option<ProcessId>,
    ) -> Result<(), Halt> {
        self.clear(view.state.len());
        let (mut failure, found) = (None, Cell::new(false));
        let candidates = std::iter::from_fn(|| if found.get() { None } else { next() });
        view.machine.successors_among(candidates, view.state, workspace, |successor| {
            let goes_on = self.add(view, successor, &mut failure);
            found.set(!self.steps.is_empty());
            goes_on
        })?;
        failure.map_or(Ok(()), |failure| Err(failure.into()))
    }

    fn clear(&mut self, words: usize) {
        self.steps.clear();
        self.states.clear();
        self.words = words;
        self.stays = None;
        self.seen = 0;
        self.violation = None;
    }

    /// Adds a step. A violation is enough, and so is a failure.
    fn add(&mut self, view: View<'_>, mut successor: Successor<'_>, failure: &mut Option<Failure>) -> Visit {
        self.seen += 1;
        for property in view.over_steps {
            match successor.step_holds(*property) {
                Ok(true) => {}
                Ok(false) => self.violation = Some((*property, self.steps.len())),
                Err(broken) => {
                    *failure = Some(broken);
                    return Visit::Break(());
                }
            }
        }
        if self.violation.is_some() || successor.state != view.state {
            self.steps.push(successor.step());
            self.states.extend_from_slice(successor.state);
        } else {
            self.stays = Some(view.machine.system().commands[successor.command].owner.process);
        }
        if self.violation.is_none() && self.seen < MOST { Visit::Continue(()) } else { Visit::Break(()) }
    }

    /// How many steps change the state, or violate something.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether a process has a step that changes nothing: it may decide to wait.
    pub fn can_stay(&self, process: ProcessId) -> bool {
        self.stays == Some(process)
    }

    /// An option: the step, and the state that it leads to.
    pub fn get(&self, index: usize) -> (&Step, &[u64]) {
        (&self.steps[index], &self.states[index * self.words..][..self.words])
    }
}
