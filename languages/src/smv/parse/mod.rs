//! From tokens to the syntax tree. An error is reported, reading goes on at the next declaration.

mod constant;
mod expr;
mod item;
mod psl;
mod slip;
mod types;

use super::ast::{Ast, Name, Root};
use super::codes;
use super::lexer::{Pragma, lex};
use super::token::{Keyword, Sign, Spanned, Token};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::Source;
use psl::Dialect;
use rustc_hash::FxHashSet;
use system::Span;

/// A syntax error was reported; what was being read is given up.
pub struct Failed;

/// What a reading function returns.
pub type Parsed<T> = Result<T, Failed>;

/// Reads a whole file.
pub fn parse(source: &Source, diagnostics: &mut Diagnostics) -> Ast {
    parse_part(source, source.text().len(), diagnostics)
}

/// Reads the text up to `end`; what is behind it is not part of the file.
pub fn parse_part(source: &Source, end: usize, diagnostics: &mut Diagnostics) -> Ast {
    let (tokens, pragmas) = lex(&source.text()[..end], diagnostics);
    let mut parser = Parser::new(source, tokens, Ast::default(), diagnostics);
    parser.pragmas = pragmas;
    parser.file();
    parser.ast
}

/// Reads one expression that stands behind the text of the file.
pub fn parse_added(ast: &mut Ast, source: &Source, part: Span, diagnostics: &mut Diagnostics) -> Option<Root> {
    let (mut tokens, _) = lex(source.slice(part), diagnostics);
    for spanned in &mut tokens {
        spanned.span = Span { start: spanned.span.start + part.start, end: spanned.span.end + part.start };
    }
    let mut parser = Parser::new(source, tokens, std::mem::take(ast), diagnostics);
    let root = parser.whole_expression().ok();
    *ast = parser.ast;
    root
}

pub(super) struct Parser<'a> {
    source: &'a Source,
    tokens: Vec<Spanned>,
    at: usize,
    ast: Ast,
    diagnostics: &'a mut Diagnostics,
    pragmas: Vec<Pragma>,
    /// How many `case` are open where reading is.
    open_cases: usize,
    /// Keywords that were declared as names, which has been reported.
    misused: FxHashSet<Keyword>,
    /// Which language expressions are written in.
    dialect: Dialect,
}

impl<'a> Parser<'a> {
    fn new(source: &'a Source, tokens: Vec<Spanned>, ast: Ast, diagnostics: &'a mut Diagnostics) -> Parser<'a> {
        let (pragmas, misused) = (Vec::new(), FxHashSet::default());
        Parser { source, tokens, at: 0, ast, diagnostics, pragmas, open_cases: 0, misused, dialect: Dialect::Smv }
    }

    /// An expression and nothing behind it.
    fn whole_expression(&mut self) -> Parsed<Root> {
        let root = self.expression()?;
        if self.token() == Token::End { Ok(root) } else { Err(self.expected("an operator or the end of the text")) }
    }
}

impl Parser<'_> {
    fn token(&self) -> Token {
        self.tokens[self.at].token
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    fn previous_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn peek(&self, offset: usize) -> Token {
        self.tokens.get(self.at + offset).map_or(Token::End, |spanned| spanned.token)
    }

    /// Moves on; the end of the file is never passed. Where reading has to end, the file ends there.
    fn advance(&mut self) {
        if self.diagnostics.is_over_after(1) {
            self.at = self.tokens.len() - 1;
        } else if self.token() != Token::End {
            self.at += 1;
        }
    }

    fn take_sign(&mut self, sign: Sign) -> bool {
        let found = self.token() == Token::Sign(sign);
        if found {
            self.advance();
        }
        found
    }

    fn take_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.token() == Token::Keyword(keyword);
        if found {
            self.advance();
        }
        found
    }

    fn expect_sign(&mut self, sign: Sign) -> Parsed<()> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.expected(&format!("`{}`", sign.text()))) }
    }

    fn expect_keyword(&mut self, keyword: Keyword) -> Parsed<()> {
        if self.take_keyword(keyword) { Ok(()) } else { Err(self.expected(&format!("`{}`", keyword.text()))) }
    }

    /// A `;`; one that was forgotten at the end of a line is reported, and reading goes on as if it was there.
    fn expect_semicolon(&mut self) -> Parsed<()> {
        if self.take_sign(Sign::Semicolon) || self.is_semicolon_forgotten() {
            return Ok(());
        }
        Err(self.expected("`;`"))
    }

    /// A `:=`, or what was written instead.
    fn expect_assign(&mut self) -> Parsed<()> {
        if self.is_equal_for_assign() {
            self.advance();
            return Ok(());
        }
        self.expect_sign(Sign::Assign)
    }

    /// A name; a keyword in its place is reported and taken for the name.
    fn identifier(&mut self, what: &str) -> Parsed<(Name, Span)> {
        if self.token() != Token::Identifier && !self.keyword_as_name(what) {
            return Err(self.expected(what));
        }
        let span = self.span();
        let name = self.ast.intern(self.source.slice(span));
        self.advance();
        Ok((name, span))
    }

    fn integer(&mut self) -> Parsed<i64> {
        let negative = self.take_sign(Sign::Minus);
        if !negative {
            self.take_sign(Sign::Plus);
        }
        if self.token() != Token::Number {
            return Err(self.expected("a number"));
        }
        let number = self.number();
        self.advance();
        Ok(if negative { -number } else { number })
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Failed {
        self.diagnostics.push(diagnostic);
        Failed
    }

    /// Reports what was expected at the current token, and what usually helps.
    fn expected(&mut self, what: &str) -> Failed {
        let (token, span) = (self.token(), self.span());
        let text = self.source.slice(span);
        let diagnostic = match token {
            Token::Sign(
                Sign::DoubleAnd
                | Sign::DoubleOr
                | Sign::DoubleEqual
                | Sign::Unequal
                | Sign::EqualLess
                | Sign::DoubleArrow
                | Sign::Percent
                | Sign::Tilde,
            ) => Diagnostic::error(codes::FOREIGN_OPERATOR, span, format!("SMV has no operator `{text}`"))
                .label(format!("expected {what}")),
            Token::Unknown if text == "'" => Diagnostic::error(codes::CHARACTER, span, "SMV has no character \"'\"")
                .help("the next value of x is written `next(x)`"),
            Token::Unknown if text == "\"" => Diagnostic::error(codes::CHARACTER, span, "this quote is never closed"),
            Token::Unknown => Diagnostic::error(codes::CHARACTER, span, format!("SMV has no character {text:?}"))
                .label(format!("expected {what}")),
            Token::Real => Diagnostic::error(codes::UNBOUNDED, span, "real constants are not supported")
                .help("only finite domains are supported: scale the numbers to integers"),
            Token::End => Diagnostic::error(codes::SYNTAX, span, format!("the file ends where {what} is expected")),
            Token::Keyword(_) => {
                let message = format!("expected {what}, found the keyword `{text}`");
                Diagnostic::error(codes::SYNTAX, span, message).label(format!("expected {what}"))
            }
            _ => Diagnostic::error(codes::SYNTAX, span, format!("expected {what}, found `{text}`"))
                .label(format!("expected {what}")),
        };
        self.report(diagnostic)
    }

    /// Skips to where a declaration can begin: behind the next `;` that is not inside a `case`, or at the next section.
    fn recover(&mut self) {
        let mut depth = std::mem::take(&mut self.open_cases);
        loop {
            match self.token() {
                Token::End => return,
                Token::Keyword(keyword) if keyword.begins_section() => return,
                Token::Keyword(Keyword::Case) => depth += 1,
                Token::Keyword(Keyword::Esac) => depth = depth.saturating_sub(1),
                Token::Sign(Sign::Semicolon) if depth == 0 => {
                    self.advance();
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }
}
