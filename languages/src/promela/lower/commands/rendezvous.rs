//! Rendezvous: a send and a receive make one step.

use super::super::expressions::{Context, Effects};
use super::super::lowering::Lowering;
use super::action::{Direction, Event, Half};
use super::emit::{Moving, movement};
use super::label::label;
use super::offer::{Offer, Terms};
use super::receive::Field;
use super::send::WRONG_FIELDS;
use super::{Commands, Offers};
use crate::promela::ids::{ChannelId, InstanceId};
use rustc_hash::FxHashMap;
use system::{Command, CommandId, ExprId, IndexVec, Update};

/// Where the messages of each channel can be received in a rendezvous.
pub struct Receiving<'o> {
    offers: &'o Offers,
    places: FxHashMap<ChannelId, Vec<(InstanceId, usize)>>,
}

impl<'o> Receiving<'o> {
    /// Where that is, by what the processes offer.
    pub fn of(offers: &'o Offers) -> Receiving<'o> {
        let mut places: FxHashMap<ChannelId, Vec<_>> = FxHashMap::default();
        // As in SPIN, the last process comes first.
        for (receiver, at_points) in offers.iter_enumerated().rev() {
            for (point, at_point) in at_points.iter().enumerate() {
                for channel in received(at_point) {
                    let known = places.entry(channel).or_default();
                    if known.last() != Some(&(receiver, point)) {
                        known.push((receiver, point));
                    }
                }
            }
        }
        Receiving { offers, places }
    }

    fn of_channel(&self, channel: ChannelId) -> impl Iterator<Item = (InstanceId, usize, &'o [Offer])> {
        let places = self.places.get(&channel).into_iter().flatten();
        places.map(|(receiver, point)| (*receiver, *point, &self.offers[*receiver][*point][..]))
    }
}

/// The channels from which something is received in a rendezvous at a point.
fn received(at_point: &[Offer]) -> impl Iterator<Item = ChannelId> {
    let halves = at_point.iter().flat_map(|offer| &offer.alternatives).filter_map(|way| way.half.as_ref());
    halves.filter_map(|half| match half {
        Half::Receive { channel, .. } => Some(*channel),
        Half::Send { .. } => None,
    })
}

/// A send that looks for a receive.
pub struct Sending<'s> {
    pub moving: &'s Moving<'s>,
    pub guard: ExprId,
    pub channel: ChannelId,
    pub values: &'s [ExprId],
}

impl Lowering<'_> {
    /// The commands of a send with every receive that can take the message.
    pub fn rendezvous(
        &mut self,
        sending: &Sending<'_>,
        receiving: &Receiving<'_>,
        noted: &mut Commands,
        commands: &mut IndexVec<CommandId, Command>,
    ) -> Option<()> {
        for (receiver, point, at_point) in receiving.of_channel(sending.channel) {
            if receiver != sending.moving.instance {
                self.meet(sending, (receiver, point), at_point, noted, commands)?;
            }
        }
        Some(())
    }

    /// The commands of a send with every receive at a point.
    fn meet(
        &mut self,
        sending: &Sending<'_>,
        (receiver, point): (InstanceId, usize),
        at_point: &[Offer],
        noted: &mut Commands,
        commands: &mut IndexVec<CommandId, Command>,
    ) -> Option<()> {
        let mut earlier: Vec<(usize, ExprId)> = Vec::new();
        let halves = at_point.iter().flat_map(|offer| offer.alternatives.iter().map(move |way| (offer, way)));
        for (offer, alternative) in halves {
            let Some(Half::Receive { channel, fields }) = &alternative.half else { continue };
            if *channel != sending.channel {
                continue;
            }
            let matches = self.matches(receiver, fields, sending.values)?;
            let takes = self.both(alternative.guard, matches);
            let guard = self.taken(sending, offer.terms, takes, &earlier);
            earlier.push((offer.terms.rank, takes));
            if self.system.exprs.constant_value(guard) != Some(0) {
                let receiving = Moving { instance: receiver, point, offer };
                commands.push(self.meeting(sending, &receiving, (guard, fields), noted)?);
            }
        }
        Some(())
    }

    /// When a message is sent and a receive takes it, and none of a lower rank does.
    fn taken(&mut self, sending: &Sending<'_>, terms: Terms, takes: ExprId, earlier: &[(usize, ExprId)]) -> ExprId {
        let mut guard = self.both(sending.guard, terms.met);
        for (_, other) in earlier.iter().filter(|(rank, _)| *rank < terms.rank) {
            let not_taken = self.system.exprs.not(*other);
            guard = self.both(guard, not_taken);
        }
        self.both(guard, takes)
    }

    /// The command of a send with a receive.
    fn meeting(
        &mut self,
        sending: &Sending<'_>,
        receiving: &Moving<'_>,
        (guard, fields): (ExprId, &[Field]),
        noted: &mut Commands,
    ) -> Option<Command> {
        let updates = self.handing_over(sending, receiving, (guard, fields), noted)?;
        let (from, to) = (&sending.moving.offer.edge, &receiving.offer.edge);
        let lines = [self.trail_line(sending.moving.instance, from), self.trail_line(receiving.instance, to)];
        noted.trail.add(lines.into_iter().flatten());
        let source = self.program.source;
        Some(Command {
            owner: movement(sending.moving.instance, sending.moving.point, from.target),
            partner: Some(movement(receiving.instance, receiving.point, to.target)),
            guard,
            updates,
            relation: None,
            keeps_control: to.keeps_control,
            label: format!("{} / {}", label(from, source), label(to, source)),
            span: from.span,
        })
    }

    /// What the receiver stores, and what is noted about it.
    fn handing_over(
        &mut self,
        sending: &Sending<'_>,
        receiving: &Moving<'_>,
        (guard, fields): (ExprId, &[Field]),
        noted: &Commands,
    ) -> Option<Vec<Update>> {
        let (from, to) = (&sending.moving.offer.edge, &receiving.offer.edge);
        let mut effects = Effects::default();
        self.store_fields(Context::of(receiving.instance), fields, sending.values, &mut effects)?;
        if fields.len() != sending.values.len() {
            effects = self.failing(guard, to.span, WRONG_FIELDS).effects;
        }
        let mut updates = self.updates(&effects, from.span);
        updates.extend(self.note_last(receiving.instance, to));
        let event = |direction| Event { direction, channel: sending.channel, values: sending.values.to_vec() };
        let events = [event(Direction::Sent), event(Direction::Received)];
        updates.extend(self.note_events(noted.trace.as_ref(), &events, from.span));
        Some(updates)
    }
}
