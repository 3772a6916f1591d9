//! Walks under policies: one random run after the other, each under a schedule and a data policy of its own.
//!
//! A walk is the smallest underapproximation there is, a single run. It settles no bound, but where many runs are wrong it
//! meets one of them long before a solver has unrolled the system. Walks are repeatable: the seed decides all of them.

mod options;
mod policy;

use super::Attitude;
use super::outcome::{Bounded, Stop};
use super::visit::Patience;
use fastrand::Rng;
use options::Options;
use policy::Policy;
use rustc_hash::FxHashMap;
use sat::{Effort, Work};
use system::{Claim, Failure, Machine, Moved, PropertyId, State, Trace, Visit, Workspace};

/// What a step costs in a solver's ticks, about.
const TICKS: u64 = 2;

/// The most steps of a walk.
const LONGEST: usize = 20_000;

/// The most initial states that walks begin in: the first ones.
const MOST_BEGINNINGS: usize = 4096;

/// After this many walks in a row that could not make a step, there is nothing to walk through.
const FUTILE: usize = 64;

/// Walks through a system, one after the other.
pub(super) struct Walks<'a> {
    machine: &'a Machine,
    patience: Patience,
    workspace: Workspace,
    options: Options,
    random: Rng,
    length: usize,
    beginnings: Vec<State>,
    over_states: Vec<PropertyId>,
    over_steps: Vec<PropertyId>,
    /// Deadlock freedom, if it is asked about.
    deadlock: Option<PropertyId>,
    work: Work,
    futile: usize,
    found: Bounded,
}

impl<'a> Walks<'a> {
    /// Walks of at most `bound` steps through a machine that loses patience.
    pub fn new(
        machine: &'a Machine,
        properties: &[PropertyId],
        bound: usize,
        seed: u64,
        patience: Patience,
    ) -> Walks<'a> {
        let claim = |property: &PropertyId| &machine.system().properties[*property].claim;
        let invariants = properties.iter().copied().filter(|property| matches!(claim(property), Claim::Invariant(_)));
        let (over_states, over_steps) = invariants.partition(|property| machine.is_state_invariant(*property));
        Walks {
            machine,
            patience,
            workspace: machine.workspace(),
            options: Options::default(),
            random: Rng::with_seed(seed),
            length: bound.min(LONGEST),
            beginnings: Vec::new(),
            over_states,
            over_steps,
            deadlock: properties.iter().copied().find(|property| matches!(claim(property), Claim::DeadlockFree)),
            work: Work::default(),
            futile: 0,
            found: Bounded::nothing(0),
        }
    }

    /// Finds states to begin in. Where even that takes too long, there are none.
    fn begin(&mut self) {
        self.patience.regain();
        let beginnings = &mut self.beginnings;
        // What fails here is found by the engines that look at every initial state.
        let _ = self.machine.initial_states(&mut self.workspace, |state| {
            beginnings.push(state);
            if beginnings.len() < MOST_BEGINNINGS { Visit::Continue(()) } else { Visit::Break(()) }
        });
        self.work.ticks += TICKS * beginnings.len() as u64;
    }

    /// One walk. It ends early where the system has no meaning: other engines tell where that is.
    fn walk(&mut self) -> Result<(), Failure> {
        let first = self.beginnings[self.random.usize(..self.beginnings.len())].clone();
        let mut policy = Policy::draw(&mut self.random, self.machine.system().processes.len(), self.length);
        let mut run = Trace { states: vec![first.clone()], ..Trace::default() };
        let mut state = first;
        for step in 0..=self.length {
            self.look_at(&state, &run)?;
            if self.is_over() {
                return Ok(());
            }
            self.patience.regain();
            self.options.look(self.machine, &state.0, &self.over_steps, &mut self.workspace)?;
            self.work.ticks += TICKS * (1 + self.options.seen as u64);
            if let (Some(property), 0, false) = (self.deadlock, self.options.seen, self.machine.is_valid_end(&state)) {
                self.violated(property, &run);
            }
            if step == self.length || self.options.able.is_empty() {
                return Ok(());
            }
            self.futile = 0;
            let option = match self.options.violation {
                Some((_, option)) => option,
                None => self.choose(&mut policy, step, &state),
            };
            let violated = self.options.violation.map(|(property, _)| property);
            let (step, next) = self.options.get(option);
            let process = self.machine.system().commands[step.command].owner.process;
            run.moves.push(Moved { process, command: Some(step.command), inputs: step.inputs.clone() });
            state = State(next.into());
            run.states.push(state.clone());
            if let Some(property) = violated {
                self.violated(property, &run);
            }
        }
        Ok(())
    }

    fn choose(&mut self, policy: &mut Policy, step: usize, state: &State) -> usize {
        let able = policy.process(&self.options.able, step, &mut self.random);
        let process = self.options.able[able];
        let group = self.options.group(able);
        let point = self.machine.point(process, state);
        group.start + policy.option(process, point, group.len(), &mut self.random)
    }

    /// Looks at a state that the walk has come to.
    fn look_at(&mut self, state: &State, run: &Trace) -> Result<(), Failure> {
        for property in self.over_states.clone() {
            if !self.machine.holds(property, &state.0, &mut self.workspace)? {
                self.violated(property, run);
            }
        }
        Ok(())
    }

    fn violated(&mut self, property: PropertyId, run: &Trace) {
        self.found.violations.push((property, without_detours(run)));
        self.forget(property);
    }

    fn is_over(&self) -> bool {
        self.over_states.is_empty() && self.over_steps.is_empty() && self.deadlock.is_none()
    }
}

impl Attitude for Walks<'_> {
    /// Some walks. Where there is nothing to walk through, that was the last of them.
    fn step(&mut self, effort: Effort, stop: &mut dyn FnMut() -> bool) -> Option<Stop> {
        let before = self.work.ticks;
        if self.beginnings.is_empty() {
            self.begin();
        }
        loop {
            if stop() {
                return Some(Stop::Interrupted);
            }
            if self.is_over() || self.beginnings.is_empty() || self.futile > FUTILE {
                return Some(Stop::Bound);
            }
            self.futile += 1;
            self.found.walks = self.found.walks.map_or(Some(1), |walks| Some(walks + 1));
            let violations = self.found.violations.len();
            let _ = self.walk();
            self.work.ticks += TICKS;
            let is_spent = matches!(effort, Effort::Ticks(most) if self.work.ticks - before >= most as u64);
            if is_spent || self.found.violations.len() > violations {
                return None;
            }
        }
    }

    fn found(&self) -> &Bounded {
        &self.found
    }

    fn forget(&mut self, property: PropertyId) {
        self.over_states.retain(|open| *open != property);
        self.over_steps.retain(|open| *open != property);
        self.deadlock = self.deadlock.filter(|open| *open != property);
    }

    fn work(&self) -> Work {
        self.work
    }
}

/// The same run without the parts that come back to a state where it has been. The last step stays: it may be what is wrong.
fn without_detours(trace: &Trace) -> Trace {
    let Some(before_last) = trace.states.len().checked_sub(2) else { return trace.clone() };
    let last_visit: FxHashMap<&State, usize> =
        trace.states[..=before_last].iter().enumerate().map(|(index, state)| (state, index)).collect();
    let mut short = Trace { states: vec![trace.states[0].clone()], ..Trace::default() };
    let mut at = 0;
    while at <= before_last {
        at = last_visit[&trace.states[at]];
        short.moves.push(trace.moves[at].clone());
        at += 1;
        short.states.push(trace.states[at].clone());
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use system::ProcessId;

    /// A run through these numbers, as states of one word.
    fn run(numbers: &[u64]) -> Trace {
        let states: Vec<State> = numbers.iter().map(|number| State([*number].into())).collect();
        let moved = |process: usize| Moved { process: ProcessId::new(process), command: None, inputs: Vec::new() };
        Trace { moves: (1..states.len()).map(moved).collect(), states, loop_start: None }
    }

    fn numbers(trace: &Trace) -> Vec<u64> {
        trace.states.iter().map(|state| state.0[0]).collect()
    }

    #[test]
    fn detours_are_left_out_but_never_the_last_step() {
        for (walk, short) in [
            (vec![0], vec![0]),
            (vec![0, 1, 2], vec![0, 1, 2]),
            (vec![0, 1, 2, 1, 3], vec![0, 1, 3]),
            (vec![0, 1, 0, 2, 0, 3, 4], vec![0, 3, 4]),
            (vec![0, 1, 2, 1], vec![0, 1, 2, 1]),
            (vec![0, 1, 2, 0, 1, 5], vec![0, 1, 5]),
        ] {
            let found = without_detours(&run(&walk));
            assert_eq!(numbers(&found), short, "{walk:?}");
            assert_eq!(found.moves.len() + 1, found.states.len());
        }
        let moved = without_detours(&run(&[0, 1, 2, 1, 3])).moves;
        assert_eq!(moved.iter().map(|moved| moved.process.index()).collect::<Vec<_>>(), [1, 4], "who made the steps");
    }
}
