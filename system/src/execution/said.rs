//! What a program says along a run: its printed texts, the messages in its queues.

use super::machine::{Machine, Workspace};
use super::state::State;
use crate::definition::ids::VarId;
use crate::definition::talk::{Printed, Queue};
use crate::definition::value::Value;

impl Machine {
    /// What a text says in a state. A value that cannot be computed is a question mark.
    pub fn printed(&self, parts: &[Printed], state: &State, workspace: &mut Workspace) -> String {
        parts.iter().map(|part| self.printed_part(part, state, workspace)).collect()
    }

    fn printed_part(&self, part: &Printed, state: &State, workspace: &mut Workspace) -> String {
        match part {
            Printed::Text(text) => text.clone(),
            Printed::Value(expr, spelling) => {
                self.evaluate(*expr, state, workspace).map_or_else(|_| unknown(), |value| spelling.spell(value))
            }
            Printed::Named(expr, names) => {
                self.evaluate(*expr, state, workspace).map_or_else(|_| unknown(), |value| named(names, value))
            }
        }
    }

    /// The messages in a queue, the oldest first, each with its fields.
    pub fn messages(&self, queue: &Queue, state: &State) -> Vec<Vec<(VarId, Value)>> {
        let length = usize::try_from(self.held(queue.length, state)).unwrap_or(0);
        (0..length).map(|at| self.message(queue, at, state)).collect()
    }

    fn message(&self, queue: &Queue, at: usize, state: &State) -> Vec<(VarId, Value)> {
        let fields = queue.fields.iter().map(|first| VarId::from(first.index() + at));
        fields.map(|var| (var, self.held(var, state))).collect()
    }

    /// What a variable holds in a state; 0 if it is not part of states.
    fn held(&self, var: VarId, state: &State) -> Value {
        self.layout().get(&state.0, var).unwrap_or(0)
    }
}

fn unknown() -> String {
    "?".to_owned()
}

/// The name that a value stands for; names count from one.
fn named(names: &[String], value: Value) -> String {
    let name = usize::try_from(value - 1).ok().and_then(|index| names.get(index));
    name.cloned().unwrap_or_else(|| value.to_string())
}
