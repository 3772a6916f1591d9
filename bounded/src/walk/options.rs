//! The steps that can be made from a state, laid out so that a walk can choose among them quickly.

use super::inputs::Orders;
use fastrand::Rng;
use std::cell::Cell;
use system::{Failure, Halt, Machine, ProcessId, PropertyId, Step, Successor, Visit, Workspace};

/// The most steps that are looked at in a state; a walk chooses among the first ones.
const MOST: usize = 4096;

/// How many steps of a process are drawn where variables that drift give it very many, up to one that makes progress.
const DRAWN: usize = 8;

/// After this many draws without progress, no more are made where other processes can be asked: mostly what a process does depends on nothing that is drawn.
const IN_VAIN: usize = 2;

/// Steps from a state, those of one process after those of another.
pub(super) struct Options {
    /// For drawing steps.
    random: Rng,
    steps: Vec<Step>,
    states: Vec<u64>,
    words: usize,
    /// The last process that has a step which changes nothing.
    stays: Option<ProcessId>,
    /// The last process of which a step was drawn.
    drawn: Option<ProcessId>,
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
    /// The bits of the state that any step may change, whoever makes it.
    pub drift: &'a [u64],
}

/// Which steps are options.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Those that change anything.
    Changes,
    /// Those that change more than what drifts in any case: a process that has no other step waits.
    Progress,
}

impl View<'_> {
    /// Whether some variables drift.
    pub fn drifts(&self) -> bool {
        self.drift.iter().any(|bits| *bits != 0)
    }

    /// Whether a state differs in more than what drifts.
    fn makes_progress(&self, next: &[u64]) -> bool {
        let words = self.state.iter().zip(next).zip(self.drift);
        words.into_iter().any(|((before, after), drift)| (before ^ after) & !drift != 0)
    }
}

impl Options {
    /// None so far; the seed says which steps are drawn.
    pub fn new(seed: u64) -> Options {
        Options {
            random: Rng::with_seed(seed),
            steps: Vec::new(),
            states: Vec::new(),
            words: 0,
            stays: None,
            drawn: None,
            seen: 0,
            violation: None,
        }
    }

    /// Looks at all steps from a state, and at what they violate. Where variables drift, some steps of each process stand for
    /// all of them.
    pub fn look(&mut self, view: View<'_>, workspace: &mut Workspace) -> Result<(), Halt> {
        self.clear(view.state.len());
        if view.drifts() {
            for process in view.machine.system().processes.indices() {
                self.draw(view, Wanted::Changes, process, workspace)?;
            }
            if self.seen > 0 {
                return Ok(());
            }
        }
        let mut failure = None;
        view.machine
            .successors(view.state, workspace, |successor| self.add(view, Wanted::Changes, successor, &mut failure))?;
        failure.map_or(Ok(()), |failure| Err(failure.into()))
    }

    /// Looks at the steps of one process after the other, up to the first that can change the state, and more of it than what
    /// drifts. In a large system that is a small part of all steps.
    pub fn look_for(
        &mut self,
        view: View<'_>,
        workspace: &mut Workspace,
        mut next: impl FnMut() -> Option<ProcessId>,
    ) -> Result<(), Halt> {
        self.clear(view.state.len());
        if view.drifts() {
            while let Some(process) = if self.steps.is_empty() { next() } else { None } {
                self.draw(view, Wanted::Progress, process, workspace)?;
            }
            return Ok(());
        }
        let (mut failure, found) = (None, Cell::new(false));
        let candidates = std::iter::from_fn(|| if found.get() { None } else { next() });
        view.machine.successors_among(candidates, view.state, workspace, |successor| {
            let goes_on = self.add(view, Wanted::Progress, successor, &mut failure);
            found.set(!self.steps.is_empty());
            goes_on
        })?;
        failure.map_or(Ok(()), |failure| Err(failure.into()))
    }

    /// The same where inputs are given values in an order, which goes on where it was if what was found is refused. That some values lead
    /// nowhere is no decision to wait.
    pub fn look_in_order(
        &mut self,
        view: View<'_>,
        workspace: &mut Workspace,
        orders: &mut Orders,
        mut next: impl FnMut() -> Option<ProcessId>,
    ) -> Result<(), Halt> {
        self.clear(view.state.len());
        while self.steps.is_empty() {
            let Some(process) = orders.process().or_else(&mut next) else { break };
            if orders.process().is_none() {
                orders.begin(Some(process));
            }
            match orders.next(&mut self.random) {
                Some(inputs) => {
                    let mut failure = None;
                    view.machine.successors_with(&inputs, process, view.state, workspace, |successor| {
                        self.add(view, Wanted::Progress, successor, &mut failure)
                    })?;
                    failure.map_or(Ok(()), |failure| Err(Halt::Failed(failure)))?;
                }
                None => {
                    if orders.is_cut() {
                        self.draw(view, Wanted::Progress, process, workspace)?;
                    }
                    orders.begin(None);
                }
            }
        }
        self.stays = None;
        Ok(())
    }

    /// Looks for another step of the process of which one was drawn last, where steps are drawn.
    pub fn draw_again(&mut self, view: View<'_>, workspace: &mut Workspace) -> Result<(), Halt> {
        let process = self.drawn.filter(|_| view.drifts());
        self.clear(view.state.len());
        process.map_or(Ok(()), |process| self.draw(view, Wanted::Progress, process, workspace))
    }

    /// Takes an option out, to come back to it.
    pub fn take(&self, index: usize) -> (Step, Box<[u64]>) {
        let (step, state) = self.get(index);
        (step.clone(), state.into())
    }

    /// Makes what was taken out the only option.
    pub fn put(&mut self, (step, state): (Step, Box<[u64]>)) {
        self.clear(state.len());
        self.steps.push(step);
        self.states.extend_from_slice(&state);
    }

    /// Draws some steps of a process: one that makes progress is as good as any other.
    fn draw(
        &mut self,
        view: View<'_>,
        wanted: Wanted,
        process: ProcessId,
        workspace: &mut Workspace,
    ) -> Result<(), Halt> {
        let has_others = view.machine.system().processes.len() > 1;
        for drawn in 0..DRAWN {
            let has_progress = wanted == Wanted::Progress && !self.steps.is_empty();
            if has_progress || has_others && drawn >= IN_VAIN && self.steps.is_empty() {
                break;
            }
            let (number, mut failure) = (self.random.u64(1..), None);
            let can_move = view.machine.successor_drawn(process, view.state, workspace, number, |successor| {
                let _ = self.add(view, wanted, successor, &mut failure);
            })?;
            if let Some(failure) = failure {
                return Err(Halt::Failed(failure));
            }
            if !can_move || self.violation.is_some() {
                break;
            }
        }
        self.drawn = Some(process);
        if !has_others {
            // That one of many steps makes no progress is no decision to wait where no other process could move instead.
            self.stays = None;
        }
        Ok(())
    }

    fn clear(&mut self, words: usize) {
        self.steps.clear();
        self.states.clear();
        self.words = words;
        (self.stays, self.drawn) = (None, None);
        self.seen = 0;
        self.violation = None;
    }

    /// Adds a step. A violation is enough, and so is a failure.
    fn add(
        &mut self,
        view: View<'_>,
        wanted: Wanted,
        mut successor: Successor<'_>,
        failure: &mut Option<Failure>,
    ) -> Visit {
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
        let is_wanted = match wanted {
            Wanted::Changes => successor.state != view.state,
            Wanted::Progress => view.makes_progress(successor.state),
        };
        if self.violation.is_some() || is_wanted {
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
