//! From a run of a slice to a run of the whole system that is the same inside the cone.

use super::slice::{PATIENCE, Pinned, Slice};
use crate::definition::system::System;
use crate::definition::value::Value;
use crate::execution::alarm::Alarm;
use crate::execution::machine::Machine;
use crate::execution::state::State;
use crate::execution::trace::{Moved, Trace};
use std::ops::ControlFlow;
use std::sync::Arc;

/// How many steps a run may have until the whole system is where it was.
const LONGEST: usize = 1 << 12;

impl Slice {
    /// A run of the whole system that is the same inside the cone, for a run of the slice.
    ///
    /// Where a process is whose program counter is outside the cone, the slice does not know: there, another command of the
    /// process makes the step, or none does if there is no such process and the step changes nothing that matters.
    ///
    /// A run that goes round is followed until the whole system is where it was before; if that takes too long, the
    /// result does not go round.
    pub fn lift(&self, system: &System, trace: &Trace) -> Option<Trace> {
        let slice = Machine::new(Arc::new(self.system.clone()));
        let mut whole = Machine::new(Arc::new(system.clone()));
        whole.heed(Alarm::default().or_after(PATIENCE));
        let pinned = vec![None; trace.moves.len()];
        let mut lifting = Lifting { slice: self, machine: &slice, whole: &whole, system, trace, pinned };
        let mut lifted = Trace { states: vec![lifting.initial()?], ..Trace::default() };
        for at in 0..trace.moves.len() {
            lifting.step(&mut lifted, at)?;
        }
        if let Some(start) = trace.loop_start.filter(|_| lifted.moves.len() == trace.moves.len()) {
            lifting.close(&mut lifted, start)?;
        }
        Some(lifted)
    }
}

/// A run that is being lifted.
struct Lifting<'a> {
    slice: &'a Slice,
    machine: &'a Machine,
    /// The whole system, for steps that are found among all that there are.
    whole: &'a Machine,
    system: &'a System,
    trace: &'a Trace,
    /// For each step of the run, the whole system held to what happens inside the cone.
    pinned: Vec<Option<Arc<Machine>>>,
}

impl Lifting<'_> {
    fn initial(&self) -> Option<State> {
        let first = self.machine.values(self.trace.states.first()?);
        let machine = self.slice.pinned(self.system, &first, Pinned::Initial);
        let mut found = None;
        let keep = |state| {
            found = Some(state);
            ControlFlow::Break(())
        };
        machine.initial_states(&mut machine.workspace(), keep).ok()?;
        found
    }

    /// Adds a step of the run of the slice.
    fn step(&mut self, lifted: &mut Trace, at: usize) -> Option<()> {
        let moved = &self.trace.moves[at];
        let mut values = self.machine.values(&self.trace.states[at + 1]);
        for (var, value) in &moved.inputs {
            values[var.index()] = *value;
        }
        let last = lifted.states.last()?;
        let found = match self.among_all(last, moved, &values) {
            Ok(found) => found,
            Err(TooMany) => {
                let pinned = || Arc::new(self.slice.pinned(self.system, &values, Pinned::Next));
                let machine = self.pinned[at].get_or_insert_with(pinned);
                // That another step has no meaning is no matter of this one.
                follow(machine, last, moved, |_| true).0
            }
        };
        match found {
            Some((moved, state)) => {
                lifted.moves.push(moved);
                lifted.states.push(state);
            }
            None if self.slice.is_same_inside(&self.whole.values(last), &values) => {}
            None => return None,
        }
        Some(())
    }

    /// Looks at all steps for one that does the same inside the cone. Where there are few, that is much cheaper than a
    /// machine of its own for each step.
    fn among_all(&self, last: &State, moved: &Moved, values: &[Value]) -> Result<Option<(Moved, State)>, TooMany> {
        if !moved.inputs.is_empty() {
            return Err(TooMany);
        }
        let is_same = |state: &State| self.slice.is_same_inside(&self.whole.values(state), values);
        match follow(self.whole, last, moved, is_same) {
            (found, true) => Ok(found),
            (_, false) => Err(TooMany),
        }
    }

    /// Goes round until the whole system is where it was after an earlier round.
    fn close(&mut self, lifted: &mut Trace, start: usize) -> Option<()> {
        let mut begun = vec![start];
        loop {
            let last = lifted.states.len() - 1;
            if let Some(same) = begun.iter().find(|at| lifted.states[**at] == lifted.states[last]) {
                lifted.loop_start = Some(*same);
                return Some(());
            }
            if last > LONGEST {
                return Some(());
            }
            begun.push(last);
            for at in start..self.trace.moves.len() {
                self.step(lifted, at)?;
            }
        }
    }
}

/// There are too many steps to look at, or some have no meaning.
struct TooMany;

/// A step of the same process to a state that is accepted: the first one by the same command, else the first one by any. Also
/// whether all steps were looked at, as far as needed.
fn follow(
    machine: &Machine,
    from: &State,
    wanted: &Moved,
    accepts: impl Fn(&State) -> bool,
) -> (Option<(Moved, State)>, bool) {
    let mut found = None;
    let visit = |successor: crate::execution::step::Successor<'_>| {
        let is_owner = machine.system().commands[successor.command].owner.process == wanted.process
            && accepts(&State(successor.state.into()));
        let is_wanted = wanted.command.is_none_or(|command| command == successor.command);
        if is_owner && (is_wanted || found.is_none()) {
            let step = successor.step();
            let moved = Moved { process: wanted.process, command: Some(step.command), inputs: step.inputs };
            found = Some((moved, State(successor.state.into())));
        }
        if is_owner && is_wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let is_complete = machine.successors(&from.0, &mut machine.workspace(), visit).is_ok();
    (found, is_complete)
}
