//! From offers to the commands of the system.

use super::super::lowering::{Lowering, resting};
use super::Commands;
use super::action::{Alternative, Half};
use super::label::label;
use super::offer::Offer;
use super::rendezvous::{Receiving, Sending};
use crate::promela::flow::{Edge, Target};
use crate::promela::ids::InstanceId;
use crate::promela::trail::Line;
use system::{Choice, Command, CommandId, ExprId, IndexVec, Move, Place, PointId, Update};

/// What a process can do at a control point.
pub struct Moving<'o> {
    pub instance: InstanceId,
    pub point: usize,
    pub offer: &'o Offer,
}

impl Lowering<'_> {
    /// The commands of an offer.
    pub fn commands_of(
        &mut self,
        moving: &Moving<'_>,
        receiving: &Receiving<'_>,
        noted: &mut Commands,
        commands: &mut IndexVec<CommandId, Command>,
    ) -> Option<()> {
        let Moving { instance, offer, .. } = *moving;
        for alternative in &offer.alternatives {
            let guard = self.both(offer.terms.context, alternative.guard);
            if self.system.exprs.constant_value(guard) == Some(0) {
                continue;
            }
            match &alternative.half {
                Some(Half::Receive { .. }) => {}
                Some(Half::Send { channel, values }) => {
                    let sending = Sending { moving, guard, channel: *channel, values };
                    self.rendezvous(&sending, receiving, noted, commands)?;
                }
                None => {
                    let command = self.command(moving, alternative, guard, noted);
                    let command = commands.push(command);
                    noted.trail.add(self.trail_line(instance, &offer.edge).into_iter());
                    self.note_printing(instance, &offer.edge, command)?;
                }
            }
        }
        Some(())
    }

    /// The command of a step that a process makes alone.
    fn command(&mut self, moving: &Moving<'_>, alternative: &Alternative, guard: ExprId, noted: &Commands) -> Command {
        let Moving { instance, point, offer } = *moving;
        let edge = &offer.edge;
        let mut updates = self.updates(&alternative.effects, edge.span);
        updates.extend(self.note_last(instance, edge));
        updates.extend(self.note_events(noted.trace.as_ref(), alternative.event.as_slice(), edge.span));
        Command {
            owner: movement(instance, point, edge.target),
            partner: None,
            guard,
            updates,
            relation: None,
            keeps_control: edge.keeps_control,
            label: label(edge, self.program.source),
            span: edge.span,
        }
    }

    /// `_last` is the process that moved last, the receiver in a rendezvous. A `d_step` moves when it is done.
    pub fn note_last(&mut self, instance: InstanceId, edge: &Edge) -> Option<Update> {
        let place = Place::Variable(self.memory.last?);
        if edge.target.point().is_some_and(|to| self.points(instance)[to].inside_d_step) {
            return None;
        }
        let pid = self.integer(self.instances.all[instance].pid.into());
        Some(Update { place, choice: Choice::Exactly(pid), span: edge.span })
    }

    /// The line of SPIN's trails for a step of a process, if it has one.
    pub fn trail_line(&self, instance: InstanceId, edge: &Edge) -> Option<Line> {
        let instance = &self.instances.all[instance];
        let before = self.program.numbered_before[instance.proctype];
        Some(Line { pid: instance.pid, statement: before + edge.number? })
    }
}

/// How a step moves a process.
pub fn movement(instance: InstanceId, point: usize, target: Target) -> Move {
    let to = target.point().map_or(PointId::new(0), resting);
    Move { process: instance.process(), from: Some(resting(point)), to: Some(to) }
}
