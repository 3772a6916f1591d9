//! Expressions: what they mean in a state, and what the effects of a statement make of it.

mod effect;
mod introspection;
mod operator;
mod place;
mod query;
mod remote;

pub use effect::Effects;
pub use place::Spot;

use super::lowering::Lowering;
use super::storage::Access;
use crate::diagnostic::Diagnostic;
use crate::promela::ast::{BinaryOp, Expr, ExprRef, Reference, Root, UnaryOp};
use crate::promela::codes;
use crate::promela::ids::InstanceId;
use effect::NOTHING;
use system::{Binary, Choice, Domain, ExprId, Place, Span, Update};

/// Where an expression is evaluated.
#[derive(Clone, Copy)]
pub struct Context<'e> {
    /// The process that evaluates it; none for a property.
    pub instance: Option<InstanceId>,
    /// What the statement has done already.
    pub effects: &'e Effects,
    /// The pid of the process that the `run` inside the expression creates.
    pub created: Option<i64>,
}

impl Context<'static> {
    /// Before a step of a process.
    pub fn of(instance: InstanceId) -> Context<'static> {
        Context { instance: Some(instance), effects: &NOTHING, created: None }
    }

    /// In a property.
    pub fn property() -> Context<'static> {
        Context { instance: None, effects: &NOTHING, created: None }
    }
}

impl Lowering<'_> {
    /// The value of an expression: boolean or integer.
    pub fn value(&mut self, context: Context<'_>, expr: ExprRef) -> Option<ExprId> {
        if self.diagnostics.is_over_after(1) {
            return None;
        }
        let ast = self.program.ast;
        let span = ast.span(expr);
        match ast.expr(expr) {
            Expr::Number(value) => Some(self.integer(*value)),
            Expr::Variable(reference) => self.variable_value(context, reference),
            Expr::Unary(op, inner) => {
                if matches!(op, UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next) {
                    return self.error(codes::TYPE, span, "a temporal operator cannot be part of this expression");
                }
                let inner = self.value(context, *inner)?;
                Some(self.unary(*op, inner))
            }
            Expr::Binary(op, left, right) => {
                if matches!(op, BinaryOp::Until | BinaryOp::WeakUntil | BinaryOp::Release) {
                    return self.error(codes::TYPE, span, "a temporal operator cannot be part of this expression");
                }
                let (left, right) = (self.value(context, *left)?, self.value(context, *right)?);
                Some(self.binary(*op, left, right))
            }
            Expr::Conditional(condition, then, otherwise) => {
                let condition = self.value(context, *condition)?;
                let condition = self.truth(condition);
                let (then, otherwise) = (self.value(context, *then)?, self.value(context, *otherwise)?);
                let (then, otherwise) = (self.number(then), self.number(otherwise));
                Some(self.system.exprs.ite(condition, then, otherwise))
            }
            Expr::Run(..) => match context.created {
                Some(pid) => Some(self.integer(pid)),
                None => self.error(codes::RUN, span, "run cannot be part of this expression"),
            },
            Expr::Query(query, channel) => self.query(context, *query, channel),
            Expr::Poll(channel, order, patterns) => self.poll(context, channel, *order, patterns),
            Expr::Timeout => Some(self.system.exprs.timeout()),
            Expr::Enabled(pid) => self.enabled(context, *pid, span),
            Expr::PcValue(pid) => self.pc_value(context, *pid),
            Expr::NonProgress => Some(self.non_progress()),
            Expr::Priority(pid) => self.get_priority(context, *pid),
            Expr::RemoteLabel(proctype, pid, label) => self.remote_label(context, proctype, *pid, label, span),
            Expr::RemoteVariable(proctype, pid, variable, index) => {
                self.remote_variable(context, (proctype, *pid), (variable, *index), span)
            }
        }
    }

    fn variable_value(&mut self, context: Context<'_>, reference: &Reference) -> Option<ExprId> {
        match reference.root {
            Root::Pid => {
                let pid = match context.instance {
                    Some(instance) => self.instances.all[instance].pid,
                    None => {
                        let message = "no process is meant here: this is the _pid of the claim, which is 0";
                        let help = "SPIN reads it in the same way; write the number of the process that is meant";
                        self.diagnostics.push(Diagnostic::warning(codes::TYPE, reference.span, message).help(help));
                        0
                    }
                };
                Some(self.integer(pid.into()))
            }
            Root::Priority => {
                let own = context.instance.and_then(|instance| self.memory.frames[instance].priority);
                match own {
                    Some(own) => Some(self.read(context.effects, own)),
                    None => self.error(codes::TYPE, reference.span, "only a process has a _priority"),
                }
            }
            Root::ProcessCount => self.count_of_processes(context),
            Root::Last => match self.memory.last {
                Some(last) => Some(self.now(last)),
                None => self.error(codes::UNSUPPORTED, reference.span, "_last is not supported here"),
            },
            Root::Scratch => self.error(codes::TYPE, reference.span, "_ has no value"),
            Root::Global(_) | Root::Local(_) => {
                let located = self.locate(context, &Access::of(reference))?;
                Some(self.read_place(context, &located.place))
            }
        }
    }

    /// `_nr_pr`. SPIN counts the claim, which is there if no process asks.
    fn count_of_processes(&mut self, context: Context<'_>) -> Option<ExprId> {
        let count = self.read(context.effects, self.memory.process_count);
        let claims = match context.instance {
            Some(_) => self.claim_runs()?,
            None => self.integer(1),
        };
        Some(self.system.exprs.binary(Binary::Add, count, claims))
    }

    /// Whether a claim runs beside the processes, as a number. No statement changes that.
    fn claim_runs(&mut self) -> Option<ExprId> {
        if let Some(claim) = self.system.claim_runs {
            return Some(self.now(claim));
        }
        let claim = self.variable("_nr_pr.claim".to_owned(), Domain::Range { low: 0, high: 1 }, Span::default())?;
        let choice = Choice::Exactly(self.integer(0));
        self.system.initial_values.push(Update { place: Place::Variable(claim), choice, span: Span::default() });
        self.system.claim_runs = Some(claim);
        Some(self.now(claim))
    }

    /// A condition over a state that no process evaluates.
    pub fn condition(&mut self, expr: ExprRef) -> Option<ExprId> {
        let value = self.value(Context::property(), expr)?;
        Some(self.truth(value))
    }
}
