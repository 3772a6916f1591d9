//! Hidden variables, which SPIN leaves out of its states.
//!
//! Where nothing but other hidden variables depends on their values, they are not represented at all: that is what they are for.
//! Where something does, SPIN takes states for equal that are not, and what it finds depends on the order of its search;
//! here such a variable is part of the state, and a warning says so.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::promela::ast::{Ast, BinaryOp, Declaration, Expr, ExprRef, Kind, Root, Type};
use crate::promela::codes;
use rustc_hash::{FxHashMap, FxHashSet};

/// The hidden variables whose values do not matter. As in SPIN, only global variables other than channels can be hidden.
pub fn irrelevant(ast: &Ast, diagnostics: &mut Diagnostics) -> Option<FxHashSet<usize>> {
    let locals = ast.proctypes.iter().flat_map(|proctype| &proctype.locals);
    if let Some(local) = locals.into_iter().find(|local| local.hidden) {
        diagnostics.push(Diagnostic::error(codes::TYPE, local.span, "only a global variable can be hidden"));
        return None;
    }
    if let Some(channel) = ast.globals.iter().find(|global| global.hidden && global.ty == Type::Chan) {
        diagnostics.push(Diagnostic::error(codes::TYPE, channel.span, "a channel cannot be hidden"));
        return None;
    }
    let ignored = unread(ast);
    for (number, global) in ast.globals.iter().enumerate().filter(|(_, global)| global.hidden) {
        if !ignored.contains(&number) {
            let message = format!("the value of {} matters, so that it is part of the state", global.name);
            let help = "SPIN leaves it out, and what it finds then depends on the order of its search";
            diagnostics.push(Diagnostic::warning(codes::TYPE, global.span, message).help(help));
        }
    }
    Some(ignored)
}

fn is_candidate(global: &Declaration) -> bool {
    global.hidden && global.length.is_none() && !matches!(global.ty, Type::Struct(_) | Type::Chan)
}

/// The hidden variables that are read only to compute each other, in expressions that cannot fail.
fn unread(ast: &Ast) -> FxHashSet<usize> {
    let globals = ast.globals.iter().enumerate();
    let mut candidates: FxHashSet<usize> =
        globals.filter(|(_, global)| is_candidate(global)).map(|(number, _)| number).collect();
    loop {
        let relevant = relevant(ast, &candidates);
        if relevant.is_empty() {
            return candidates;
        }
        candidates.retain(|number| !relevant.contains(number));
    }
}

/// The candidates whose values reach something else, or that get a value whose computation can fail.
fn relevant(ast: &Ast, candidates: &FxHashSet<usize>) -> Vec<usize> {
    let mut reads: FxHashMap<usize, usize> = FxHashMap::default();
    for global in ast.exprs().filter_map(Expr::global).filter(|global| candidates.contains(global)) {
        *reads.entry(global).or_default() += 1;
    }
    let mut relevant = Vec::new();
    for statement in ast.proctypes.iter().flat_map(|proctype| proctype.statements()) {
        let Kind::Assign(place, value) = &statement.kind else { continue };
        let Root::Global(global) = place.root else { continue };
        if !candidates.contains(&global) {
            continue;
        }
        if !is_simple(ast, *value) {
            relevant.push(global);
        }
        for read in ast.within(*value).filter_map(Expr::global) {
            reads.entry(read).and_modify(|count| *count -= 1);
        }
    }
    relevant.extend(reads.into_iter().filter(|(_, count)| *count > 0).map(|(global, _)| global));
    relevant
}

/// Whether an expression has a value in every state, whatever its variables hold.
fn is_simple(ast: &Ast, value: ExprRef) -> bool {
    ast.within(value).all(|part| match part {
        Expr::Number(_) | Expr::Unary(..) | Expr::Conditional(..) => true,
        Expr::Binary(op, ..) => !matches!(op, BinaryOp::Divide | BinaryOp::Modulo),
        Expr::Variable(reference) => {
            reference.index.is_none() && reference.fields.iter().all(|(_, index)| index.is_none())
        }
        _ => false,
    })
}
