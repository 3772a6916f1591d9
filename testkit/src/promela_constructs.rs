//! The constructs of Promela's syntax tree by name, and which of them some programs have. A construct that is added to the
//! tree does not compile here before it has a name, and then has to occur.

use crate::names::names;
use std::collections::BTreeSet;
use uwbmc::promela::ast::{
    Ast, BinaryOp, Choosing, Copying, Declaration, Expr, Forbidden, Initial, Kind, Order, Pattern, Proctype, Query,
    Root, Type, UnaryOp,
};

names!(kind, KINDS, Kind, {
    Kind::Assign(..) => "assignment",
    Kind::Clear(_) => "declaration as a step",
    Kind::AssignList(..) => "list as a step",
    Kind::Send(_, Order::Fifo, _) => "send",
    Kind::Send(_, Order::Any, _) => "sorted send",
    Kind::Receive(_, Order::Fifo, Copying::Takes, _) => "receive",
    Kind::Receive(_, Order::Fifo, Copying::Copies, _) => "copying receive",
    Kind::Receive(_, Order::Any, ..) => "random receive",
    Kind::Condition(_) => "condition",
    Kind::Skip => "skip",
    Kind::Else => "else",
    Kind::Assert(_) => "assert",
    Kind::Print(..) => "printf",
    Kind::SetPriority(..) => "set_priority",
    Kind::If(_) => "if",
    Kind::Do(_) => "do",
    Kind::Break => "break",
    Kind::Goto(_) => "goto",
    Kind::Atomic(_) => "atomic",
    Kind::DStep(_) => "d_step",
    Kind::Block(_) => "block",
    Kind::Unless(..) => "unless",
});

names!(expr, EXPRS, Expr, {
    Expr::Number(_) => "number",
    Expr::Variable(_) => "variable",
    Expr::Unary(..) => "unary operator",
    Expr::Binary(..) => "binary operator",
    Expr::Conditional(..) => "conditional",
    Expr::Run(_) => "run",
    Expr::Query(..) => "query",
    Expr::Poll(_, Order::Fifo, _) => "poll",
    Expr::Poll(_, Order::Any, _) => "random poll",
    Expr::Timeout => "timeout",
    Expr::Enabled(_) => "enabled",
    Expr::PcValue(_) => "pc_value",
    Expr::NonProgress => "np_",
    Expr::Priority(_) => "get_priority",
    Expr::RemoteLabel(..) => "remote label",
    Expr::RemoteVariable(..) => "remote variable",
});

names!(unary, UNARY, UnaryOp, {
    UnaryOp::Not => "!",
    UnaryOp::Negate => "unary -",
    UnaryOp::Complement => "~",
    UnaryOp::Always => "[]",
    UnaryOp::Eventually => "<>",
    UnaryOp::Next => "X",
});

names!(binary, BINARY, BinaryOp, {
    BinaryOp::Implies => "->",
    BinaryOp::Iff => "<->",
    BinaryOp::Or => "||",
    BinaryOp::And => "&&",
    BinaryOp::Until => "U",
    BinaryOp::WeakUntil => "W",
    BinaryOp::Release => "V",
    BinaryOp::BitOr => "|",
    BinaryOp::BitXor => "^",
    BinaryOp::BitAnd => "&",
    BinaryOp::Equal => "==",
    BinaryOp::NotEqual => "!=",
    BinaryOp::Less => "<",
    BinaryOp::Greater => ">",
    BinaryOp::LessEqual => "<=",
    BinaryOp::GreaterEqual => ">=",
    BinaryOp::ShiftLeft => "<<",
    BinaryOp::ShiftRight => ">>",
    BinaryOp::Add => "+",
    BinaryOp::Subtract => "-",
    BinaryOp::Multiply => "*",
    BinaryOp::Divide => "/",
    BinaryOp::Modulo => "%",
});

names!(query, QUERIES, Query, {
    Query::Len => "len",
    Query::Full => "full",
    Query::Empty => "empty",
    Query::NotFull => "nfull",
    Query::NotEmpty => "nempty",
});

names!(root, ROOTS, Root, {
    Root::Global(_) => "global variable",
    Root::Local(_) => "local variable",
    Root::Pid => "_pid",
    Root::ProcessCount => "_nr_pr",
    Root::Last => "_last",
    Root::Priority => "_priority",
    Root::Scratch => "_",
});

names!(ty, TYPES, Type, {
    Type::Bit => "bit",
    Type::Byte => "byte",
    Type::Short => "short",
    Type::Int => "int",
    Type::Unsigned(_) => "unsigned",
    Type::Mtype(0) => "mtype",
    Type::Mtype(_) => "mtype with a name",
    Type::Pid => "pid",
    Type::Chan => "chan",
    Type::Struct(_) => "typedef",
});

names!(initial, INITIALS, Initial, {
    Initial::Zero => "no initial value",
    Initial::Value(_) => "initial value",
    Initial::List(_) => "initial list",
    Initial::Channel(_) => "new channel",
});

names!(choosing, CHOOSING, Choosing, {
    Choosing::Allowed => "proctype",
    Choosing::Forbidden => "D_proctype",
});

names!(forbidden, FORBIDDEN, Forbidden, {
    Forbidden::Others => "trace",
    Forbidden::Itself => "notrace",
});

names!(pattern, PATTERNS, Pattern, {
    Pattern::Store(_) => "stored field",
    Pattern::Match(_) => "matched field",
});

/// What belongs to declarations and processes, and how statements are nested in each other.
const PARTS: &[&str] = &[
    "hidden variable",
    "array",
    "label",
    "provided",
    "priority",
    "parameter",
    "several active processes",
    "never claim",
    "formula",
    "else first in a d_step",
    "else first in an atomic section",
    "selection first in a d_step",
    "block first in a d_step",
    "d_step inside unless",
    "unless inside an option",
    "d_step as an option",
    "d_step inside a d_step",
];

/// The constructs that programs have.
#[derive(Default)]
pub struct Seen(BTreeSet<&'static str>);

impl Seen {
    /// Notes what a program has.
    pub fn note(&mut self, ast: &Ast) {
        ast.globals.iter().for_each(|declaration| self.declaration(declaration));
        ast.proctypes.iter().chain(&ast.claims).for_each(|proctype| self.proctype(proctype));
        if let Some(assertion) = &ast.trace {
            self.0.insert(forbidden(&assertion.forbids));
            self.proctype(&assertion.body);
        }
        ast.exprs().for_each(|part| self.expr(part));
        self.part("never claim", !ast.claims.is_empty());
        self.part("formula", !ast.formulas.is_empty());
    }

    /// What never occurred.
    pub fn missing(&self) -> Vec<&'static str> {
        let all = [KINDS, EXPRS, UNARY, BINARY, QUERIES, ROOTS, TYPES, INITIALS, CHOOSING, FORBIDDEN, PATTERNS, PARTS];
        all.concat().into_iter().filter(|name| !self.0.contains(name)).collect()
    }

    fn has(&mut self, name: &'static str) {
        self.0.insert(name);
    }

    fn part(&mut self, name: &'static str, is_there: bool) {
        if is_there {
            self.has(name);
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        self.0.extend([ty(&declaration.ty), initial(&declaration.initial)]);
        self.part("hidden variable", declaration.hidden);
        self.part("array", declaration.length.is_some());
    }

    fn proctype(&mut self, proctype: &Proctype) {
        proctype.locals.iter().for_each(|declaration| self.declaration(declaration));
        self.0.insert(choosing(&proctype.choice));
        self.part("provided", proctype.provided.is_some());
        self.part("priority", proctype.priority.is_some());
        self.part("parameter", proctype.parameters > 0);
        self.part("several active processes", proctype.active > 1);
        for statement in proctype.statements() {
            self.0.insert(kind(&statement.kind));
            self.part("label", !statement.labels.is_empty());
            self.nesting(&statement.kind);
        }
    }

    fn nesting(&mut self, outer: &Kind) {
        match outer {
            Kind::DStep(inner) => {
                let first = &inner[0].kind;
                self.part("else first in a d_step", matches!(first, Kind::Else));
                self.part("selection first in a d_step", matches!(first, Kind::If(_)));
                self.part("block first in a d_step", matches!(first, Kind::Block(_)));
                let has_d_step = inner.iter().any(|statement| matches!(statement.kind, Kind::DStep(_)));
                self.part("d_step inside a d_step", has_d_step);
            }
            Kind::Atomic(inner) => self.part("else first in an atomic section", matches!(inner[0].kind, Kind::Else)),
            Kind::If(options) | Kind::Do(options) => {
                let is = |wanted: fn(&Kind) -> bool| options.iter().flatten().any(|inner| wanted(&inner.kind));
                self.part("d_step as an option", is(|inner| matches!(inner, Kind::DStep(_))));
                self.part("unless inside an option", is(|inner| matches!(inner, Kind::Unless(..))));
            }
            Kind::Unless(main, _) => {
                let Kind::Block(inner) = &main.kind else { return };
                let has_d_step = inner.iter().any(|statement| matches!(statement.kind, Kind::DStep(_)));
                self.part("d_step inside unless", has_d_step);
            }
            Kind::Receive(_, _, _, patterns) => {
                for field in patterns {
                    self.0.insert(pattern(field));
                    if let Pattern::Store(place) = field {
                        self.0.insert(root(&place.root));
                    }
                }
            }
            _ => {}
        }
    }

    fn expr(&mut self, part: &Expr) {
        self.0.insert(expr(part));
        match part {
            Expr::Variable(reference) => self.has(root(&reference.root)),
            Expr::Unary(op, _) => self.has(unary(op)),
            Expr::Binary(op, ..) => self.has(binary(op)),
            Expr::Query(asked, _) => self.has(query(asked)),
            _ => {}
        }
    }
}
