//! Which commands can change the state: Eq. (7) of \[GLST05\].
//!
//! # Differs from the paper
//!
//! The paper calls a process enabled if it has a successor at all. An SMV process always has one: when it has to wait, it
//! stays where it is. A partial expansion of such a process would be a dead end, so that here a process is enabled if it
//! can change the state. Where that depends on choices yet to be made, the answer is yes: which processes count as
//! enabled only says where an underapproximation begins, never what is true in the end.

use super::{Unrolling, expression};
use crate::expr::Evaluated;
use crate::gate::Signal;
use crate::lit::ClauseSink;
use crate::value::Encoded;
use system::{
    Choice, Command, CommandId, ExprId, Motion, Move, Node, Place, ProcessId, Sort, System, Update, Value, VarId,
};

impl Unrolling<'_> {
    /// Eq. (7), one command's part: whether the command can change the state, given that its process is at its control
    /// point. The guard is part of it.
    pub(super) fn can_move(&mut self, id: CommandId) -> Signal {
        let Command { guard, owner, .. } = self.system.commands[id];
        let guard = self.evaluate_by(owner.process, guard).value.boolean();
        let changes = self.may_change(id);
        self.gates.and(guard, changes)
    }

    /// Whether a command's effect can differ from the last state. A step without meaning counts: it must not be taken for
    /// one that changes nothing.
    pub(super) fn may_change(&mut self, id: CommandId) -> Signal {
        let command = &self.system.commands[id];
        if !self.is_determined(command) || self.surely_goes_elsewhere(command) {
            return Signal::TRUE;
        }
        let mut changes = vec![self.evaluate_by(command.owner.process, command.guard).fails];
        changes.push(self.passes_control(command, self.frames.len() - 1));
        for (pc, value) in self.goals(command) {
            changes.push(!self.last_value(pc).equals(&mut self.gates, value));
        }
        for update in &command.updates {
            self.changes_by(command.owner.process, *update, &mut changes);
        }
        self.gates.any(&changes)
    }

    /// Excludes a step that leaves the state as it is, where the last state tells.
    pub(super) fn exclude_waiting(&mut self, id: CommandId, fires: Signal, sink: &mut dyn ClauseSink) {
        if fires != Signal::FALSE && self.tells_before(&self.system.commands[id]) {
            let changes = self.may_change(id);
            self.gates.assert_any(&[!fires, changes], sink);
        }
    }

    /// Excludes steps that leave the state as it is, where only the next state tells.
    pub(super) fn exclude_idling(&mut self, before: usize, fires: &[Signal], sink: &mut dyn ClauseSink) {
        let faults = self.frames[before + 1].faults.clone();
        let has_no_meaning = self.gates.any(&faults);
        for (command, fires) in self.system.commands.iter().zip(fires) {
            if *fires == Signal::FALSE || self.tells_before(command) || self.surely_goes_elsewhere(command) {
                continue;
            }
            let mut clause = vec![!*fires, self.passes_control(command, before), has_no_meaning];
            for var in self.touched(command) {
                let old = self.frames[before].values[var.index()].clone();
                let new = self.frames[before + 1].values[var.index()].clone();
                if let (Some(old), Some(new)) = (old, new)
                    && old != new
                {
                    clause.push(!self.equal(&old, &new));
                }
            }
            self.gates.assert_any(&clause, sink);
        }
    }

    /// Whether the old state alone says if a step by the command changes nothing and has a meaning.
    fn tells_before(&self, command: &Command) -> bool {
        let exprs = &self.system.exprs;
        self.is_determined(command) && self.system.relations.iter().all(|relation| exprs.is_total(relation.holds))
    }

    /// Whether the old state alone says what the command does.
    fn is_determined(&self, command: &Command) -> bool {
        let mut choices = command.updates.iter().map(|update| update.choice);
        self.moves_by_itself.is_empty()
            && command.relation.is_none()
            && choices.all(|choice| matches!(choice, Choice::Exactly(expr) if !self.reads_next(expr)))
    }

    /// Whether the command sends its process to another control point whatever the rest of the state is.
    fn surely_goes_elsewhere(&self, command: &Command) -> bool {
        let process = &self.system.processes[command.owner.process];
        let (Some(pc), Some(from)) = (process.pc, command.owner.from) else { return false };
        match self.goal(command.owner) {
            Some((_, value)) => process.points[from].value != Some(value),
            None => {
                let update = command.updates.iter().find(|update| update.place == Place::Variable(pc));
                let goal = update.and_then(|update| expression(update.choice));
                goal.is_some_and(|goal| self.is_never(goal, process.points[from].value))
            }
        }
    }

    /// Whether an expression is made of constants only, and none of them is this one.
    fn is_never(&self, expr: ExprId, value: Option<Value>) -> bool {
        let mut open = vec![expr];
        // Conditions of this size are not worth the time.
        for _ in 0..64 {
            let Some(id) = open.pop() else { return true };
            match *self.system.exprs.node(id) {
                Node::Constant(constant) if Some(constant) != value => {}
                Node::Ite(_, a, b) | Node::Union(a, b) => open.extend([a, b]),
                _ => return false,
            }
        }
        false
    }

    /// How one update by a process can change the last state, or have no meaning.
    fn changes_by(&mut self, process: ProcessId, update: Update, changes: &mut Vec<Signal>) {
        let Some(expr) = expression(update.choice) else { return };
        if self.system.exprs.sort(expr) == Sort::Never {
            changes.push(Signal::TRUE);
            return;
        }
        let Evaluated { value, fails } = self.evaluate_by(process, expr);
        changes.push(fails);
        changes.push(self.is_outside(process, update.place));
        for var in update.place.variables() {
            let written = self.writes(process, update.place, var);
            let old = self.last_value(var);
            let same = self.same(var, expr, &old, &value);
            let inside = self.is_inside_domain(var, expr, &value);
            let stays = self.gates.and(same, inside);
            changes.push(self.gates.and(written, !stays));
        }
    }

    /// The program counter of a process that takes part, and the value that it is sent to.
    fn goal(&self, part: Move) -> Option<(VarId, Value)> {
        let process = &self.system.processes[part.process];
        Some((process.pc?, process.points[part.to?].value?))
    }

    /// The same for all who take part in a command.
    pub(super) fn goals(&self, command: &Command) -> Vec<(VarId, Value)> {
        let parts = command.parts();
        parts.filter_map(|part| self.goal(part)).collect()
    }

    /// The variables that may change when a command runs.
    fn touched(&self, command: &Command) -> Vec<VarId> {
        let mut vars: Vec<VarId> = command.updates.iter().flat_map(|update| update.place.variables()).collect();
        vars.extend(self.goals(command).into_iter().map(|(pc, _)| pc));
        vars.extend(&self.moves_by_itself);
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    fn last_value(&self, var: VarId) -> Encoded {
        let last = self.frames.len() - 1;
        match &self.frames[last].values[var.index()] {
            Some(value) => value.clone(),
            None => unreachable!("a state has all its variables"),
        }
    }
}

/// The variables that can change without a command that writes them. What is defined by an expression cannot: it
/// changes only if something else does.
pub(super) fn moving_by_themselves(system: &System) -> Vec<VarId> {
    let free = system.variables.iter_enumerated().filter(|(_, variable)| variable.motion == Motion::Free);
    let chosen = system.definitions.iter().filter(|definition| !matches!(definition.choice, Choice::Exactly(_)));
    free.map(|(var, _)| var).chain(chosen.map(|definition| definition.variable)).collect()
}
