//! Declarations of variables, mtypes, typedefs and inlines.

use super::super::ast::{
    Declaration, Expr, Initial, Kind, Label, Mtype, NewChannel, Reference, Root, Statement, Structure, Type,
};
use super::super::codes;
use super::super::token::{Keyword, Sign, Token};
use super::{Inline, Parser};
use crate::diagnostic::Diagnostic;
use rustc_hash::FxHashMap;

/// The longest array and the largest channel.
const LONGEST: i64 = 65_535;

impl Parser<'_> {
    /// Whether a declaration begins here.
    pub(super) fn is_declaration(&self) -> bool {
        matches!(self.peek(), Token::Keyword(Keyword::Hidden | Keyword::Show | Keyword::Local))
            || self.type_here().is_some()
    }

    /// `byte a = 1, b[3];` outside a proctype, or the constants of an mtype.
    pub(super) fn global_declaration(&mut self) -> Option<()> {
        if self.is_word(Keyword::Mtype) && self.is_mtype_definition() {
            return self.mtype();
        }
        for declaration in self.declarations()? {
            let Declaration { name, span, .. } = &declaration;
            if self.globals.contains_key(name) {
                let message = format!("the global variable {name} is declared twice");
                return self.error(codes::DUPLICATE, *span, message);
            }
            self.globals.insert(name.clone(), self.ast.globals.len());
            self.ast.globals.push(declaration);
        }
        Some(())
    }

    fn is_mtype_definition(&self) -> bool {
        match self.peek_at(1) {
            Token::Sign(Sign::OpenBrace | Sign::Assign) => true,
            Token::Sign(Sign::Colon) => {
                matches!(self.peek_at(3), Token::Sign(Sign::Assign | Sign::OpenBrace))
                    && matches!(self.peek_at(4), Token::Sign(Sign::OpenBrace) | Token::Name(_))
            }
            _ => false,
        }
    }

    /// `mtype = { a, b, c }`: the last name gets the least number.
    fn mtype(&mut self) -> Option<()> {
        self.advance();
        let mtype = self.subtype()?;
        self.eat(Sign::Assign);
        self.expect(Sign::OpenBrace, "before the names of the mtype")?;
        let mut names = Vec::new();
        while !self.eat(Sign::CloseBrace) {
            names.push((self.span(), self.new_name("the name of a constant")?));
            while self.eat(Sign::Comma) {}
        }
        let count = self.ast.mtypes[mtype].constants.len();
        if count + names.len() > 255 {
            return self.error(codes::SIZE, self.last_span(), "an mtype has at most 255 constants");
        }
        for (offset, (span, name)) in names.iter().rev().enumerate() {
            if self.mtypes.insert(name.clone(), (count + 1 + offset) as i64).is_some() {
                return self.error(codes::DUPLICATE, *span, format!("the constant {name} is declared twice"));
            }
            self.ast.mtypes[mtype].constants.push(name.clone());
        }
        Some(())
    }

    /// Which mtype is meant: the name after a colon tells.
    fn subtype(&mut self) -> Option<usize> {
        if !self.eat(Sign::Colon) {
            return Some(0);
        }
        let name = self.name("the name of an mtype")?;
        let known = self.ast.mtypes.iter().position(|mtype| mtype.name == *name);
        Some(known.unwrap_or_else(|| {
            self.ast.mtypes.push(Mtype { name: name.to_string(), constants: Vec::new() });
            self.ast.mtypes.len() - 1
        }))
    }

    /// `typedef T { .. }`
    pub(super) fn typedef(&mut self) -> Option<()> {
        self.advance();
        let span = self.span();
        let name = self.new_name("the name of a type")?;
        self.expect(Sign::OpenBrace, "before the fields")?;
        let mut fields = Vec::new();
        while !self.eat(Sign::CloseBrace) {
            fields.extend(self.declarations()?);
            while self.eat(Sign::Semicolon) {}
        }
        if self.structures.contains_key(&name) {
            return self.error(codes::DUPLICATE, span, format!("the type {name} is declared twice"));
        }
        self.structures.insert(name.clone(), self.ast.structures.len());
        self.ast.structures.push(Structure { name, fields });
        Some(())
    }

    /// `inline f(a, b) { .. }`: the body is kept as it is.
    pub(super) fn inline(&mut self) -> Option<()> {
        self.advance();
        let name = self.new_name("the name of an inline")?;
        self.expect(Sign::OpenParen, "before the parameters")?;
        let mut parameters = Vec::new();
        while !self.eat(Sign::CloseParen) {
            parameters.push(self.new_name("a parameter or `)`")?);
            self.eat(Sign::Comma);
        }
        let start = self.at;
        self.expect(Sign::OpenBrace, "before the body")?;
        let mut depth = 1;
        while depth > 0 {
            match self.peek() {
                Token::Sign(Sign::OpenBrace) => depth += 1,
                Token::Sign(Sign::CloseBrace) => depth -= 1,
                Token::End => return self.unexpected("`}` at the end of the inline"),
                _ => {}
            }
            self.advance();
        }
        let body = self.tokens[start..self.at].into();
        self.inlines.insert(name, Inline { parameters, body });
        Some(())
    }

    fn ty(&mut self) -> Option<Type> {
        let Some(ty) = self.type_here() else { return self.unexpected("a type") };
        self.advance();
        Some(if let Type::Mtype(_) = ty { Type::Mtype(self.subtype()?) } else { ty })
    }

    /// A type and a list of variables.
    pub(super) fn declarations(&mut self) -> Option<Vec<Declaration>> {
        let hidden = self.is_word(Keyword::Hidden);
        if matches!(self.peek(), Token::Keyword(Keyword::Hidden | Keyword::Show | Keyword::Local)) {
            self.advance();
        }
        let ty = self.ty()?;
        let mut list = Vec::new();
        loop {
            list.push(self.declared(ty, hidden)?);
            if !self.eat(Sign::Comma) {
                return Some(list);
            }
        }
    }

    fn declared(&mut self, ty: Type, hidden: bool) -> Option<Declaration> {
        let start = self.span();
        let name = self.new_name("the name of a variable")?;
        let mut ty = ty;
        let mut length = None;
        if self.eat(Sign::Colon) {
            let width = self.constant("a number of bits")?;
            if !matches!(ty, Type::Unsigned(_)) || !(1..=31).contains(&width) {
                return self.error(codes::SIZE, self.last_span(), "only `unsigned` has a width, from 1 to 31 bits");
            }
            ty = Type::Unsigned(width as u32);
        }
        if self.eat(Sign::OpenBracket) {
            let span = self.span();
            let wanted = self.constant("the length of the array")?;
            self.expect(Sign::CloseBracket, "after the length of the array")?;
            if !(1..=LONGEST).contains(&wanted) {
                return self.error(codes::SIZE, span, format!("an array has from 1 to {LONGEST} elements"));
            }
            length = Some(wanted as u32);
        }
        let initial = if self.eat(Sign::Assign) { self.initial(length)? } else { Initial::Zero };
        let span = start.to(self.last_span());
        Some(Declaration { name, ty, length, initial, hidden, span })
    }

    fn initial(&mut self, length: Option<u32>) -> Option<Initial> {
        if self.eat(Sign::OpenBracket) {
            let span = self.span();
            let capacity = self.constant("the capacity of the channel")?;
            self.expect(Sign::CloseBracket, "after the capacity")?;
            if !(0..=255).contains(&capacity) {
                return self.error(codes::SIZE, span, "a channel holds from 0 to 255 messages");
            }
            if !self.eat_word(Keyword::Of) {
                return self.unexpected("`of`");
            }
            self.expect(Sign::OpenBrace, "before the types of the fields")?;
            let mut fields = Vec::new();
            loop {
                let ty = self.ty()?;
                if matches!(ty, Type::Unsigned(_)) {
                    return self.error(codes::TYPE, self.last_span(), "a message field cannot be `unsigned`");
                }
                fields.push(ty);
                if !self.eat(Sign::Comma) {
                    break;
                }
            }
            self.expect(Sign::CloseBrace, "after the types of the fields")?;
            return Some(Initial::Channel(NewChannel { capacity: capacity as u32, fields }));
        }
        if self.is(Sign::OpenBrace) {
            let open = self.span();
            self.advance();
            let mut list = Vec::new();
            while !self.eat(Sign::CloseBrace) {
                list.push(self.constant("a constant")?);
                self.eat(Sign::Comma);
            }
            let Some(length) = length else {
                return self.error(codes::TYPE, open, "only an array begins with a list");
            };
            if list.len() > length as usize {
                let message = format!("the list is longer than the array of {length}: the rest of it is left out");
                let help = "SPIN reads it in the same way; leave out what is too much, or make the array longer";
                let place = open.to(self.last_span());
                self.diagnostics.push(Diagnostic::warning(codes::SIZE, place, message).help(help));
                list.truncate(length as usize);
            }
            return Some(Initial::List(list));
        }
        Some(Initial::Value(self.expr()?))
    }

    /// An expression that has to be constant.
    pub(super) fn constant(&mut self, what: &str) -> Option<i64> {
        let span = self.span();
        let expr = self.expr()?;
        match self.evaluate(expr) {
            Some(value) => Some(value),
            None => self.error(codes::CONSTANT, span.to(self.last_span()), format!("{what} has to be constant")),
        }
    }

    /// A declaration inside a body: at the beginning it is part of the process's creation, later it is a step.
    pub(super) fn local_declaration(&mut self) -> Option<Vec<Statement>> {
        let mut steps = Vec::new();
        for declaration in self.declarations()? {
            let span = declaration.span;
            let local = self.declare_local(declaration.clone())?;
            if self.initialising {
                self.initialised = self.locals.len();
                continue;
            }
            let place = Reference { root: Root::Local(local), index: None, fields: Vec::new(), span: declaration.span };
            let kind = match (&declaration.initial, declaration.ty, declaration.length) {
                (Initial::List(list), ..) => Kind::AssignList(local, list.clone()),
                (Initial::Value(value), _, None) => Kind::Assign(place, *value),
                // As SPIN has it, only the first element of the array gets the value here.
                (Initial::Value(value), _, Some(_)) => {
                    let first = self.ast.add(Expr::Number(0), span);
                    Kind::Assign(Reference { index: Some(first), ..place }, *value)
                }
                // SPIN makes no step of a channel, wherever it is declared.
                (Initial::Channel(_), ..) => continue,
                (Initial::Zero, ..) => Kind::Clear(local),
            };
            if let Initial::Value(_) | Initial::List(_) = declaration.initial {
                self.locals[local].initial = Initial::Zero;
            }
            steps.push(Statement { kind, span, labels: Vec::<Label>::new() });
        }
        Some(steps)
    }

    pub(super) fn declare_local(&mut self, declaration: Declaration) -> Option<usize> {
        let (name, span) = (declaration.name.clone(), declaration.span);
        let local = self.locals.len();
        if self.scopes.is_empty() {
            self.scopes.push(FxHashMap::default());
        }
        let taken = self.scopes.last_mut().and_then(|scope| scope.insert(name.clone(), local)).is_some();
        if taken {
            return self.error(codes::DUPLICATE, span, format!("the variable {name} is declared twice in this block"));
        }
        self.locals.push(declaration);
        Some(local)
    }
}
