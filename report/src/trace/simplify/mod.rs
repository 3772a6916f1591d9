//! Simpler counterexamples: fewer steps and fewer context switches.
//!
//! Nothing is guessed. Every candidate is made of steps that the system has, is checked against the property, and the
//! caller replays the result like any counterexample. First steps are dropped as long as the rest can still be
//! executed and violates the property ([`shorten`]); then a search looks for the run with the fewest context switches
//! in which no process makes more steps ([`schedule`]). If that would take too long, blocks of steps are moved instead.
//!
//! A lasso stays one: what is left of its loop has to close it, to be fair and to violate the formula. Steps are dropped from
//! its stem and its loop, and blocks are moved within either; no search tells whether there are fewer switches.

mod schedule;
mod shorten;

use limits::{Observer, Progress};
use std::cell::{Cell, RefCell};
use system::{Claim, Machine, Moved, ProcessId, PropertyId, State, Successor, Trace, Visit, Workspace};

/// A simpler trace.
pub struct Simplified {
    /// A run that violates the property.
    pub trace: Trace,
    /// Whether it has the fewest context switches among the runs in which no process makes more steps.
    pub is_fewest: bool,
}

/// How often another process goes on than the one that moved before.
pub fn context_switches(trace: &Trace) -> usize {
    trace.moves.iter().zip(trace.moves.since(1)).filter(|(one, next)| one.process != next.process).count()
}

/// A simpler counterexample than this one, if there is one in reach. When the observer ends the work, the simplest one so far
/// is the answer.
pub fn simplify(
    machine: &Machine,
    property: PropertyId,
    trace: &Trace,
    observer: &mut dyn Observer,
) -> Option<Simplified> {
    let is_about_states = match machine.system().properties[property].claim {
        Claim::Invariant(_) | Claim::DeadlockFree if trace.loop_start.is_none() => true,
        Claim::Ltl(_) | Claim::Never(_) | Claim::Progress(_) => false,
        _ => return None,
    };
    let short = shorten::shorten(&Goal::new(machine, property, observer), trace)?;
    let fewest = match is_about_states {
        true => schedule::fewest_switches(&Goal::new(machine, property, observer), &short),
        false => None,
    };
    let simplified = match fewest {
        Some(trace) => Simplified { trace, is_fewest: true },
        None => {
            let trace = shorten::merge_blocks(&Goal::new(machine, property, observer), short);
            Simplified { trace, is_fewest: false }
        }
    };
    (cost(&simplified.trace) < cost(trace)).then_some(simplified)
}

/// What makes a run harder to read: switches between processes first, then steps.
fn cost(trace: &Trace) -> (usize, usize) {
    (context_switches(trace), trace.moves.len())
}

/// A shorter counterexample than this one: steps are dropped as long as the rest violates the property. Less work than
/// [`simplify`], for runs that were found at random and have many steps that nothing depends on.
pub fn shorten(machine: &Machine, property: PropertyId, trace: &Trace, observer: &mut dyn Observer) -> Option<Trace> {
    let short = shorten::shorten(&Goal::within(FEWER_STEPS, machine, property, observer), trace)?;
    (short.moves.len() < trace.moves.len()).then_some(short)
}

/// The steps that are looked at to shorten a run.
const FEWER_STEPS: usize = 300_000;

/// The most steps that are looked at in each part of the work. A number, not a time, so that results can be repeated.
const MOST_STEPS: usize = 2_000_000;

/// What a run has to do: violate a property.
struct Goal<'a> {
    machine: &'a Machine,
    property: PropertyId,
    /// Whether a step may have waited for a timeout.
    has_timeout: bool,
    /// How many steps may be looked at, and how many still may.
    most: usize,
    left: Cell<usize>,
    /// How much had been computed when a step was last looked at; see [`system::Workspace::executed`].
    executed: Cell<u64>,
    observer: RefCell<&'a mut dyn Observer>,
}

/// A step counts as one more for each time that this many instructions were executed to compute it: in a large system that moves as a
/// whole, a step takes as long as hundreds elsewhere.
const INSTRUCTIONS: u64 = 256;

/// After this many steps the observer is asked whether the work goes on.
const OBSERVED_EVERY: usize = 256;

impl<'a> Goal<'a> {
    fn new(machine: &'a Machine, property: PropertyId, observer: &'a mut dyn Observer) -> Goal<'a> {
        Goal::within(MOST_STEPS, machine, property, observer)
    }

    fn within(most: usize, machine: &'a Machine, property: PropertyId, observer: &'a mut dyn Observer) -> Goal<'a> {
        let (left, observer) = (Cell::new(most), RefCell::new(observer));
        let (has_timeout, executed) = (machine.system().has_timeout(), Cell::new(0));
        let goal = Goal { machine, property, has_timeout, most, left, executed, observer };
        goal.observe();
        goal
    }

    /// Tells the observer how far the work is. If it has to end, no step may be looked at any more.
    fn observe(&self) {
        let looked = self.most - self.left.get();
        if self.observer.borrow_mut().see(&Progress::Simplifying { looked }).is_break() {
            self.left.set(0);
        }
    }

    /// Counts a step that is looked at, given how much has been computed so far: one that takes long to compute counts as many.
    fn count(&self, executed: u64) {
        let computed = executed.saturating_sub(self.executed.replace(executed));
        let steps = 1 + usize::try_from(computed / INSTRUCTIONS).unwrap_or(usize::MAX);
        let (before, after) = (self.left.get(), self.left.get().saturating_sub(steps));
        self.left.set(after);
        if before / OBSERVED_EVERY != after / OBSERVED_EVERY {
            self.observe();
        }
    }

    /// Whether so many steps were looked at that what is found from now on is incomplete.
    fn is_exhausted(&self) -> bool {
        self.left.get() == 0
    }

    /// The run up to where it first violates the property; an infinite one as a whole.
    fn cut(&self, mut trace: Trace) -> Option<Trace> {
        let end = trace.violates(self.machine, self.property)?;
        trace.truncate(end);
        Some(trace)
    }

    /// The run up to where its last step or last state violates the property, if it does. What is before is not looked at:
    /// that would take much longer, and a run that violates the property before its end is rare.
    fn cut_at_end(&self, mut trace: Trace) -> Option<Trace> {
        if let Claim::Ltl(_) | Claim::Never(_) | Claim::Progress(_) =
            self.machine.system().properties[self.property].claim
        {
            return self.cut(trace);
        }
        let from = trace.states.len().saturating_sub(2);
        let (states, moves) = (trace.states.since(from).collect(), trace.moves.since(from).collect());
        let end = from + Trace { states, moves, loop_start: None }.violates(self.machine, self.property)?;
        trace.truncate(end);
        Some(trace)
    }

    /// Whether a state by itself violates the property. An evaluation that fails violates nothing.
    fn is_reached(&self, state: &State, workspace: &mut Workspace) -> bool {
        match self.machine.system().properties[self.property].claim {
            Claim::DeadlockFree => {
                self.machine.can_move(&state.0, workspace) == Ok(false) && !self.machine.is_valid_end(state)
            }
            _ => {
                self.machine.is_state_invariant(self.property)
                    && self.machine.holds(self.property, &state.0, workspace) == Ok(false)
            }
        }
    }

    /// Whether the property speaks of steps, and this one violates it.
    fn is_reached_by(&self, successor: &mut Successor<'_>) -> bool {
        let is_invariant = matches!(self.machine.system().properties[self.property].claim, Claim::Invariant(_));
        let is_about_steps = is_invariant && !self.machine.is_state_invariant(self.property);
        is_about_steps && successor.step_holds(self.property) == Ok(false)
    }

    /// The steps from a state that `wanted` accepts, each with whether the step itself violates the property. From a
    /// state where the model has no meaning there are none, and none is looked at any more when it was enough.
    fn steps(
        &self,
        from: &State,
        workspace: &mut Workspace,
        mut wanted: impl FnMut(&Moved, &State) -> bool,
    ) -> Vec<(Moved, State, bool)> {
        let mut found = Vec::new();
        let outcome =
            self.machine.successors(&from.0, workspace, |successor| self.collect(successor, &mut wanted, &mut found));
        if outcome.is_err() || self.is_exhausted() {
            found.clear();
        }
        found
    }

    /// The first step of a process from a state that `wanted` accepts. Where no other process has control, the steps of others are
    /// not looked at, unless this one may have been waiting for a timeout.
    fn step_of(
        &self,
        process: ProcessId,
        from: &State,
        workspace: &mut Workspace,
        mut wanted: impl FnMut(&Moved, &State) -> bool,
    ) -> Option<(Moved, State)> {
        let holder = self.machine.layout().holder(&from.0);
        let mut found = Vec::new();
        if holder.is_none_or(|holder| holder == process) {
            let steps = self.machine.successors_among([process], &from.0, workspace, |successor| {
                self.collect(successor, &mut wanted, &mut found)
            });
            steps.ok()?;
        }
        if found.is_empty() && (holder.is_some() || self.has_timeout) {
            found = self.steps(from, workspace, wanted);
        }
        found.into_iter().next().map(|(moved, state, _)| (moved, state))
    }

    /// Keeps a step if it is wanted, with whether it violates the property.
    fn collect(
        &self,
        mut successor: Successor<'_>,
        wanted: &mut impl FnMut(&Moved, &State) -> bool,
        found: &mut Vec<(Moved, State, bool)>,
    ) -> Visit {
        self.count(successor.executed());
        if self.is_exhausted() {
            return Visit::Break(());
        }
        let step = successor.step();
        let process = self.machine.system().commands[step.command].owner.process;
        let moved = Moved { process, command: Some(step.command), inputs: step.inputs };
        let state = State(successor.state.into());
        if wanted(&moved, &state) {
            let is_reached = self.is_reached_by(&mut successor);
            found.push((moved, state, is_reached));
        }
        Visit::Continue(())
    }
}
