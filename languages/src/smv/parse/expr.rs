//! Expressions, by operator precedence with a stack of our own: nesting costs memory, never the call stack.

use super::psl::{self, Dialect};
use super::{Failed, Keyword, Parsed, Parser, Sign, Token, codes};
use crate::diagnostic::Diagnostic;
use crate::smv::ast::{Bounds, Expr, Function, Infix, List, NodeId, Prefix, Root};
use crate::smv::precedence::{ANYTHING, CONDITIONAL, PREFIX, TEMPORAL_INFIX, TEMPORAL_PREFIX, Tightness};
use system::{BinaryTemporal, Span, UnaryTemporal};

/// An operator or bracket that waits for operands.
pub(super) enum Frame {
    Prefix(Prefix, Span),
    Temporal(UnaryTemporal, Option<Bounds>, Span),
    Infix(Infix),
    TemporalInfix(BinaryTemporal),
    PslPrefix(psl::Unary, Span),
    PslInfix(psl::Pair),
    Otherwise,
    Bracket(Bracket, Span),
}

/// A bracket that is open; operands inside it begin at `operands`.
pub(super) struct Bracket {
    kind: BracketKind,
    operands: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BracketKind {
    Paren,
    Index,
    BitsLow,
    Call(Function),
    Set,
    Array,
    CaseGuard,
    CaseValue,
    Then,
    /// `A [ p` before `U`.
    UntilLeft(BinaryTemporal),
    UntilRight(BinaryTemporal, Option<Bounds>),
}

/// Whether an operand or an operator comes next.
enum Next {
    Operand,
    Operator,
    Done,
}

pub(super) struct Stack {
    frames: Vec<Frame>,
    operands: Vec<NodeId>,
    /// Which of the frames are brackets, outermost first.
    brackets: Vec<usize>,
}

impl Stack {
    /// The two operands read last.
    pub fn last_two(&mut self) -> Parsed<[NodeId; 2]> {
        match (self.operands.pop(), self.operands.pop()) {
            (Some(b), Some(a)) => Ok([a, b]),
            _ => Err(Failed),
        }
    }
}

impl Parser<'_> {
    /// Reads one expression.
    pub(super) fn expression(&mut self) -> Parsed<Root> {
        let first = NodeId(self.ast.nodes.len() as u32);
        let mut stack = Stack { frames: Vec::new(), operands: Vec::new(), brackets: Vec::new() };
        let mut next = Next::Operand;
        self.open_cases = 0;
        loop {
            next = match next {
                Next::Operand => self.operand(&mut stack)?,
                Next::Operator => self.operator(&mut stack)?,
                Next::Done => break,
            };
        }
        self.reduce_all(&mut stack)?;
        match stack.operands.pop() {
            Some(last) => Ok(Root { first, last }),
            None => Err(self.expected("an expression")),
        }
    }

    pub(super) fn node(&mut self, expr: Expr, span: Span) -> NodeId {
        self.ast.nodes.push((expr, span));
        NodeId(self.ast.nodes.len() as u32 - 1)
    }

    /// Puts a leaf on the stack and moves on.
    fn leaf(&mut self, stack: &mut Stack, expr: Expr) -> Next {
        let id = self.node(expr, self.span());
        stack.operands.push(id);
        self.advance();
        Next::Operator
    }

    fn operand(&mut self, stack: &mut Stack) -> Parsed<Next> {
        let span = self.span();
        if let Some(frame) = self.psl_prefix()? {
            stack.frames.push(frame);
            return Ok(Next::Operand);
        }
        if let Some((op, tokens)) = self.foreign_temporal() {
            (0..tokens).for_each(|_| self.advance());
            stack.frames.push(Frame::Temporal(op, None, span));
            return Ok(Next::Operand);
        }
        if self.is_foreign_not() {
            return Ok(self.prefix(stack, Frame::Prefix(Prefix::Not, span)));
        }
        Ok(match self.token() {
            Token::Identifier if self.peek(1) == Token::Sign(Sign::OpenParen) => return self.named_call(stack),
            Token::Identifier => {
                let name = self.ast.intern(self.source.slice(span));
                self.leaf(stack, Expr::Name(name))
            }
            Token::Number => {
                let number = self.number();
                self.leaf(stack, Expr::Number(number))
            }
            Token::Word => {
                let word = self.word_constant();
                self.leaf(stack, word)
            }
            Token::Sign(Sign::Not) => self.prefix(stack, Frame::Prefix(Prefix::Not, span)),
            Token::Sign(Sign::Minus) => self.prefix(stack, Frame::Prefix(Prefix::Minus, span)),
            Token::Sign(Sign::Plus) if self.peek(1) == Token::Number => {
                self.advance();
                Next::Operand
            }
            Token::Sign(Sign::OpenParen) => self.open(stack, BracketKind::Paren, span),
            Token::Sign(Sign::OpenBrace) => self.open(stack, BracketKind::Set, span),
            Token::Sign(Sign::OpenBracket) if self.dialect == Dialect::Psl => {
                self.open(stack, BracketKind::UntilLeft(BinaryTemporal::Until), span)
            }
            Token::Sign(Sign::OpenBracket) => self.open(stack, BracketKind::Array, span),
            Token::Keyword(keyword) => return self.keyword_operand(stack, keyword),
            _ => return Err(self.no_operand(stack)),
        })
    }

    /// Reports that there is no operand where one is read.
    fn no_operand(&mut self, stack: &Stack) -> Failed {
        match stack.frames.last() {
            Some(Frame::Bracket(Bracket { kind: BracketKind::CaseGuard, .. }, case)) => {
                if self.is_esac_missing(*case) {
                    Failed
                } else {
                    self.expected("a branch of the case or `esac`")
                }
            }
            _ => self.expected("an expression"),
        }
    }

    fn prefix(&mut self, stack: &mut Stack, frame: Frame) -> Next {
        self.advance();
        stack.frames.push(frame);
        Next::Operand
    }

    /// Opens a bracket at the token at hand.
    fn open(&mut self, stack: &mut Stack, kind: BracketKind, span: Span) -> Next {
        self.advance();
        let operands = stack.operands.len();
        stack.brackets.push(stack.frames.len());
        stack.frames.push(Frame::Bracket(Bracket { kind, operands }, span));
        Next::Operand
    }

    fn keyword_operand(&mut self, stack: &mut Stack, keyword: Keyword) -> Parsed<Next> {
        let span = self.span();
        if self.is_name_again(keyword) {
            let name = self.ast.intern(keyword.text());
            return Ok(self.leaf(stack, Expr::Name(name)));
        }
        if let Some(function) = function(keyword) {
            self.advance();
            if self.token() != Token::Sign(Sign::OpenParen) {
                return Err(self.expected("`(`"));
            }
            return Ok(self.open(stack, BracketKind::Call(function), span));
        }
        if let Some(op) = temporal_prefix(keyword) {
            self.advance();
            let bounds = self.bounds(keyword)?;
            stack.frames.push(Frame::Temporal(op, bounds, span));
            return Ok(Next::Operand);
        }
        Ok(match keyword {
            Keyword::True => self.leaf(stack, Expr::Boolean(true)),
            Keyword::False => self.leaf(stack, Expr::Boolean(false)),
            Keyword::SelfWord => self.leaf(stack, Expr::SelfRef),
            Keyword::Case => {
                self.open_cases += 1;
                self.open(stack, BracketKind::CaseGuard, span)
            }
            Keyword::A | Keyword::E => {
                let op = if keyword == Keyword::A { BinaryTemporal::AllUntil } else { BinaryTemporal::SomeUntil };
                self.advance();
                if self.token() != Token::Sign(Sign::OpenBracket) {
                    return Err(self.expected("`[`"));
                }
                self.open(stack, BracketKind::UntilLeft(op), span)
            }
            Keyword::Read | Keyword::Write => {
                let message = "READ and WRITE of word arrays are not supported";
                let help = "declare `array 0..n of word[..]` and use an index";
                return Err(self.report(Diagnostic::error(codes::UNSUPPORTED, span, message).help(help)));
            }
            _ => return Err(self.no_operand(stack)),
        })
    }

    /// `ABF 0..3` and `F [0, 3]`.
    fn bounds(&mut self, keyword: Keyword) -> Parsed<Option<Bounds>> {
        let (low, high) = match keyword {
            Keyword::Ebf | Keyword::Abf | Keyword::Ebg | Keyword::Abg => self.literal_range()?,
            Keyword::F | Keyword::G | Keyword::O | Keyword::H if self.take_sign(Sign::OpenBracket) => {
                let low = self.integer()?;
                self.expect_sign(Sign::Comma)?;
                let high = self.integer()?;
                self.expect_sign(Sign::CloseBracket)?;
                (low, high)
            }
            _ => return Ok(None),
        };
        Ok(Some(Bounds { low, high }))
    }

    /// `abs`, `min` and `max` are functions only in front of a bracket.
    fn named_call(&mut self, stack: &mut Stack) -> Parsed<Next> {
        let span = self.span();
        let function = match self.source.slice(span) {
            "abs" => Function::Abs,
            "min" => Function::Min,
            "max" => Function::Max,
            "if" => {
                let help = "write `condition ? a : b`, or `case condition : a; TRUE : b; esac`";
                let error = Diagnostic::error(codes::FOREIGN_OPERATOR, span, "SMV has no `if`");
                return Err(self.report(error.help(help)));
            }
            other => {
                let message = format!("there is no function `{other}`");
                return Err(self.report(Diagnostic::error(codes::UNSUPPORTED, span, message)));
            }
        };
        self.advance();
        Ok(self.open(stack, BracketKind::Call(function), span))
    }

    fn operator(&mut self, stack: &mut Stack) -> Parsed<Next> {
        match self.token() {
            Token::Sign(Sign::Dot) => self.dot(stack),
            Token::Sign(Sign::OpenBracket) => {
                let base = stack.operands.last().copied();
                let span = base.map_or(self.span(), |base| self.ast.span(base));
                let next = self.open(stack, BracketKind::Index, span);
                if let Some(Frame::Bracket(bracket, _)) = stack.frames.last_mut() {
                    bracket.operands -= 1;
                }
                Ok(next)
            }
            Token::Sign(Sign::Question) => {
                self.reduce(stack, CONDITIONAL + 1)?;
                let span = stack.operands.last().map_or(self.span(), |id| self.ast.span(*id));
                let next = self.open(stack, BracketKind::Then, span);
                if let Some(Frame::Bracket(bracket, _)) = stack.frames.last_mut() {
                    bracket.operands -= 1;
                }
                Ok(next)
            }
            Token::Sign(Sign::Colon) => self.colon(stack),
            Token::Sign(Sign::Comma) => self.comma(stack),
            Token::Sign(Sign::Semicolon) => self.semicolon(stack),
            Token::Sign(Sign::CloseParen) => {
                self.close(stack, |kind| matches!(kind, BracketKind::Paren | BracketKind::Call(_)))
            }
            Token::Sign(Sign::CloseBrace) => self.close(stack, |kind| kind == BracketKind::Set),
            Token::Sign(Sign::CloseBracket) => self.close(stack, |kind| {
                matches!(
                    kind,
                    BracketKind::Index | BracketKind::BitsLow | BracketKind::Array | BracketKind::UntilRight(..)
                )
            }),
            Token::Keyword(Keyword::BoundedUntil) => self.until(stack, Keyword::BoundedUntil),
            Token::Keyword(Keyword::U) if self.is_inside_until(stack) => self.until(stack, Keyword::U),
            token => self.infix_or_end(stack, token),
        }
    }

    fn infix_or_end(&mut self, stack: &mut Stack, token: Token) -> Parsed<Next> {
        if let Some(op) = self.psl_pair() {
            self.reduce(stack, op.tightness())?;
            stack.frames.push(Frame::PslInfix(op));
            return Ok(Next::Operand);
        }
        if let Some(op) = infix(token).or_else(|| self.psl_infix()).or_else(|| self.foreign_infix()) {
            let tightness = self.tightness(op);
            let is_right = op == Infix::Implies && self.dialect == Dialect::Smv;
            self.reduce(stack, if is_right { tightness + 1 } else { tightness })?;
            stack.frames.push(Frame::Infix(op));
            self.advance();
            return Ok(Next::Operand);
        }
        if let Some(op) = temporal_infix(token) {
            self.reduce(stack, TEMPORAL_INFIX)?;
            stack.frames.push(Frame::TemporalInfix(op));
            self.advance();
            return Ok(Next::Operand);
        }
        match self.innermost_bracket(stack) {
            Some(BracketKind::CaseValue) if self.is_branch_unfinished() => return self.end_branch(stack),
            Some(BracketKind::CaseGuard) if self.is_esac_missing(self.bracket_span(stack)) => return Err(Failed),
            None if !matches!(token, Token::Sign(Sign::RotateLeft | Sign::RotateRight | Sign::Tilde))
                && !matches!(token, Token::Unknown | Token::Real) => {}
            _ => return Err(self.expected("an operator or the end of the expression")),
        }
        Ok(Next::Done)
    }

    fn dot(&mut self, stack: &mut Stack) -> Parsed<Next> {
        self.advance();
        let span = self.span();
        let is_name = match self.token() {
            Token::Identifier | Token::Number => true,
            Token::Keyword(keyword) => self.is_misused(keyword),
            _ => false,
        };
        if !is_name {
            return Err(self.expected("a name"));
        }
        let name = self.ast.intern(self.source.slice(span));
        self.advance();
        let Some(base) = stack.operands.pop() else { return Err(Failed) };
        if !matches!(self.ast.expr(base), Expr::Name(_) | Expr::SelfRef | Expr::Dot(..) | Expr::Index(..)) {
            let message = "only an instance has parts that can be named with a dot";
            return Err(self.report(Diagnostic::error(codes::SYNTAX, span, message)));
        }
        let whole = self.ast.span(base).to(span);
        let id = self.node(Expr::Dot(base, name), whole);
        stack.operands.push(id);
        Ok(Next::Operator)
    }

    /// `:` ends the middle of `?:`, a guard in `case`, or the high end of a bit selection.
    fn colon(&mut self, stack: &mut Stack) -> Parsed<Next> {
        match self.innermost_bracket(stack) {
            Some(BracketKind::Then) => {
                self.reduce(stack, ANYTHING)?;
                stack.frames.pop();
                stack.brackets.pop();
                stack.frames.push(Frame::Otherwise);
            }
            Some(BracketKind::CaseGuard) => self.change_bracket(stack, BracketKind::CaseValue)?,
            Some(BracketKind::Index) => self.change_bracket(stack, BracketKind::BitsLow)?,
            Some(_) => return Err(self.expected("an operator or the closing bracket")),
            None => return Ok(Next::Done),
        }
        self.advance();
        Ok(Next::Operand)
    }

    fn comma(&mut self, stack: &mut Stack) -> Parsed<Next> {
        match self.innermost_bracket(stack) {
            Some(BracketKind::Set | BracketKind::Array | BracketKind::Call(_)) => {
                self.reduce(stack, ANYTHING)?;
                self.advance();
                Ok(Next::Operand)
            }
            Some(_) => Err(self.expected("an operator or the closing bracket")),
            None => Ok(Next::Done),
        }
    }

    /// `;` ends a branch of `case`.
    fn semicolon(&mut self, stack: &mut Stack) -> Parsed<Next> {
        match self.innermost_bracket(stack) {
            Some(BracketKind::CaseValue) => {
                self.advance();
                self.end_branch(stack)
            }
            Some(BracketKind::CaseGuard) => Err(self.expected("`:` and the value of this branch")),
            Some(_) => Err(self.expected("an operator or the closing bracket")),
            None => Ok(Next::Done),
        }
    }

    /// Behind a branch of `case`: another one, or the end.
    fn end_branch(&mut self, stack: &mut Stack) -> Parsed<Next> {
        self.change_bracket(stack, BracketKind::CaseGuard)?;
        if self.token() == Token::Keyword(Keyword::Esac) {
            self.open_cases = self.open_cases.saturating_sub(1);
            return self.close(stack, |kind| kind == BracketKind::CaseGuard);
        }
        Ok(Next::Operand)
    }

    /// Where the innermost bracket was opened.
    fn bracket_span(&self, stack: &Stack) -> Span {
        match stack.brackets.last().map(|at| &stack.frames[*at]) {
            Some(Frame::Bracket(_, span)) => *span,
            _ => self.span(),
        }
    }

    fn is_inside_until(&self, stack: &Stack) -> bool {
        matches!(self.innermost_bracket(stack), Some(BracketKind::UntilLeft(_)))
    }

    fn until(&mut self, stack: &mut Stack, keyword: Keyword) -> Parsed<Next> {
        let Some(BracketKind::UntilLeft(op)) = self.innermost_bracket(stack) else {
            return Err(self.expected("an operator or the end of the expression"));
        };
        self.advance();
        let bounds = if keyword == Keyword::BoundedUntil {
            let (low, high) = self.literal_range()?;
            Some(Bounds { low, high })
        } else {
            None
        };
        self.change_bracket(stack, BracketKind::UntilRight(op, bounds))?;
        Ok(Next::Operand)
    }

    fn innermost_bracket(&self, stack: &Stack) -> Option<BracketKind> {
        stack.brackets.last().and_then(|at| match &stack.frames[*at] {
            Frame::Bracket(bracket, _) => Some(bracket.kind),
            _ => None,
        })
    }

    fn change_bracket(&mut self, stack: &mut Stack, to: BracketKind) -> Parsed<()> {
        self.reduce(stack, ANYTHING)?;
        match stack.frames.last_mut() {
            Some(Frame::Bracket(bracket, _)) => {
                bracket.kind = to;
                Ok(())
            }
            _ => Err(Failed),
        }
    }

    /// Closes the innermost bracket if it is of the right kind.
    fn close(&mut self, stack: &mut Stack, fits: impl Fn(BracketKind) -> bool) -> Parsed<Next> {
        match self.innermost_bracket(stack) {
            None => return Ok(Next::Done),
            Some(kind) if fits(kind) => {}
            Some(_) => return Err(self.expected("an operator or the end of the inner expression")),
        }
        self.reduce(stack, ANYTHING)?;
        stack.brackets.pop();
        let Some(Frame::Bracket(bracket, start)) = stack.frames.pop() else { return Err(Failed) };
        let span = start.to(self.span());
        self.advance();
        let inside = stack.operands.split_off(bracket.operands);
        let expr = match (bracket.kind, inside.as_slice()) {
            (BracketKind::Paren, [inner]) => {
                // Brackets belong to the text of what is inside them.
                self.ast.nodes[inner.0 as usize].1 = span;
                stack.operands.push(*inner);
                return Ok(Next::Operator);
            }
            (BracketKind::Index, [base, index]) => Expr::Index(*base, *index),
            (BracketKind::BitsLow, [word, high, low]) => Expr::Bits { word: *word, high: *high, low: *low },
            (BracketKind::Call(function), arguments) => {
                self.check_arguments(function, arguments.len(), span)?;
                Expr::Call(function, self.list(&inside))
            }
            (BracketKind::Set, _) => Expr::Set(self.list(&inside)),
            (BracketKind::Array, _) => Expr::Array(self.list(&inside)),
            (BracketKind::CaseGuard, _) => Expr::Case(self.list(&inside)),
            (BracketKind::UntilRight(op, bounds), [left, right]) => Expr::TemporalPair(op, bounds, *left, *right),
            _ => return Err(self.expected("an expression")),
        };
        let id = self.node(expr, span);
        stack.operands.push(id);
        Ok(Next::Operator)
    }

    fn list(&mut self, members: &[NodeId]) -> List {
        let start = self.ast.lists.len() as u32;
        self.ast.lists.extend(members);
        List { start, length: members.len() as u32 }
    }

    fn check_arguments(&mut self, function: Function, count: usize, span: Span) -> Parsed<()> {
        let wanted = match function {
            Function::Count => count.max(1),
            Function::Extend
            | Function::Resize
            | Function::UnsignedConst
            | Function::SignedConst
            | Function::Min
            | Function::Max => 2,
            _ => 1,
        };
        if count == wanted {
            return Ok(());
        }
        let message =
            format!("this function takes {wanted} argument{}, not {count}", if wanted == 1 { "" } else { "s" });
        Err(self.report(Diagnostic::error(codes::ARGUMENT_COUNT, span, message)))
    }

    /// Applies the waiting operators that bind at least as tightly as `tightness`, up to the innermost bracket.
    fn reduce(&mut self, stack: &mut Stack, tightness: Tightness) -> Parsed<()> {
        while let Some(frame) = stack.frames.last() {
            let own = match frame {
                Frame::Prefix(..) => PREFIX,
                Frame::Temporal(..) => TEMPORAL_PREFIX,
                Frame::Infix(op) => self.tightness(*op),
                Frame::PslPrefix(op, _) => op.tightness(),
                Frame::PslInfix(op) => op.tightness(),
                Frame::TemporalInfix(_) => TEMPORAL_INFIX,
                Frame::Otherwise => CONDITIONAL,
                Frame::Bracket(..) => return Ok(()),
            };
            if own < tightness {
                return Ok(());
            }
            if let Some(frame) = stack.frames.pop() {
                self.apply(stack, frame)?;
            }
        }
        Ok(())
    }

    fn reduce_all(&mut self, stack: &mut Stack) -> Parsed<()> {
        self.reduce(stack, ANYTHING)?;
        if stack.frames.is_empty() { Ok(()) } else { Err(self.expected("the closing bracket")) }
    }

    fn apply(&mut self, stack: &mut Stack, frame: Frame) -> Parsed<()> {
        if let Frame::PslInfix(op) = frame {
            let id = self.psl_binary(op, stack)?;
            stack.operands.push(id);
            return Ok(());
        }
        let mut pop = || stack.operands.pop().ok_or(Failed);
        let (expr, span) = match frame {
            Frame::Prefix(op, span) => {
                let a = pop()?;
                (Expr::Prefix(op, a), span.to(self.ast.span(a)))
            }
            Frame::Temporal(op, bounds, span) => {
                let a = pop()?;
                (Expr::Temporal(op, bounds, a), span.to(self.ast.span(a)))
            }
            Frame::PslPrefix(op, span) => {
                let a = pop()?;
                let id = self.psl_unary(op, a, span.to(self.ast.span(a)));
                stack.operands.push(id);
                return Ok(());
            }
            Frame::Infix(op) => {
                let (b, a) = (pop()?, pop()?);
                (Expr::Infix(op, a, b), self.ast.span(a).to(self.ast.span(b)))
            }
            Frame::TemporalInfix(op) => {
                let (b, a) = (pop()?, pop()?);
                (Expr::TemporalPair(op, None, a, b), self.ast.span(a).to(self.ast.span(b)))
            }
            Frame::Otherwise => {
                let (c, b, a) = (pop()?, pop()?, pop()?);
                (Expr::Conditional(a, b, c), self.ast.span(a).to(self.ast.span(c)))
            }
            Frame::Bracket(..) | Frame::PslInfix(_) => return Err(Failed),
        };
        let id = self.node(expr, span);
        stack.operands.push(id);
        Ok(())
    }
}

pub(super) fn function(keyword: Keyword) -> Option<Function> {
    Some(match keyword {
        Keyword::Next => Function::Next,
        Keyword::BooleanOf => Function::Bool,
        Keyword::WordOfBoolean => Function::Word1,
        Keyword::Signed => Function::Signed,
        Keyword::Unsigned => Function::Unsigned,
        Keyword::Extend => Function::Extend,
        Keyword::Resize => Function::Resize,
        Keyword::SizeOf => Function::SizeOf,
        Keyword::ToInt => Function::ToInt,
        Keyword::Count => Function::Count,
        Keyword::UnsignedConst => Function::UnsignedConst,
        Keyword::SignedConst => Function::SignedConst,
        _ => return None,
    })
}

pub(super) fn temporal_prefix(keyword: Keyword) -> Option<UnaryTemporal> {
    Some(match keyword {
        Keyword::X => UnaryTemporal::Next,
        Keyword::G => UnaryTemporal::Globally,
        Keyword::F => UnaryTemporal::Finally,
        Keyword::Y => UnaryTemporal::Yesterday,
        Keyword::Z => UnaryTemporal::WeakYesterday,
        Keyword::H => UnaryTemporal::Historically,
        Keyword::O => UnaryTemporal::Once,
        Keyword::Ex => UnaryTemporal::SomeNext,
        Keyword::Ax => UnaryTemporal::AllNext,
        Keyword::Ef | Keyword::Ebf => UnaryTemporal::SomeFinally,
        Keyword::Af | Keyword::Abf => UnaryTemporal::AllFinally,
        Keyword::Eg | Keyword::Ebg => UnaryTemporal::SomeGlobally,
        Keyword::Ag | Keyword::Abg => UnaryTemporal::AllGlobally,
        _ => return None,
    })
}

fn temporal_infix(token: Token) -> Option<BinaryTemporal> {
    Some(match token {
        Token::Keyword(Keyword::U) => BinaryTemporal::Until,
        Token::Keyword(Keyword::V) => BinaryTemporal::Releases,
        Token::Keyword(Keyword::S) => BinaryTemporal::Since,
        Token::Keyword(Keyword::T) => BinaryTemporal::Triggered,
        _ => return None,
    })
}

fn infix(token: Token) -> Option<Infix> {
    Some(match token {
        Token::Sign(sign) => match sign {
            Sign::Concat => Infix::Concat,
            Sign::Times => Infix::Times,
            Sign::Divide => Infix::Divide,
            Sign::Plus => Infix::Plus,
            Sign::Minus => Infix::Minus,
            Sign::ShiftLeft => Infix::ShiftLeft,
            Sign::ShiftRight => Infix::ShiftRight,
            Sign::Range => Infix::Range,
            Sign::Equal => Infix::Equal,
            Sign::NotEqual => Infix::NotEqual,
            Sign::Less => Infix::Less,
            Sign::Greater => Infix::Greater,
            Sign::LessEqual => Infix::LessEqual,
            Sign::GreaterEqual => Infix::GreaterEqual,
            Sign::And => Infix::And,
            Sign::Or => Infix::Or,
            Sign::Iff => Infix::Iff,
            Sign::Implies => Infix::Implies,
            _ => return None,
        },
        Token::Keyword(keyword) => match keyword {
            Keyword::Mod => Infix::Mod,
            Keyword::Union => Infix::Union,
            Keyword::In => Infix::In,
            Keyword::Xor => Infix::Xor,
            Keyword::Xnor => Infix::Xnor,
            _ => return None,
        },
        _ => return None,
    })
}
