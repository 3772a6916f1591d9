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

/// A message that a receive has found in a channel.
struct Found {
    /// For each place that is looked at, whether it is there or before.
    until: Vec<ExprId>,
    /// Its fields.
    values: Vec<ExprId>,
}

impl Found {
    /// Whether it is there at all; `always` where nothing has to be looked at.
    fn is_there(&self, always: ExprId) -> ExprId {
        self.until.last().copied().unwrap_or(always)
    }
}

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
            let alternative = match order {
                Order::Fifo => self.append(guard, &target, &values),
                Order::Any => self.insert(guard, &target, &values),
            };
            let event = Some(Event { direction: Direction::Sent, channel: number, values });
            alternatives.push(Alternative { event, ..alternative });
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

    /// A message that is kept in order goes before the first greater one, or to the end. Each place says whether the
    /// message has found its place before: then what was there moves up.
    fn insert(&mut self, guard: ExprId, target: &Channel, values: &[ExprId]) -> Alternative {
        let mut effects = Effects::default();
        let Some(length) = target.length else { return Alternative::new(guard, effects) };
        let length = self.now(length);
        let mut placed_before = self.system.exprs.boolean(false);
        for place in 0..target.capacity {
            let number = self.integer(place.into());
            let is_free = self.system.exprs.binary(Binary::LessEqual, length, number);
            let less = self.is_less(target, values, place);
            let goes_here = self.either(is_free, less);
            let placed = self.either(placed_before, goes_here);
            for (first, value) in target.cells.iter().zip(values) {
                let cell = |place: u32| VarId::from(first.index() + place as usize);
                let old = self.now(cell(place));
                let new = self.system.exprs.ite(placed, *value, old);
                let moved = place.checked_sub(1).map(|below| self.now(cell(below)));
                let new = moved.map_or(new, |moved| self.system.exprs.ite(placed_before, moved, new));
                effects.set(cell(place), new);
            }
            placed_before = placed;
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
            let found = self.find(context, &target, &fields, deepest)?;
            if is_wrong {
                let is_there = self.both(here, found.is_there(here));
                alternatives.push(self.failing(is_there, channel.span, WRONG_FIELDS));
                continue;
            }
            let alternative = self.take(context, here, &target, &fields, (&found, kind.1))?;
            let event = Event { direction: Direction::Received, channel: number, values: found.values };
            let event = Some(event).filter(|_| kind.1 == Copying::Takes);
            alternatives.push(Alternative { event, ..alternative });
        }
        Some(alternatives)
    }

    /// Looks for the first message that is what a receive expects, among this many.
    fn find(&mut self, context: Context<'_>, target: &Channel, fields: &[Field], deepest: u32) -> Option<Found> {
        let mut fits = Vec::new();
        for at in 0..deepest {
            fits.push(self.fits(context, target, fields, at)?);
        }
        let mut found = self.system.exprs.boolean(false);
        let mut until = Vec::new();
        for fits in &fits {
            found = self.either(found, *fits);
            until.push(found);
        }
        let mut values = Vec::new();
        for first in &target.cells {
            let cell = |at: usize| VarId::from(first.index() + at);
            let mut value = self.now(cell(fits.len() - 1));
            for (at, fits) in fits.iter().enumerate().rev().skip(1) {
                let this = self.now(cell(at));
                value = self.system.exprs.ite(*fits, this, value);
            }
            values.push(value);
        }
        Some(Found { until, values })
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
        here: ExprId,
        target: &Channel,
        fields: &[Field],
        (found, copying): (&Found, Copying),
    ) -> Option<Alternative> {
        let mut effects = Effects::default();
        self.store_fields(context, fields, &found.values, &mut effects)?;
        let is_there = found.is_there(here);
        if copying == Copying::Takes {
            let zero = self.integer(0);
            for first in &target.cells {
                let cell = |place: u32| VarId::from(first.index() + place as usize);
                for place in 0..target.capacity {
                    let next = if place + 1 < target.capacity { self.now(cell(place + 1)) } else { zero };
                    // Where the message was found for certain, what follows moves down.
                    let moves = found.until.get(place as usize).copied().filter(|moves| *moves != is_there);
                    let old = self.now(cell(place));
                    let next = moves.map_or(next, |moves| self.system.exprs.ite(moves, next, old));
                    effects.set(cell(place), next);
                }
            }
            if let Some(length) = target.length {
                let (old, one) = (self.now(length), self.integer(1));
                let shorter = self.system.exprs.binary(Binary::Subtract, old, one);
                effects.set(length, shorter);
            }
        }
        let guard = self.both(here, is_there);
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
