//! The run of a walk, kept in one piece of memory that the next walk uses again.

use rustc_hash::FxHashMap;
use system::{Machine, Moved, State, Step, Trace};

/// A run: packed states one after the other, and the steps between them.
#[derive(Default)]
pub(super) struct Run {
    states: Vec<u64>,
    steps: Vec<Step>,
    words: usize,
}

impl Run {
    /// Begins anew.
    pub fn begin(&mut self, state: &State) {
        self.states.clear();
        self.steps.clear();
        self.words = state.0.len();
        self.states.extend_from_slice(&state.0);
    }

    /// Begins where another run has come.
    pub fn begin_after(&mut self, other: &Run) {
        self.states.clone_from(&other.states);
        self.steps.clone_from(&other.steps);
        self.words = other.words;
    }

    /// How many steps were made.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// The same without the parts that come back to a state where it has been.
    pub fn without_detours(&self) -> Run {
        self.beginning(self.steps.len())
    }

    /// Its first steps, without the parts that come back to a state where it has been.
    fn beginning(&self, steps: usize) -> Run {
        let last_visit: FxHashMap<&[u64], usize> = (0..=steps).map(|at| (self.state(at), at)).collect();
        let mut short = Run { states: self.state(0).to_vec(), steps: Vec::new(), words: self.words };
        let mut at = last_visit[self.state(0)];
        while at < steps {
            short.push(&self.steps[at], self.state(at + 1));
            at = last_visit[self.state(at + 1)];
        }
        short
    }

    fn state(&self, at: usize) -> &[u64] {
        &self.states[at * self.words..][..self.words]
    }

    /// The last state.
    pub fn last(&self) -> &[u64] {
        &self.states[self.states.len() - self.words..]
    }

    /// The last state, and the one before it.
    pub fn last_two(&mut self) -> (&mut [u64], &[u64]) {
        let end = self.states.len() - self.words;
        let (before, last) = self.states.split_at_mut(end);
        (last, &before[end - self.words..])
    }

    /// One more step.
    pub fn push(&mut self, step: &Step, state: &[u64]) {
        self.steps.push(step.clone());
        self.states.extend_from_slice(state);
    }

    /// The same, but the last step stays: it may be what is wrong.
    fn with_last_step(&self) -> Run {
        let mut short = self.beginning(self.steps.len().saturating_sub(1));
        if let Some(step) = self.steps.last() {
            short.push(step, self.last());
        }
        short
    }

    /// The run as a trace, without detours.
    pub fn trace(&self, machine: &Machine) -> Trace {
        let short = self.with_last_step();
        let states = (0..=short.steps.len()).map(|at| State(short.state(at).into()));
        let moves = short.steps.iter().map(|step| Moved {
            process: machine.system().commands[step.command].owner.process,
            command: Some(step.command),
            inputs: step.inputs.clone(),
        });
        Trace { states: states.collect(), moves: moves.collect(), loop_start: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use system::CommandId;

    /// A run through these numbers, as states of one word; the commands have the numbers of their steps.
    fn run(numbers: &[u64]) -> Run {
        let mut run = Run::default();
        run.begin(&State([numbers[0]].into()));
        for (at, number) in numbers[1..].iter().enumerate() {
            run.push(&Step { command: CommandId::new(at), inputs: Vec::new() }, &[*number]);
        }
        run
    }

    #[test]
    fn detours_are_left_out() {
        for (walk, short) in [
            (vec![0], vec![0]),
            (vec![0, 1, 2], vec![0, 1, 2]),
            (vec![0, 1, 2, 1, 3], vec![0, 1, 3]),
            (vec![0, 1, 0, 2, 0, 3, 4], vec![0, 3, 4]),
            (vec![0, 1, 2, 1], vec![0, 1]),
            (vec![0, 1, 2, 0, 1, 5], vec![0, 1, 5]),
        ] {
            let found = run(&walk).without_detours();
            assert_eq!(found.states, short, "{walk:?}");
            assert_eq!(found.len() + 1, found.states.len());
        }
        assert_eq!(run(&[0, 1, 2, 1]).with_last_step().states, [0, 1, 2, 1], "the last step stays");
        assert_eq!(run(&[0]).with_last_step().states, [0]);
        let made = run(&[0, 1, 2, 1, 3]).without_detours().steps;
        assert_eq!(made.iter().map(|step| step.command.index()).collect::<Vec<_>>(), [0, 3], "which steps");
    }
}
