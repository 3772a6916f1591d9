//! `ltl` blocks.

use super::super::lowering::Lowering;
use super::sight::Sight;
use crate::diagnostic::Diagnostic;
use crate::promela::ast::{BinaryOp, Expr, ExprRef, UnaryOp};
use crate::promela::codes;
use system::{
    BinaryTemporal, Claim, ClaimAutomaton, ClaimMove, ClaimStateId, Formula, FormulaId, IndexVec, Statements,
    UnaryTemporal,
};

impl Lowering<'_> {
    /// A formula that says the same as `[] p`, without temporal operators in p, is an invariant of the states that a
    /// claim sees.
    pub fn claim(&mut self, formula: ExprRef, sight: &Sight) -> Option<Claim> {
        if let Some(parts) = self.invariant(formula) {
            let mut claim = self.system.exprs.boolean(true);
            for (part, holds) in parts {
                let value = self.condition(part)?;
                let value = if holds { value } else { self.system.exprs.not(value) };
                claim = self.both(claim, value);
            }
            let state = self.system.formulas.add(Formula::State(claim));
            let always = self.system.formulas.add(Formula::Unary(UnaryTemporal::Globally, None, state));
            self.system.written.insert(self.system.properties.next_idx(), always);
            let hidden = self.hidden(sight);
            // What cannot fail is asked first: it mostly holds.
            let is_total = self.system.exprs.is_total(claim);
            let claim = if is_total { self.either(claim, hidden) } else { self.either(hidden, claim) };
            return Some(Claim::Invariant(claim));
        }
        self.formula(formula).map(Claim::Ltl)
    }

    /// SPIN's automaton of a formula that says the same as `[] p`: an atomic section that finds p false, or waiting.
    pub fn automaton_of_formula(&mut self, name: &str, formula: ExprRef) {
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
    pub fn invariant(&self, formula: ExprRef) -> Option<Vec<(ExprRef, bool)>> {
        let mut parts = Vec::new();
        // A formula, whether it is not negated, and whether it is about every state.
        let mut open = vec![(formula, true, false)];
        while let Some((expr, holds, always)) = open.pop() {
            if always && !self.is_temporal(expr) {
                parts.push((expr, holds));
                continue;
            }
            match (self.program.ast.expr(expr), holds) {
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
        self.program.ast.within(formula).any(|part| match part {
            Expr::Unary(op, _) => matches!(op, UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next),
            Expr::Binary(op, ..) => matches!(op, BinaryOp::Until | BinaryOp::WeakUntil | BinaryOp::Release),
            _ => false,
        })
    }

    /// Whether a formula speaks of `timeout`. In SPIN that is true where the processes have tried and cannot move, which is
    /// no condition on a state: in the same state it is false before they try.
    pub fn asks_for_timeout(&self, formula: ExprRef) -> bool {
        self.program.ast.within(formula).any(|part| matches!(part, Expr::Timeout))
    }

    /// A formula of LTL. The depth of formulas is bounded by the parser.
    fn formula(&mut self, expr: ExprRef) -> Option<FormulaId> {
        let place = self.program.ast.span(expr);
        if !self.is_temporal(expr) {
            let condition = self.condition(expr)?;
            return Some(self.system.formulas.add_at(Formula::State(condition), place));
        }
        let formula = match self.program.ast.expr(expr).clone() {
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
        Some(self.system.formulas.add_at(formula, place))
    }

    /// SPIN takes the number of a token for the value of the formula.
    fn not_a_number<T>(&mut self, expr: ExprRef) -> Option<T> {
        let message = "a temporal formula is used as a number";
        let help = "temporal operators bind tighter than all others: write `[] (x <= 3)`";
        self.diagnostics.push(Diagnostic::error(codes::TEMPORAL, self.program.ast.span(expr), message).help(help));
        None
    }
}

/// Whether an operator makes a formula of two formulas.
fn connects(op: BinaryOp) -> bool {
    use BinaryOp::{And, Iff, Implies, Or, Release, Until, WeakUntil};
    matches!(op, And | Or | Implies | Iff | Until | Release | WeakUntil)
}
