//! Types of declarations.

use super::{Keyword, Parsed, Parser, Sign, Token, codes};
use crate::diagnostic::Diagnostic;
use crate::smv::ast::{Element, EnumValue, Root, Type};
use system::Span;

/// How an instance runs beside the one around it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Composition {
    /// In steps of its own.
    Process,
    /// In the same steps.
    Synchronous,
}

impl Parser<'_> {
    pub(super) fn variable_type(&mut self) -> Parsed<Type> {
        if self.take_keyword(Keyword::Process) {
            return self.instance(Composition::Process);
        }
        if self.token() == Token::Identifier && !self.is_range_ahead() {
            return self.instance(Composition::Synchronous);
        }
        self.data_type()
    }

    pub(super) fn data_type(&mut self) -> Parsed<Type> {
        let mut dimensions = Vec::new();
        let start = self.span();
        while self.take_keyword(Keyword::Array) {
            if self.token() == Token::Keyword(Keyword::Word) {
                let message = "arrays indexed by a word type are not supported";
                let help = "declare `array 0..n of word[..]`";
                let span = start.to(self.span());
                return Err(self.report(Diagnostic::error(codes::UNSUPPORTED, span, message).help(help)));
            }
            dimensions.push(self.range()?);
            self.expect_keyword(Keyword::Of)?;
        }
        if !dimensions.is_empty()
            && (self.token() == Token::Keyword(Keyword::Process)
                || self.token() == Token::Identifier && !self.is_range_ahead())
        {
            let message = "arrays of instances are not supported";
            let help = "declare one instance per element";
            let span = start.to(self.span());
            return Err(self.report(Diagnostic::error(codes::UNSUPPORTED, span, message).help(help)));
        }
        let element = self.element()?;
        Ok(Type::Data { dimensions, element })
    }

    /// Whether a type that begins with a name is a range such as `low..high` and not an instance.
    fn is_range_ahead(&self) -> bool {
        let mut depth = 0u32;
        for offset in 0.. {
            match self.peek(offset) {
                Token::Sign(Sign::OpenParen | Sign::OpenBracket) => depth += 1,
                Token::Sign(Sign::CloseParen | Sign::CloseBracket) => depth = depth.saturating_sub(1),
                Token::Sign(Sign::Range) if depth == 0 => return true,
                Token::Sign(Sign::Colon) if depth == 0 => return false,
                Token::Sign(Sign::Semicolon | Sign::Assign) | Token::End => return false,
                Token::Keyword(keyword) if keyword.begins_section() => return false,
                _ => {}
            }
        }
        false
    }

    fn range(&mut self) -> Parsed<(Root, Root)> {
        let whole = self.expression()?;
        self.split_range(whole)
    }

    /// A range type is read as an expression with `..` outermost.
    fn split_range(&mut self, whole: Root) -> Parsed<(Root, Root)> {
        use crate::smv::ast::{Expr, Infix, NodeId};
        match self.ast.expr(whole.last) {
            Expr::Infix(Infix::Range, low, high) => {
                Ok((Root { first: whole.first, last: low }, Root { first: NodeId(low.0 + 1), last: high }))
            }
            _ => {
                let span = self.ast.root_span(whole);
                let message = "this is no type";
                let help = "a type is boolean, a range such as 0..7, an enumeration such as {a, b}, word[8], \
                            an array, or a module";
                Err(self.report(Diagnostic::error(codes::SYNTAX, span, message).help(help)))
            }
        }
    }

    fn element(&mut self) -> Parsed<Element> {
        let span = self.span();
        match self.token() {
            Token::Keyword(Keyword::Boolean) => {
                self.advance();
                Ok(Element::Boolean)
            }
            Token::Keyword(Keyword::BooleanOf) if self.peek(1) != Token::Sign(Sign::OpenParen) => {
                let error = Diagnostic::error(codes::SYNTAX, span, "`bool` is a function and no type");
                self.report(error.help("the type of truth values is `boolean`"));
                self.advance();
                Ok(Element::Boolean)
            }
            Token::Keyword(keyword @ (Keyword::Integer | Keyword::Real)) => {
                let message =
                    format!("the type `{}` is unbounded, and only finite domains are supported", keyword.text());
                let help = "give the variable a range, such as 0..255, or a word type, such as signed word[32]";
                Err(self.report(Diagnostic::error(codes::UNBOUNDED, span, message).help(help)))
            }
            Token::Keyword(Keyword::Word) => self.word_type(Keyword::Unsigned),
            Token::Keyword(keyword @ (Keyword::Signed | Keyword::Unsigned)) => {
                self.advance();
                if self.token() != Token::Keyword(Keyword::Word) {
                    return Err(self.expected("`word`"));
                }
                self.word_type(keyword)
            }
            Token::Sign(Sign::OpenBrace) => self.enumeration(),
            _ => {
                let (low, high) = self.range()?;
                Ok(Element::Range(low, high))
            }
        }
    }

    /// A word type, behind `signed` or `unsigned`.
    fn word_type(&mut self, sign: Keyword) -> Parsed<Element> {
        self.advance();
        self.expect_sign(Sign::OpenBracket)?;
        let width = self.expression()?;
        self.expect_sign(Sign::CloseBracket)?;
        Ok(Element::Word { signed: sign == Keyword::Signed, width })
    }

    fn enumeration(&mut self) -> Parsed<Element> {
        self.advance();
        let mut values = Vec::new();
        loop {
            values.push(self.enumeration_value()?);
            if self.take_sign(Sign::CloseBrace) {
                return Ok(Element::Enumeration(values));
            }
            self.expect_sign(Sign::Comma)?;
        }
    }

    fn enumeration_value(&mut self) -> Parsed<(EnumValue, Span)> {
        let span = self.span();
        match self.token() {
            Token::Identifier => {
                let (name, span) = self.identifier("a constant")?;
                Ok((EnumValue::Symbol(name), span))
            }
            Token::Keyword(Keyword::True | Keyword::False) => {
                let message = "TRUE and FALSE are no values of an enumeration";
                Err(self.report(Diagnostic::error(codes::TYPE, span, message).help("declare the variable boolean")))
            }
            Token::Keyword(_) => {
                let (name, span) = self.identifier("a constant")?;
                Ok((EnumValue::Symbol(name), span))
            }
            _ => {
                let number = self.integer()?;
                Ok((EnumValue::Number(number), span.to(self.previous_span())))
            }
        }
    }

    fn instance(&mut self, composition: Composition) -> Parsed<Type> {
        if self.token() != Token::Identifier {
            return Err(self.expected("the name of a module"));
        }
        let (module, module_span) = self.identifier("the name of a module")?;
        let mut arguments = Vec::new();
        if self.take_sign(Sign::OpenParen) && !self.take_sign(Sign::CloseParen) {
            loop {
                arguments.push(self.expression()?);
                if self.take_sign(Sign::CloseParen) {
                    break;
                }
                self.expect_sign(Sign::Comma)?;
            }
        }
        let is_process = composition == Composition::Process;
        Ok(Type::Instance { module, module_span, arguments, is_process })
    }
}
