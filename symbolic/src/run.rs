//! From states to runs of the machine: who moved between them, and with which inputs.

use super::model::Model;
use super::paths::Path;
use super::{Refusal, Trouble};
use std::ops::ControlFlow;
use std::sync::Arc;
use system::{Choice, Compact, Condition, ExprId, Failure, Halt, Machine, Motion, Moved, State, System, Trace};

/// A path, with what steps have to satisfy besides, by the number of the state they leave.
#[derive(Default)]
pub struct Shown {
    /// The states.
    pub path: Path,
    /// Conditions on steps.
    pub needs: Vec<(usize, ExprId)>,
    /// The state that the last one is equal to.
    pub loop_start: Option<usize>,
}

impl Model<'_> {
    /// The run through these states.
    pub(super) fn run(&self, shown: &Shown) -> Result<Trace, Trouble> {
        let states: Option<Vec<State>> = shown.path.iter().map(|state| self.pick(state)).collect();
        let states = states.ok_or(Trouble::Refused(Refusal::NoRun))?;
        let mut moves = Compact::default();
        for (at, pair) in states.windows(2).enumerate() {
            let needs: Vec<ExprId> =
                shown.needs.iter().filter(|(step, _)| *step == at).map(|(_, expr)| *expr).collect();
            moves.push(connect(self.machine, &pair[0], &pair[1], &needs).ok_or(Trouble::Refused(Refusal::NoRun))?);
        }
        Ok(Trace { states: states.into_iter().collect(), moves, loop_start: shown.loop_start })
    }

    /// What fails in a state, if something does.
    pub(super) fn failure(&self, state: &State) -> Option<Failure> {
        let visit = |_: system::Successor<'_>| ControlFlow::Continue(());
        self.machine.successors(&state.0, &mut self.machine.workspace(), visit).err().and_then(Halt::failure)
    }
}

/// A step from one state to another.
fn connect(machine: &Machine, from: &State, to: &State, needs: &[ExprId]) -> Option<Moved> {
    let system = machine.system();
    if has_choices(system) || !needs.is_empty() {
        return find(&pinned(machine, system, to, needs), from, to);
    }
    find(machine, from, to)
}

/// Whether steps choose values: then a state may have too many successors to look at one by one.
fn has_choices(system: &System) -> bool {
    let is_free = system.variables.iter().any(|variable| matches!(variable.motion, Motion::Free | Motion::Input));
    let updates = system.commands.iter().flat_map(|command| &command.updates).map(|update| update.choice);
    let mut choices = updates.chain(system.definitions.iter().map(|definition| definition.choice));
    is_free || choices.any(|choice| !matches!(choice, Choice::Exactly(_)))
}

fn find(machine: &Machine, from: &State, to: &State) -> Option<Moved> {
    let mut found = None;
    let visit = |successor: system::Successor<'_>| {
        if *successor.state != *to.0 {
            return ControlFlow::Continue(());
        }
        let step = successor.step();
        let process = machine.system().commands[step.command].owner.process;
        found = Some(Moved { process, command: Some(step.command), inputs: step.inputs });
        ControlFlow::Break(())
    };
    machine.successors(&from.0, &mut machine.workspace(), visit).ok()?;
    found
}

/// The system, its next state being known: plans then compute what they would have to choose.
fn pinned(machine: &Machine, system: &System, to: &State, needs: &[ExprId]) -> Machine {
    let mut system = system.clone();
    let values = machine.values(to);
    let state: Vec<_> = system.state_variables().map(|(var, variable)| (var, variable.domain.sort())).collect();
    for (var, sort) in state {
        let next = system.exprs.next(var, sort);
        let value = system.exprs.constant(values[var.index()], sort);
        let holds = system.exprs.equal(next, value);
        system.relations.push(Condition { holds, span: system.variables[var].span });
    }
    system.relations.extend(needs.iter().map(|need| Condition { holds: *need, span: Default::default() }));
    Machine::new(Arc::new(system))
}
