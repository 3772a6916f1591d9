//! Operators: C's arithmetic on 32-bit integers over the system's integers and booleans.

use super::super::lowering::Lowering;
use super::super::storage::{Extent, word};
use crate::promela::ast::{BinaryOp, Type, UnaryOp};
use system::{Binary, ExprId, Sort, Unary, WordSort};

/// C's int.
const INT: WordSort = WordSort { width: 32, signed: true };

impl Lowering<'_> {
    /// The number that an expression has: 0 or 1 for a boolean one.
    pub fn number(&mut self, expr: ExprId) -> ExprId {
        match self.system.exprs.sort(expr) {
            Sort::Boolean => self.system.exprs.unary(Unary::BooleanToInteger, expr),
            _ => expr,
        }
    }

    /// Whether an expression is not zero.
    pub fn truth(&mut self, expr: ExprId) -> ExprId {
        match self.system.exprs.sort(expr) {
            Sort::Integer { .. } => self.system.exprs.unary(Unary::ToBoolean, expr),
            _ => expr,
        }
    }

    /// What remains of a value that is stored in a variable.
    pub fn truncate(&mut self, expr: ExprId, ty: Type, extent: Extent) -> ExprId {
        let expr = self.number(expr);
        if ty == Type::Chan { expr } else { self.system.exprs.unary(Unary::Truncate(word(ty, extent)), expr) }
    }

    pub fn unary(&mut self, op: UnaryOp, operand: ExprId) -> ExprId {
        match op {
            UnaryOp::Not => {
                let truth = self.truth(operand);
                self.system.exprs.not(truth)
            }
            UnaryOp::Negate => {
                let number = self.number(operand);
                let negated = self.system.exprs.unary(Unary::Negate, number);
                self.system.exprs.unary(Unary::Truncate(INT), negated)
            }
            UnaryOp::Complement => {
                let bits = self.bits(operand);
                let flipped = self.system.exprs.unary(Unary::Complement, bits);
                self.system.exprs.unary(Unary::ToInteger, flipped)
            }
            // A formula is taken apart before its operands are lowered.
            UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next => operand,
        }
    }

    fn bits(&mut self, expr: ExprId) -> ExprId {
        let number = self.number(expr);
        self.system.exprs.unary(Unary::ToWord(INT), number)
    }

    pub fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::Iff => self.logical(op, left, right),
            BinaryOp::Equal | BinaryOp::NotEqual => {
                let (left, right) = (self.number(left), self.number(right));
                let equal = self.system.exprs.equal(left, right);
                if op == BinaryOp::Equal { equal } else { self.system.exprs.not(equal) }
            }
            BinaryOp::Less => self.compare(Binary::Less, left, right),
            BinaryOp::LessEqual => self.compare(Binary::LessEqual, left, right),
            BinaryOp::Greater => self.compare(Binary::Less, right, left),
            BinaryOp::GreaterEqual => self.compare(Binary::LessEqual, right, left),
            BinaryOp::Add => self.arithmetic(Binary::Add, left, right),
            BinaryOp::Subtract => self.arithmetic(Binary::Subtract, left, right),
            BinaryOp::Multiply => self.arithmetic(Binary::Multiply, left, right),
            BinaryOp::Divide => self.arithmetic(Binary::Divide, left, right),
            BinaryOp::Modulo => self.arithmetic(Binary::Modulo, left, right),
            BinaryOp::BitAnd => self.bitwise(Binary::BitAnd, left, right),
            BinaryOp::BitOr => self.bitwise(Binary::BitOr, left, right),
            BinaryOp::BitXor => self.bitwise(Binary::BitXor, left, right),
            BinaryOp::ShiftLeft => self.shift(Binary::ShiftLeft, left, right),
            BinaryOp::ShiftRight => self.shift(Binary::ShiftRight, left, right),
            BinaryOp::Until | BinaryOp::WeakUntil | BinaryOp::Release => left,
        }
    }

    fn logical(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        let (left, right) = (self.truth(left), self.truth(right));
        match op {
            BinaryOp::And => self.both(left, right),
            BinaryOp::Or => self.either(left, right),
            BinaryOp::Implies => {
                let not = self.system.exprs.not(left);
                self.either(not, right)
            }
            _ => self.system.exprs.equal(left, right),
        }
    }

    /// Conjunction, from left to right: what can fail on the right is evaluated only if the left side is true.
    pub fn both(&mut self, left: ExprId, right: ExprId) -> ExprId {
        if self.system.exprs.is_total(right) {
            return self.system.exprs.and(left, right);
        }
        let no = self.system.exprs.boolean(false);
        self.system.exprs.ite(left, right, no)
    }

    /// Disjunction, from left to right.
    pub fn either(&mut self, left: ExprId, right: ExprId) -> ExprId {
        if self.system.exprs.is_total(right) {
            return self.system.exprs.or(left, right);
        }
        let yes = self.system.exprs.boolean(true);
        self.system.exprs.ite(left, yes, right)
    }

    fn compare(&mut self, op: Binary, left: ExprId, right: ExprId) -> ExprId {
        let (left, right) = (self.number(left), self.number(right));
        self.system.exprs.binary(op, left, right)
    }

    fn arithmetic(&mut self, op: Binary, left: ExprId, right: ExprId) -> ExprId {
        let (left, right) = (self.number(left), self.number(right));
        let result = self.system.exprs.binary(op, left, right);
        self.system.exprs.unary(Unary::Truncate(INT), result)
    }

    fn bitwise(&mut self, op: Binary, left: ExprId, right: ExprId) -> ExprId {
        let (left, right) = (self.bits(left), self.bits(right));
        let result = self.system.exprs.binary(op, left, right);
        self.system.exprs.unary(Unary::ToInteger, result)
    }

    /// Shifts by the low five bits of the amount, as machines do.
    fn shift(&mut self, op: Binary, left: ExprId, right: ExprId) -> ExprId {
        let mask = self.integer(31);
        let amount = self.bitwise(Binary::BitAnd, right, mask);
        let five = WordSort { width: 5, signed: false };
        let amount = self.system.exprs.unary(Unary::Truncate(five), amount);
        let bits = self.bits(left);
        let result = self.system.exprs.binary(op, bits, amount);
        self.system.exprs.unary(Unary::ToInteger, result)
    }
}
