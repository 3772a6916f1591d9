//! Expressions.

use super::super::ast::{BinaryOp, Expr, ExprRef, Query, Reference, Root, Type, UnaryOp};
use super::super::codes;
use super::Lowering;
use super::effect::Effects;
use super::instance::Instance;
use super::storage::{Access, Cells, Index, Leaf};
use crate::diagnostic::Diagnostic;
use system::{Binary, ExprId, Span, VarId};

/// Where an expression is evaluated.
#[derive(Clone, Copy)]
pub struct Context<'e> {
    /// The process that evaluates it; none for a property.
    pub instance: Option<usize>,
    /// What the statement has done already.
    pub effects: &'e Effects,
    /// The pid of the process that the `run` inside the expression creates.
    pub created: Option<i64>,
}

/// The cells that a reference denotes.
#[derive(Clone, Debug)]
pub enum Spot {
    /// One cell.
    Cell(VarId),
    /// A computed element.
    Element { first: VarId, length: u32, index: ExprId },
    /// One of the channels that never change.
    Constants { ids: Vec<i64>, index: ExprId },
    /// `_`
    Scratch,
}

/// A located place with its type.
#[derive(Clone, Debug)]
pub struct Located {
    pub place: Spot,
    pub ty: Type,
    pub is_array: bool,
}

impl Lowering<'_> {
    /// The value of an expression: boolean or integer.
    pub(super) fn value(&mut self, context: Context<'_>, expr: ExprRef) -> Option<ExprId> {
        let ast = self.ast;
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
                let Some(instance) = context.instance else {
                    return self.error(codes::TYPE, reference.span, "only a process has a _pid");
                };
                let pid = self.instances[instance].pid;
                Some(self.integer(pid.into()))
            }
            Root::Priority => {
                let own = context.instance.and_then(|instance| self.instances[instance].priority);
                match own {
                    Some(own) => Some(self.read(context.effects, own)),
                    None => self.error(codes::TYPE, reference.span, "only a process has a _priority"),
                }
            }
            Root::ProcessCount => Some(self.count_of_processes(context)),
            Root::Last => match self.last {
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

    /// `_nr_pr`. What no process asks is asked by a claim, and SPIN counts the claim.
    fn count_of_processes(&mut self, context: Context<'_>) -> ExprId {
        let count = self.read(context.effects, self.process_count);
        if context.instance.is_some() {
            return count;
        }
        let one = self.integer(1);
        self.system.exprs.binary(Binary::Add, count, one)
    }

    pub(super) fn read_place(&mut self, context: Context<'_>, place: &Spot) -> ExprId {
        match place {
            Spot::Cell(var) => self.read(context.effects, *var),
            Spot::Element { first, length, index } => {
                let cells: Vec<ExprId> = (0..*length as usize)
                    .map(|offset| self.read(context.effects, VarId::from(first.index() + offset)))
                    .collect();
                self.pick(*index, cells)
            }
            Spot::Constants { ids, index } => {
                let ids = ids.iter().map(|id| self.integer(*id)).collect();
                self.pick(*index, ids)
            }
            Spot::Scratch => self.integer(0),
        }
    }

    /// The element at an index. A table holds variables and constants; what is computed is chosen by comparisons.
    fn pick(&mut self, index: ExprId, cells: Vec<ExprId>) -> ExprId {
        let is_leaf =
            |cell: &ExprId| matches!(self.system.exprs.node(*cell), system::Node::Now(_) | system::Node::Constant(_));
        if cells.iter().all(is_leaf) || self.system.exprs.constant_value(index).is_some() {
            return self.system.exprs.select(index, 0, cells);
        }
        let index = self.checked(index, cells.len() as u32);
        let mut cells = cells.into_iter().enumerate().rev();
        let Some((_, mut value)) = cells.next() else { return index };
        for (at, cell) in cells {
            let here = self.integer(at as i64);
            let hit = self.system.exprs.equal(index, here);
            value = self.system.exprs.ite(hit, cell, value);
        }
        value
    }

    /// An index that fails outside its array.
    fn checked(&mut self, index: ExprId, length: u32) -> ExprId {
        let places = (0..length).map(|at| self.integer(at.into())).collect();
        self.system.exprs.select(index, 0, places)
    }

    /// The place that a reference denotes.
    pub(super) fn locate(&mut self, context: Context<'_>, access: &Access) -> Option<Located> {
        if access.root == Root::Scratch || self.is_ignored(access.root) {
            return Some(Located { place: Spot::Scratch, ty: Type::Int, is_array: false });
        }
        let own_priority = context.instance.and_then(|instance| self.instances[instance].priority);
        if let (Root::Priority, Some(own)) = (access.root, own_priority) {
            return Some(Located { place: Spot::Cell(own), ty: Type::Byte, is_array: false });
        }
        if !matches!(access.root, Root::Global(_) | Root::Local(_)) {
            return self.error(codes::TYPE, access.span, "this variable cannot be written");
        }
        let leaf = self.leaf(context.instance, access)?;
        let is_array = leaf.dims.iter().any(Option::is_some);
        let place = self.place(context, access, &leaf)?;
        Some(Located { place, ty: leaf.ty, is_array })
    }

    fn place(&mut self, context: Context<'_>, access: &Access, leaf: &Leaf) -> Option<Spot> {
        let lengths: Vec<u32> = leaf.dims.iter().flatten().copied().collect();
        let mut flat = self.integer(0);
        for (index, length) in access.indices.iter().flatten().zip(&lengths) {
            let length = *length;
            let index = match index {
                Index::Constant(value) => self.integer((*value).into()),
                Index::Value(value) => self.number(*value),
                Index::Expr(expr) => {
                    let value = self.value(context, *expr)?;
                    self.number(value)
                }
            };
            // Several indices make one: each has to be checked by itself.
            let index = if lengths.len() > 1 { self.checked(index, length) } else { index };
            let scale = self.integer(length.into());
            let scaled = self.system.exprs.binary(system::Binary::Multiply, flat, scale);
            flat = self.system.exprs.binary(system::Binary::Add, scaled, index);
        }
        // An index that is always outside is an error of the runs that get there: another process may never do so.
        let inside = |value| usize::try_from(value).ok().filter(|at| *at < leaf.count());
        let constant = self.system.exprs.constant_value(flat).and_then(inside);
        Some(match (&leaf.cells, constant) {
            (Cells::Variables(first), Some(at)) => Spot::Cell(VarId::from(first.index() + at)),
            (Cells::Variables(first), None) => {
                Spot::Element { first: *first, length: leaf.count() as u32, index: flat }
            }
            (Cells::Constants(ids), _) => Spot::Constants { ids: ids.clone(), index: flat },
        })
    }

    /// Writes a value to a place.
    pub(super) fn store(&mut self, effects: &mut Effects, located: &Located, value: ExprId, span: Span) -> Option<()> {
        let value = self.truncate(value, located.ty, located.is_array);
        match &located.place {
            Spot::Cell(var) => effects.set(*var, value),
            Spot::Element { first, length, index } => effects.set_element(*first, *length, *index, value),
            Spot::Scratch => {}
            Spot::Constants { .. } => {
                return self.error(codes::TYPE, span, "this channel cannot be written");
            }
        }
        Some(())
    }

    fn query(&mut self, context: Context<'_>, query: Query, channel: &Reference) -> Option<ExprId> {
        let candidates = self.candidates(context, &Access::of(channel))?;
        let mut value = self.system.exprs.failure(channel.span, "this variable holds no channel");
        for (number, here) in candidates.into_iter().rev() {
            let (capacity, length) = (self.channels[number].capacity, self.channels[number].length);
            let length = match length {
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
            let answer = self.number(answer);
            value = self.system.exprs.ite(here, answer, value);
        }
        Some(value)
    }

    /// Whether a process is at a label.
    fn remote_label(
        &mut self,
        context: Context<'_>,
        proctype: &str,
        pid: Option<ExprRef>,
        label: &str,
        span: Span,
    ) -> Option<ExprId> {
        let mut at_label = self.system.exprs.boolean(false);
        for (instance, here) in self.remote_processes(context, proctype, pid, span)? {
            let number = self.instances[instance].proctype;
            let point = match self.automata[number].labelled.get(label).copied() {
                Some(None) => {
                    let message = format!("no process ever rests at the label {label}, so that this is never true");
                    let help = "put the label before the selection or loop instead of into an option";
                    self.diagnostics.push(Diagnostic::warning(codes::LABEL, span, message).help(help));
                    continue;
                }
                Some(Some(point)) => point,
                None => return self.error(codes::LABEL, span, format!("{proctype} has no label {label}")),
            };
            let pc = self.now(self.instances[instance].pc);
            let value = self.integer(point as i64 + 1);
            let is_there = self.system.exprs.equal(pc, value);
            let is_there = self.both(here, is_there);
            at_label = self.either(at_label, is_there);
        }
        Some(at_label)
    }

    fn remote_variable(
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
            let locals = &self.ast.proctypes[self.instances[instance].proctype].locals;
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
    fn remote_special(&mut self, instance: usize, variable: &str) -> Option<ExprId> {
        let Instance { pid, pc, priority, .. } = self.instances[instance];
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
    ) -> Option<Vec<(usize, ExprId)>> {
        let pid = match pid {
            Some(pid) => {
                let pid = self.value(context, pid)?;
                Some(self.number(pid))
            }
            None => None,
        };
        let mut found = Vec::new();
        for index in 0..self.instances.len() {
            if &*self.ast.proctypes[self.instances[index].proctype].name != proctype {
                continue;
            }
            let own = self.integer(self.instances[index].pid.into());
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
