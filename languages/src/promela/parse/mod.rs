//! From tokens to the syntax tree, by recursive descent with a bounded depth.
//!
//! A function returns `None` after it has said what is wrong; reading goes on at the next unit of the model.

mod advice;
mod declaration;
mod expr;
mod separator;
mod statement;
mod unit;

use super::ast::{Ast, Declaration, Mtype, Name, Type};
use super::codes;
use super::token::{Keyword, Sign, Spanned, Token};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use advice::Expected;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use system::Span;

/// How deep statements and expressions may nest.
const DEEPEST: usize = 1_000;
/// How deep a chain of operators may be.
const LONGEST_CHAIN: u32 = 2_000;
/// How many calls of inlines a model may have.
const MOST_EXPANSIONS: usize = 20_000;
/// How long a model may become by calls of inlines.
const MOST_TOKENS: usize = 4_000_000;

/// Parses a model from its preprocessed tokens.
pub fn parse(tokens: Vec<Spanned>, diagnostics: &mut Diagnostics) -> Ast {
    let proctypes = proctype_names(&tokens);
    let mut parser = Parser {
        tokens: separator::insert(tokens),
        at: 0,
        depth: 0,
        ast: Ast::default(),
        diagnostics,
        proctypes,
        globals: FxHashMap::default(),
        structures: FxHashMap::default(),
        mtypes: FxHashMap::default(),
        inlines: FxHashMap::default(),
        scopes: Vec::new(),
        locals: Vec::new(),
        in_body: false,
        initialising: false,
        initialised: 0,
        loops: 0,
        expansion: 0,
        expansions: 0,
        in_formula: false,
        in_claim: false,
        unnamed_formulas: 0,
        misused: FxHashSet::default(),
    };
    parser.ast.mtypes.push(Mtype::default());
    parser.units();
    parser.ast
}

/// The names of all proctypes: a remote reference may come before the proctype that it names.
fn proctype_names(tokens: &[Spanned]) -> FxHashSet<Name> {
    let pairs = tokens.windows(2).filter_map(|pair| match (&pair[0].token, &pair[1].token) {
        (Token::Keyword(Keyword::Proctype | Keyword::DProctype), Token::Name(name)) => Some(name.clone()),
        _ => None,
    });
    pairs.collect()
}

/// An inline: its parameters and its body with both braces.
#[derive(Clone)]
struct Inline {
    parameters: Vec<Name>,
    body: Rc<[Spanned]>,
}

struct Parser<'a> {
    tokens: Vec<Spanned>,
    at: usize,
    depth: usize,
    ast: Ast,
    diagnostics: &'a mut Diagnostics,
    proctypes: FxHashSet<Name>,
    globals: FxHashMap<Name, usize>,
    structures: FxHashMap<Name, usize>,
    /// The constants of all mtypes.
    mtypes: FxHashMap<Name, i64>,
    inlines: FxHashMap<Name, Inline>,
    /// The names of the local variables, block by block.
    scopes: Vec<FxHashMap<Name, usize>>,
    locals: Vec<Declaration>,
    in_body: bool,
    /// Whether declarations are still part of the creation of the process.
    initialising: bool,
    initialised: usize,
    /// How many loops are open.
    loops: usize,
    /// Which expansion of an inline the parser is in, 0 for none.
    expansion: usize,
    expansions: usize,
    in_formula: bool,
    in_claim: bool,
    /// How many `ltl` blocks have no name; SPIN numbers these.
    unnamed_formulas: usize,
    /// Reserved words that are declared as names.
    misused: FxHashSet<Keyword>,
}

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].token
    }

    fn peek_at(&self, offset: usize) -> &Token {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + offset).min(last)].token
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The place of the token before.
    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// Moves on; the end of the model is never passed. Where reading has to end, the model ends there.
    fn advance(&mut self) {
        if self.diagnostics.is_over_after(1) {
            self.at = self.tokens.len() - 1;
        } else if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    fn is(&self, sign: Sign) -> bool {
        *self.peek() == Token::Sign(sign)
    }

    fn is_word(&self, keyword: Keyword) -> bool {
        *self.peek() == Token::Keyword(keyword)
    }

    fn eat(&mut self, sign: Sign) -> bool {
        let found = self.is(sign);
        if found {
            self.advance();
        }
        found
    }

    fn eat_word(&mut self, keyword: Keyword) -> bool {
        let found = self.is_word(keyword);
        if found {
            self.advance();
        }
        found
    }

    /// Whether the end of a line separates statements here.
    fn at_end_of_line(&self) -> bool {
        self.is(Sign::Semicolon) && self.span().start == self.span().end
    }

    fn is_behind_end_of_line(&self) -> bool {
        let before = &self.tokens[self.at.saturating_sub(1)];
        before.token == Token::Sign(Sign::Semicolon) && before.span.start == before.span.end
    }

    fn expect(&mut self, sign: Sign, what: &str) -> Option<Span> {
        let span = self.span();
        if self.eat(sign) {
            return Some(span);
        }
        self.unexpected(&format!("`{}` {what}", sign.text()))
    }

    /// The brace that ends a body, or else a separator and another statement.
    fn expect_end_of_body(&mut self) -> Option<Span> {
        let span = self.span();
        if self.eat(Sign::CloseBrace) {
            return Some(span);
        }
        self.mismatched(Expected::Separator("`}` or `;` and a statement"))
    }

    /// The name of something that has one.
    fn name(&mut self, what: &str) -> Option<Name> {
        let Token::Name(name) = self.peek() else { return self.unexpected(what) };
        let name = name.clone();
        self.advance();
        Some(name)
    }

    /// The name that something gets here.
    fn new_name(&mut self, what: &str) -> Option<Name> {
        match self.peek() {
            Token::Keyword(keyword) => Some(self.reserved(*keyword)),
            _ => self.name(what),
        }
    }

    fn unexpected<T>(&mut self, expected: &str) -> Option<T> {
        self.mismatched(Expected::Other(expected))
    }

    fn mismatched<T>(&mut self, expected: Expected<'_>) -> Option<T> {
        if self.follows_from_reserved() {
            return None;
        }
        let diagnostic = self.mismatch(expected);
        self.diagnostics.push(diagnostic);
        None
    }

    /// What is wrong where something else is expected.
    fn mismatch(&self, expected: Expected<'_>) -> Diagnostic {
        let found = self.peek();
        let expected_but = |found: &str| format!("expected {}, found {found}", expected.words());
        let syntax = |message: String| Diagnostic::error(codes::SYNTAX, self.span(), message);
        let strange = |message: String| Diagnostic::error(codes::CHARACTER, self.span(), message);
        match found {
            Token::Unknown('/') => strange("this comment does not end".to_owned()),
            Token::Unknown('"') => strange("this text does not end on its line".to_owned()),
            Token::Unknown(_) => strange(expected_but(&found.describe())),
            Token::Keyword(Keyword::CCode | Keyword::CDecl | Keyword::CExpr | Keyword::CState | Keyword::CTrack) => {
                Diagnostic::error(codes::UNSUPPORTED, self.span(), "embedded C code is not supported")
                    .help("write what it does in Promela")
            }
            Token::Sign(_) | Token::Keyword(Keyword::Unless) if self.is_behind_end_of_line() => {
                syntax(expected_but(&found.describe()))
                    .label("the end of the line before ends the statement, as in SPIN")
                    .help("go on at the end of a line that ends with an operator, or put the whole in parentheses")
            }
            _ => match (self.missing_separator(expected), self.advice(expected)) {
                (_, Some(advice)) => syntax(expected_but(&found.describe())).help(advice),
                (Some(end), None) => Diagnostic::error(codes::SYNTAX, end, expected_but("the end of the line")),
                (None, None) if self.at_end_of_line() => syntax(expected_but("the end of the line")),
                (None, None) => syntax(expected_but(&found.describe())),
            },
        }
    }

    fn error<T>(&mut self, code: Code, span: Span, message: impl Into<String>) -> Option<T> {
        self.diagnostics.push(Diagnostic::error(code, span, message));
        None
    }

    fn error_with_help<T>(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) -> Option<T> {
        self.diagnostics.push(Diagnostic::error(code, span, message).help(help));
        None
    }

    /// Runs a part of the parser one level deeper.
    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= DEEPEST {
            return self.error(codes::TOO_LARGE, self.span(), "this is nested too deeply");
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn local(&self, name: &Name) -> Option<usize> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    /// Whether a name is a variable here.
    fn is_variable(&self, name: &Name) -> bool {
        self.local(name).is_some() || self.globals.contains_key(name)
    }

    /// The type that a token begins, if it does.
    fn type_here(&self) -> Option<Type> {
        match self.peek() {
            Token::Keyword(keyword) => Some(match keyword {
                Keyword::Bit | Keyword::Bool => Type::Bit,
                Keyword::Byte => Type::Byte,
                Keyword::Short => Type::Short,
                Keyword::Int => Type::Int,
                Keyword::Unsigned => Type::Unsigned(1),
                Keyword::Mtype => Type::Mtype(0),
                Keyword::Pid => Type::Pid,
                Keyword::Chan => Type::Chan,
                _ => return None,
            }),
            Token::Name(name) if self.local(name).is_none() => self.structures.get(name).map(|id| Type::Struct(*id)),
            _ => None,
        }
    }
}
