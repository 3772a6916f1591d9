//! `len` and its like.

use super::super::channels::Candidate;
use super::super::lowering::Lowering;
use super::super::storage::{Access, Channel};
use super::Context;
use crate::promela::ast::{Query, Reference};
use system::ExprId;

impl Lowering<'_> {
    /// What is asked of the channel that a variable holds.
    pub fn query(&mut self, context: Context<'_>, query: Query, channel: &Reference) -> Option<ExprId> {
        let memory = self.memory;
        let candidates = self.candidates(context, &Access::of(channel))?;
        let mut value = self.system.exprs.failure(channel.span, "this variable holds no channel");
        for Candidate { channel, here } in candidates.into_iter().rev() {
            let answer = self.answer(context, query, &memory.channels[channel]);
            value = self.system.exprs.ite(here, answer, value);
        }
        Some(value)
    }

    fn answer(&mut self, context: Context<'_>, query: Query, channel: &Channel) -> ExprId {
        let capacity = channel.capacity;
        let length = match channel.length {
            Some(length) => self.read(context.effects, length),
            None => self.integer(0),
        };
        let bound = self.integer(if matches!(query, Query::Full | Query::NotFull) { capacity.into() } else { 0 });
        let equal = self.system.exprs.equal(length, bound);
        let answer = match query {
            Query::Len => length,
            // A rendezvous channel is never full.
            Query::Full if capacity == 0 => self.system.exprs.boolean(false),
            Query::NotFull if capacity == 0 => self.system.exprs.boolean(true),
            Query::Full | Query::Empty => equal,
            Query::NotFull | Query::NotEmpty => self.system.exprs.not(equal),
        };
        self.number(answer)
    }
}
