//! Properties: assertions, valid end states, and the `ltl` blocks.

use super::super::ast::{BinaryOp, Expr, ExprRef, UnaryOp};
use super::Lowering;
use super::effect::Effects;
use super::expr::Context;
use rustc_hash::FxHashMap;
use system::{BinaryTemporal, Claim, ExprId, Formula, FormulaId, Property, Span, UnaryTemporal};

/// Why a formula cannot be checked.
const NOT_A_FORMULA: &str = "a temporal formula is used as a number";

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
        self.property("end_states".to_owned(), Claim::DeadlockFree, Span::default());
        let ast = self.ast;
        for formula in &ast.formulas {
            let Some(claim) = self.claim(formula.formula) else { continue };
            self.property(formula.name.to_string(), claim, formula.span);
        }
        for (name, span) in &ast.claims {
            let why = "never claims are not checked yet".to_owned();
            self.property(name.to_string(), Claim::Unsupported(why), *span);
        }
    }

    fn property(&mut self, name: String, claim: Claim, span: Span) {
        self.system.properties.push(Property { name, claim, span });
    }

    /// `[] p` without temporal operators in p is an invariant.
    fn claim(&mut self, formula: ExprRef) -> Option<Claim> {
        if let Expr::Unary(UnaryOp::Always, inner) = self.ast.expr(formula)
            && !self.is_temporal(*inner)
        {
            let holds = self.condition(*inner)?;
            let hidden = self.inside_d_step();
            let claim = self.either(hidden, holds);
            return Some(Claim::Invariant(claim));
        }
        let formula = self.formula(formula)?;
        Some(formula.map_or_else(|| Claim::Unsupported(NOT_A_FORMULA.to_owned()), Claim::Ltl))
    }

    fn condition(&mut self, expr: ExprRef) -> Option<ExprId> {
        let none = Effects::default();
        let value = self.value(Context { instance: None, effects: &none, created: None }, expr)?;
        Some(self.truth(value))
    }

    /// Whether some process is inside a `d_step`, so that nobody sees the state.
    fn inside_d_step(&mut self) -> ExprId {
        let mut inside = self.system.exprs.boolean(false);
        for instance in self.instances.clone() {
            for point in 0..self.automata[instance.proctype].points.len() {
                if self.automata[instance.proctype].points[point].inside_d_step {
                    let (pc, value) = (self.now(instance.pc), self.integer(point as i64 + 1));
                    let at = self.system.exprs.equal(pc, value);
                    inside = self.system.exprs.or(inside, at);
                }
            }
        }
        inside
    }

    fn is_temporal(&self, formula: ExprRef) -> bool {
        let mut open = vec![formula];
        while let Some(expr) = open.pop() {
            match self.ast.expr(expr) {
                Expr::Unary(UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next, _) => return true,
                Expr::Binary(BinaryOp::Until | BinaryOp::WeakUntil | BinaryOp::Release, ..) => return true,
                Expr::Unary(_, a) => open.push(*a),
                Expr::Binary(_, a, b) => open.extend([*a, *b]),
                Expr::Conditional(a, b, c) => open.extend([*a, *b, *c]),
                _ => {}
            }
        }
        false
    }

    /// A formula of LTL; `Some(None)` if a temporal operator is inside an arithmetic one. The depth of formulas is bounded by the parser.
    fn formula(&mut self, expr: ExprRef) -> Option<Option<FormulaId>> {
        if !self.is_temporal(expr) {
            let condition = self.condition(expr)?;
            return Some(Some(self.system.formulas.add(Formula::State(condition))));
        }
        let formula = match self.ast.expr(expr).clone() {
            Expr::Unary(op, inner) => {
                let Some(inner) = self.formula(inner)? else { return Some(None) };
                match op {
                    UnaryOp::Always => Formula::Unary(UnaryTemporal::Globally, None, inner),
                    UnaryOp::Eventually => Formula::Unary(UnaryTemporal::Finally, None, inner),
                    UnaryOp::Next => Formula::Unary(UnaryTemporal::Next, None, inner),
                    _ => Formula::Not(inner),
                }
            }
            Expr::Binary(op, left, right) => {
                let (Some(left), Some(right)) = (self.formula(left)?, self.formula(right)?) else { return Some(None) };
                match op {
                    BinaryOp::And => Formula::And(left, right),
                    BinaryOp::Or => Formula::Or(left, right),
                    BinaryOp::Implies => Formula::Implies(left, right),
                    BinaryOp::Iff | BinaryOp::Equal => Formula::Iff(left, right),
                    BinaryOp::NotEqual => Formula::Xor(left, right),
                    BinaryOp::Until => Formula::Binary(BinaryTemporal::Until, None, left, right),
                    BinaryOp::Release => Formula::Binary(BinaryTemporal::Releases, None, left, right),
                    BinaryOp::WeakUntil => {
                        let always = self.system.formulas.add(Formula::Unary(UnaryTemporal::Globally, None, left));
                        let until = Formula::Binary(BinaryTemporal::Until, None, left, right);
                        let until = self.system.formulas.add(until);
                        Formula::Or(always, until)
                    }
                    _ => return Some(None),
                }
            }
            _ => return Some(None),
        };
        Some(Some(self.system.formulas.add(formula)))
    }
}
