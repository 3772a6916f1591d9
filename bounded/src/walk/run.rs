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

    /// The run as a trace, without detours.
    pub fn trace(&self, machine: &Machine) -> Trace {
        // Without variables a state has no words.
        let states = match self.words {
            0 => vec![State([].into()); self.steps.len() + 1],
            words => self.states.chunks(words).map(|words| State(words.into())).collect(),
        };
        let moves = self.steps.iter().map(|step| Moved {
            process: machine.system().commands[step.command].owner.process,
            command: Some(step.command),
            inputs: step.inputs.clone(),
        });
        without_detours(&Trace { states, moves: moves.collect(), loop_start: None })
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
