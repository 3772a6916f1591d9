//! Receives that wait for a rendezvous, and whether a step is possible: a send is only if one of them takes its message.

use super::super::expressions::Context;
use super::super::lowering::{Lowering, resting};
use super::action::{Alternative, Half};
use super::receive::Field;
use crate::promela::ast::Kind;
use crate::promela::flow::{Action, Edge};
use crate::promela::ids::{ChannelId, InstanceId};
use system::ExprId;

/// A receive that waits for a rendezvous.
#[derive(Clone, Debug)]
pub struct Receiver {
    instance: InstanceId,
    point: usize,
    channel: ChannelId,
    /// The variable means this channel.
    here: ExprId,
    fields: Vec<Field>,
}

impl Lowering<'_> {
    /// All receives on rendezvous channels.
    pub fn receivers(&mut self) -> Option<Vec<Receiver>> {
        let mut receivers = Vec::new();
        for instance in self.instances.all.indices() {
            let edges = self.program.edges(self.instances.all[instance].proctype);
            for (point, edge) in edges.filter(|(_, edge)| is_receive(edge)) {
                for Alternative { guard: here, half, .. } in self.alternatives(instance, edge)? {
                    if let Some(Half::Receive { channel, fields }) = half {
                        receivers.push(Receiver { instance, point, channel, here, fields });
                    }
                }
            }
        }
        Some(receivers)
    }

    /// When one of the alternatives is possible. A receive on a rendezvous channel never is by itself.
    pub fn possible(
        &mut self,
        instance: InstanceId,
        alternatives: &[Alternative],
        receivers: &[Receiver],
    ) -> Option<ExprId> {
        let mut any = self.system.exprs.boolean(false);
        for alternative in alternatives {
            let possible = match &alternative.half {
                None => alternative.guard,
                Some(Half::Receive { .. }) => continue,
                Some(Half::Send { channel, values }) => {
                    let receivers = receivers.iter().filter(|receiver| receiver.channel == *channel);
                    let others = receivers.filter(|receiver| receiver.instance != instance);
                    let ready = self.some_ready(others, values)?;
                    self.both(alternative.guard, ready)
                }
            };
            any = self.either(any, possible);
        }
        Some(any)
    }

    /// Whether one of some receives waits for a message.
    fn some_ready<'r>(&mut self, receivers: impl Iterator<Item = &'r Receiver>, values: &[ExprId]) -> Option<ExprId> {
        let mut ready = self.system.exprs.boolean(false);
        for Receiver { instance, point, here, fields, .. } in receivers {
            let matches = self.matches(*instance, fields, values)?;
            let at = self.is_at(*instance, resting(*point));
            let at = self.both(at, *here);
            let this = self.both(at, matches);
            ready = self.either(ready, this);
        }
        Some(ready)
    }

    /// Whether a message is what a receive expects.
    pub fn matches(&mut self, receiver: InstanceId, fields: &[Field], values: &[ExprId]) -> Option<ExprId> {
        let context = Context::of(receiver);
        let mut matches = self.system.exprs.boolean(true);
        for (field, value) in fields.iter().zip(values) {
            if let Field::Match(wanted) = field {
                let wanted = self.value(context, *wanted)?;
                let wanted = self.number(wanted);
                let equal = self.system.exprs.equal(*value, wanted);
                matches = self.both(matches, equal);
            }
        }
        Some(matches)
    }
}

fn is_receive(edge: &Edge) -> bool {
    matches!(edge.action, Action::Statement(Kind::Receive(..)))
}
