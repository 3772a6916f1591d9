//! What claims ask about processes: `enabled`, `pc_value`, `np_`.

use super::super::lowering::{Lowering, resting};
use super::super::properties::Timeout;
use super::Context;
use crate::promela::ast::ExprRef;
use crate::promela::codes;
use crate::promela::ids::InstanceId;
use system::{ExprId, Span};

impl Lowering<'_> {
    /// Whether the process with a pid can make a step, which is no timeout.
    pub fn enabled(&mut self, context: Context<'_>, pid: ExprRef, span: Span) -> Option<ExprId> {
        if self.memory.has_rendezvous() {
            let message = "enabled cannot be asked in a model with rendezvous channels";
            return self.error(codes::CLAIM, span, message);
        }
        let pid = self.value(context, pid)?;
        let pid = self.number(pid);
        let mut enabled = self.system.exprs.boolean(false);
        for process in self.system.processes.indices() {
            let is_meant = self.runs_as(InstanceId::of(process), pid);
            let can_move = self.can_move(|mover| mover == process, Timeout::NotYet);
            let this = self.both(is_meant, can_move);
            enabled = self.either(enabled, this);
        }
        Some(enabled)
    }

    /// The number that SPIN gives to where the process with a pid is.
    pub fn pc_value(&mut self, context: Context<'_>, pid: ExprRef) -> Option<ExprId> {
        let pid = self.value(context, pid)?;
        let pid = self.number(pid);
        let mut value = self.integer(0);
        for index in self.instances.all.indices() {
            let mut numbers = vec![self.integer(0)];
            for point in self.points(index) {
                numbers.push(self.integer(point.state as i64));
            }
            let here = self.runs_as(index, pid);
            let pc = self.now(self.memory.frames[index].pc);
            let number = self.system.exprs.select(pc, 0, numbers);
            value = self.system.exprs.ite(here, number, value);
        }
        Some(value)
    }

    /// Whether no process is at a progress label.
    pub fn non_progress(&mut self) -> ExprId {
        let progress = self.at_label("progress");
        self.system.exprs.not(progress)
    }

    /// Whether some process is at a label that begins with a word.
    pub fn at_label(&mut self, word: &str) -> ExprId {
        let mut somewhere = self.system.exprs.boolean(false);
        for instance in self.instances.all.indices() {
            let points = self.points(instance).iter().enumerate();
            for (number, _) in points.filter(|(_, point)| point.labels.iter().any(|label| label.starts_with(word))) {
                let there = self.is_at(instance, resting(number));
                somewhere = self.either(somewhere, there);
            }
        }
        somewhere
    }
}
