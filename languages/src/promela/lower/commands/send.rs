//! Sending.

use super::super::channels::Candidate;
use super::super::expressions::{Context, Effects};
use super::super::lowering::Lowering;
use super::super::storage::{Access, Channel, Extent, cell};
use super::action::{Alternative, Direction, Event, Half};
use crate::diagnostic::Diagnostic;
use crate::promela::ast::{Expr, ExprRef, Order, Reference};
use crate::promela::codes;
use system::{Binary, ExprId, Span};

/// What is wrong with a message of another length.
pub const WRONG_FIELDS: &str = "the message has another number of fields than the channel";

impl Lowering<'_> {
    /// The values of a message's fields, or of arguments: a structure is all its leaves.
    pub fn message(&mut self, context: Context<'_>, fields: &[ExprRef]) -> Option<Vec<ExprId>> {
        let ast = self.program.ast;
        let mut values = Vec::new();
        for field in fields {
            match ast.expr(*field) {
                Expr::Variable(reference) if self.memory.storage(context.instance, reference.root).is_some() => {
                    for part in self.memory.parts(context.instance, reference) {
                        let located = self.locate(context, &part)?;
                        values.push(self.read_place(context, &located.place));
                    }
                }
                _ => values.push(self.value(context, *field)?),
            }
        }
        Some(values)
    }

    /// `c!..` and `c!!..`: one way for each channel that the variable can hold.
    pub fn send(
        &mut self,
        context: Context<'_>,
        channel: &Reference,
        order: Order,
        fields: &[ExprRef],
    ) -> Option<Vec<Alternative>> {
        let memory = self.memory;
        let values = self.message(context, fields)?;
        let candidates = self.candidates(context, &Access::of(channel))?;
        self.check_fields(&candidates, values.len(), channel.span);
        let mut alternatives = vec![self.no_channel(&candidates, channel.span)];
        for Candidate { channel: id, here } in candidates {
            let target = &memory.channels[id];
            if target.fields.len() != values.len() {
                let room = self.has_room(target);
                let guard = self.both(here, room);
                alternatives.push(self.failing(guard, channel.span, WRONG_FIELDS));
                continue;
            }
            let values: Vec<ExprId> = (values.iter().zip(&target.fields))
                .map(|(value, ty)| self.truncate(*value, *ty, Extent::Scalar))
                .collect();
            if target.length.is_none() {
                alternatives.push(Alternative::half(here, Half::Send { channel: id, values }));
                continue;
            }
            let room = self.has_room(target);
            let guard = self.both(here, room);
            let alternative = match order {
                Order::Fifo => self.append(guard, target, &values),
                Order::Any => self.insert(guard, target, &values),
            };
            let event = Some(Event { direction: Direction::Sent, channel: id, values });
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
    pub fn check_fields(&mut self, candidates: &[Candidate], given: usize, span: Span) {
        let fields = |candidate: &Candidate| self.memory.channels[candidate.channel].fields.len();
        let is_right = candidates.iter().any(|candidate| fields(candidate) == given);
        let Some(wanted) = candidates.first().filter(|_| !is_right).map(fields) else { return };
        let message = format!("the messages of this channel have {wanted} fields, not {given}");
        let warning = Diagnostic::warning(codes::ARGUMENT_COUNT, span, message);
        self.diagnostics.push(warning.help("a run that gets here is reported as an error of the model"));
    }

    /// What happens where the variable holds none of the channels that it can hold.
    pub fn no_channel(&mut self, candidates: &[Candidate], span: Span) -> Alternative {
        let mut none = self.system.exprs.boolean(true);
        for Candidate { here, .. } in candidates {
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
                let cell = |place: u32| cell(*first, place as usize);
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

    /// Whether a message is less than the one at a place, by the first field that differs.
    fn is_less(&mut self, target: &Channel, values: &[ExprId], at: u32) -> ExprId {
        let mut less = self.system.exprs.boolean(false);
        for (first, value) in target.cells.iter().zip(values).rev() {
            let old = self.now(cell(*first, at as usize));
            let smaller = self.system.exprs.binary(Binary::Less, *value, old);
            let equal = self.system.exprs.equal(*value, old);
            let later = self.system.exprs.and(equal, less);
            less = self.system.exprs.or(smaller, later);
        }
        less
    }
}
