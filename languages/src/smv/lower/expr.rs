//! Expressions: one loop over the nodes of the syntax tree, operands first. A name that stands for a definition or
//! a parameter suspends the loop until that is lowered; the suspended loops are a stack of our own.

use super::instance::{Lazy, Member, SELECTOR};
use super::value::{InstanceId, Lowered, Ty, Typed};
use super::{Lowering, codes};
use crate::smv::ast::{Bounds, Expr, Item, Name, NodeId, Root};
use system::{Formula, Sort, Span, Window, WordSort};

/// What a loop computes.
#[derive(Clone, Copy, Debug)]
pub enum Goal {
    /// The expression that was asked for.
    Root,
    /// A definition of an instance.
    Define(InstanceId, u32),
    /// An actual parameter of an instance.
    Parameter(InstanceId, u32),
}

/// A loop over the nodes of an expression.
struct Loop {
    instance: InstanceId,
    root: Root,
    goal: Goal,
    /// What the nodes so far denote.
    values: Vec<Lowered>,
}

/// A node that needs something else first.
pub struct Needs(Goal);

impl Lowering<'_> {
    /// What an expression denotes in an instance.
    pub fn lower_root(&mut self, instance: InstanceId, root: Root) -> Lowered {
        let mut loops = vec![Loop { instance, root, goal: Goal::Root, values: Vec::new() }];
        while !self.diagnostics.is_over_after(1) {
            let Some(current) = loops.last_mut() else { return Lowered::Wrong };
            let at = NodeId(current.root.first.0 + current.values.len() as u32);
            if at > current.root.last {
                let Some(mut finished) = loops.pop() else { return Lowered::Wrong };
                let value = finished.values.pop().unwrap_or(Lowered::Wrong);
                match finished.goal {
                    Goal::Root => return value,
                    goal => *self.cache(goal) = Lazy::Done(value),
                }
                continue;
            }
            let operands = Operands { first: current.root.first, values: &current.values };
            match self.lower_node(current.instance, at, operands) {
                Ok(value) => current.values.push(value),
                Err(Needs(goal)) => {
                    let (instance, root) = self.source_of(goal);
                    *self.cache(goal) = Lazy::InProgress;
                    loops.push(Loop { instance, root, goal, values: Vec::new() });
                }
            }
        }
        Lowered::Wrong
    }

    pub fn cache(&mut self, goal: Goal) -> &mut Lazy {
        match goal {
            Goal::Define(instance, index) => &mut self.instance_mut(instance).defines[index as usize],
            Goal::Parameter(instance, index) => &mut self.instance_mut(instance).parameters[index as usize],
            Goal::Root => unreachable!("an expression that was asked for is returned, not kept"),
        }
    }

    /// Where the text of a definition or an actual parameter is.
    pub fn source_of(&self, goal: Goal) -> (InstanceId, Root) {
        match goal {
            Goal::Define(id, index) => match self.item(self.info(id).defines[index as usize]).item {
                Item::Define { body, .. } => (id, body),
                _ => unreachable!("the list of definitions holds definitions"),
            },
            Goal::Parameter(id, index) => {
                let instance = self.instance(id);
                (instance.parent.unwrap_or(id), instance.arguments[index as usize])
            }
            Goal::Root => unreachable!("the first request is not part of another"),
        }
    }

    fn lower_node(&mut self, instance: InstanceId, id: NodeId, operands: Operands<'_>) -> Result<Lowered, Needs> {
        let span = self.ast.span(id);
        Ok(match self.ast.expr(id) {
            Expr::Name(name) => return self.name(instance, name, span),
            Expr::SelfRef => Lowered::Instance(instance),
            Expr::Dot(base, name) => return self.dot(&operands.get(base), name, span),
            Expr::Number(number) => self.integer(number),
            Expr::Word { bits, width, signed } => self.word(i128::from(bits), WordSort { width, signed }),
            Expr::Boolean(value) => {
                let expr = self.system.exprs.boolean(value);
                Lowered::Value(Typed { expr, ty: Ty::Boolean })
            }
            Expr::Index(base, index) => {
                let (base, span_of_index) = (operands.get(base), self.ast.span(index));
                if let Lowered::Prefix(owner, prefix) = &base {
                    let text = format!("{prefix}[{}]", self.render_index(&operands.get(index)));
                    return self.flat_name(*owner, text, span);
                }
                self.index(base, operands.get(index), span, span_of_index)
            }
            Expr::Bits { word, high, low } => self.bits(operands.at(word), operands.at(high), operands.at(low), span),
            Expr::Prefix(op, a) => self.prefix(op, operands.at(a), span),
            Expr::Infix(op, a, b) => self.infix(op, operands.at(a), operands.at(b), span),
            Expr::Conditional(c, a, b) => {
                let (c, a, b) = (operands.at(c), operands.get(a), operands.get(b));
                self.conditional(c, a, b, span)
            }
            Expr::Case(list) => {
                let branches: Vec<(NodeId, Lowered)> = operands.list(self.ast.list(list));
                self.case(&branches, span)
            }
            Expr::Set(list) => {
                let members = operands.list(self.ast.list(list));
                self.set(&members, span)
            }
            Expr::Array(list) => {
                let items = operands.list(self.ast.list(list)).into_iter().map(|(_, item)| item).collect();
                self.array(items, span)
            }
            Expr::Call(function, list) => {
                let arguments = operands.list(self.ast.list(list));
                self.call(function, &arguments, span)
            }
            Expr::Temporal(op, bounds, a) => match (self.window(bounds, span), self.formula(&operands.at(a))) {
                (Ok(window), Some(a)) => {
                    Lowered::Formula(self.system.formulas.add_at(Formula::Unary(op, window, a), span))
                }
                _ => Lowered::Wrong,
            },
            Expr::TemporalPair(op, bounds, a, b) => {
                match (self.window(bounds, span), self.formula(&operands.at(a)), self.formula(&operands.at(b))) {
                    (Ok(window), Some(a), Some(b)) => {
                        Lowered::Formula(self.system.formulas.add_at(Formula::Binary(op, window, a, b), span))
                    }
                    _ => Lowered::Wrong,
                }
            }
        })
    }

    /// The steps that an operator with bounds is about.
    fn window(&mut self, bounds: Option<Bounds>, span: Span) -> Result<Option<Window>, Lowered> {
        let Some(Bounds { low, high }) = bounds else { return Ok(None) };
        match (u32::try_from(low), u32::try_from(high)) {
            (Ok(from), Ok(to)) if from <= to => Ok(Some(Window { from, to })),
            _ => Err(self.error(codes::EMPTY_RANGE, span, format!("{low}..{high} is no range of steps"))),
        }
    }

    pub fn integer(&mut self, number: i64) -> Lowered {
        let expr = self.system.exprs.integer(number);
        Lowered::Value(Typed { expr, ty: Ty::Integer })
    }

    pub fn word(&mut self, number: i128, sort: WordSort) -> Lowered {
        let expr = self.system.exprs.constant(sort.wrap(number), Sort::Word(sort));
        Lowered::Value(Typed { expr, ty: Ty::Word(sort) })
    }

    fn name(&mut self, instance: InstanceId, name: Name, span: Span) -> Result<Lowered, Needs> {
        let found = self.member_named(instance, name);
        if let Some((owner, member)) = found {
            if matches!(member, Member::Parameter(_)) && self.constants.contains_key(&name) {
                let text = self.ast.text(name);
                let message = format!("`{text}` is both a parameter and a constant of an enumeration");
                return Ok(self.error_with_help(codes::AMBIGUOUS, span, message, "rename one of the two"));
            }
            return self.member(owner, member, span);
        }
        if let Some(value) = self.constants.get(&name).copied() {
            let expr = self.system.exprs.constant(value, Sort::Enumeration);
            return Ok(Lowered::Value(Typed { expr, ty: Ty::Symbolic }));
        }
        let text = self.ast.text(name);
        if text == "running" && self.has_processes {
            return Ok(self.running(instance, span));
        }
        if text == SELECTOR && self.has_processes {
            return Ok(Lowered::Selector);
        }
        if text == "main" && self.has_processes {
            return Ok(Lowered::Instance(InstanceId(0)));
        }
        if self.info(instance).has_flat_paths {
            return Ok(Lowered::Prefix(instance, text.into()));
        }
        Ok(self.undefined(instance, text, span))
    }

    /// What a member of an instance denotes.
    fn member(&mut self, instance: InstanceId, member: Member, span: Span) -> Result<Lowered, Needs> {
        let (lazy, goal) = match member {
            Member::Child(index) => return Ok(Lowered::Instance(self.instance(instance).children[index as usize])),
            Member::Variable(index) => {
                return Ok(match self.instance(instance).variables[index as usize].clone() {
                    Some(cells) => self.cells(cells),
                    None if self.diagnostics.has_errors() => Lowered::Wrong,
                    None => self.error(codes::CONSTANT, span, "a variable cannot be part of a declaration's type"),
                });
            }
            Member::Define(index) => (&self.instance(instance).defines[index as usize], Goal::Define(instance, index)),
            Member::Parameter(index) => {
                (&self.instance(instance).parameters[index as usize], Goal::Parameter(instance, index))
            }
        };
        match lazy {
            Lazy::Done(value) => Ok(value.clone()),
            Lazy::Untouched => Err(Needs(goal)),
            Lazy::InProgress => Ok(self.error(codes::CIRCULAR, span, "this definition depends on itself")),
        }
    }

    fn dot(&mut self, base: &Lowered, name: Name, span: Span) -> Result<Lowered, Needs> {
        let text = self.ast.text(name);
        match base {
            Lowered::Instance(id) => match self.member_named(*id, name) {
                Some((owner, member)) => {
                    let value = self.member(owner, member, span)?;
                    Ok(self.seen_from_outside(member, value, text, span))
                }
                None if text == "running" && self.has_processes => Ok(self.running(*id, span)),
                None if self.begins_flat_path(*id, text) => Ok(Lowered::Prefix(*id, text.into())),
                None => Ok(self.no_member(*id, text, span)),
            },
            Lowered::Prefix(owner, prefix) => self.flat_name(*owner, format!("{prefix}.{text}"), span),
            Lowered::Wrong => Ok(Lowered::Wrong),
            _ => {
                let message = format!("only an instance has parts such as `.{text}`");
                Ok(self.error(codes::UNDEFINED, span, message))
            }
        }
    }

    /// From outside an instance, a parameter that is an instance or an array can be named, and no other, as in NuSMV.
    fn seen_from_outside(&mut self, member: Member, value: Lowered, text: &str, span: Span) -> Lowered {
        if let (Member::Parameter(_), Lowered::Value(_) | Lowered::Formula(_)) = (member, &value) {
            let message = format!("`{text}` is a parameter, which cannot be seen from outside");
            let help = "name what was passed for it, or add a DEFINE to the module";
            return self.error_with_help(codes::UNDEFINED, span, message, help);
        }
        value
    }

    /// A name that looks like a path: declared as such, or the beginning of one.
    fn flat_name(&mut self, instance: InstanceId, text: String, span: Span) -> Result<Lowered, Needs> {
        match self.flat_member(instance, &text) {
            Some((owner, member)) => self.member(owner, member, span),
            None => Ok(Lowered::Prefix(instance, text.into())),
        }
    }

    pub fn render_index(&self, index: &Lowered) -> String {
        match index {
            Lowered::Value(typed) => {
                self.system.exprs.constant_value(typed.expr).map_or_else(|| "?".to_owned(), |value| value.to_string())
            }
            _ => "?".to_owned(),
        }
    }

    fn running(&mut self, instance: InstanceId, span: Span) -> Lowered {
        if !self.instance(instance).is_process {
            return self.error_with_help(
                codes::RUNNING,
                span,
                "`running` is known in processes only, and this instance is none",
                "pass the process as a parameter and write `p.running`",
            );
        }
        let expr = self.system.exprs.running(self.instance(instance).number);
        Lowered::Value(Typed { expr, ty: Ty::Boolean })
    }

    /// The value that something denotes; anything else is reported.
    pub fn value(&mut self, operand: &Operand) -> Option<Typed> {
        let span = operand.span(self);
        match &operand.value {
            Lowered::Value(typed) => return Some(*typed),
            Lowered::Wrong => {}
            Lowered::Selector => {
                let help = "compare it with the name of a process";
                self.error_with_help(codes::NOT_A_VALUE, span, "the process selector is no value", help);
            }
            Lowered::Formula(_) => {
                let message = "a temporal formula can be part of temporal and boolean formulas only";
                self.error(codes::TEMPORAL, span, message);
            }
            Lowered::Instance(_) => {
                let help = "name one of its variables with a dot";
                self.error_with_help(codes::NOT_A_VALUE, span, "an instance is no value", help);
            }
            Lowered::Cells(_) | Lowered::Array { .. } => {
                let help = "name one of its elements with an index";
                self.error_with_help(codes::NOT_A_VALUE, span, "an array is no value", help);
            }
            Lowered::Prefix(instance, text) => {
                self.undefined(*instance, text, span);
            }
        }
        None
    }

    /// A single value; a set is reported.
    pub fn single(&mut self, operand: &Operand) -> Option<Typed> {
        let typed = self.value(operand)?;
        if !self.system.exprs.is_set(typed.expr) {
            return Some(typed);
        }
        let span = operand.span(self);
        let help = "to ask whether a value is in the set, write `in`";
        self.error_with_help(codes::SET, span, "a set of values cannot be used here", help);
        None
    }

    /// A formula; a boolean value is one, too.
    pub fn formula(&mut self, operand: &Operand) -> Option<system::FormulaId> {
        if let Lowered::Formula(formula) = operand.value {
            return Some(formula);
        }
        let condition = self.condition(operand)?;
        let span = operand.span(self);
        Some(self.system.formulas.add_at(Formula::State(condition), span))
    }
}

/// What the nodes before the current one denote.
#[derive(Clone, Copy)]
pub struct Operands<'a> {
    first: NodeId,
    values: &'a [Lowered],
}

impl Operands<'_> {
    fn get(&self, id: NodeId) -> Lowered {
        self.values[(id.0 - self.first.0) as usize].clone()
    }

    fn at(&self, id: NodeId) -> Operand {
        Operand { node: id, value: self.get(id) }
    }

    fn list(&self, ids: &[NodeId]) -> Vec<(NodeId, Lowered)> {
        ids.iter().map(|id| (*id, self.get(*id))).collect()
    }
}

/// An operand and the node it comes from.
#[derive(Clone, Debug)]
pub struct Operand {
    /// The node, for its place.
    pub node: NodeId,
    /// What it denotes.
    pub value: Lowered,
}

impl Operand {
    /// Where the operand is written.
    pub fn span(&self, lowering: &Lowering<'_>) -> Span {
        lowering.ast.span(self.node)
    }
}

impl From<&(NodeId, Lowered)> for Operand {
    fn from((node, value): &(NodeId, Lowered)) -> Operand {
        Operand { node: *node, value: value.clone() }
    }
}
