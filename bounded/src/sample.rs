//! Some of what a machine does, where all of it may be too much.

use super::visit::Patience;
use system::{Machine, Moved, State, Visit};

/// How many initial states, or successors of a state, are looked at.
const CHOICES: usize = 64;

/// A machine of which some first states and some steps are enough.
pub(super) struct Sample {
    machine: Machine,
    patience: Patience,
}

impl Sample {
    /// Of a machine.
    pub fn of(machine: &Machine) -> Sample {
        let patience = Patience::default();
        Sample { machine: patience.machine(machine), patience }
    }

    /// Some initial states.
    pub fn first_states(&self) -> Vec<State> {
        self.patience.regain();
        let mut states = Vec::new();
        // What is found before patience is lost, or before there is no meaning, is enough.
        let _ = self.machine.initial_states(&mut self.machine.workspace(), |state| {
            states.push(state);
            if states.len() < CHOICES { Visit::Continue(()) } else { Visit::Break(()) }
        });
        states
    }

    /// Some steps from a state.
    pub fn steps(&self, from: &State) -> Vec<(Moved, State)> {
        self.patience.regain();
        let mut found = Vec::new();
        let _ = self.machine.successors(&from.0, &mut self.machine.workspace(), |successor| {
            let step = successor.step();
            let process = self.machine.system().commands[step.command].owner.process;
            let moved = Moved { process, command: Some(step.command), inputs: step.inputs };
            found.push((moved, State(successor.state.into())));
            if found.len() < CHOICES { Visit::Continue(()) } else { Visit::Break(()) }
        });
        found
    }
}
