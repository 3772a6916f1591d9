//! Actions: what the edges of the control flow do, as guards and effects.

use super::super::expressions::{Context, Effects};
use super::super::lowering::Lowering;
use super::super::storage::{Access, Cells, Extent, cell};
use super::receive::Field;
use crate::promela::ast::{ExprRef, Kind, Reference};
use crate::promela::codes;
use crate::promela::flow::{Action, Edge};
use crate::promela::ids::{ChannelId, InstanceId};
use system::{ExprId, Span};

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
    pub channel: ChannelId,
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
    Send { channel: ChannelId, values: Vec<ExprId> },
    Receive { channel: ChannelId, fields: Vec<Field> },
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
    pub fn failing(&mut self, guard: ExprId, span: Span, reason: &'static str) -> Alternative {
        let failure = self.system.exprs.failure(span, reason);
        self.without_value(guard, failure)
    }

    /// A step to where something has no value: the reason is a failure or a limit.
    pub fn without_value(&mut self, guard: ExprId, failure: ExprId) -> Alternative {
        let mut effects = Effects::default();
        effects.set(self.memory.process_count, failure);
        Alternative::new(guard, effects)
    }

    /// The ways to do what an edge says. `else` depends on its siblings and is not among them.
    pub fn alternatives(&mut self, instance: InstanceId, edge: &Edge) -> Option<Vec<Alternative>> {
        let context = Context::of(instance);
        let always = self.system.exprs.boolean(true);
        let kind = match &edge.action {
            Action::Skip => return Some(vec![Alternative::new(always, Effects::default())]),
            Action::Die => return Some(vec![self.death(instance)]),
            Action::Statement(kind) => kind,
        };
        Some(match kind {
            Kind::Assign(place, _) if self.program.is_ignored(place.root) => {
                vec![Alternative::new(always, Effects::default())]
            }
            Kind::Assign(place, value) => {
                if let Some(creation) = self.program.ast.run_within(*value) {
                    return self.run(instance, edge, *value, creation);
                }
                let effects = self.assign(context, place, *value)?;
                vec![Alternative::new(always, effects)]
            }
            Kind::Clear(local) => {
                let zero = self.integer(0);
                vec![Alternative::new(always, self.set_elements(instance, *local, &[zero]))]
            }
            Kind::AssignList(local, list) => {
                let values: Vec<ExprId> = list.iter().map(|value| self.integer(*value)).collect();
                vec![Alternative::new(always, self.set_elements(instance, *local, &values))]
            }
            Kind::Send(channel, order, fields) => self.send(context, channel, *order, fields)?,
            Kind::Receive(channel, order, copying, patterns) => {
                self.receive(context, channel, (*order, *copying), patterns)?
            }
            Kind::Condition(condition) => {
                if let Some(creation) = self.program.ast.run_within(*condition) {
                    return self.run(instance, edge, *condition, creation);
                }
                let condition = self.value(context, *condition)?;
                vec![Alternative::new(self.truth(condition), Effects::default())]
            }
            Kind::SetPriority(pid, priority) => self.set_priority(context, *pid, *priority, edge.span)?,
            Kind::Assert(_) | Kind::Print(..) | Kind::Skip => vec![Alternative::new(always, Effects::default())],
            Kind::Else => return self.error(codes::ELSE, edge.span, "this else is not the beginning of an option"),
            _ => return self.error(codes::UNSUPPORTED, edge.span, "this statement is not supported here"),
        })
    }

    fn assign(&mut self, context: Context<'_>, place: &Reference, value: ExprRef) -> Option<Effects> {
        let value = self.value(context, value)?;
        let located = self.locate(context, &Access::of(place))?;
        let mut effects = Effects::default();
        self.store(&mut effects, &located, value, place.span)?;
        Some(effects)
    }

    /// Sets the first elements of a local variable that is no structure.
    fn set_elements(&mut self, instance: InstanceId, local: usize, values: &[ExprId]) -> Effects {
        let mut effects = Effects::default();
        let leaves = &self.memory.frames[instance].locals[local].leaves;
        let Some(leaf) = leaves.first().filter(|leaf| leaf.shape.path.is_empty()) else { return effects };
        let Cells::Variables(first) = leaf.cells else { return effects };
        // SPIN sets a single element as it sets a variable that is no array.
        let extent = if leaf.shape.count() > 1 { Extent::Element } else { Extent::Scalar };
        for (at, value) in values.iter().enumerate().take(leaf.shape.count()) {
            let value = self.truncate(*value, leaf.shape.ty, extent);
            effects.set(cell(first, at), value);
        }
        effects
    }
}
