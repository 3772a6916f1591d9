//! Priorities: a process may move unless another one with a higher priority can.

use super::super::expressions::{Context, Effects};
use super::super::lowering::{Lowering, resting};
use super::super::storage::Extent;
use super::action::Alternative;
use super::{Offer, Offers};
use crate::diagnostic::Diagnostic;
use crate::promela::ast::{ExprRef, Type};
use crate::promela::codes;
use crate::promela::ids::InstanceId;
use system::{Binary, ExprId, IndexVec, Span};

/// The priorities that `set_priority` takes.
const LOWEST: i64 = 1;
const HIGHEST: i64 = 255;

impl Lowering<'_> {
    /// Adds to every step that no process with a higher priority can move. Inside a `d_step` priorities do not matter.
    pub fn respect_priorities(&mut self, span: Span, offers: &mut Offers) -> Option<()> {
        if self.memory.has_rendezvous() {
            let message = "priorities cannot be combined with rendezvous channels";
            let help = "give the channel room for a message, or leave the priorities out";
            self.diagnostics.push(Diagnostic::error(codes::UNSUPPORTED, span, message).help(help));
            return None;
        }
        let can_move: IndexVec<InstanceId, ExprId> =
            offers.iter_enumerated().map(|(instance, offers)| self.some_offer(instance, offers)).collect();
        for (instance, of_instance) in offers.iter_mut_enumerated() {
            let may_move = self.is_first(instance, &can_move);
            let points = self.points(instance).iter().zip(of_instance);
            for offer in points.filter(|(point, _)| !point.inside_d_step).flat_map(|(_, offers)| offers) {
                offer.terms.context = self.both(may_move, offer.terms.context);
            }
        }
        Some(())
    }

    /// Whether a process can move, were it not for priorities.
    fn some_offer(&mut self, instance: InstanceId, offers: &[Vec<Offer>]) -> ExprId {
        let mut possible = self.system.exprs.boolean(false);
        for (point, at_point) in offers.iter().enumerate() {
            let mut here = self.system.exprs.boolean(false);
            for offer in at_point {
                for alternative in &offer.alternatives {
                    let this = self.both(offer.terms.context, alternative.guard);
                    here = self.either(here, this);
                }
            }
            let there = self.is_at(instance, resting(point));
            let here = self.both(there, here);
            possible = self.either(possible, here);
        }
        possible
    }

    /// Whether no process with a higher priority can move.
    fn is_first(&mut self, instance: InstanceId, can_move: &IndexVec<InstanceId, ExprId>) -> ExprId {
        let mut first = self.system.exprs.boolean(true);
        let Some(own) = self.memory.frames[instance].priority.map(|own| self.now(own)) else { return first };
        for (other, can_move) in can_move.iter_enumerated() {
            // Processes with one pid never live at the same time.
            let Some(priority) = self.memory.frames[other].priority else { continue };
            if self.instances.all[other].pid == self.instances.all[instance].pid {
                continue;
            }
            let priority = self.now(priority);
            let is_higher = self.system.exprs.binary(Binary::Less, own, priority);
            let goes_before = self.both(is_higher, *can_move);
            let does_not = self.system.exprs.not(goes_before);
            first = self.both(first, does_not);
        }
        first
    }

    /// `get_priority`: that of the process with a pid, 0 if there is none.
    pub fn get_priority(&mut self, context: Context<'_>, pid: ExprRef) -> Option<ExprId> {
        let pid = self.value(context, pid)?;
        let pid = self.number(pid);
        let mut value = self.integer(0);
        for index in self.instances.all.indices() {
            let Some(priority) = self.memory.frames[index].priority else { continue };
            let is_meant = self.runs_as(index, pid);
            let priority = self.read(context.effects, priority);
            value = self.system.exprs.ite(is_meant, priority, value);
        }
        Some(value)
    }

    /// `set_priority`: does nothing if there is no such process.
    pub fn set_priority(
        &mut self,
        context: Context<'_>,
        pid: ExprRef,
        priority: ExprRef,
        span: Span,
    ) -> Option<Vec<Alternative>> {
        let (pid, priority) = (self.value(context, pid)?, self.value(context, priority)?);
        let (pid, priority) = (self.number(pid), self.number(priority));
        let (lowest, highest) = (self.integer(LOWEST), self.integer(HIGHEST));
        let is_low = self.system.exprs.binary(Binary::Less, priority, lowest);
        let is_high = self.system.exprs.binary(Binary::Less, highest, priority);
        let is_outside = self.either(is_low, is_high);
        let mut effects = Effects::default();
        let mut exists = self.system.exprs.boolean(false);
        let stored = self.truncate(priority, Type::Byte, Extent::Scalar);
        for index in self.instances.all.indices() {
            let Some(own) = self.memory.frames[index].priority else { continue };
            let is_meant = self.runs_as(index, pid);
            exists = self.either(exists, is_meant);
            if self.system.exprs.constant_value(is_meant) != Some(0) {
                let old = self.now(own);
                let new = self.system.exprs.ite(is_meant, stored, old);
                effects.set(own, new);
            }
        }
        let fails = self.both(exists, is_outside);
        let works = self.system.exprs.not(fails);
        Some(vec![Alternative::new(works, effects), self.failing(fails, span, "the priority is out of range")])
    }

    /// Whether an instance runs and has a pid.
    pub fn runs_as(&mut self, index: InstanceId, pid: ExprId) -> ExprId {
        let own = self.integer(self.instances.all[index].pid.into());
        let is_meant = self.system.exprs.equal(pid, own);
        let (pc, nowhere) = (self.now(self.memory.frames[index].pc), self.integer(0));
        let gone = self.system.exprs.equal(pc, nowhere);
        let runs = self.system.exprs.not(gone);
        self.both(is_meant, runs)
    }
}
