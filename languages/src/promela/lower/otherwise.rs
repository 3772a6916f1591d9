//! `else` beside sends and receives: whether it is possible depends on channels, which SPIN finds dubious.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::promela::ast::{Ast, Expr, Kind, Query, Statement};
use crate::promela::codes;

/// Says where an `else` is beside a send or receive. As in SPIN, that is an error after `xr` or `xs`.
pub fn check_else(ast: &Ast, diagnostics: &mut Diagnostics) {
    for statement in ast.proctypes.iter().flat_map(|proctype| proctype.statements()) {
        let (Kind::If(options) | Kind::Do(options)) = &statement.kind else { continue };
        let mut firsts = options.iter().filter_map(|option| option.first());
        let otherwise = firsts.clone().find(|first| matches!(first.kind, Kind::Else));
        let Some(otherwise) = otherwise else { continue };
        if !firsts.any(|first| asks_channel(ast, first)) {
            continue;
        }
        let message = "an else beside a send or receive";
        let diagnostic = if ast.exclusive.is_some_and(|exclusive| exclusive < statement.span) {
            let help = "leave out the assertions xr and xs, or the else";
            Diagnostic::error(codes::ELSE, otherwise.span, format!("{message}, after xr or xs")).help(help)
        } else {
            let help = "it means that no message can be sent or received; SPIN insists on -DNOREDUCE";
            Diagnostic::warning(codes::ELSE, otherwise.span, message).help(help)
        };
        diagnostics.push(diagnostic);
    }
}

/// Whether it depends on what a channel holds whether a statement can run; SPIN does not count `len` and polls.
fn asks_channel(ast: &Ast, statement: &Statement) -> bool {
    match &statement.kind {
        Kind::Send(..) | Kind::Receive(..) => true,
        Kind::Condition(condition) => {
            ast.within(*condition).any(|expr| matches!(expr, Expr::Query(query, _) if *query != Query::Len))
        }
        _ => false,
    }
}
