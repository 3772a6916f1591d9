//! Values that are known while a process is followed: those of scalar variables that only it writes. Of init, of which there is one, these
//! include global variables; of others, its own, and global variables that nothing writes.

use super::super::program::Program;
use super::super::storage::{Extent, word};
use crate::promela::ast::{BinaryOp, Declaration, Expr, ExprRef, Initial, Kind, Pattern, Root, UnaryOp};
use crate::promela::flow::{Action, Edge};
use crate::promela::ids::ProctypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// Variables whose value is known.
#[derive(Clone)]
pub struct Known<'p> {
    program: &'p Program<'p>,
    proctype: ProctypeId,
    values: BTreeMap<Root, i64>,
    tracked: Rc<BTreeSet<Root>>,
}

impl PartialEq for Known<'_> {
    fn eq(&self, other: &Known<'_>) -> bool {
        self.values == other.values
    }
}

impl Eq for Known<'_> {}

impl Hash for Known<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.values.hash(state);
    }
}

impl<'p> Known<'p> {
    /// The scalar variables that only a process of a proctype writes, with what they begin with. Nothing is known of its parameters.
    pub fn at_start(program: &'p Program<'p>, proctype: ProctypeId) -> Known<'p> {
        Known::with_arguments(program, proctype, &[])
    }

    /// The same where some of its arguments are known.
    pub fn with_arguments(program: &'p Program<'p>, proctype: ProctypeId, arguments: &[Option<i64>]) -> Known<'p> {
        let tracked = tracked(program, proctype);
        let parameters = program.ast.proctypes[proctype].parameters;
        let roots: Vec<Root> = tracked.iter().copied().collect();
        let mut known = Known { program, proctype, values: BTreeMap::new(), tracked: Rc::new(tracked) };
        for root in roots {
            match root {
                Root::Local(local) if local < parameters => {
                    known.set(root, arguments.get(local).copied().flatten());
                }
                _ => known.begin(root),
            }
        }
        known
    }

    fn begin(&mut self, root: Root) {
        let value = match self.declaration(root).map(|declaration| &declaration.initial) {
            Some(Initial::Zero) => Some(0),
            Some(Initial::Value(value)) => self.value(*value),
            _ => None,
        };
        self.set(root, value);
    }

    /// Follows a step of the process.
    pub fn follow(&mut self, edge: &Edge) {
        let Action::Statement(kind) = &edge.action else { return };
        match kind {
            Kind::Assign(place, value) if place.index.is_none() && place.fields.is_empty() => {
                self.set(place.root, self.value(*value));
            }
            Kind::Clear(local) => self.set(Root::Local(*local), Some(0)),
            Kind::Receive(_, _, _, patterns) => {
                patterns.iter().filter_map(stored).for_each(|root| self.set(root, None));
            }
            _ => {}
        }
    }

    /// Whether a step is possible, if that is known, where nothing that comes before it is.
    pub fn allows(&self, edge: &Edge) -> Option<bool> {
        self.allows_beside(edge, false)
    }

    /// The same where `others_are` says whether one that it is chosen from is possible.
    pub fn allows_beside(&self, edge: &Edge, others_are: bool) -> Option<bool> {
        let Action::Statement(kind) = &edge.action else { return Some(true) };
        match kind {
            Kind::Else => Some(!others_are),
            Kind::Condition(expr) if self.program.ast.run_within(*expr).is_none() => {
                self.value(*expr).map(|value| value != 0)
            }
            Kind::Send(..) | Kind::Receive(..) => None,
            _ => Some(true),
        }
    }

    /// Notes what a variable holds from now on.
    fn set(&mut self, root: Root, value: Option<i64>) {
        self.values.remove(&root);
        let Some(value) = value.filter(|_| self.tracked.contains(&root)) else { return };
        if let Some(declaration) = self.declaration(root) {
            let stored = word(declaration.ty, Extent::Scalar).wrap(value.into());
            self.values.insert(root, stored);
        }
    }

    fn declaration(&self, root: Root) -> Option<&'p Declaration> {
        match root {
            Root::Global(global) => self.program.ast.globals.get(global),
            Root::Local(local) => self.program.ast.proctypes[self.proctype].locals.get(local),
            _ => None,
        }
    }

    /// The value of an expression, if it is known.
    pub fn value(&self, expr: ExprRef) -> Option<i64> {
        match self.program.ast.expr(expr) {
            Expr::Number(value) => Some(*value),
            Expr::Variable(reference) if reference.index.is_none() && reference.fields.is_empty() => {
                self.values.get(&reference.root).copied()
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

/// The scalar variables that only one process of a proctype writes, the global ones first.
fn tracked(program: &Program<'_>, proctype: ProctypeId) -> BTreeSet<Root> {
    let written_by_others = written_by_others(program, proctype);
    let globals = scalars(&program.ast.globals).into_iter().filter(|global| !written_by_others.contains(global));
    let locals = scalars(&program.ast.proctypes[proctype].locals).into_iter().map(Root::Local);
    globals.map(Root::Global).chain(locals).collect()
}

/// The variables that are no arrays, by number.
fn scalars(declarations: &[Declaration]) -> Vec<usize> {
    let numbered = declarations.iter().enumerate();
    numbered.filter(|(_, declaration)| declaration.length.is_none()).map(|(number, _)| number).collect()
}

/// The global variables that another process than this one may write. There may be several of a proctype, but there is only one init.
fn written_by_others(program: &Program<'_>, proctype: ProctypeId) -> BTreeSet<usize> {
    let alone = program.ast.init().filter(|init| *init == proctype);
    let others = program.ast.proctypes.iter_enumerated().filter(|(other, _)| Some(*other) != alone);
    let mut written = BTreeSet::new();
    for statement in others.flat_map(|(_, proctype)| proctype.statements()) {
        match &statement.kind {
            Kind::Assign(place, _) => written.extend(global(place.root)),
            Kind::Receive(_, _, _, patterns) => {
                written.extend(patterns.iter().filter_map(stored).filter_map(global));
            }
            _ => {}
        }
    }
    written
}

fn stored(pattern: &Pattern) -> Option<Root> {
    match pattern {
        Pattern::Store(place) => Some(place.root),
        Pattern::Match(_) => None,
    }
}

fn global(root: Root) -> Option<usize> {
    match root {
        Root::Global(global) => Some(global),
        _ => None,
    }
}
