//! Values that are known while init is followed: those of scalar variables that only init writes.

use super::super::program::Program;
use super::super::storage::word;
use crate::promela::ast::{BinaryOp, Declaration, Expr, ExprRef, Initial, Kind, Pattern, Root, UnaryOp};
use crate::promela::ids::ProctypeId;
use std::collections::BTreeSet;

/// Variables whose value is known.
pub struct Known<'p> {
    program: &'p Program<'p>,
    init: ProctypeId,
    values: Vec<(Root, i64)>,
    tracked: Vec<Root>,
}

impl<'p> Known<'p> {
    /// The scalar variables that only init writes, with what they begin with.
    pub fn at_start(program: &'p Program<'p>, init: ProctypeId) -> Known<'p> {
        let mut known = Known { program, init, values: Vec::new(), tracked: Vec::new() };
        let written_by_others = written_by_others(program, init);
        for (number, declaration) in program.ast.globals.iter().enumerate() {
            if declaration.length.is_none() && !written_by_others.contains(&number) {
                known.begin(Root::Global(number), &declaration.initial);
            }
        }
        for (number, declaration) in program.ast.proctypes[init].locals.iter().enumerate() {
            if declaration.length.is_none() {
                known.begin(Root::Local(number), &declaration.initial);
            }
        }
        known
    }

    fn begin(&mut self, root: Root, initial: &Initial) {
        self.tracked.push(root);
        let value = match initial {
            Initial::Zero => Some(0),
            Initial::Value(value) => self.value(*value),
            _ => None,
        };
        self.set(root, value);
    }

    /// Notes what a variable holds from now on.
    pub fn set(&mut self, root: Root, value: Option<i64>) {
        self.values.retain(|(known, _)| *known != root);
        let Some(value) = value.filter(|_| self.tracked.contains(&root)) else { return };
        if let Some(declaration) = self.declaration(root) {
            let stored = word(declaration.ty, false).wrap(value.into());
            self.values.push((root, stored));
        }
    }

    fn declaration(&self, root: Root) -> Option<&'p Declaration> {
        match root {
            Root::Global(global) => self.program.ast.globals.get(global),
            Root::Local(local) => self.program.ast.proctypes[self.init].locals.get(local),
            _ => None,
        }
    }

    /// The value of an expression, if it is known.
    pub fn value(&self, expr: ExprRef) -> Option<i64> {
        match self.program.ast.expr(expr) {
            Expr::Number(value) => Some(*value),
            Expr::Variable(reference) if reference.index.is_none() && reference.fields.is_empty() => {
                self.values.iter().find(|(root, _)| *root == reference.root).map(|(_, value)| *value)
            }
            Expr::Unary(UnaryOp::Negate, a) => Some(i64::from((self.value(*a)? as i32).wrapping_neg())),
            Expr::Unary(UnaryOp::Not, a) => Some(i64::from(self.value(*a)? == 0)),
            Expr::Binary(op, a, b) => binary(*op, self.value(*a)? as i32, self.value(*b)? as i32).map(i64::from),
            _ => None,
        }
    }
}

/// C's arithmetic.
fn binary(op: BinaryOp, a: i32, b: i32) -> Option<i32> {
    match op {
        BinaryOp::Add => Some(a.wrapping_add(b)),
        BinaryOp::Subtract => Some(a.wrapping_sub(b)),
        BinaryOp::Multiply => Some(a.wrapping_mul(b)),
        BinaryOp::Divide => a.checked_div(b),
        BinaryOp::Modulo => a.checked_rem(b),
        _ => comparison(op, a, b).map(i32::from),
    }
}

fn comparison(op: BinaryOp, a: i32, b: i32) -> Option<bool> {
    match op {
        BinaryOp::Equal => Some(a == b),
        BinaryOp::NotEqual => Some(a != b),
        BinaryOp::Less => Some(a < b),
        BinaryOp::Greater => Some(a > b),
        BinaryOp::LessEqual => Some(a <= b),
        BinaryOp::GreaterEqual => Some(a >= b),
        BinaryOp::And => Some(a != 0 && b != 0),
        BinaryOp::Or => Some(a != 0 || b != 0),
        _ => None,
    }
}

/// The global variables that a proctype other than init writes.
fn written_by_others(program: &Program<'_>, init: ProctypeId) -> BTreeSet<usize> {
    let others = program.ast.proctypes.iter_enumerated().filter(|(proctype, _)| *proctype != init);
    let mut written = BTreeSet::new();
    for statement in others.flat_map(|(_, proctype)| proctype.statements()) {
        match &statement.kind {
            Kind::Assign(place, _) => written.extend(global(place.root)),
            Kind::Receive(_, _, _, patterns) => written.extend(patterns.iter().filter_map(stored_global)),
            _ => {}
        }
    }
    written
}

fn stored_global(pattern: &Pattern) -> Option<usize> {
    match pattern {
        Pattern::Store(place) => global(place.root),
        Pattern::Match(_) => None,
    }
}

fn global(root: Root) -> Option<usize> {
    match root {
        Root::Global(global) => Some(global),
        _ => None,
    }
}
