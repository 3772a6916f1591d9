//! Actions: what the edges of the control flow do, as guards and effects.

use super::super::ast::{Creation, ExprRef, Initial, Kind};
use super::super::codes;
use super::super::flow::{Action, Edge};
use super::Lowering;
use super::effect::Effects;
use super::expr::Context;
use super::message::Field;
use super::storage::{Access, Cells, Leaf};
use system::{ExprId, Span, VarId};

/// One way to do what an edge says.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// When it is possible.
    pub guard: ExprId,
    pub effects: Effects,
    /// The half of a rendezvous that it is.
    pub half: Option<Half>,
    /// What it sends or receives, unless it is a rendezvous.
    pub event: Option<Event>,
}

/// A message that is sent or received.
#[derive(Clone, Debug)]
pub struct Event {
    pub direction: Direction,
    pub channel: usize,
    pub values: Vec<ExprId>,
}

/// Which way a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Sent,
    Received,
}

/// A half of a rendezvous.
#[derive(Clone, Debug)]
pub enum Half {
    Send { channel: usize, values: Vec<ExprId> },
    Receive { channel: usize, fields: Vec<Field> },
}

impl Alternative {
    pub fn new(guard: ExprId, effects: Effects) -> Alternative {
        Alternative { guard, effects, half: None, event: None }
    }

    pub fn half(guard: ExprId, half: Half) -> Alternative {
        Alternative { guard, effects: Effects::default(), half: Some(half), event: None }
    }
}

impl Lowering<'_> {
    /// An error of the model, where a guard holds.
    pub(super) fn failing(&mut self, guard: ExprId, span: Span, reason: &'static str) -> Alternative {
        let failure = self.system.exprs.failure(span, reason);
        self.without_value(guard, failure)
    }

    fn without_value(&mut self, guard: ExprId, failure: ExprId) -> Alternative {
        let mut effects = Effects::default();
        effects.set(self.process_count, failure);
        Alternative::new(guard, effects)
    }

    /// The ways to do what an edge says. `else` depends on its siblings and is not among them.
    pub(super) fn alternatives(&mut self, instance: usize, edge: &Edge) -> Option<Vec<Alternative>> {
        let none = Effects::default();
        let context = Context { instance: Some(instance), effects: &none, created: None };
        let always = self.system.exprs.boolean(true);
        let kind = match &edge.action {
            Action::Skip => return Some(vec![Alternative::new(always, none)]),
            Action::Die => return Some(vec![self.death(instance)]),
            Action::Statement(kind) => kind,
        };
        Some(match kind {
            Kind::Assign(place, _) if self.is_ignored(place.root) => vec![Alternative::new(always, none)],
            Kind::Assign(place, value) => {
                if let Some(creation) = self.find_run(*value) {
                    return self.run(instance, edge, *value, &creation);
                }
                let value = self.value(context, *value)?;
                let located = self.locate(context, &Access::of(place))?;
                let mut effects = Effects::default();
                self.store(&mut effects, &located, value, place.span)?;
                vec![Alternative::new(always, effects)]
            }
            Kind::Clear(local) => {
                let mut effects = Effects::default();
                let zero = self.integer(0);
                self.set_elements(instance, *local, &[zero], &mut effects);
                vec![Alternative::new(always, effects)]
            }
            Kind::AssignList(local, list) => {
                let mut effects = Effects::default();
                let values: Vec<ExprId> = list.iter().map(|value| self.integer(*value)).collect();
                self.set_elements(instance, *local, &values, &mut effects);
                vec![Alternative::new(always, effects)]
            }
            Kind::Send(channel, order, fields) => self.send(context, channel, *order, fields)?,
            Kind::Receive(channel, order, copying, patterns) => {
                self.receive(context, channel, (*order, *copying), patterns)?
            }
            Kind::Condition(condition) => {
                if let Some(creation) = self.find_run(*condition) {
                    return self.run(instance, edge, *condition, &creation);
                }
                let condition = self.value(context, *condition)?;
                vec![Alternative::new(self.truth(condition), none)]
            }
            Kind::SetPriority(pid, priority) => self.set_priority(context, *pid, *priority, edge.span)?,
            Kind::Assert(_) | Kind::Print(..) | Kind::Skip => vec![Alternative::new(always, none)],
            Kind::Else => return self.error(codes::ELSE, edge.span, "this else is not the beginning of an option"),
            _ => return self.error(codes::UNSUPPORTED, edge.span, "this statement is not supported here"),
        })
    }

    fn set_elements(&mut self, instance: usize, local: usize, values: &[ExprId], effects: &mut Effects) {
        let leaves = &self.instances[instance].locals[local].leaves;
        let Some(leaf) = leaves.first().filter(|leaf| leaf.path.is_empty()).cloned() else { return };
        let Cells::Variables(first) = leaf.cells else { return };
        for (at, value) in values.iter().enumerate().take(leaf.count()) {
            let value = self.truncate(*value, leaf.ty, leaf.count() > 1);
            effects.set(VarId::from(first.index() + at), value);
        }
    }

    /// A process dies when it is the youngest. Its variables and channels go back to 0.
    fn death(&mut self, instance: usize) -> Alternative {
        let info = self.instances[instance].clone();
        let (count, own) = (self.now(self.process_count), self.integer(i64::from(info.pid) + 1));
        let guard = self.system.exprs.equal(count, own);
        let mut effects = Effects::default();
        let zero = self.integer(0);
        for leaf in info.locals.iter().flat_map(|storage| &storage.leaves) {
            if let Cells::Variables(first) = leaf.cells {
                (0..leaf.count()).for_each(|at| effects.set(VarId::from(first.index() + at), zero));
            }
        }
        for channel in info.channels {
            self.empty_channel(channel, &mut effects);
        }
        if let Some(own) = info.priority {
            effects.set(own, zero);
        }
        let fewer = self.integer(info.pid.into());
        effects.set(self.process_count, fewer);
        Alternative::new(guard, effects)
    }

    /// `run`: one way for each place where the new process can be.
    fn run(&mut self, instance: usize, edge: &Edge, by: ExprRef, creation: &Creation) -> Option<Vec<Alternative>> {
        let Creation { name, arguments, priority } = creation;
        let ast = self.ast;
        let none = Effects::default();
        let context = Context { instance: Some(instance), effects: &none, created: None };
        let proctype = ast.proctypes.iter().position(|proctype| proctype.name == *name)?;
        let values = self.message(context, arguments)?;
        let count = self.now(self.process_count);
        let mut elsewhere = self.system.exprs.boolean(true);
        let mut alternatives = Vec::new();
        let mut children: Vec<usize> =
            self.children(instance, by, proctype).into_iter().map(|child| child.instance).collect();
        children.dedup();
        for child in children {
            let pid = i64::from(self.instances[child].pid);
            let own = self.integer(pid);
            let here = self.system.exprs.equal(count, own);
            let not_here = self.system.exprs.not(here);
            elsewhere = self.system.exprs.and(elsewhere, not_here);
            if self.parameters(child).len() != values.len() {
                let message = "the arguments are other structures than the parameters";
                return self.error(codes::ARGUMENT_COUNT, edge.span, message);
            }
            let mut effects = Effects::default();
            self.create(child, &values, *priority, &mut effects)?;
            let created = Context { created: Some(pid), ..context };
            let mut guard = here;
            match &edge.action {
                Action::Statement(Kind::Assign(place, value)) => {
                    let value = self.value(created, *value)?;
                    let located = self.locate(context, &Access::of(place))?;
                    self.store(&mut effects, &located, value, place.span)?;
                }
                Action::Statement(Kind::Condition(condition)) => {
                    let condition = self.value(created, *condition)?;
                    let holds = self.truth(condition);
                    guard = self.both(here, holds);
                }
                _ => {}
            }
            alternatives.push(Alternative::new(guard, effects));
        }
        let limit = self.system.exprs.limit(edge.span, self.room.limit());
        alternatives.push(self.without_value(elsewhere, limit));
        Some(alternatives)
    }

    /// Puts a process to its first statement, with its arguments and what its variables begin with.
    pub(super) fn create(
        &mut self,
        child: usize,
        arguments: &[ExprId],
        priority: Option<u32>,
        effects: &mut Effects,
    ) -> Option<()> {
        let ast = self.ast;
        let info = self.instances[child].clone();
        let proctype = &ast.proctypes[info.proctype];
        for (access, argument) in self.parameters(child).into_iter().zip(arguments) {
            let so_far = effects.clone();
            let inside = Context { instance: Some(child), effects: &so_far, created: None };
            let located = self.locate(inside, &access)?;
            self.store(effects, &located, *argument, proctype.span)?;
        }
        for storage in info.locals.iter().skip(proctype.parameters) {
            for leaf in &storage.leaves {
                self.initialise(Some(child), leaf, effects)?;
            }
        }
        if let Some(own) = info.priority {
            let priority = self.integer(priority.unwrap_or(1).into());
            effects.set(own, priority);
        }
        let first = self.integer(1);
        effects.set(info.pc, first);
        let more = self.integer(i64::from(info.pid) + 1);
        effects.set(self.process_count, more);
        Some(())
    }

    /// What a leaf begins with.
    pub(super) fn initialise(&mut self, instance: Option<usize>, leaf: &Leaf, effects: &mut Effects) -> Option<()> {
        let Cells::Variables(first) = leaf.cells else { return Some(()) };
        let count = leaf.count();
        let cell = |at: usize| VarId::from(first.index() + at);
        let is_array = leaf.dims.iter().any(Option::is_some);
        match &leaf.initial {
            Initial::Zero => {}
            Initial::Value(value) => {
                let so_far = effects.clone();
                let context = Context { instance, effects: &so_far, created: None };
                let value = self.value(context, *value)?;
                let value = self.truncate(value, leaf.ty, is_array);
                (0..count).for_each(|at| effects.set(cell(at), value));
            }
            Initial::List(list) => {
                for (at, value) in list.iter().enumerate().take(count) {
                    let value = self.integer(*value);
                    let value = self.truncate(value, leaf.ty, is_array);
                    effects.set(cell(at), value);
                }
            }
            Initial::Channel(_) => {
                for (at, id) in leaf.created.iter().enumerate() {
                    let id = self.integer(*id);
                    effects.set(cell(at), id);
                }
            }
        }
        Some(())
    }
}
