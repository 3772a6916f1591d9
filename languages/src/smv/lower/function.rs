//! Built-in functions.

use super::expr::Operand;
use super::value::{Lowered, Ty, Typed};
use super::{Lowering, codes};
use crate::smv::ast::{Function, NodeId};
use system::{Binary, ExprId, Footprint, Span, Unary, WIDEST_WORD, WordSort};

impl Lowering<'_> {
    pub fn call(&mut self, function: Function, arguments: &[(NodeId, Lowered)], span: Span) -> Lowered {
        if function == Function::Count {
            return self.count(arguments);
        }
        let mut typed = Vec::new();
        for argument in arguments {
            let operand = Operand::from(argument);
            match if function == Function::Next { self.value(&operand) } else { self.single(&operand) } {
                Some(value) => typed.push(value),
                None => return Lowered::Wrong,
            }
        }
        match (function, typed.as_slice()) {
            (Function::Next, [a]) => self.next(*a, span),
            (Function::Bool, [a]) => self.boolean_of(*a, span),
            (Function::Word1, [a]) => self.word1(*a, span),
            (Function::Signed | Function::Unsigned, [a]) => self.reinterpret(function, *a, span),
            (Function::Extend | Function::Resize, [a, by]) => self.resize(function, *a, *by, span),
            (Function::SizeOf, [a]) => match a.ty {
                Ty::Word(word) => self.integer(word.width.into()),
                ty => self.error(codes::TYPE, span, format!("sizeof() takes a word, not {}", ty.describe())),
            },
            (Function::ToInt, [a]) => self.integer_of(*a, span),
            (Function::UnsignedConst | Function::SignedConst, [value, width]) => {
                self.word_of(function, *value, *width, span)
            }
            (Function::Abs, [a]) => self.abs(*a, span),
            (Function::Min | Function::Max, [a, b]) => self.extreme(function, *a, *b, span),
            _ => unreachable!("the parser counts the arguments"),
        }
    }

    fn next(&mut self, a: Typed, span: Span) -> Lowered {
        let reads = Footprint::of(&self.system.exprs, &[a.expr]);
        if !reads.next.is_empty() {
            return self.error(codes::NEXT, span, "next() of something that speaks of the next state already");
        }
        if reads.running || reads.has_inputs(&self.system) {
            return self.error(codes::INPUT, span, "an input has no next value");
        }
        Lowered::Value(Typed { expr: self.system.exprs.shift(a.expr), ty: a.ty })
    }

    fn boolean_of(&mut self, a: Typed, span: Span) -> Lowered {
        let expr = match a.ty {
            Ty::Boolean => a.expr,
            Ty::Integer => self.system.exprs.unary(Unary::ToBoolean, a.expr),
            Ty::Word(word) if word.width == 1 && !word.signed => {
                let one = self.system.exprs.constant(1, system::Sort::Word(word));
                self.system.exprs.equal(a.expr, one)
            }
            ty => {
                let message = format!("bool() takes an integer or an unsigned word[1], not {}", ty.describe());
                return self.error(codes::TYPE, span, message);
            }
        };
        Lowered::Value(Typed { expr, ty: Ty::Boolean })
    }

    fn word1(&mut self, a: Typed, span: Span) -> Lowered {
        if a.ty != Ty::Boolean {
            return self.error(codes::TYPE, span, format!("word1() takes a boolean, not {}", a.ty.describe()));
        }
        let expr = self.system.exprs.unary(Unary::ToWord(WordSort { width: 1, signed: false }), a.expr);
        self.typed_word(expr)
    }

    fn reinterpret(&mut self, function: Function, a: Typed, span: Span) -> Lowered {
        let signed = function == Function::Signed;
        let (name, other) = if signed { ("signed", "an unsigned") } else { ("unsigned", "a signed") };
        match a.ty {
            Ty::Word(word) if word.signed != signed => {
                let to = WordSort { signed, ..word };
                let expr = self.system.exprs.unary(Unary::Reinterpret(to), a.expr);
                self.typed_word(expr)
            }
            ty => self.error(codes::TYPE, span, format!("{name}() takes {other} word, not {}", ty.describe())),
        }
    }

    fn resize(&mut self, function: Function, a: Typed, by: Typed, span: Span) -> Lowered {
        let Ty::Word(word) = a.ty else {
            return self.error(codes::TYPE, span, format!("a word is needed here, not {}", a.ty.describe()));
        };
        let (Some(by), Ty::Integer) = (self.system.exprs.constant_value(by.expr), by.ty) else {
            return self.error(codes::CONSTANT, span, "the width is an integer constant");
        };
        let width = if function == Function::Extend { i64::from(word.width).saturating_add(by) } else { by };
        let least = if function == Function::Extend { i64::from(word.width) } else { 1 };
        if !(least..=i64::from(WIDEST_WORD)).contains(&width) {
            return self.error(codes::WIDTH, span, format!("words have 1 to {WIDEST_WORD} bits"));
        }
        let to = WordSort { width: width as u32, ..word };
        let expr = self.system.exprs.unary(Unary::Resize(to), a.expr);
        self.typed_word(expr)
    }

    fn integer_of(&mut self, a: Typed, span: Span) -> Lowered {
        let expr = match a.ty {
            Ty::Integer => a.expr,
            Ty::Boolean => self.system.exprs.unary(Unary::BooleanToInteger, a.expr),
            Ty::Word(_) => self.system.exprs.unary(Unary::ToInteger, a.expr),
            ty => {
                let message = format!("toint() takes a word, a boolean or an integer, not {}", ty.describe());
                return self.error(codes::TYPE, span, message);
            }
        };
        Lowered::Value(Typed { expr, ty: Ty::Integer })
    }

    fn count(&mut self, arguments: &[(NodeId, Lowered)]) -> Lowered {
        let mut sum = self.system.exprs.integer(0);
        for argument in arguments {
            let Some(condition) = self.condition(&Operand::from(argument)) else { return Lowered::Wrong };
            let one = self.system.exprs.unary(Unary::BooleanToInteger, condition);
            sum = self.system.exprs.binary(Binary::Add, sum, one);
        }
        Lowered::Value(Typed { expr: sum, ty: Ty::Integer })
    }

    fn word_of(&mut self, function: Function, value: Typed, width: Typed, span: Span) -> Lowered {
        let constants = [value, width].map(|typed| (self.system.exprs.constant_value(typed.expr), typed.ty));
        let [(Some(value), Ty::Integer), (Some(width), Ty::Integer)] = constants else {
            return self.error(codes::CONSTANT, span, "value and width are integer constants");
        };
        if !(1..=i64::from(WIDEST_WORD)).contains(&width) {
            return self.error(codes::WIDTH, span, format!("words have 1 to {WIDEST_WORD} bits"));
        }
        let signed = function == Function::SignedConst;
        let half = 1i128 << (width - 1);
        let most = if signed { half - 1 } else { 2 * half - 1 };
        if !(-half..=most).contains(&i128::from(value)) {
            return self.error(codes::NUMBER, span, format!("{value} does not fit {width} bits"));
        }
        self.word(value.into(), WordSort { width: width as u32, signed })
    }

    fn abs(&mut self, a: Typed, span: Span) -> Lowered {
        if a.ty != Ty::Integer {
            return self.error(codes::TYPE, span, format!("abs() takes an integer, not {}", a.ty.describe()));
        }
        let exprs = &mut self.system.exprs;
        let zero = exprs.integer(0);
        let negative = exprs.binary(Binary::Less, a.expr, zero);
        let negated = exprs.unary(Unary::Negate, a.expr);
        let expr: ExprId = exprs.ite(negative, negated, a.expr);
        Lowered::Value(Typed { expr, ty: Ty::Integer })
    }

    fn extreme(&mut self, function: Function, a: Typed, b: Typed, span: Span) -> Lowered {
        if a.ty != b.ty || !matches!(a.ty, Ty::Integer | Ty::Word(_)) {
            let message =
                format!("two numbers of one type are needed, not {} and {}", a.ty.describe(), b.ty.describe());
            return self.error(codes::TYPE, span, message);
        }
        let less = self.system.exprs.binary(Binary::Less, a.expr, b.expr);
        let (then, otherwise) = if function == Function::Min { (a.expr, b.expr) } else { (b.expr, a.expr) };
        Lowered::Value(Typed { expr: self.system.exprs.ite(less, then, otherwise), ty: a.ty })
    }
}
