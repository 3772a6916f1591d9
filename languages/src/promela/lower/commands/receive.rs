//! Receiving, and looking at what a channel holds.

use super::super::channels::Candidate;
use super::super::expressions::{Context, Effects};
use super::super::lowering::Lowering;
use super::super::storage::{Access, Channel, cell};
use super::action::{Alternative, Direction, Event, Half};
use super::send::WRONG_FIELDS;
use crate::promela::ast::{Copying, ExprRef, Order, Pattern, Reference};
use system::{Binary, ExprId};

/// What a receive does with a field.
#[derive(Clone, Debug)]
pub enum Field {
    Store(Access),
    Match(ExprRef),
}

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
    /// What a receive does with each field: a structure is all its leaves.
    fn fields(&self, context: Context<'_>, patterns: &[Pattern]) -> Vec<Field> {
        let mut fields = Vec::new();
        for pattern in patterns {
            match pattern {
                Pattern::Match(value) => fields.push(Field::Match(*value)),
                Pattern::Store(reference) => {
                    fields.extend(self.memory.parts(context.instance, reference).into_iter().map(Field::Store));
                }
            }
        }
        fields
    }

    /// `c?..` and its like: one way for each channel that the variable can hold.
    pub fn receive(
        &mut self,
        context: Context<'_>,
        channel: &Reference,
        kind: (Order, Copying),
        patterns: &[Pattern],
    ) -> Option<Vec<Alternative>> {
        let memory = self.memory;
        let fields = self.fields(context, patterns);
        let candidates = self.candidates(context, &Access::of(channel))?;
        self.check_fields(&candidates, fields.len(), channel.span);
        let mut alternatives = vec![self.no_channel(&candidates, channel.span)];
        for Candidate { channel: id, here } in candidates {
            let target = &memory.channels[id];
            let is_wrong = target.fields.len() != fields.len();
            if target.capacity == 0 {
                alternatives.push(Alternative::half(here, Half::Receive { channel: id, fields: fields.clone() }));
                continue;
            }
            let deepest = if kind.0 == Order::Any { target.capacity } else { 1 };
            let found = self.find(context, target, &fields, deepest)?;
            if is_wrong {
                let is_there = self.both(here, found.is_there(here));
                alternatives.push(self.failing(is_there, channel.span, WRONG_FIELDS));
                continue;
            }
            let alternative = self.take(context, here, target, &fields, (&found, kind.1))?;
            let event = Event { direction: Direction::Received, channel: id, values: found.values };
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
            let cell = |at: usize| cell(*first, at);
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
                let cell = self.read(context.effects, cell(*first, at as usize));
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
                let cell = |place: u32| cell(*first, place as usize);
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
    pub fn store_fields(
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
    pub fn poll(
        &mut self,
        context: Context<'_>,
        channel: &Reference,
        order: Order,
        patterns: &[Pattern],
    ) -> Option<ExprId> {
        let memory = self.memory;
        let fields = self.fields(context, patterns);
        let candidates = self.candidates(context, &Access::of(channel))?;
        let mut found = self.system.exprs.failure(channel.span, "this variable holds no channel");
        for Candidate { channel, here } in candidates {
            let target = &memory.channels[channel];
            let deepest = if order == Order::Any { target.capacity } else { target.capacity.min(1) };
            let mut fits = self.system.exprs.boolean(false);
            for at in 0..deepest {
                let this = self.fits(context, target, &fields, at)?;
                fits = self.either(fits, this);
            }
            found = self.system.exprs.ite(here, fits, found);
        }
        Some(found)
    }
}
