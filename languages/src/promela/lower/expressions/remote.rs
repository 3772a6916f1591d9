//! Remote references: where other processes are, and what their variables hold.

use super::super::instances::Instance;
use super::super::lowering::{Lowering, resting};
use super::super::storage::{Access, Frame, Index};
use super::Context;
use crate::diagnostic::Diagnostic;
use crate::promela::ast::{ExprRef, Root};
use crate::promela::codes;
use crate::promela::ids::InstanceId;
use system::{ExprId, Span};

impl Lowering<'_> {
    /// Whether a process is at a label.
    pub fn remote_label(
        &mut self,
        context: Context<'_>,
        proctype: &str,
        pid: Option<ExprRef>,
        label: &str,
        span: Span,
    ) -> Option<ExprId> {
        let mut at_label = self.system.exprs.boolean(false);
        for (instance, here) in self.remote_processes(context, proctype, pid, span)? {
            let number = self.instances.all[instance].proctype;
            let point = match self.program.automata[number].labelled.get(label).copied() {
                Some(None) => {
                    let message = format!("no process ever rests at the label {label}, so that this is never true");
                    let help = "put the label before the selection or loop instead of into an option";
                    self.diagnostics.push(Diagnostic::warning(codes::LABEL, span, message).help(help));
                    continue;
                }
                Some(Some(point)) => point,
                None => return self.error(codes::LABEL, span, format!("{proctype} has no label {label}")),
            };
            let is_there = self.is_at(instance, resting(point));
            let is_there = self.both(here, is_there);
            at_label = self.either(at_label, is_there);
        }
        Some(at_label)
    }

    /// What a variable of a process holds, 0 where it does not run.
    pub fn remote_variable(
        &mut self,
        context: Context<'_>,
        process: (&str, Option<ExprRef>),
        variable: (&str, Option<ExprRef>),
        span: Span,
    ) -> Option<ExprId> {
        let mut value = self.integer(0);
        for (instance, here) in self.remote_processes(context, process.0, process.1, span)? {
            if let Some(special) = self.remote_special(instance, variable.0) {
                value = self.system.exprs.ite(here, special, value);
                continue;
            }
            let locals = &self.program.ast.proctypes[self.instances.all[instance].proctype].locals;
            let Some(local) = locals.iter().position(|local| &*local.name == variable.0) else {
                return self.error(codes::UNDEFINED, span, format!("{} has no variable {}", process.0, variable.0));
            };
            // The index is an expression of the process that asks.
            let index = match variable.1 {
                Some(index) => Some(Index::Value(self.value(context, index)?)),
                None => None,
            };
            let indices = vec![index];
            let access = Access { root: Root::Local(local), path: Vec::new(), indices, span };
            let inside = Context { instance: Some(instance), ..context };
            let located = self.locate(inside, &access)?;
            let read = self.read_place(context, &located.place);
            value = self.system.exprs.ite(here, read, value);
        }
        Some(value)
    }

    /// `_pid` or `_priority` of a process, which are 0 where it does not run.
    fn remote_special(&mut self, instance: InstanceId, variable: &str) -> Option<ExprId> {
        let Frame { pc, priority, .. } = self.memory.frames[instance];
        let Instance { pid, .. } = self.instances.all[instance];
        match variable {
            "_pid" => {
                let (pc, nowhere) = (self.now(pc), self.integer(0));
                let gone = self.system.exprs.equal(pc, nowhere);
                let (zero, pid) = (self.integer(0), self.integer(pid.into()));
                Some(self.system.exprs.ite(gone, zero, pid))
            }
            "_priority" => priority.map(|own| self.now(own)),
            _ => None,
        }
    }

    /// The processes that a remote reference can mean, each with the condition that it does.
    fn remote_processes(
        &mut self,
        context: Context<'_>,
        proctype: &str,
        pid: Option<ExprRef>,
        span: Span,
    ) -> Option<Vec<(InstanceId, ExprId)>> {
        let pid = match pid {
            Some(pid) => {
                let pid = self.value(context, pid)?;
                Some(self.number(pid))
            }
            None => None,
        };
        let mut found = Vec::new();
        for index in self.instances.all.indices() {
            if &*self.program.ast.proctypes[self.instances.all[index].proctype].name != proctype {
                continue;
            }
            let own = self.integer(self.instances.all[index].pid.into());
            let here = match pid {
                Some(pid) => self.system.exprs.equal(pid, own),
                None => self.system.exprs.boolean(true),
            };
            found.push((index, here));
        }
        if found.is_empty() {
            return self.error(codes::UNDEFINED, span, format!("there is no process {proctype}"));
        }
        Some(found)
    }
}
