//! Initial states, and the successors of a state, collected for choosing among them.

use super::persistent::Enabled;
use super::store::are_equal;
use system::{CommandId, Failure, Local, Machine, Memo, State, Visit};

/// The initial states, each once, in order.
pub fn initial_states(machine: &Machine) -> Result<Vec<State>, Failure> {
    let mut initial = Vec::new();
    machine.initial_states(&mut machine.workspace(), |state| {
        initial.push(state);
        Visit::Continue(())
    })?;
    initial.sort_unstable();
    initial.dedup();
    Ok(initial)
}

/// The successors of a state.
#[derive(Debug, Default)]
pub struct Successors {
    steps: Vec<(Local, CommandId)>,
    words: Vec<u64>,
    enabled: Vec<Enabled>,
}

impl Successors {
    /// Collects the successors of a state.
    pub fn collect(&mut self, machine: &Machine, memo: &mut Memo, state: &[u64]) -> Result<(), Failure> {
        self.steps.clear();
        self.words.clear();
        self.enabled.clear();
        memo.successors(machine, state, |local, command, next| {
            let moves = !are_equal(state, next);
            match self.enabled.last_mut().filter(|last| last.command == command) {
                Some(last) => last.moves |= moves,
                None => self.enabled.push(Enabled { command, moves }),
            }
            self.steps.push((local, command));
            self.words.extend_from_slice(next);
            Visit::Continue(())
        })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The commands that lead to them, in order.
    pub fn enabled(&self) -> &[Enabled] {
        &self.enabled
    }

    /// Each step with its command and the state that it leads to, of so many words.
    pub fn iter(&self, words: usize) -> impl Iterator<Item = (Local, CommandId, &[u64])> {
        let states = self.words.chunks_exact(words);
        self.steps.iter().zip(states).map(|((local, command), state)| (*local, *command, state))
    }
}
