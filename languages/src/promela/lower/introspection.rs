//! What claims ask about processes: `enabled`, `pc_value`, `np_`.

use super::super::ast::ExprRef;
use super::super::codes;
use super::Lowering;
use super::expr::Context;
use system::{ExprId, Span};

impl Lowering<'_> {
    /// Whether the process with a pid can make a step, which is no timeout.
    pub(super) fn enabled(&mut self, context: Context<'_>, pid: ExprRef, span: Span) -> Option<ExprId> {
        if self.channels.iter().any(|channel| channel.capacity == 0) {
            let message = "enabled cannot be asked in a model with rendezvous channels";
            return self.error(codes::CLAIM, span, message);
        }
        let pid = self.value(context, pid)?;
        let pid = self.number(pid);
        let mut enabled = self.system.exprs.boolean(false);
        for process in self.system.processes.indices() {
            let is_meant = self.runs_as(process.index(), pid);
            let can_move = self.can_move(|mover| mover == process, false);
            let this = self.both(is_meant, can_move);
            enabled = self.either(enabled, this);
        }
        Some(enabled)
    }

    /// The number that SPIN gives to where the process with a pid is.
    pub(super) fn pc_value(&mut self, context: Context<'_>, pid: ExprRef) -> Option<ExprId> {
        let pid = self.value(context, pid)?;
        let pid = self.number(pid);
        let mut value = self.integer(0);
        for index in 0..self.instances.len() {
            let mut numbers = vec![self.integer(0)];
            for point in 0..self.automata[self.instances[index].proctype].points.len() {
                let number = self.automata[self.instances[index].proctype].points[point].state;
                numbers.push(self.integer(number as i64));
            }
            let here = self.runs_as(index, pid);
            let pc = self.now(self.instances[index].pc);
            let number = self.system.exprs.select(pc, 0, numbers);
            value = self.system.exprs.ite(here, number, value);
        }
        Some(value)
    }

    /// Whether no process is at a progress label.
    pub(super) fn non_progress(&mut self) -> ExprId {
        let progress = self.at_label("progress");
        self.system.exprs.not(progress)
    }

    /// Whether some process is at a label that begins with a word.
    pub(super) fn at_label(&mut self, word: &str) -> ExprId {
        let mut somewhere = self.system.exprs.boolean(false);
        for process in self.system.processes.indices() {
            let points = &self.automata[self.instances[process.index()].proctype].points;
            let is_labelled = |number: &usize| points[*number].labels.iter().any(|label| label.starts_with(word));
            let places: Vec<usize> = (0..points.len()).filter(is_labelled).collect();
            for place in places {
                let there = self.at((process, (place + 1).into()));
                somewhere = self.either(somewhere, there);
            }
        }
        somewhere
    }
}
