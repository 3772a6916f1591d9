//! Properties: assertions, valid end states, the `ltl` blocks and the claims.

use super::super::ast::{BinaryOp, Choosing, Expr, ExprRef, UnaryOp};
use super::super::codes;
use super::Lowering;
use super::sight::Sight;
use crate::diagnostic::{Diagnostic, Mark};
use rustc_hash::FxHashMap;
use system::{
    BinaryTemporal, Claim, ClaimAutomaton, ClaimMove, ClaimStateId, ExprId, Formula, FormulaId, IndexVec, Property,
    Span, Statements, UnaryTemporal,
};

impl Lowering<'_> {
    /// Adds the properties of the model.
    pub(super) fn properties(&mut self) {
        let mut on_line: FxHashMap<usize, usize> = FxHashMap::default();
        let mut assertions = std::mem::take(&mut self.assertions);
        assertions.sort_by_key(|(span, _)| *span);
        for (span, claims) in assertions {
            let line = self.source.line(span);
            let count = on_line.entry(line).or_default();
            *count += 1;
            let name = if *count == 1 { format!("assert_{line}") } else { format!("assert_{line}_{count}") };
            let claim = self.system.exprs.all(claims);
            self.property(name, Claim::Invariant(claim), span);
        }
        let choices = std::mem::take(&mut self.choices);
        for (number, proctype) in self.ast.proctypes.iter().enumerate() {
            if proctype.choice == Choosing::Forbidden {
                let claims: Vec<ExprId> =
                    choices.iter().filter(|(of, _)| *of == number).map(|(_, claim)| *claim).collect();
                let claim = self.system.exprs.all(claims);
                self.property(format!("deterministic_{}", proctype.name), Claim::Invariant(claim), proctype.span);
            }
        }
        self.property("end_states".to_owned(), Claim::DeadlockFree, Span::default());
        self.label_properties();
        self.trace_property();
        let ast = self.ast;
        let observes = !ast.claims.is_empty() || ast.formulas.iter().any(|ltl| self.invariant(ltl.formula).is_some());
        let sight = if observes { self.sight() } else { Some(Sight::default()) };
        let Some(sight) = sight else { return };
        for formula in &ast.formulas {
            let mark = self.diagnostics.mark();
            let claim = match self.claim(formula.formula, &sight) {
                Some(claim) => {
                    self.automaton_of_formula(&formula.name, formula.formula);
                    claim
                }
                None => self.wrong(mark, formula.span),
            };
            self.property(formula.name.to_string(), claim, formula.span);
        }
        for claim in &ast.claims {
            let _ = self.never(claim, &sight);
        }
    }

    /// A formula that cannot be checked, with the reason. It costs nothing but itself.
    fn wrong(&mut self, mark: Mark, span: Span) -> Claim {
        Claim::Unsupported(match self.diagnostics.confine(mark, span) {
            Some(error) => format!("{}: {}", error.code.0, error.message),
            None => "it uses something that is wrong".to_owned(),
        })
    }

    pub(super) fn property(&mut self, name: String, claim: Claim, span: Span) {
        self.system.properties.push(Property { name, claim, span });
    }

    /// A formula that says the same as `[] p`, without temporal operators in p, is an invariant of the states that a
    /// claim sees.
    fn claim(&mut self, formula: ExprRef, sight: &Sight) -> Option<Claim> {
        if let Some(parts) = self.invariant(formula) {
            let mut claim = self.system.exprs.boolean(true);
            for (part, holds) in parts {
                let value = self.condition(part)?;
                let value = if holds { value } else { self.system.exprs.not(value) };
                claim = self.both(claim, value);
            }
            let hidden = self.hidden(sight);
            // What cannot fail is asked first: it mostly holds.
            let is_total = self.system.exprs.is_total(claim);
            let claim = if is_total { self.either(claim, hidden) } else { self.either(hidden, claim) };
            return Some(Claim::Invariant(claim));
        }
        self.formula(formula).map(Claim::Ltl)
    }

    /// SPIN's automaton of a formula that says the same as `[] p`: an atomic section that finds p false, or waiting.
    fn automaton_of_formula(&mut self, name: &str, formula: ExprRef) {
        let Some(&[(part, holds)]) = self.invariant(formula).as_deref() else { return };
        let Some(value) = self.condition(part) else { return };
        let wrong = if holds { self.system.exprs.not(value) } else { value };
        let (to, always) = (ClaimStateId::new(0), self.system.exprs.boolean(true));
        let finds = ClaimMove { guard: wrong, to, statements: Statements::Several };
        let waits = ClaimMove { guard: always, to, statements: Statements::One };
        let moves = IndexVec::from_vec(vec![vec![finds, waits]]);
        self.system.automata.push(ClaimAutomaton { name: name.to_owned(), moves, accepting: Vec::new() });
    }

    /// The conditions that a formula claims of every state, each with whether it has to be true or false, if that is all
    /// that it claims.
    fn invariant(&self, formula: ExprRef) -> Option<Vec<(ExprRef, bool)>> {
        let mut parts = Vec::new();
        // A formula, whether it is not negated, and whether it is about every state.
        let mut open = vec![(formula, true, false)];
        while let Some((expr, holds, always)) = open.pop() {
            if always && !self.is_temporal(expr) {
                parts.push((expr, holds));
                continue;
            }
            match (self.ast.expr(expr), holds) {
                (Expr::Unary(UnaryOp::Not, inner), _) => open.push((*inner, !holds, always)),
                (Expr::Unary(UnaryOp::Always, inner), true) | (Expr::Unary(UnaryOp::Eventually, inner), false) => {
                    open.push((*inner, holds, true));
                }
                (Expr::Binary(BinaryOp::And, left, right), true) | (Expr::Binary(BinaryOp::Or, left, right), false) => {
                    open.extend([(*right, holds, always), (*left, holds, always)]);
                }
                (Expr::Binary(BinaryOp::Implies, left, right), false) => {
                    open.extend([(*right, false, always), (*left, true, always)]);
                }
                _ => return None,
            }
        }
        Some(parts)
    }

    fn is_temporal(&self, formula: ExprRef) -> bool {
        let is_operator = |part: &Expr| match part {
            Expr::Unary(op, _) => matches!(op, UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next),
            Expr::Binary(op, ..) => matches!(op, BinaryOp::Until | BinaryOp::WeakUntil | BinaryOp::Release),
            _ => false,
        };
        self.ast.within(formula).any(is_operator)
    }

    /// A formula of LTL. The depth of formulas is bounded by the parser.
    fn formula(&mut self, expr: ExprRef) -> Option<FormulaId> {
        if !self.is_temporal(expr) {
            let condition = self.condition(expr)?;
            return Some(self.system.formulas.add(Formula::State(condition)));
        }
        let formula = match self.ast.expr(expr).clone() {
            Expr::Unary(op @ (UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next | UnaryOp::Not), inner) => {
                let inner = self.formula(inner)?;
                match op {
                    UnaryOp::Always => Formula::Unary(UnaryTemporal::Globally, None, inner),
                    UnaryOp::Eventually => Formula::Unary(UnaryTemporal::Finally, None, inner),
                    UnaryOp::Next => Formula::Unary(UnaryTemporal::Next, None, inner),
                    _ => Formula::Not(inner),
                }
            }
            Expr::Binary(op, left, right) if connects(op) => {
                let (left, right) = (self.formula(left)?, self.formula(right)?);
                match op {
                    BinaryOp::And => Formula::And(left, right),
                    BinaryOp::Or => Formula::Or(left, right),
                    BinaryOp::Implies => Formula::Implies(left, right),
                    BinaryOp::Iff => Formula::Iff(left, right),
                    BinaryOp::Until => Formula::Binary(BinaryTemporal::Until, None, left, right),
                    BinaryOp::Release => Formula::Binary(BinaryTemporal::Releases, None, left, right),
                    _ => {
                        let either = self.system.formulas.add(Formula::Or(left, right));
                        Formula::Binary(BinaryTemporal::Releases, None, right, either)
                    }
                }
            }
            _ => return self.not_a_number(expr),
        };
        Some(self.system.formulas.add(formula))
    }

    /// SPIN takes the number of a token for the value of the formula.
    fn not_a_number<T>(&mut self, expr: ExprRef) -> Option<T> {
        let message = "a temporal formula is used as a number";
        let help = "temporal operators bind tighter than all others: write `[] (x <= 3)`";
        self.diagnostics.push(Diagnostic::error(codes::TEMPORAL, self.ast.span(expr), message).help(help));
        None
    }
}

/// Whether an operator makes a formula of two formulas.
fn connects(op: BinaryOp) -> bool {
    use BinaryOp::{And, Iff, Implies, Or, Release, Until, WeakUntil};
    matches!(op, And | Or | Implies | Iff | Until | Release | WeakUntil)
}
