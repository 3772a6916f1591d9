//! What statements claim of the states in which their processes move.

use super::super::expressions::Context;
use super::super::lowering::{Lowering, resting};
use super::Commands;
use super::meeting::Receiver;
use super::offer::Offer;
use crate::promela::ast::{Choosing, Kind};
use crate::promela::flow::Action;
use crate::promela::ids::{InstanceId, ProctypeId};
use system::{ExprId, Span};

impl Commands {
    /// Adds what an assert claims to what its other instances do.
    pub fn note(&mut self, claim: Option<(Span, ExprId)>) {
        let Some((span, claim)) = claim else { return };
        match self.assertions.iter_mut().find(|(other, _)| *other == span) {
            Some((_, claims)) => claims.push(claim),
            None => self.assertions.push((span, vec![claim])),
        }
    }
}

impl Lowering<'_> {
    /// What an assert claims: when its process moves from here, its condition holds. Since an assert can always run when
    /// its process can, it does not matter which of several steps the process makes.
    pub fn assertion(&mut self, instance: InstanceId, point: usize, offer: &Offer) -> Option<Option<(Span, ExprId)>> {
        let Action::Statement(Kind::Assert(condition)) = offer.edge.action else { return Some(None) };
        let condition = self.value(Context::of(instance), condition)?;
        let condition = self.truth(condition);
        let moves = self.moves_from(instance, point);
        let reached = self.both(moves, offer.terms.context);
        let not_reached = self.system.exprs.not(reached);
        Some(Some((offer.edge.span, self.either(not_reached, condition))))
    }

    /// Whether a process is chosen to move, and from where.
    fn moves_from(&mut self, instance: InstanceId, point: usize) -> ExprId {
        let runs = self.system.exprs.running(instance.process());
        let at = self.is_at(instance, resting(point));
        self.both(runs, at)
    }

    /// What a `D_proctype` claims: when its process moves from here, it has no other step to choose. As in SPIN, a
    /// rendezvous that is tried before another step does not count.
    pub fn choice(
        &mut self,
        instance: InstanceId,
        point: usize,
        offers: &[Offer],
        receivers: &[Receiver],
    ) -> Option<Option<(ProctypeId, ExprId)>> {
        let proctype = self.instances.all[instance].proctype;
        if self.program.ast.proctypes[proctype].choice == Choosing::Allowed {
            return Some(None);
        }
        let (mut before, mut choice) = (self.system.exprs.boolean(false), self.system.exprs.boolean(false));
        for offer in offers {
            let possible = self.possible(instance, &offer.alternatives, receivers)?;
            let possible = self.both(offer.terms.context, possible);
            let both = self.both(before, possible);
            choice = self.either(choice, both);
            if offer.alternatives.iter().all(|alternative| alternative.half.is_none()) {
                before = self.either(before, possible);
            }
        }
        let moves = self.moves_from(instance, point);
        let chooses = self.both(moves, choice);
        Some(Some((proctype, self.system.exprs.not(chooses))))
    }
}
