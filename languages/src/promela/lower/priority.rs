//! Priorities: a process may move unless another one with a higher priority can.

use super::super::ast::ExprRef;
use super::super::codes;
use super::Lowering;
use super::action::Alternative;
use super::command::Offer;
use super::effect::Effects;
use super::expr::Context;
use crate::diagnostic::Diagnostic;
use system::{Binary, ExprId, Span};

/// The priorities that `set_priority` takes.
const LOWEST: i64 = 1;
const HIGHEST: i64 = 255;

impl Lowering<'_> {
    /// Adds to every step that no process with a higher priority can move. Inside a `d_step` priorities do not matter.
    pub(super) fn respect_priorities(&mut self, span: Span, offers: &mut [Vec<Vec<Offer>>]) -> Option<()> {
        if self.channels.iter().any(|channel| channel.capacity == 0) {
            let message = "priorities cannot be combined with rendezvous channels";
            let help = "give the channel room for a message, or leave the priorities out";
            self.diagnostics.push(Diagnostic::error(codes::UNSUPPORTED, span, message).help(help));
            return None;
        }
        let can_move: Vec<ExprId> =
            (0..offers.len()).map(|process| self.some_offer(process, &offers[process])).collect();
        for (instance, of_instance) in offers.iter_mut().enumerate() {
            let may_move = self.is_first(instance, &can_move);
            let proctype = self.instances[instance].proctype;
            for (point, at_point) in of_instance.iter_mut().enumerate() {
                if self.automata[proctype].points[point].inside_d_step {
                    continue;
                }
                for offer in at_point {
                    offer.terms.context = self.both(may_move, offer.terms.context);
                }
            }
        }
        Some(())
    }

    /// Whether a process can move, were it not for priorities.
    fn some_offer(&mut self, instance: usize, offers: &[Vec<Offer>]) -> ExprId {
        let mut possible = self.system.exprs.boolean(false);
        for (point, at_point) in offers.iter().enumerate() {
            let mut here = self.system.exprs.boolean(false);
            for offer in at_point {
                for alternative in &offer.alternatives {
                    let this = self.both(offer.terms.context, alternative.guard);
                    here = self.either(here, this);
                }
            }
            let there = self.at((self.instances[instance].process, (point + 1).into()));
            let here = self.both(there, here);
            possible = self.either(possible, here);
        }
        possible
    }

    /// Whether no process with a higher priority can move.
    fn is_first(&mut self, instance: usize, can_move: &[ExprId]) -> ExprId {
        let mut first = self.system.exprs.boolean(true);
        let Some(own) = self.instances[instance].priority.map(|own| self.now(own)) else { return first };
        for (other, can_move) in can_move.iter().enumerate() {
            // Processes with one pid never live at the same time.
            let Some(priority) = self.instances[other].priority else { continue };
            if self.instances[other].pid == self.instances[instance].pid {
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
    pub(super) fn get_priority(&mut self, context: Context<'_>, pid: ExprRef) -> Option<ExprId> {
        let pid = self.value(context, pid)?;
        let pid = self.number(pid);
        let mut value = self.integer(0);
        for index in 0..self.instances.len() {
            let Some(priority) = self.instances[index].priority else { continue };
            let is_meant = self.runs_as(index, pid);
            let priority = self.read(context.effects, priority);
            value = self.system.exprs.ite(is_meant, priority, value);
        }
        Some(value)
    }

    /// `set_priority`: does nothing if there is no such process.
    pub(super) fn set_priority(
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
        let stored = self.truncate(priority, super::super::ast::Type::Byte, false);
        for index in 0..self.instances.len() {
            let Some(own) = self.instances[index].priority else { continue };
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
    pub(super) fn runs_as(&mut self, index: usize, pid: ExprId) -> ExprId {
        let own = self.integer(self.instances[index].pid.into());
        let is_meant = self.system.exprs.equal(pid, own);
        let (pc, nowhere) = (self.now(self.instances[index].pc), self.integer(0));
        let gone = self.system.exprs.equal(pc, nowhere);
        let runs = self.system.exprs.not(gone);
        self.both(is_meant, runs)
    }
}
