//! Steps: what the commands of a system do to a state.

use super::given::GivenPlan;
use super::machine::{Failure, Halt, Machine, Predicate, Workspace};
use super::plan::{Op, Outside, Plan, Target};
use super::state::State;
use crate::definition::fault::Fault;
use crate::definition::ids::{CommandId, ProcessId, PropertyId, VarId};
use crate::definition::value::Value;
use std::ops::ControlFlow;

/// After how many choices the alarm is asked, and after how many instructions.
const PATIENCE: u32 = 1 << 12;
const EXECUTED: u64 = 1 << 20;

/// One step of a run: which command, and what the inputs were.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The command that ran.
    pub command: CommandId,
    /// The values of the inputs during the step.
    pub inputs: Vec<(VarId, Value)>,
}

/// An open choice of a running plan.
#[derive(Clone, Debug)]
pub(crate) struct ChoicePoint {
    op: usize,
    /// Where the candidates start among the emitted values.
    start: usize,
    /// How many candidates were tried.
    tried: u64,
    /// Where the first one is among the candidates.
    turn: u64,
}

impl ChoicePoint {
    /// The place of the next of this many candidates, if there is one.
    fn next(&self, candidates: u128) -> Option<u64> {
        let (tried, turn) = (u128::from(self.tried), u128::from(self.turn));
        match tried < candidates {
            false => None,
            true if turn == 0 => Some(self.tried),
            true => Some(((tried + turn) % candidates) as u64),
        }
    }
}

/// A successor that is being visited.
pub struct Successor<'a> {
    /// The command that leads to it.
    pub command: CommandId,
    /// The packed new state.
    pub state: &'a [u64],
    machine: &'a Machine,
    workspace: &'a mut Workspace,
}

impl Successor<'_> {
    /// The step that was made.
    pub fn step(&self) -> Step {
        let inputs = self.machine.system().inputs();
        let inputs = inputs.map(|(var, _)| (var, self.workspace.values[var.index()])).collect();
        Step { command: self.command, inputs }
    }

    /// How much has been computed so far; see [`Workspace::executed`].
    pub fn executed(&self) -> u64 {
        self.workspace.executed
    }

    /// Whether a condition over the state before the step, the inputs and who moves holds of this one.
    pub fn satisfies(&mut self, predicate: &Predicate) -> Result<bool, Failure> {
        self.machine.conjunct_holds(predicate, self.workspace)
    }

    /// Whether an invariant over steps holds of this one.
    pub fn step_holds(&mut self, property: PropertyId) -> Result<bool, Failure> {
        self.machine.holds_now(property, self.workspace)
    }
}

/// What a visitor wants after a successor.
pub type Visit = ControlFlow<()>;

/// Why a plan was not run to its end.
pub(crate) enum Cut {
    /// Something has no value.
    Fault(Fault),
    /// The alarm rang.
    Interrupted,
}

impl From<Fault> for Cut {
    fn from(fault: Fault) -> Cut {
        Cut::Fault(fault)
    }
}

impl Cut {
    /// The same, with what was being done.
    pub fn during(self, command: Option<CommandId>) -> Halt {
        match self {
            Cut::Fault(fault) => Halt::Failed(Failure { fault, command }),
            Cut::Interrupted => Halt::Interrupted,
        }
    }
}

impl Machine {
    /// Visits every initial state.
    pub fn initial_states(&self, workspace: &mut Workspace, mut visit: impl FnMut(State) -> Visit) -> Result<(), Halt> {
        let plan = self.initial_plan();
        let found = self.enumerate(plan, workspace, |machine, workspace| {
            let start = machine.system().variables.len();
            visit(machine.layout().pack(&workspace.values[start..2 * start], None))
        });
        found.map(drop).map_err(|cut| cut.during(None))
    }

    /// An initial state that a number stands for: the first one if each choice begins where the number says. So a few can be drawn
    /// from more than can be visited.
    pub fn initial_state(&self, workspace: &mut Workspace, number: u64) -> Result<Option<State>, Halt> {
        let mut first = None;
        workspace.turning = number;
        let outcome = self.initial_states(workspace, |state| {
            first = Some(state);
            Visit::Break(())
        });
        workspace.turning = 0;
        outcome.map(|()| first)
    }

    /// Visits every successor of a state, in the order of processes, commands and choices. A state that can be
    /// reached in several ways is visited several times.
    pub fn successors(
        &self,
        state: &[u64],
        workspace: &mut Workspace,
        mut visit: impl FnMut(Successor<'_>) -> Visit,
    ) -> Result<(), Halt> {
        self.load(state, workspace);
        let holder = self.layout().holder(state);
        for timeout in [false, true] {
            workspace.values[self.registers.timeout() as usize] = Value::from(timeout);
            // Who has control and waits for a timeout has lost control: then every process may move.
            if self.some_move(holder.filter(|_| !timeout), state, workspace, &mut visit)?
                || self.some_move(self.system().processes.indices(), state, workspace, &mut visit)?
            {
                break;
            }
        }
        Ok(())
    }

    /// Visits the successors by some processes, one process after the other, and says whether there was one: those that
    /// [`Machine::successors`] has where no other process has control and one can move without waiting for a timeout.
    pub fn successors_among(
        &self,
        processes: impl IntoIterator<Item = ProcessId>,
        state: &[u64],
        workspace: &mut Workspace,
        mut visit: impl FnMut(Successor<'_>) -> Visit,
    ) -> Result<bool, Halt> {
        self.load(state, workspace);
        workspace.values[self.registers.timeout() as usize] = Value::from(false);
        self.some_move(processes, state, workspace, &mut visit)
    }

    /// Visits a successor by a process that a number stands for, if the process can move: the first one if each choice begins
    /// where the number says.
    pub fn successor_drawn(
        &self,
        process: ProcessId,
        state: &[u64],
        workspace: &mut Workspace,
        number: u64,
        mut visit: impl FnMut(Successor<'_>),
    ) -> Result<bool, Halt> {
        workspace.turning = number;
        let outcome = self.successors_given(process, state, workspace, &mut |successor| {
            visit(successor);
            Visit::Break(())
        });
        workspace.turning = 0;
        outcome.map(|flow| flow.is_break())
    }

    /// Visits the successors by a process in which some inputs have these values. Where the model says which value an input has, there are
    /// none with others. Values outside of their domains are the caller's fault.
    pub fn successors_with(
        &self,
        inputs: &[(VarId, Value)],
        process: ProcessId,
        state: &[u64],
        workspace: &mut Workspace,
        mut visit: impl FnMut(Successor<'_>) -> Visit,
    ) -> Result<(), Halt> {
        workspace.pinned.clear();
        workspace.pinned.extend_from_slice(inputs);
        let mut visit = |successor: Successor<'_>| {
            let is_given = |(input, value): &(VarId, Value)| successor.workspace.values[input.index()] == *value;
            if inputs.iter().all(is_given) { visit(successor) } else { Visit::Continue(()) }
        };
        let outcome = self.successors_given(process, state, workspace, &mut visit);
        workspace.pinned.clear();
        outcome.map(drop)
    }

    /// Visits the successors by a process where the pinned inputs have their values: by plans for these values, where there are such.
    fn successors_given(
        &self,
        process: ProcessId,
        state: &[u64],
        workspace: &mut Workspace,
        visit: &mut impl FnMut(Successor<'_>) -> Visit,
    ) -> Result<Visit, Halt> {
        for place in 0..workspace.pinned.len() {
            let (input, value) = workspace.pinned[place];
            workspace.values[input.index()] = value;
        }
        workspace.values[self.registers.timeout() as usize] = Value::from(false);
        workspace.values[self.registers.running() as usize] = process.raw().into();
        let mut is_loaded = false;
        for command in self.dispatch[process].commands(self.point_in(process, state)) {
            let special = self.given_plan(*command, state, workspace);
            match &special {
                Some(special) if !is_loaded => self.load_some(state, &special.vars, workspace),
                Some(_) => {}
                None if !is_loaded => self.load(state, workspace),
                None => {}
            }
            is_loaded |= special.is_none();
            let fired = match special.as_deref() {
                Some(GivenPlan { plans, .. }) => self.fire_by_each(plans, *command, state, workspace, visit),
                None => self.fire(*command, state, workspace, visit),
            };
            if fired.map_err(|cut| cut.during(Some(*command)))?.is_break() {
                return Ok(Visit::Break(()));
            }
        }
        Ok(Visit::Continue(()))
    }

    /// Visits the successors by some processes and says whether there was one.
    pub(crate) fn some_move(
        &self,
        processes: impl IntoIterator<Item = ProcessId>,
        state: &[u64],
        workspace: &mut Workspace,
        visit: &mut impl FnMut(Successor<'_>) -> Visit,
    ) -> Result<bool, Halt> {
        let mut any = false;
        let mut watched = |successor: Successor<'_>| {
            any = true;
            visit(successor)
        };
        for process in processes {
            if self.successors_of(process, state, workspace, &mut watched)?.is_break() {
                break;
            }
        }
        Ok(any)
    }

    /// Whether some process can make a step.
    pub fn can_move(&self, state: &[u64], workspace: &mut Workspace) -> Result<bool, Halt> {
        let mut can_move = false;
        self.successors(state, workspace, |_| {
            can_move = true;
            Visit::Break(())
        })?;
        Ok(can_move)
    }

    /// The commands that can make a step, each once, in order.
    pub fn enabled(&self, state: &[u64], workspace: &mut Workspace) -> Result<Vec<CommandId>, Halt> {
        let mut enabled = Vec::new();
        self.successors(state, workspace, |successor| {
            if enabled.last() != Some(&successor.command) {
                enabled.push(successor.command);
            }
            Visit::Continue(())
        })?;
        Ok(enabled)
    }

    /// Whether every process may rest in this state when nothing moves.
    pub fn is_valid_end(&self, state: &State) -> bool {
        self.system()
            .processes
            .iter_enumerated()
            .all(|(process, info)| self.point(process, state).is_some_and(|point| info.points[point].end))
    }

    /// Brings a state into the workspace, as current and, for what does not change, as next state.
    pub(crate) fn load(&self, state: &[u64], workspace: &mut Workspace) {
        let variables = self.system().variables.len();
        self.layout().unpack(state, &mut workspace.values);
        let (now, next) = workspace.values.split_at_mut(variables);
        next[..variables].copy_from_slice(now);
        workspace.executed += variables as u64;
    }

    /// The same for the variables that some commands look at or change, where none of them runs by a timeout: nothing else is looked at
    /// while they run.
    pub(crate) fn load_some(&self, state: &[u64], vars: &[VarId], workspace: &mut Workspace) {
        let variables = self.system().variables.len();
        self.layout().unpack_some(state, vars, &mut workspace.values);
        for var in vars {
            workspace.values[variables + var.index()] = workspace.values[var.index()];
        }
        workspace.executed += vars.len() as u64;
        workspace.values[self.registers.timeout() as usize] = 0;
    }

    /// Visits the successors by one process, of a state that is loaded.
    pub(crate) fn successors_of(
        &self,
        process: ProcessId,
        state: &[u64],
        workspace: &mut Workspace,
        visit: &mut impl FnMut(Successor<'_>) -> Visit,
    ) -> Result<Visit, Halt> {
        let commands = self.dispatch[process].commands(self.point_in(process, state));
        self.successors_by(process, commands, state, workspace, visit)
    }

    /// The same for some of its commands.
    pub(crate) fn successors_by(
        &self,
        process: ProcessId,
        commands: &[CommandId],
        state: &[u64],
        workspace: &mut Workspace,
        visit: &mut impl FnMut(Successor<'_>) -> Visit,
    ) -> Result<Visit, Halt> {
        workspace.values[self.registers.running() as usize] = process.raw().into();
        for command in commands {
            let flow = self.fire(*command, state, workspace, visit).map_err(|cut| cut.during(Some(*command)))?;
            if flow.is_break() {
                return Ok(Visit::Break(()));
            }
        }
        Ok(Visit::Continue(()))
    }

    fn fire(
        &self,
        command: CommandId,
        state: &[u64],
        workspace: &mut Workspace,
        visit: &mut impl FnMut(Successor<'_>) -> Visit,
    ) -> Result<Visit, Cut> {
        let info = &self.system().commands[command];
        if let Some(partner) = info.partner
            && !self.is_at(partner.process, partner.from, workspace)
        {
            return Ok(Visit::Continue(()));
        }
        self.fire_by(self.plan(command), command, state, workspace, visit)
    }

    /// Fires a command by one plan after the other, from any on where a successor is drawn.
    fn fire_by_each(
        &self,
        plans: &[Plan],
        command: CommandId,
        state: &[u64],
        workspace: &mut Workspace,
        visit: &mut impl FnMut(Successor<'_>) -> Visit,
    ) -> Result<Visit, Cut> {
        let first = workspace.turn() as usize % plans.len().max(1);
        let (before, after) = plans.split_at(first);
        for plan in after.iter().chain(before) {
            if self.fire_by(plan, command, state, workspace, visit)?.is_break() {
                return Ok(Visit::Break(()));
            }
        }
        Ok(Visit::Continue(()))
    }

    /// Fires a command by one of its plans.
    fn fire_by(
        &self,
        plan: &Plan,
        command: CommandId,
        state: &[u64],
        workspace: &mut Workspace,
        visit: &mut impl FnMut(Successor<'_>) -> Visit,
    ) -> Result<Visit, Cut> {
        let info = &self.system().commands[command];
        let variables = self.system().variables.len();
        let flow = self.enumerate(plan, workspace, |machine, workspace| {
            let mut packed = std::mem::take(&mut workspace.packed);
            packed.clear();
            packed.extend_from_slice(state);
            for var in &plan.changed {
                machine.layout().set(&mut packed, *var, workspace.values[variables + var.index()]);
            }
            machine.layout().set_holder(&mut packed, info.holder_afterwards());
            let flow = visit(Successor { command, state: &packed, machine, workspace });
            workspace.packed = packed;
            flow
        });
        for var in &plan.changed {
            workspace.values[variables + var.index()] = workspace.values[var.index()];
        }
        flow
    }

    fn is_at(&self, process: ProcessId, point: Option<crate::definition::ids::PointId>, workspace: &Workspace) -> bool {
        let dispatch = &self.dispatch[process];
        match (point, dispatch.pc) {
            (Some(point), Some(pc)) => dispatch.point_of.get(&workspace.values[pc.index()]) == Some(&point),
            _ => true,
        }
    }

    /// Runs a plan, calling `found` for every solution: a walk over its operations that comes back to the last
    /// open choice whenever an operation refuses or a solution is done.
    fn enumerate(
        &self,
        plan: &Plan,
        workspace: &mut Workspace,
        mut found: impl FnMut(&Machine, &mut Workspace) -> Visit,
    ) -> Result<Visit, Cut> {
        if workspace.values.len() < plan.registers {
            workspace.values.resize(plan.registers, 0);
        }
        // An earlier run may have ended early, by a fault or because its visitor had enough.
        workspace.choices.clear();
        workspace.emitted.clear();
        let mut at = 0;
        loop {
            let goes_on = match plan.ops.get(at) {
                Some(op) => self.perform(op, at, workspace)?,
                None => {
                    if found(self, workspace).is_break() {
                        return Ok(Visit::Break(()));
                    }
                    false
                }
            };
            if goes_on {
                at += 1;
            } else {
                match self.backtrack(plan, workspace)? {
                    Some(op) => at = op + 1,
                    None => return Ok(Visit::Continue(())),
                }
            }
        }
    }

    /// Performs one operation; false if it refuses.
    fn perform(&self, op: &Op, at: usize, workspace: &mut Workspace) -> Result<bool, Fault> {
        match op {
            Op::Check(program) => Ok(self.run(program, workspace)? != 0),
            Op::Prune { program, unknown } => {
                for register in unknown {
                    workspace.values[*register as usize] = super::code::UNKNOWN;
                }
                workspace.executed += program.code.len() as u64;
                Ok(program.run_partially(self.registers, &mut workspace.values) != 0)
            }
            Op::CheckMember { program, register } => {
                let start = workspace.emitted.len();
                self.run(program, workspace)?;
                let value = workspace.values[*register as usize];
                let is_member = workspace.emitted[start..].contains(&value);
                workspace.emitted.truncate(start);
                Ok(is_member)
            }
            Op::Set { register, value } => {
                workspace.values[*register as usize] = *value;
                Ok(true)
            }
            Op::Assign { program, target, outside } => {
                let value = self.run(program, workspace)?;
                self.store(target, value, *outside, workspace)
            }
            Op::Choose { program, .. } => {
                let start = workspace.emitted.len();
                self.run(program, workspace)?;
                forget_repeated(&mut workspace.emitted, start);
                let turn = workspace.turn();
                workspace.choices.push(ChoicePoint { op: at, start, tried: 0, turn });
                Ok(false)
            }
            Op::ChooseAny { .. } => {
                let turn = workspace.turn();
                workspace.choices.push(ChoicePoint { op: at, start: workspace.emitted.len(), tried: 0, turn });
                Ok(false)
            }
        }
    }

    /// Takes the next candidate of the innermost open choice and says which operation it belongs to.
    fn backtrack(&self, plan: &Plan, workspace: &mut Workspace) -> Result<Option<usize>, Cut> {
        while let Some(choice) = workspace.choices.last_mut() {
            let (op, start) = (choice.op, choice.start);
            let candidate = match &plan.ops[op] {
                Op::Choose { target, .. } => {
                    let values = &workspace.emitted[start..];
                    choice.next(values.len() as u128).map(|next| (target, values[next as usize]))
                }
                Op::ChooseAny { target } => {
                    let var = first_variable(target);
                    match workspace.pinned.iter().find(|(pinned, _)| *pinned == var) {
                        Some((_, value)) => choice.next(1).map(|_| (target, *value)),
                        None => {
                            let domain = &self.system().variables[var].domain;
                            choice.next(domain.size()).map(|next| (target, domain.value_at(next)))
                        }
                    }
                }
                other => unreachable!("{other:?} opens no choice"),
            };
            choice.tried += 1;
            workspace.chosen += 1;
            if (workspace.chosen >= PATIENCE || workspace.executed >= workspace.alarmed + EXECUTED)
                && self.rings(workspace)
            {
                return Err(Cut::Interrupted);
            }
            if let Some((target, value)) = candidate {
                workspace_store(self, target, value, workspace)?;
                return Ok(Some(op));
            }
            workspace.emitted.truncate(start);
            workspace.choices.pop();
        }
        Ok(None)
    }

    /// Whether the alarm rings.
    fn rings(&self, workspace: &mut Workspace) -> bool {
        workspace.chosen = 0;
        workspace.alarmed = workspace.executed;
        self.alarm.rings()
    }

    /// Stores a value; false if it is outside the domain and that refutes the step.
    fn store(&self, target: &Target, value: Value, outside: Outside, workspace: &mut Workspace) -> Result<bool, Fault> {
        let (var, register) = match target {
            Target::Variable { var, register } => (*var, *register as usize),
            Target::Element { first, length, low, index } => {
                let offset = self.run(index, workspace)?.checked_sub(*low);
                let offset = offset.filter(|offset| (0..i64::from(*length)).contains(offset));
                let var = VarId::from(first.index() + offset.ok_or(Fault::IndexOutOfBounds)? as usize);
                (var, self.registers.next(var) as usize)
            }
        };
        if outside != Outside::Impossible && !self.system().variables[var].domain.contains(value) {
            return if outside == Outside::Fault { Err(Fault::OutsideDomain(var, value)) } else { Ok(false) };
        }
        workspace.values[register] = value;
        Ok(true)
    }
}

fn workspace_store(machine: &Machine, target: &Target, value: Value, workspace: &mut Workspace) -> Result<(), Fault> {
    machine.store(target, value, Outside::Fault, workspace).map(drop)
}

fn first_variable(target: &Target) -> VarId {
    match target {
        Target::Variable { var, .. } => *var,
        Target::Element { first, .. } => *first,
    }
}

/// Keeps the first of equal candidates, so that a choice is a set.
fn forget_repeated(emitted: &mut Vec<Value>, start: usize) {
    const FEW: usize = 64;
    if emitted.len() - start > FEW {
        let mut many = emitted.split_off(start);
        many.sort_unstable();
        many.dedup();
        emitted.append(&mut many);
        return;
    }
    let mut kept = start;
    for index in start..emitted.len() {
        let value = emitted[index];
        if !emitted[start..kept].contains(&value) {
            emitted[kept] = value;
            kept += 1;
        }
    }
    emitted.truncate(kept);
}
