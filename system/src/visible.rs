//! Visible successors: atomic sections and what they pass through in one go.
//!
//! A state where a process has control and can go on is seen by no other process. SPIN does not store such states, and
//! neither needs a search that only looks at what processes can observe.

use crate::machine::{Failure, Machine, Workspace};
use crate::state::State;
use crate::step::Visit;
use crate::value::Value;

impl Machine {
    /// Visits every visible state that is reached from a visible one without passing another, once for each way there.
    /// Where a process that has control cannot go on, it loses control, and the state is visible.
    pub fn visible_successors(
        &self,
        state: &[u64],
        workspace: &mut Workspace,
        mut visit: impl FnMut(&[u64]) -> Visit,
    ) -> Result<(), Failure> {
        let mut open = vec![(State(state.into()), Vec::new())];
        self.successors(state, workspace, |successor| {
            open[0].1.push(State(successor.state.into()));
            Visit::Continue(())
        })?;
        while let Some((_, next)) = open.last_mut() {
            let Some(mut reached) = next.pop() else {
                open.pop();
                continue;
            };
            if self.layout().holder(&reached.0).is_some() {
                let further = self.held_successors(&reached, workspace)?;
                if !further.is_empty() {
                    // A section that comes back to where it was goes round for ever and is never seen again.
                    if open.iter().all(|(passed, _)| *passed != reached) {
                        open.push((reached, further));
                    }
                    continue;
                }
                self.layout().set_holder(&mut reached.0, None);
            }
            if visit(&reached.0).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// The successors by the process that has control.
    fn held_successors(&self, state: &State, workspace: &mut Workspace) -> Result<Vec<State>, Failure> {
        let mut found = Vec::new();
        self.load(&state.0, workspace);
        workspace.values[self.registers.timeout() as usize] = Value::from(false);
        self.some_move(self.layout().holder(&state.0), &state.0, workspace, &mut |successor| {
            found.push(State(successor.state.into()));
            Visit::Continue(())
        })?;
        Ok(found)
    }
}
