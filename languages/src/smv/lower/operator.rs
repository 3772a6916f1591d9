//! Operators: SMV's typing rules, and what each operator becomes in the system.

use super::expr::Operand;
use super::value::{InstanceId, Lowered, Ty, Typed};
use super::{Lowering, codes};
use crate::diagnostic::Diagnostic;
use crate::smv::ast::{Infix, NodeId, Prefix};
use rustc_hash::{FxHashMap, FxHashSet};
use system::{Binary, ExprId, Formula, FormulaId, Node, Sort, Span, Unary, WIDEST_WORD, WordSort};

/// The longest range that is written out element by element.
const LONGEST_RANGE: i64 = 1 << 20;

impl Lowering<'_> {
    /// A boolean expression. 0 and 1 are taken as booleans, with a warning, as old models use them.
    pub fn condition(&mut self, operand: &Operand) -> Option<ExprId> {
        let typed = self.single(operand)?;
        let span = operand.span(self);
        if let Some(expr) = self.as_boolean(typed, span) {
            return Some(expr);
        }
        let message = format!("a boolean is needed here, and this is of type {}", typed.ty.describe());
        self.error(codes::CONDITION_TYPE, span, message);
        None
    }

    /// The boolean that a value is, or that 0 or 1 stands for.
    pub fn as_boolean(&mut self, typed: Typed, span: Span) -> Option<ExprId> {
        match (typed.ty, self.system.exprs.constant_value(typed.expr)) {
            (Ty::Boolean, _) => Some(typed.expr),
            (Ty::Integer, Some(value @ (0 | 1))) => {
                self.warn_legacy_boolean(span);
                Some(self.system.exprs.boolean(value == 1))
            }
            _ => None,
        }
    }

    pub fn warn_legacy_boolean(&mut self, span: Span) {
        let message = "0 and 1 are used as booleans here";
        let warning = Diagnostic::warning(codes::LEGACY_BOOLEAN, span, message);
        self.diagnostics.push(warning.help("write FALSE and TRUE: NuSMV rejects numbers here"));
    }

    fn mismatch(&mut self, op: &str, a: Ty, b: Ty, span: Span) -> Lowered {
        let message = format!("`{op}` cannot be applied to {} and {}", a.describe(), b.describe());
        let help = match (a, b) {
            (Ty::Boolean, Ty::Integer) | (Ty::Integer, Ty::Boolean) => {
                "booleans and integers do not mix: compare with TRUE, or convert with toint() or bool()"
            }
            (Ty::Word(x), Ty::Word(y)) if x.signed != y.signed => "convert one side with signed() or unsigned()",
            (Ty::Word(_), Ty::Word(_)) => "bring both to one width with extend() or resize()",
            (Ty::Word(_), Ty::Integer) | (Ty::Integer, Ty::Word(_)) => {
                "write a word constant such as 0ud8_5, or convert with toint()"
            }
            _ => return self.error(codes::TYPE, span, message),
        };
        self.error_with_help(codes::TYPE, span, message, help)
    }

    pub fn prefix(&mut self, op: Prefix, a: Operand, span: Span) -> Lowered {
        if let (Prefix::Not, Lowered::Formula(formula)) = (op, &a.value) {
            return Lowered::Formula(self.system.formulas.add_at(Formula::Not(*formula), span));
        }
        let Some(typed) = self.single(&a) else { return Lowered::Wrong };
        let (unary, ty) = match (op, typed.ty) {
            (Prefix::Not, Ty::Word(_)) => (Unary::Complement, typed.ty),
            (Prefix::Not, _) => {
                let Some(condition) = self.condition(&a) else { return Lowered::Wrong };
                let expr = self.system.exprs.not(condition);
                return Lowered::Value(Typed { expr, ty: Ty::Boolean });
            }
            (Prefix::Minus, Ty::Integer | Ty::Word(_)) => (Unary::Negate, typed.ty),
            (Prefix::Minus, ty) => {
                return self.error(codes::TYPE, span, format!("`-` cannot be applied to {}", ty.describe()));
            }
        };
        let expr = self.system.exprs.unary(unary, typed.expr);
        Lowered::Value(Typed { expr, ty })
    }

    pub fn infix(&mut self, op: Infix, a: Operand, b: Operand, span: Span) -> Lowered {
        match op {
            Infix::And | Infix::Or | Infix::Xor | Infix::Xnor | Infix::Implies | Infix::Iff => {
                self.logical(op, a, b, span)
            }
            Infix::Equal | Infix::NotEqual => self.equality(op, a, b, span),
            Infix::Less | Infix::Greater | Infix::LessEqual | Infix::GreaterEqual => self.order(op, a, b, span),
            Infix::Plus | Infix::Minus | Infix::Times | Infix::Divide | Infix::Mod => self.arithmetic(op, a, b, span),
            Infix::ShiftLeft | Infix::ShiftRight => self.shift(op, a, b, span),
            Infix::Concat => self.concat(a, b, span),
            Infix::Range => self.range(a, b, span),
            Infix::Union => self.set(&[(a.node, a.value), (b.node, b.value)], span),
            Infix::In => self.membership(a, b, span),
        }
    }

    fn logical(&mut self, op: Infix, a: Operand, b: Operand, span: Span) -> Lowered {
        if matches!(a.value, Lowered::Formula(_)) || matches!(b.value, Lowered::Formula(_)) {
            let (Some(a), Some(b)) = (self.formula(&a), self.formula(&b)) else { return Lowered::Wrong };
            return Lowered::Formula(self.logical_formula(op, a, b, span));
        }
        let (Some(x), Some(y)) = (self.single(&a), self.single(&b)) else { return Lowered::Wrong };
        if let (Ty::Word(_), Ty::Word(_)) = (x.ty, y.ty) {
            if x.ty != y.ty {
                return self.mismatch(op.text(), x.ty, y.ty, span);
            }
            let expr = self.bitwise(op, x.expr, y.expr);
            return Lowered::Value(Typed { expr, ty: x.ty });
        }
        if matches!(x.ty, Ty::Word(_)) || matches!(y.ty, Ty::Word(_)) {
            return self.mismatch(op.text(), x.ty, y.ty, span);
        }
        let (Some(x), Some(y)) = (self.condition(&a), self.condition(&b)) else { return Lowered::Wrong };
        if op == Infix::And && self.lowers_specs {
            let places = [(x, a.span(self)), (y, b.span(self))];
            self.system.conjuncts.extend(places);
        }
        let expr = self.logical_expr(op, x, y);
        Lowered::Value(Typed { expr, ty: Ty::Boolean })
    }

    fn logical_formula(&mut self, op: Infix, a: FormulaId, b: FormulaId, span: Span) -> FormulaId {
        let formula = match op {
            Infix::And => Formula::And(a, b),
            Infix::Or => Formula::Or(a, b),
            Infix::Xor => Formula::Xor(a, b),
            Infix::Implies => Formula::Implies(a, b),
            _ => Formula::Iff(a, b),
        };
        self.system.formulas.add_at(formula, span)
    }

    /// What can fail is evaluated last, so that the other operand can keep it from failing: `a[i] & i < 2` means
    /// the same as `i < 2 & a[i]`.
    fn logical_expr(&mut self, op: Infix, a: ExprId, b: ExprId) -> ExprId {
        let exprs = &mut self.system.exprs;
        let (first, last) = if exprs.is_total(b) && !exprs.is_total(a) { (b, a) } else { (a, b) };
        match op {
            Infix::And => exprs.and(first, last),
            Infix::Or => exprs.or(first, last),
            Infix::Xor => exprs.binary(Binary::Xor, a, b),
            Infix::Implies => {
                let not_a = exprs.not(a);
                if first == a { exprs.or(not_a, b) } else { exprs.or(b, not_a) }
            }
            _ => exprs.equal(a, b),
        }
    }

    fn bitwise(&mut self, op: Infix, a: ExprId, b: ExprId) -> ExprId {
        let exprs = &mut self.system.exprs;
        match op {
            Infix::And => exprs.binary(Binary::BitAnd, a, b),
            Infix::Or => exprs.binary(Binary::BitOr, a, b),
            Infix::Xor => exprs.binary(Binary::BitXor, a, b),
            Infix::Implies => {
                let not_a = exprs.unary(Unary::Complement, a);
                exprs.binary(Binary::BitOr, not_a, b)
            }
            _ => {
                let differs = exprs.binary(Binary::BitXor, a, b);
                exprs.unary(Unary::Complement, differs)
            }
        }
    }

    fn equality(&mut self, op: Infix, a: Operand, b: Operand, span: Span) -> Lowered {
        if let (Lowered::Selector, Lowered::Instance(id)) | (Lowered::Instance(id), Lowered::Selector) =
            (&a.value, &b.value)
        {
            return self.selects(op, *id, span);
        }
        let (Some(x), Some(y)) = (self.single(&a), self.single(&b)) else { return Lowered::Wrong };
        let (x, y) = self.unify_booleans(x, y, span);
        if !x.ty.converts_to(y.ty) && !y.ty.converts_to(x.ty) {
            return self.mismatch(op.text(), x.ty, y.ty, span);
        }
        let equal = self.system.exprs.equal(x.expr, y.expr);
        let expr = if op == Infix::Equal { equal } else { self.system.exprs.not(equal) };
        Lowered::Value(Typed { expr, ty: Ty::Boolean })
    }

    /// `_process_selector_ = p` says that p runs.
    fn selects(&mut self, op: Infix, id: InstanceId, span: Span) -> Lowered {
        if !self.instance(id).is_process {
            return self.error(codes::RUNNING, span, "this instance is no process");
        }
        let running = self.system.exprs.running(self.instance(id).number);
        let expr = if op == Infix::Equal { running } else { self.system.exprs.not(running) };
        Lowered::Value(Typed { expr, ty: Ty::Boolean })
    }

    /// Takes 0 or 1 beside a boolean as a boolean.
    fn unify_booleans(&mut self, a: Typed, b: Typed, span: Span) -> (Typed, Typed) {
        match (a.ty, b.ty) {
            (Ty::Boolean, Ty::Integer) => (a, self.choice_as_boolean(b, span)),
            (Ty::Integer, Ty::Boolean) => (self.choice_as_boolean(a, span), b),
            _ => (a, b),
        }
    }

    /// 0 or 1 as a boolean; anything else as it is.
    fn choice_as_boolean(&mut self, typed: Typed, span: Span) -> Typed {
        self.as_boolean_choice(typed, span).map_or(typed, |expr| Typed { expr, ty: Ty::Boolean })
    }

    /// The boolean choice that an integer choice among 0 and 1 stands for.
    pub fn as_boolean_choice(&mut self, typed: Typed, span: Span) -> Option<ExprId> {
        if typed.ty == Ty::Boolean {
            return Some(typed.expr);
        }
        if typed.ty != Ty::Integer {
            return None;
        }
        let mut done: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        for id in self.choice_positions(typed.expr) {
            let exprs = &mut self.system.exprs;
            let new = match *exprs.node(id) {
                Node::Constant(value @ (0 | 1)) => exprs.boolean(value == 1),
                Node::Interval(low, high) if low >= 0 && high <= 1 => {
                    let (low, high) = (exprs.boolean(low == 1), exprs.boolean(high == 1));
                    exprs.union(low, high)
                }
                Node::Union(a, b) => exprs.union(done[&a], done[&b]),
                Node::Ite(c, a, b) => exprs.ite(c, done[&a], done[&b]),
                Node::Gap(_) => id,
                _ => return None,
            };
            done.insert(id, new);
        }
        self.warn_legacy_boolean(span);
        done.get(&typed.expr).copied()
    }

    /// The parts of an expression that its value can come from, operands first: branches and members of sets.
    fn choice_positions(&self, root: ExprId) -> Vec<ExprId> {
        let mut seen = FxHashSet::default();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if let (true, Node::Union(a, b) | Node::Ite(_, a, b)) = (seen.insert(id), self.system.exprs.node(id)) {
                open.extend([*a, *b]);
            }
        }
        let mut found: Vec<ExprId> = seen.into_iter().collect();
        found.sort_unstable();
        found
    }

    fn order(&mut self, op: Infix, a: Operand, b: Operand, span: Span) -> Lowered {
        let (Some(x), Some(y)) = (self.single(&a), self.single(&b)) else { return Lowered::Wrong };
        if x.ty != y.ty || !matches!(x.ty, Ty::Integer | Ty::Word(_)) {
            return self.mismatch(op.text(), x.ty, y.ty, span);
        }
        let exprs = &mut self.system.exprs;
        let expr = match op {
            Infix::Less => exprs.binary(Binary::Less, x.expr, y.expr),
            Infix::LessEqual => exprs.binary(Binary::LessEqual, x.expr, y.expr),
            Infix::Greater => exprs.binary(Binary::Less, y.expr, x.expr),
            _ => exprs.binary(Binary::LessEqual, y.expr, x.expr),
        };
        Lowered::Value(Typed { expr, ty: Ty::Boolean })
    }

    fn arithmetic(&mut self, op: Infix, a: Operand, b: Operand, span: Span) -> Lowered {
        let (Some(x), Some(y)) = (self.single(&a), self.single(&b)) else { return Lowered::Wrong };
        if x.ty != y.ty || !matches!(x.ty, Ty::Integer | Ty::Word(_)) {
            return self.mismatch(op.text(), x.ty, y.ty, span);
        }
        let binary = match op {
            Infix::Plus => Binary::Add,
            Infix::Minus => Binary::Subtract,
            Infix::Times => Binary::Multiply,
            Infix::Divide => Binary::Divide,
            _ => Binary::Modulo,
        };
        if matches!(binary, Binary::Divide | Binary::Modulo) && self.system.exprs.constant_value(y.expr) == Some(0) {
            let place = b.span(self);
            return self.error(codes::NUMBER, place, "division by zero");
        }
        let expr = self.system.exprs.binary(binary, x.expr, y.expr);
        Lowered::Value(Typed { expr, ty: x.ty })
    }

    fn shift(&mut self, op: Infix, a: Operand, b: Operand, span: Span) -> Lowered {
        let (Some(x), Some(y)) = (self.single(&a), self.single(&b)) else { return Lowered::Wrong };
        let Ty::Word(word) = x.ty else { return self.mismatch(op.text(), x.ty, y.ty, span) };
        match y.ty {
            Ty::Integer => {}
            Ty::Word(by) if !by.signed => {}
            _ => return self.mismatch(op.text(), x.ty, y.ty, span),
        }
        let binary = if op == Infix::ShiftLeft { Binary::ShiftLeft } else { Binary::ShiftRight };
        if let Some(amount) = self.system.exprs.constant_value(y.expr)
            && !(0..=i64::from(word.width)).contains(&amount)
        {
            let place = b.span(self);
            let message = format!("a word of {} bits cannot be shifted by {amount}", word.width);
            return self.error(codes::WIDTH, place, message);
        }
        let expr = self.system.exprs.binary(binary, x.expr, y.expr);
        Lowered::Value(Typed { expr, ty: x.ty })
    }

    fn concat(&mut self, a: Operand, b: Operand, span: Span) -> Lowered {
        let (Some(x), Some(y)) = (self.single(&a), self.single(&b)) else { return Lowered::Wrong };
        let (Ty::Word(left), Ty::Word(right)) = (x.ty, y.ty) else {
            return self.mismatch("::", x.ty, y.ty, span);
        };
        let width = left.width + right.width;
        if width > WIDEST_WORD {
            let message = format!("this word would have {width} bits; {WIDEST_WORD} is the most");
            return self.error(codes::WIDTH, span, message);
        }
        let expr = self.system.exprs.binary(Binary::Concat, x.expr, y.expr);
        Lowered::Value(Typed { expr, ty: Ty::Word(WordSort { width, signed: false }) })
    }

    /// Wraps an expression that is a word by construction.
    pub fn typed_word(&self, expr: ExprId) -> Lowered {
        match self.system.exprs.sort(expr) {
            Sort::Word(word) => Lowered::Value(Typed { expr, ty: Ty::Word(word) }),
            other => unreachable!("a word operator made {other:?}"),
        }
    }

    fn range(&mut self, a: Operand, b: Operand, span: Span) -> Lowered {
        let (Some(x), Some(y)) = (self.single(&a), self.single(&b)) else { return Lowered::Wrong };
        let constants = (self.system.exprs.constant_value(x.expr), self.system.exprs.constant_value(y.expr));
        let ((Some(low), Some(high)), Ty::Integer, Ty::Integer) = (constants, x.ty, y.ty) else {
            return self.error(codes::CONSTANT, span, "the ends of a range are integer constants");
        };
        if low > high {
            return self.error(codes::EMPTY_RANGE, span, format!("the range {low}..{high} is empty"));
        }
        if high - low >= LONGEST_RANGE {
            return self.error(codes::TOO_LARGE, span, "this range is too long to choose from");
        }
        let expr = self.system.exprs.interval(low, high);
        Lowered::Value(Typed { expr, ty: Ty::Integer })
    }

    /// `{a, b, c}` or `a union b`.
    pub fn set(&mut self, members: &[(NodeId, Lowered)], span: Span) -> Lowered {
        let mut result: Option<Typed> = None;
        for member in members {
            let operand = Operand::from(member);
            let Some(typed) = self.value(&operand) else { return Lowered::Wrong };
            result = Some(match result {
                None => typed,
                Some(before) => {
                    let (before, typed) = self.unify_booleans(before, typed, span);
                    match before.ty.join(typed.ty) {
                        Some(ty) if !matches!(ty, Ty::Word(_)) => {
                            Typed { expr: self.system.exprs.union(before.expr, typed.expr), ty }
                        }
                        Some(_) => {
                            let help = "leave the variable unassigned and constrain it with TRANS";
                            let message = "words cannot be members of a set";
                            return self.error_with_help(codes::TYPE, span, message, help);
                        }
                        None => return self.mismatch("union", before.ty, typed.ty, span),
                    }
                }
            });
        }
        result.map_or(Lowered::Wrong, Lowered::Value)
    }

    fn membership(&mut self, a: Operand, b: Operand, span: Span) -> Lowered {
        let (Some(x), Some(y)) = (self.value(&a), self.value(&b)) else { return Lowered::Wrong };
        let (x, y) = self.unify_booleans(x, y, span);
        let fits = x.ty.converts_to(y.ty) || y.ty.converts_to(x.ty);
        if !fits || matches!(x.ty, Ty::Word(_)) {
            return self.mismatch("in", x.ty, y.ty, span);
        }
        let Some(members) = self.members(x.expr) else {
            return self.error(codes::SET, span, "the left side of `in` is too large a set");
        };
        let mut all = self.system.exprs.boolean(true);
        for member in members {
            let is_in = self.is_member(member, y.expr);
            all = self.system.exprs.and(all, is_in);
        }
        Lowered::Value(Typed { expr: all, ty: Ty::Boolean })
    }

    /// The values of the left side of `in`: one, unless it is a set without conditions.
    fn members(&mut self, root: ExprId) -> Option<Vec<ExprId>> {
        let (mut open, mut members) = (vec![root], Vec::new());
        while let Some(id) = open.pop() {
            match *self.system.exprs.node(id) {
                Node::Union(a, b) => open.extend([b, a]),
                Node::Interval(low, high) if high - low < 10_000 => {
                    members.extend((low..=high).map(|value| self.system.exprs.integer(value)));
                }
                _ if self.system.exprs.is_set(id) => return None,
                _ => members.push(id),
            }
        }
        Some(members)
    }

    /// Whether a value is among those of a choice.
    fn is_member(&mut self, value: ExprId, set: ExprId) -> ExprId {
        let mut done: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        let parts = if self.system.exprs.is_set(set) { self.choice_positions(set) } else { vec![set] };
        for id in parts {
            let exprs = &mut self.system.exprs;
            let new = match *exprs.node(id) {
                Node::Union(a, b) => exprs.or(done[&a], done[&b]),
                Node::Ite(c, a, b) if exprs.is_set(id) => exprs.ite(c, done[&a], done[&b]),
                Node::Interval(low, high) => {
                    let (low, high) = (exprs.integer(low), exprs.integer(high));
                    // Symbols of a mixed enumeration lie above every integer, so the comparison is right for them.
                    let (above, below) =
                        (exprs.binary(Binary::LessEqual, low, value), exprs.binary(Binary::LessEqual, value, high));
                    exprs.and(above, below)
                }
                Node::Gap(_) => id,
                _ => exprs.equal(value, id),
            };
            done.insert(id, new);
        }
        done[&set]
    }

    pub fn conditional(&mut self, c: Operand, a: Lowered, b: Lowered, span: Span) -> Lowered {
        match self.condition(&c) {
            Some(condition) => self.choose(condition, a, b, span),
            None => Lowered::Wrong,
        }
    }

    /// `then` or `otherwise`, whatever they are: values, or arrays element by element.
    fn choose(&mut self, condition: ExprId, then: Lowered, otherwise: Lowered, span: Span) -> Lowered {
        match (&then, &otherwise) {
            (Lowered::Wrong, _) | (_, Lowered::Wrong) => return Lowered::Wrong,
            (Lowered::Value(x), Lowered::Value(y)) => {
                let (x, y) = self.unify_booleans(*x, *y, span);
                return match x.ty.join(y.ty) {
                    Some(ty) => Lowered::Value(Typed { expr: self.system.exprs.ite(condition, x.expr, y.expr), ty }),
                    None => self.mismatch("?:", x.ty, y.ty, span),
                };
            }
            _ => {}
        }
        match (self.items(&then), self.items(&otherwise)) {
            (Some((low, a)), Some((other_low, b))) if low == other_low && a.len() == b.len() => {
                let pairs: Vec<(Lowered, Lowered)> = a.into_iter().zip(b).collect();
                let chosen =
                    pairs.into_iter().map(|(a, b)| self.choose(condition, a, b, span)).collect::<Vec<Lowered>>();
                Lowered::Array { low, items: std::rc::Rc::new(chosen) }
            }
            _ if matches!(then, Lowered::Formula(_)) || matches!(otherwise, Lowered::Formula(_)) => {
                let message = "a temporal formula can be part of temporal and boolean formulas only";
                self.error(codes::TEMPORAL, span, message)
            }
            _ => self.error(codes::TYPE, span, "the branches are of different kinds"),
        }
    }

    pub fn case(&mut self, branches: &[(NodeId, Lowered)], span: Span) -> Lowered {
        let mut result: Option<Lowered> = None;
        for pair in branches.chunks(2).rev() {
            let [guard, value] = pair else { return Lowered::Wrong };
            let Some(condition) = self.condition(&Operand::from(guard)) else { return Lowered::Wrong };
            let place = self.ast.span(value.0);
            result = Some(match result {
                Some(otherwise) => self.choose(condition, value.1.clone(), otherwise, place),
                None => self.last_branch(condition, value.1.clone(), span),
            });
        }
        result.unwrap_or(Lowered::Wrong)
    }

    /// Where no branch applies there is no value.
    fn last_branch(&mut self, condition: ExprId, value: Lowered, span: Span) -> Lowered {
        if self.system.exprs.constant_value(condition) == Some(1) {
            return value;
        }
        match value {
            Lowered::Value(typed) => {
                let gap = self.system.exprs.gap(span);
                let expr = self.system.exprs.ite(condition, typed.expr, gap);
                Lowered::Value(Typed { expr, ty: typed.ty })
            }
            Lowered::Wrong => Lowered::Wrong,
            _ => self.error(codes::UNSUPPORTED, span, "a case over arrays needs a TRUE branch"),
        }
    }
}
