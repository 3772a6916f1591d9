//! Processes come and go: `run` and death.

use super::super::expressions::{Context, Effects};
use super::super::lowering::Lowering;
use super::super::storage::{Access, Cells, cell};
use super::action::Alternative;
use crate::promela::ast::{Creation, ExprRef, Kind};
use crate::promela::codes;
use crate::promela::flow::{Action, Edge};
use crate::promela::ids::InstanceId;
use system::ExprId;

impl Lowering<'_> {
    /// A process dies when it is the youngest. Its variables and channels go back to 0.
    pub fn death(&mut self, instance: InstanceId) -> Alternative {
        let (pid, frame, channels) =
            (self.instances.all[instance].pid, &self.memory.frames[instance], &self.memory.channels);
        let (count, own) = (self.now(self.memory.process_count), self.integer(i64::from(pid) + 1));
        let guard = self.system.exprs.equal(count, own);
        let mut effects = Effects::default();
        let zero = self.integer(0);
        for leaf in frame.locals.iter().flat_map(|storage| &storage.leaves) {
            if let Cells::Variables(first) = leaf.cells {
                (0..leaf.shape.count()).for_each(|at| effects.set(cell(first, at), zero));
            }
        }
        let own_channels = channels[frame.channels.clone()].iter();
        own_channels.flat_map(|channel| channel.variables()).for_each(|var| effects.set(var, zero));
        if let Some(own) = frame.priority {
            effects.set(own, zero);
        }
        let fewer = self.integer(pid.into());
        effects.set(self.memory.process_count, fewer);
        Alternative::new(guard, effects)
    }

    /// `run`: one way for each place where the new process can be.
    pub fn run(
        &mut self,
        instance: InstanceId,
        edge: &Edge,
        by: ExprRef,
        creation: &Creation,
    ) -> Option<Vec<Alternative>> {
        let proctype = self.program.created(creation)?;
        let values = self.message(Context::of(instance), &creation.arguments)?;
        let count = self.now(self.memory.process_count);
        let mut elsewhere = self.system.exprs.boolean(true);
        let mut alternatives = Vec::new();
        let mut children: Vec<InstanceId> =
            self.instances.children(instance, by, proctype).into_iter().map(|child| child.instance).collect();
        children.dedup();
        for child in children {
            let own = self.integer(self.instances.all[child].pid.into());
            let here = self.system.exprs.equal(count, own);
            let not_here = self.system.exprs.not(here);
            elsewhere = self.system.exprs.and(elsewhere, not_here);
            if self.memory.frames[child].parameters.len() != values.len() {
                let message = "the arguments are other structures than the parameters";
                return self.error(codes::ARGUMENT_COUNT, edge.span, message);
            }
            let mut effects = Effects::default();
            self.create(child, &values, creation.priority, &mut effects)?;
            alternatives.push(self.having_run(instance, child, edge, Alternative::new(here, effects))?);
        }
        let limit = self.system.exprs.limit(edge.span, self.instances.room.limit());
        alternatives.push(self.without_value(elsewhere, limit));
        Some(alternatives)
    }

    /// What the rest of a statement does with the pid of the process that its `run` creates.
    fn having_run(
        &mut self,
        instance: InstanceId,
        child: InstanceId,
        edge: &Edge,
        Alternative { guard, mut effects, .. }: Alternative,
    ) -> Option<Alternative> {
        let context = Context::of(instance);
        let created = Context { created: Some(self.instances.all[child].pid.into()), ..context };
        let mut guard = guard;
        match &edge.action {
            Action::Statement(Kind::Assign(place, value)) => {
                let value = self.value(created, *value)?;
                let located = self.locate(context, &Access::of(place))?;
                self.store(&mut effects, &located, value, place.span)?;
            }
            Action::Statement(Kind::Condition(condition)) => {
                let condition = self.value(created, *condition)?;
                let holds = self.truth(condition);
                guard = self.both(guard, holds);
            }
            _ => {}
        }
        Some(Alternative::new(guard, effects))
    }

    /// Puts a process to its first statement, with its arguments and what its variables begin with.
    pub fn create(
        &mut self,
        child: InstanceId,
        arguments: &[ExprId],
        priority: Option<u32>,
        effects: &mut Effects,
    ) -> Option<()> {
        let (info, frame) = (&self.instances.all[child], &self.memory.frames[child]);
        let proctype = &self.program.ast.proctypes[info.proctype];
        for (access, argument) in frame.parameters.iter().zip(arguments) {
            let so_far = effects.clone();
            let inside = Context { effects: &so_far, ..Context::of(child) };
            let located = self.locate(inside, access)?;
            self.store(effects, &located, *argument, proctype.span)?;
        }
        // What its variables begin with may depend on how many processes there are, and it is one of them.
        effects.set(self.memory.process_count, self.integer(i64::from(info.pid) + 1));
        for leaf in frame.locals.iter().skip(proctype.parameters).flat_map(|storage| &storage.leaves) {
            self.initialise(Some(child), leaf, effects)?;
        }
        if let Some(own) = frame.priority {
            effects.set(own, self.integer(priority.unwrap_or(1).into()));
        }
        effects.set(frame.pc, self.integer(1));
        Some(())
    }
}
