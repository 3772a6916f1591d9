//! Messages: sending, receiving and looking at what a channel holds.

use super::super::ast::{Copying, Expr, ExprRef, Order, Pattern, Reference};
use super::super::codes;
use super::Lowering;
use super::action::{Alternative, Direction, Event, Half};
use super::channel::Channel;
use super::effect::Effects;
use super::expr::Context;
use super::storage::Access;
use crate::diagnostic::Diagnostic;
use system::{Binary, ExprId, Span, VarId};

/// What a receive does with a field.
#[derive(Clone, Debug)]
pub enum Field {
    Store(Access),
    Match(ExprRef),
}

/// What is wrong with a message of another length.
pub const WRONG_FIELDS: &str = "the message has another number of fields than the channel";

impl Lowering<'_> {
    /// The values of a message's fields, or of arguments: a structure is all its leaves.
    pub(super) fn message(&mut self, context: Context<'_>, fields: &[ExprRef]) -> Option<Vec<ExprId>> {
        let ast = self.ast;
        let mut values = Vec::new();
        for field in fields {
            match ast.expr(*field) {
                Expr::Variable(reference) if self.storage(context.instance, reference.root).is_some() => {
                    for part in self.parts(context.instance, reference) {
                        let located = self.locate(context, &part)?;
                        values.push(self.read_place(context, &located.place));
                    }
                }
                _ => values.push(self.value(context, *field)?),
            }
        }
        Some(values)
    }

    pub(super) fn fields(&self, context: Context<'_>, patterns: &[Pattern]) -> Vec<Field> {
        let mut fields = Vec::new();
        for pattern in patterns {
            match pattern {
                Pattern::Match(value) => fields.push(Field::Match(*value)),
                Pattern::Store(reference) => {
                    fields.extend(self.parts(context.instance, reference).into_iter().map(Field::Store));
                }
            }
        }
        fields
    }

    pub(super) fn send(
        &mut self,
        context: Context<'_>,
        channel: &Reference,
        order: Order,
        fields: &[ExprRef],
    ) -> Option<Vec<Alternative>> {
        let values = self.message(context, fields)?;
        let candidates = self.candidates(context, &Access::of(channel))?;
        self.check_fields(&candidates, values.len(), channel.span);
        let mut alternatives = vec![self.no_channel(&candidates, channel.span)];
        for (number, here) in candidates {
            let target = self.channels[number].clone();
            if target.fields.len() != values.len() {
                let room = self.has_room(&target);
                let guard = self.both(here, room);
                alternatives.push(self.failing(guard, channel.span, WRONG_FIELDS));
                continue;
            }
            let values: Vec<ExprId> =
                (values.iter().zip(&target.fields)).map(|(value, ty)| self.truncate(*value, *ty, false)).collect();
            if target.length.is_none() {
                alternatives.push(Alternative::half(here, Half::Send { channel: number, values }));
                continue;
            }
            let room = self.has_room(&target);
            let guard = self.both(here, room);
            match order {
                Order::Fifo => {
                    let alternative = self.append(guard, &target, &values);
                    let event = Some(Event { direction: Direction::Sent, channel: number, values });
                    alternatives.push(Alternative { event, ..alternative });
                }
                Order::Any => {
                    for at in 0..target.capacity {
                        let before = self.goes_before(&target, &values, at);
                        let guard = self.both(guard, before);
                        let alternative = self.insert(guard, &target, &values, at);
                        let event = Event { direction: Direction::Sent, channel: number, values: values.clone() };
                        alternatives.push(Alternative { event: Some(event), ..alternative });
                    }
                }
            }
        }
        Some(alternatives)
    }

    /// Whether there is room for a message; there always is where it need not wait.
    fn has_room(&mut self, target: &Channel) -> ExprId {
        let Some(length) = target.length else { return self.system.exprs.boolean(true) };
        let (length, capacity) = (self.now(length), self.integer(target.capacity.into()));
        self.system.exprs.binary(Binary::Less, length, capacity)
    }

    /// Warns of a number of fields that is always wrong: an error of the runs that get there, as in SPIN.
    fn check_fields(&mut self, candidates: &[(usize, ExprId)], given: usize, span: Span) {
        let right = |(number, _): &(usize, ExprId)| self.channels[*number].fields.len() == given;
        let Some((first, _)) = candidates.first().filter(|_| !candidates.iter().any(right)) else { return };
        let wanted = self.channels[*first].fields.len();
        let message = format!("the messages of this channel have {wanted} fields, not {given}");
        let warning = Diagnostic::warning(codes::ARGUMENT_COUNT, span, message);
        self.diagnostics.push(warning.help("a run that gets here is reported as an error of the model"));
    }

    /// What happens where the variable holds none of the channels that it can hold.
    fn no_channel(&mut self, candidates: &[(usize, ExprId)], span: Span) -> Alternative {
        let mut none = self.system.exprs.boolean(true);
        for (_, here) in candidates {
            let not = self.system.exprs.not(*here);
            none = self.both(none, not);
        }
        self.failing(none, span, "this variable holds no channel")
    }

    fn append(&mut self, guard: ExprId, target: &Channel, values: &[ExprId]) -> Alternative {
        let mut effects = Effects::default();
        for (first, value) in target.cells.iter().zip(values) {
            match target.length {
                Some(length) if target.capacity > 1 => {
                    let length = self.now(length);
                    effects.set_element(*first, target.capacity, length, *value);
                }
                _ => effects.set(*first, *value),
            }
        }
        self.grow(target, &mut effects);
        Alternative::new(guard, effects)
    }

    fn grow(&mut self, target: &Channel, effects: &mut Effects) {
        let Some(length) = target.length else { return };
        let (old, one) = (self.now(length), self.integer(1));
        let longer = self.system.exprs.binary(Binary::Add, old, one);
        effects.set(length, longer);
    }

    /// Whether `at` is where a message goes that is kept in order: before the first greater message.
    fn goes_before(&mut self, target: &Channel, values: &[ExprId], at: u32) -> ExprId {
        let Some(length) = target.length else { return self.system.exprs.boolean(false) };
        let length = self.now(length);
        let mut goes = self.system.exprs.boolean(true);
        for earlier in 0..at {
            let place = self.integer(earlier.into());
            let used = self.system.exprs.binary(Binary::Less, place, length);
            let less = self.is_less(target, values, earlier);
            let not_less = self.system.exprs.not(less);
            let fits = self.system.exprs.and(used, not_less);
            goes = self.system.exprs.and(goes, fits);
        }
        let place = self.integer(at.into());
        let is_end = self.system.exprs.equal(place, length);
        let used = self.system.exprs.binary(Binary::Less, place, length);
        let less = self.is_less(target, values, at);
        let before = self.system.exprs.and(used, less);
        let here = self.system.exprs.or(is_end, before);
        self.system.exprs.and(goes, here)
    }

    /// Whether a message is less than the one at a place, by the first field that differs.
    fn is_less(&mut self, target: &Channel, values: &[ExprId], at: u32) -> ExprId {
        let mut less = self.system.exprs.boolean(false);
        for (first, value) in target.cells.iter().zip(values).rev() {
            let cell = self.now(VarId::from(first.index() + at as usize));
            let smaller = self.system.exprs.binary(Binary::Less, *value, cell);
            let equal = self.system.exprs.equal(*value, cell);
            let later = self.system.exprs.and(equal, less);
            less = self.system.exprs.or(smaller, later);
        }
        less
    }

    fn insert(&mut self, guard: ExprId, target: &Channel, values: &[ExprId], at: u32) -> Alternative {
        let mut effects = Effects::default();
        for (first, value) in target.cells.iter().zip(values) {
            let cell = |place: u32| VarId::from(first.index() + place as usize);
            for place in (at + 1..target.capacity).rev() {
                let moved = self.now(cell(place - 1));
                effects.set(cell(place), moved);
            }
            effects.set(cell(at), *value);
        }
        self.grow(target, &mut effects);
        Alternative::new(guard, effects)
    }

    pub(super) fn receive(
        &mut self,
        context: Context<'_>,
        channel: &Reference,
        kind: (Order, Copying),
        patterns: &[Pattern],
    ) -> Option<Vec<Alternative>> {
        let fields = self.fields(context, patterns);
        let candidates = self.candidates(context, &Access::of(channel))?;
        self.check_fields(&candidates, fields.len(), channel.span);
        let mut alternatives = vec![self.no_channel(&candidates, channel.span)];
        for (number, here) in candidates {
            let target = self.channels[number].clone();
            let is_wrong = target.fields.len() != fields.len();
            if target.capacity == 0 {
                alternatives.push(Alternative::half(here, Half::Receive { channel: number, fields: fields.clone() }));
                continue;
            }
            let deepest = if kind.0 == Order::Any { target.capacity } else { 1 };
            let mut guard = here;
            for at in 0..deepest {
                let fits = self.fits(context, &target, &fields, at)?;
                let this = self.both(guard, fits);
                let misses = self.system.exprs.not(fits);
                guard = self.both(guard, misses);
                if is_wrong {
                    alternatives.push(self.failing(this, channel.span, WRONG_FIELDS));
                    continue;
                }
                let alternative = self.take(context, this, &target, &fields, (at, kind.1))?;
                let cells = target.cells.iter().map(|first| self.now(VarId::from(first.index() + at as usize)));
                let values = cells.collect();
                let event = Event { direction: Direction::Received, channel: number, values };
                let event = Some(event).filter(|_| kind.1 == Copying::Takes);
                alternatives.push(Alternative { event, ..alternative });
            }
        }
        Some(alternatives)
    }

    /// Whether there is a message at a place and it is what a receive expects.
    fn fits(&mut self, context: Context<'_>, target: &Channel, fields: &[Field], at: u32) -> Option<ExprId> {
        let Some(length) = target.length else { return Some(self.system.exprs.boolean(false)) };
        let length = self.read(context.effects, length);
        let place = self.integer(at.into());
        let mut fits = self.system.exprs.binary(Binary::Less, place, length);
        for (field, first) in fields.iter().zip(&target.cells) {
            if let Field::Match(wanted) = field {
                let wanted = self.value(context, *wanted)?;
                let wanted = self.number(wanted);
                let cell = self.read(context.effects, VarId::from(first.index() + at as usize));
                let equal = self.system.exprs.equal(cell, wanted);
                fits = self.both(fits, equal);
            }
        }
        Some(fits)
    }

    fn take(
        &mut self,
        context: Context<'_>,
        guard: ExprId,
        target: &Channel,
        fields: &[Field],
        (at, copying): (u32, Copying),
    ) -> Option<Alternative> {
        let values: Vec<ExprId> =
            target.cells.iter().map(|first| self.now(VarId::from(first.index() + at as usize))).collect();
        let mut effects = Effects::default();
        self.store_fields(context, fields, &values, &mut effects)?;
        if copying == Copying::Takes {
            let zero = self.integer(0);
            for first in &target.cells {
                let cell = |place: u32| VarId::from(first.index() + place as usize);
                for place in at..target.capacity {
                    let next = if place + 1 < target.capacity { self.now(cell(place + 1)) } else { zero };
                    effects.set(cell(place), next);
                }
            }
            if let Some(length) = target.length {
                let (old, one) = (self.now(length), self.integer(1));
                let shorter = self.system.exprs.binary(Binary::Subtract, old, one);
                effects.set(length, shorter);
            }
        }
        Some(Alternative::new(guard, effects))
    }

    /// Stores the fields of a message, one after the other: an index may depend on what was stored before.
    pub(super) fn store_fields(
        &mut self,
        context: Context<'_>,
        fields: &[Field],
        values: &[ExprId],
        effects: &mut Effects,
    ) -> Option<()> {
        for (field, value) in fields.iter().zip(values) {
            if let Field::Store(access) = field {
                let so_far = effects.clone();
                let located = self.locate(Context { effects: &so_far, ..context }, access)?;
                self.store(effects, &located, *value, access.span)?;
            }
        }
        Some(())
    }

    /// `c?[..]`
    pub(super) fn poll(
        &mut self,
        context: Context<'_>,
        channel: &Reference,
        order: Order,
        patterns: &[Pattern],
    ) -> Option<ExprId> {
        let fields = self.fields(context, patterns);
        let candidates = self.candidates(context, &Access::of(channel))?;
        let mut found = self.system.exprs.failure(channel.span, "this variable holds no channel");
        for (number, here) in candidates {
            let target = self.channels[number].clone();
            let deepest = if order == Order::Any { target.capacity } else { target.capacity.min(1) };
            let mut fits = self.system.exprs.boolean(false);
            for at in 0..deepest {
                let this = self.fits(context, &target, &fields, at)?;
                fits = self.either(fits, this);
            }
            found = self.system.exprs.ite(here, fits, found);
        }
        Some(found)
    }
}
