//! The channels that a statement can mean.

use super::super::expressions::{Context, Spot};
use super::super::lowering::Lowering;
use super::super::storage::Access;
use crate::promela::ids::ChannelId;
use system::ExprId;

/// A channel that a reference can mean.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub channel: ChannelId,
    /// When it does.
    pub here: ExprId,
}

impl Lowering<'_> {
    /// The channels that a reference can mean, each with the condition that it does.
    pub fn candidates(&mut self, context: Context<'_>, access: &Access) -> Option<Vec<Candidate>> {
        let located = self.locate(context, access)?;
        let known = match context.instance {
            Some(instance) => self.held.at(instance, access),
            None => self.held.at_global(access),
        };
        if let Spot::Constants { ids, index } = &located.place {
            // Which channel it is follows from the index alone.
            let places = ids.iter().enumerate().map(|(at, channel)| (at as i64, *channel));
            return Some(self.where_equal(*index, places));
        }
        if let [Some(channel)] = known.iter().copied().collect::<Vec<_>>()[..] {
            return Some(vec![Candidate { channel, here: self.system.exprs.boolean(true) }]);
        }
        let value = self.read_place(context, &located.place);
        Some(self.where_equal(value, known.into_iter().flatten().map(|channel| (channel.value(), channel))))
    }

    /// Each channel with the condition that an expression has the number that goes with it, unless it never has.
    fn where_equal(&mut self, value: ExprId, numbered: impl Iterator<Item = (i64, ChannelId)>) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for (number, channel) in numbered {
            let number = self.integer(number);
            let here = self.system.exprs.equal(value, number);
            if self.system.exprs.constant_value(here) != Some(0) {
                candidates.push(Candidate { channel, here });
            }
        }
        candidates
    }
}
