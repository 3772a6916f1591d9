//! PSLSPEC, as far as it is LTL or CTL: what its operators mean is written with ours.
//!
//! How tightly operators bind is NuSMV's: `always` and `G` are the loosest, and `->` groups to the left. Sequences and what comes with
//! them are passed over.

use super::expr::{Frame, Stack, temporal_prefix};
use super::{Keyword, Parsed, Parser, Sign, Token, codes};
use crate::diagnostic::Diagnostic;
use crate::smv::ast::{Expr, Infix, Item, NodeId, Prefix, Root, SpecKind};
use crate::smv::precedence::Tightness;
use system::{BinaryTemporal, Span, UnaryTemporal};

/// Which language expressions are read in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Smv,
    Psl,
}

/// How tightly operators bind that are not SMV's, or bind differently.
const ALWAYS: Tightness = 1;
pub(super) const ARROW: Tightness = 2;
const EVENTUALLY: Tightness = 3;
const BEFORE: Tightness = 4;
const UNTIL: Tightness = 5;
const NEXT: Tightness = 6;

/// `always`, `next` and their relatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Temporal(UnaryTemporal),
    /// After this many steps.
    After(i64),
    Never,
    Eventually,
}

impl Unary {
    pub fn tightness(self) -> Tightness {
        match self {
            Unary::Never | Unary::Temporal(UnaryTemporal::Globally) => ALWAYS,
            Unary::Eventually => EVENTUALLY,
            Unary::Temporal(_) | Unary::After(_) => NEXT,
        }
    }
}

/// `until` and `before`, in all their forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    kind: PairKind,
    /// Whether what is waited for has to come.
    strength: Strength,
    /// Whether both sides may or must hold at the end.
    overlap: Overlap,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PairKind {
    Until,
    Before,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strength {
    Weak,
    Strong,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Overlap {
    None,
    Inclusive,
}

impl Pair {
    pub fn tightness(self) -> Tightness {
        match self.kind {
            PairKind::Until => UNTIL,
            PairKind::Before => BEFORE,
        }
    }
}

/// How many steps `next[n]` may look ahead: each is an operator.
const MOST_STEPS: i64 = 1000;

/// Words of PSL that are neither LTL nor CTL.
const OTHERS: [&str; 14] = [
    "abort",
    "within",
    "within_",
    "whilenot",
    "whilenot_",
    "forall",
    "next_a",
    "next_e",
    "next_event",
    "next_event_a",
    "next_event_e",
    "rose",
    "fell",
    "prev",
];

impl Parser<'_> {
    /// A specification in PSL. What is neither LTL nor CTL is passed over up to the `;` that ends it.
    pub(super) fn psl(&mut self) -> Parsed<Item> {
        let name = self.spec_name()?;
        let end = self.end_of_psl()?;
        if (self.at..end).any(|at| self.is_beyond_ltl(at)) {
            self.at = end;
            self.advance();
            return Ok(Item::Unsupported { what: "PSLSPEC with sequences, abort or forall", name });
        }
        self.dialect = Dialect::Psl;
        let body = self.expression();
        self.dialect = Dialect::Smv;
        let body = body?;
        self.expect_sign(Sign::Semicolon)?;
        let kind = if self.is_branching(body) { SpecKind::Ctl } else { SpecKind::Ltl };
        Ok(Item::Spec { kind, name, body, context: None })
    }

    /// Where the `;` is that ends a specification: sequences have some of their own.
    fn end_of_psl(&mut self) -> Parsed<usize> {
        let (start, mut depth) = (self.at, 0u32);
        loop {
            match self.token() {
                Token::Sign(Sign::OpenBrace | Sign::OpenBracket | Sign::OpenParen) => depth += 1,
                Token::Sign(Sign::CloseBrace | Sign::CloseBracket | Sign::CloseParen) => {
                    depth = depth.saturating_sub(1);
                }
                Token::Sign(Sign::Semicolon) if depth == 0 => break,
                Token::Keyword(keyword) if keyword.begins_section() => return Err(self.expected("`;`")),
                Token::End => return Err(self.expected("`;`")),
                _ => {}
            }
            self.advance();
        }
        Ok(std::mem::replace(&mut self.at, start))
    }

    fn is_beyond_ltl(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| self.tokens[before].token);
        match self.tokens[at].token {
            Token::Identifier => OTHERS.contains(&self.source.slice(self.tokens[at].span)),
            Token::Sign(Sign::OpenBrace) => !matches!(before, Some(Token::Keyword(Keyword::In | Keyword::Union))),
            Token::Unknown => true,
            _ => false,
        }
    }

    fn is_branching(&self, body: Root) -> bool {
        self.ast.nodes_of(body).any(|id| match self.ast.expr(id) {
            Expr::Temporal(op, ..) => op.is_branching(),
            Expr::TemporalPair(op, ..) => matches!(op, BinaryTemporal::SomeUntil | BinaryTemporal::AllUntil),
            _ => false,
        })
    }

    /// The operator in front of an operand, if there is one of PSL. It is passed.
    pub(super) fn psl_prefix(&mut self) -> Parsed<Option<Frame>> {
        let span = self.span();
        let op = match self.token() {
            _ if self.dialect == Dialect::Smv => return Ok(None),
            Token::Identifier => match self.source.slice(span) {
                "always" => Unary::Temporal(UnaryTemporal::Globally),
                "never" => Unary::Never,
                "eventually" if self.has_adjacent("!") => {
                    self.advance();
                    Unary::Eventually
                }
                _ => return Ok(None),
            },
            Token::Keyword(Keyword::Next | Keyword::X) => return self.psl_next().map(Some),
            Token::Keyword(keyword) => match temporal_prefix(keyword) {
                Some(op) => Unary::Temporal(op),
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        self.advance();
        Ok(Some(Frame::PslPrefix(op, span)))
    }

    /// `next`, `next!` and `next[3]`: on infinite runs, there always is a next state.
    fn psl_next(&mut self) -> Parsed<Frame> {
        let span = self.span();
        if self.has_adjacent("!") {
            self.advance();
        }
        self.advance();
        if !self.take_sign(Sign::OpenBracket) {
            return Ok(Frame::PslPrefix(Unary::After(1), span));
        }
        let steps = self.integer()?;
        if !(0..=MOST_STEPS).contains(&steps) {
            let message = format!("`next` looks 0 to {MOST_STEPS} steps ahead, not {steps}");
            return Err(self.report(Diagnostic::error(codes::EMPTY_RANGE, self.previous_span(), message)));
        }
        self.expect_sign(Sign::CloseBracket)?;
        Ok(Frame::PslPrefix(Unary::After(steps), span))
    }

    /// Whether the next token is this and follows without a space.
    fn has_adjacent(&self, text: &str) -> bool {
        self.tokens
            .get(self.at + 1)
            .is_some_and(|next| next.span.start == self.span().end && self.source.slice(next.span) == text)
    }

    /// The operator between operands, if it is one of PSL. It is passed.
    pub(super) fn psl_pair(&mut self) -> Option<Pair> {
        if self.dialect == Dialect::Smv || self.token() != Token::Identifier {
            return None;
        }
        let (kind, mut overlap) = match self.source.slice(self.span()) {
            "until" => (PairKind::Until, Overlap::None),
            "until_" => (PairKind::Until, Overlap::Inclusive),
            "before" => (PairKind::Before, Overlap::None),
            "before_" => (PairKind::Before, Overlap::Inclusive),
            _ => return None,
        };
        let mut strength = Strength::Weak;
        if self.has_adjacent("!") {
            self.advance();
            strength = Strength::Strong;
            if self.has_adjacent("_") {
                self.advance();
                overlap = Overlap::Inclusive;
            }
        }
        self.advance();
        Some(Pair { kind, strength, overlap })
    }

    /// The operators that PSL spells as C does.
    pub(super) fn psl_infix(&self) -> Option<Infix> {
        match self.token() {
            _ if self.dialect == Dialect::Smv => None,
            Token::Sign(Sign::DoubleAnd) => Some(Infix::And),
            Token::Sign(Sign::DoubleOr) => Some(Infix::Or),
            Token::Sign(Sign::DoubleEqual) => Some(Infix::Equal),
            _ => None,
        }
    }

    /// How tightly an operator binds in the language at hand.
    pub(super) fn tightness(&self, op: Infix) -> Tightness {
        match op {
            Infix::Implies | Infix::Iff if self.dialect == Dialect::Psl => ARROW,
            _ => op.tightness(),
        }
    }

    /// A formula with a prefix of PSL.
    pub(super) fn psl_unary(&mut self, op: Unary, a: NodeId, span: Span) -> NodeId {
        match op {
            Unary::Temporal(op) => self.node(Expr::Temporal(op, None, a), span),
            Unary::Eventually => self.node(Expr::Temporal(UnaryTemporal::Finally, None, a), span),
            Unary::Never => {
                let not = self.node(Expr::Prefix(Prefix::Not, a), span);
                self.node(Expr::Temporal(UnaryTemporal::Globally, None, not), span)
            }
            Unary::After(steps) => {
                (0..steps).fold(a, |a, _| self.node(Expr::Temporal(UnaryTemporal::Next, None, a), span))
            }
        }
    }

    /// `p until q` and `p before q`. `a V b` says that b holds up to and including the first a, or for ever.
    pub(super) fn psl_binary(&mut self, op: Pair, stack: &mut Stack) -> Parsed<NodeId> {
        let [p, q] = stack.last_two()?;
        let span = self.ast.span(p).to(self.ast.span(q));
        let mut write = |expr: Expr| self.node(expr, span);
        // What holds until what, where both may hold at the end.
        let (holds, end) = match op.kind {
            PairKind::Until => (p, q),
            PairKind::Before => (write(Expr::Prefix(Prefix::Not, q)), p),
        };
        let is_inclusive = (op.kind, op.overlap) == (PairKind::Until, Overlap::Inclusive)
            || (op.kind, op.overlap) == (PairKind::Before, Overlap::None);
        Ok(match (op.strength, is_inclusive) {
            (Strength::Weak, true) => write(Expr::TemporalPair(BinaryTemporal::Releases, None, end, holds)),
            (Strength::Weak, false) => {
                let either = write(Expr::Infix(Infix::Or, holds, end));
                write(Expr::TemporalPair(BinaryTemporal::Releases, None, end, either))
            }
            (Strength::Strong, true) => {
                let both = write(Expr::Infix(Infix::And, holds, end));
                write(Expr::TemporalPair(BinaryTemporal::Until, None, holds, both))
            }
            (Strength::Strong, false) => write(Expr::TemporalPair(BinaryTemporal::Until, None, holds, end)),
        })
    }
}
