//! Hidden variables, which SPIN leaves out of its states.
//!
//! Where nothing but other hidden variables depends on their values, they are not represented at all: that is what they are for.
//! Where something does, SPIN takes states for equal that are not, and what it finds depends on the order of its search;
//! here such a variable is part of the state, and a warning says so.

use super::super::ast::{BinaryOp, Declaration, Expr, ExprRef, Kind, Root, Type};
use super::super::codes;
use super::Lowering;
use crate::diagnostic::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

impl Lowering<'_> {
    /// Finds the hidden variables whose values do not matter. As in SPIN, only global variables other than channels
    /// can be hidden.
    pub(super) fn check_hidden(&mut self) -> Option<()> {
        let ast = self.ast;
        let locals = ast.proctypes.iter().flat_map(|proctype| &proctype.locals);
        if let Some(local) = locals.into_iter().find(|local| local.hidden) {
            return self.error(codes::TYPE, local.span, "only a global variable can be hidden");
        }
        if let Some(channel) = ast.globals.iter().find(|global| global.hidden && global.ty == Type::Chan) {
            return self.error(codes::TYPE, channel.span, "a channel cannot be hidden");
        }
        self.ignored = self.irrelevant();
        for (number, global) in ast.globals.iter().enumerate().filter(|(_, global)| global.hidden) {
            if !self.ignored.contains(&number) {
                let message = format!("the value of {} matters, so that it is part of the state", global.name);
                let help = "SPIN leaves it out, and what it finds then depends on the order of its search";
                self.diagnostics.push(Diagnostic::warning(codes::TYPE, global.span, message).help(help));
            }
        }
        Some(())
    }

    /// Whether a variable is not represented.
    pub(super) fn is_ignored(&self, root: Root) -> bool {
        matches!(root, Root::Global(global) if self.ignored.contains(&global))
    }

    /// The hidden variables that are read only to compute each other, in expressions that cannot fail.
    fn irrelevant(&self) -> FxHashSet<usize> {
        let is_candidate = |global: &Declaration| {
            global.hidden && global.length.is_none() && !matches!(global.ty, Type::Struct(_) | Type::Chan)
        };
        let globals = self.ast.globals.iter().enumerate();
        let mut candidates: FxHashSet<usize> =
            globals.filter(|(_, global)| is_candidate(global)).map(|(number, _)| number).collect();
        loop {
            let relevant = self.relevant(&candidates);
            if relevant.is_empty() {
                return candidates;
            }
            candidates.retain(|number| !relevant.contains(number));
        }
    }

    /// The candidates whose values reach something else, or that get a value whose computation can fail.
    fn relevant(&self, candidates: &FxHashSet<usize>) -> Vec<usize> {
        let mut reads: FxHashMap<usize, usize> = FxHashMap::default();
        for global in self.ast.exprs().filter_map(Expr::global).filter(|global| candidates.contains(global)) {
            *reads.entry(global).or_default() += 1;
        }
        let mut relevant = Vec::new();
        for statement in self.ast.proctypes.iter().flat_map(|proctype| proctype.statements()) {
            let Kind::Assign(place, value) = &statement.kind else { continue };
            let Root::Global(global) = place.root else { continue };
            if !candidates.contains(&global) {
                continue;
            }
            if !self.is_simple(*value) {
                relevant.push(global);
            }
            for read in self.ast.within(*value).filter_map(Expr::global) {
                reads.entry(read).and_modify(|count| *count -= 1);
            }
        }
        relevant.extend(reads.into_iter().filter(|(_, count)| *count > 0).map(|(global, _)| global));
        relevant
    }

    /// Whether an expression has a value in every state, whatever its variables hold.
    fn is_simple(&self, value: ExprRef) -> bool {
        self.ast.within(value).all(|part| match part {
            Expr::Number(_) | Expr::Unary(..) | Expr::Conditional(..) => true,
            Expr::Binary(op, ..) => !matches!(op, BinaryOp::Divide | BinaryOp::Modulo),
            Expr::Variable(reference) => {
                reference.index.is_none() && reference.fields.iter().all(|(_, index)| index.is_none())
            }
            _ => false,
        })
    }
}
