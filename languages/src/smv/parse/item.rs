//! Modules and their sections.

use super::{Keyword, Parsed, Parser, Pragma, Sign, Token, codes};
use crate::diagnostic::Diagnostic;
use crate::smv::ast::{AssignKind, Item, Module, Name, Root, SpannedItem, SpecKind, VarKind};
use crate::suggest::nearest;
use system::{Extreme, Span};

/// A module's name, its place, and its parameters.
type Header = (Name, Span, Vec<(Name, Span)>);

impl Parser<'_> {
    pub(super) fn file(&mut self) {
        if self.token() == Token::End {
            let span = self.span();
            let message = "the file has no module";
            self.report(Diagnostic::error(codes::NO_MAIN, span, message).help("a model begins with `MODULE main`"));
        }
        while self.token() != Token::End {
            self.read_small_section();
            if self.token() == Token::Keyword(Keyword::Module) {
                self.module();
            } else {
                self.expected("`MODULE`");
                while !matches!(self.token(), Token::End | Token::Keyword(Keyword::Module)) {
                    self.advance();
                }
            }
        }
        self.attach_pragmas();
    }

    fn module(&mut self) {
        self.advance();
        let header = self.module_header();
        let mut items = Vec::new();
        if header.is_err() {
            self.recover();
        }
        loop {
            self.read_small_section();
            match self.token() {
                Token::End | Token::Keyword(Keyword::Module) => break,
                Token::Keyword(keyword) if keyword.begins_section() => {
                    self.advance();
                    self.section(keyword, &mut items);
                }
                _ => {
                    self.expected("a section such as `VAR`, `ASSIGN` or `INVARSPEC`");
                    self.advance();
                    self.recover();
                }
            }
        }
        if let Ok((name, span, parameters)) = header {
            self.ast.modules.push(Module { name, span, parameters, items, pc: None });
        }
    }

    fn module_header(&mut self) -> Parsed<Header> {
        let (name, span) = self.identifier("the name of the module")?;
        let mut parameters = Vec::new();
        if self.take_sign(Sign::OpenParen) && !self.take_sign(Sign::CloseParen) {
            loop {
                parameters.push(self.identifier("a parameter")?);
                if self.take_sign(Sign::CloseParen) {
                    break;
                }
                self.expect_sign(Sign::Comma)?;
            }
        }
        Ok((name, span, parameters))
    }

    fn section(&mut self, keyword: Keyword, items: &mut Vec<SpannedItem>) {
        let is_list = matches!(
            keyword,
            Keyword::Var
                | Keyword::FrozenVar
                | Keyword::Ivar
                | Keyword::Define
                | Keyword::ArrayDefine
                | Keyword::Assign
        );
        if !is_list {
            self.declare(keyword, items);
            return;
        }
        loop {
            self.read_small_section();
            match self.token() {
                Token::End => return,
                Token::Keyword(keyword) if keyword.begins_section() && !self.is_declared() => return,
                _ => {
                    let at = self.at;
                    self.declare(keyword, items);
                    if self.at == at {
                        self.advance();
                    }
                }
            }
        }
    }

    /// Whether the token at hand is declared here, so that it was meant as a name.
    pub(super) fn is_declared(&self) -> bool {
        matches!(self.peek(1), Token::Sign(Sign::Colon | Sign::Assign))
    }

    /// Reads one declaration; after an error, goes on behind it.
    fn declare(&mut self, section: Keyword, items: &mut Vec<SpannedItem>) {
        let start = self.span();
        match self.item(section) {
            Ok(Some(item)) => items.push(SpannedItem { item, span: start.to(self.previous_span()) }),
            Ok(None) => {}
            Err(_) => self.recover(),
        }
    }

    fn item(&mut self, section: Keyword) -> Parsed<Option<Item>> {
        Ok(Some(match section {
            Keyword::Var => self.variable(VarKind::State)?,
            Keyword::FrozenVar => self.variable(VarKind::Frozen)?,
            Keyword::Ivar => self.variable(VarKind::Input)?,
            Keyword::Define | Keyword::ArrayDefine => {
                let name = self.declared_name()?;
                self.expect_assign()?;
                let body = self.expression()?;
                self.expect_semicolon()?;
                Item::Define { name, body }
            }
            Keyword::Assign => self.assignment()?,
            Keyword::Init => Item::Init(self.condition()?),
            Keyword::Invar => Item::Invar(self.condition()?),
            Keyword::Trans => Item::Trans(self.condition()?),
            Keyword::Fairness | Keyword::Justice => Item::Justice(self.condition()?),
            Keyword::Compassion => {
                self.expect_sign(Sign::OpenParen)?;
                let often = self.expression()?;
                self.expect_sign(Sign::Comma)?;
                let then = self.expression()?;
                self.expect_sign(Sign::CloseParen)?;
                self.take_sign(Sign::Semicolon);
                Item::Compassion(often, then)
            }
            Keyword::Spec | Keyword::CtlSpec => self.spec(SpecKind::Ctl)?,
            Keyword::LtlSpec => self.spec(SpecKind::Ltl)?,
            Keyword::InvarSpec => self.spec(SpecKind::Invariant)?,
            Keyword::Compute => self.compute()?,
            Keyword::PslSpec => self.psl()?,
            Keyword::Constants => self.constants()?,
            Keyword::Isa => Item::Isa(self.identifier("the name of a module")?.0),
            _ => {
                let span = self.previous_span();
                let message = format!("the section {} is not supported", section.text());
                return Err(self.report(Diagnostic::error(codes::UNSUPPORTED, span, message)));
            }
        }))
    }

    /// A declared name may look like a path or an array element; it is one flat name all the same.
    fn declared_name(&mut self) -> Parsed<Name> {
        let (first, _) = self.identifier("the name of a variable")?;
        let mut text = self.ast.text(first).to_owned();
        loop {
            if self.take_sign(Sign::Dot) {
                if !matches!(self.token(), Token::Identifier | Token::Number) {
                    return Err(self.expected("a name"));
                }
                text.push('.');
                text.push_str(self.source.slice(self.span()));
                self.advance();
            } else if self.take_sign(Sign::OpenBracket) {
                let index = self.integer()?;
                self.expect_sign(Sign::CloseBracket)?;
                text.push_str(&format!("[{index}]"));
            } else {
                return Ok(self.ast.intern(&text));
            }
        }
    }

    fn variable(&mut self, kind: VarKind) -> Parsed<Item> {
        let name = self.declared_name()?;
        self.skip_more_names();
        self.expect_sign(Sign::Colon)?;
        let ty = if kind == VarKind::State { self.variable_type()? } else { self.data_type()? };
        self.expect_semicolon()?;
        Ok(Item::Variable { kind, name, ty })
    }

    /// Reports `x, y : type`, once.
    fn skip_more_names(&mut self) {
        let comma = self.span();
        let mut more = 0;
        while self.token() == Token::Sign(Sign::Comma) && self.peek(1) == Token::Identifier {
            self.advance();
            self.advance();
            more += 1;
        }
        if more > 0 {
            let span = comma.to(self.previous_span());
            let error = Diagnostic::error(codes::SYNTAX, span, "each variable is declared by itself");
            self.report(error.help("write `x : type; y : type;`"));
        }
    }

    fn assignment(&mut self) -> Parsed<Item> {
        let kind = if self.peek(1) == Token::Sign(Sign::Assign) {
            AssignKind::Always
        } else if self.take_keyword(Keyword::SmallInit) {
            AssignKind::Init
        } else if self.take_keyword(Keyword::Next) {
            AssignKind::Next
        } else {
            AssignKind::Always
        };
        if kind != AssignKind::Always {
            self.expect_sign(Sign::OpenParen)?;
        } else if !self.begins_target() {
            return Err(self.expected("an assignment"));
        }
        let target = self.expression()?;
        if kind != AssignKind::Always {
            self.expect_sign(Sign::CloseParen)?;
        }
        self.expect_assign()?;
        let value = self.expression()?;
        self.expect_semicolon()?;
        Ok(Item::Assign { kind, target, value })
    }

    fn begins_target(&mut self) -> bool {
        match self.token() {
            Token::Identifier | Token::Keyword(Keyword::SelfWord) => true,
            Token::Keyword(_) if self.is_declared() => self.keyword_as_name("the name of a variable"),
            Token::Keyword(keyword) => self.is_misused(keyword),
            _ => false,
        }
    }

    /// An expression and an optional `;`. Anything but a new section must not follow.
    fn condition(&mut self) -> Parsed<Root> {
        let root = self.expression()?;
        self.end_of_section()?;
        Ok(root)
    }

    fn end_of_section(&mut self) -> Parsed<()> {
        self.take_sign(Sign::Semicolon);
        self.read_small_section();
        match self.token() {
            Token::End => Ok(()),
            Token::Keyword(keyword) if keyword.begins_section() => Ok(()),
            Token::Sign(Sign::Assign) => {
                let span = self.span();
                let error = Diagnostic::error(codes::SYNTAX, span, "`:=` assigns, and here values are compared");
                Err(self.report(error.help("write `=`")))
            }
            _ => Err(self.expected("an operator, `;` or a new section")),
        }
    }

    pub(super) fn spec_name(&mut self) -> Parsed<Option<Name>> {
        if !self.take_keyword(Keyword::Name) {
            return Ok(None);
        }
        let name = self.declared_name()?;
        self.expect_sign(Sign::Assign)?;
        Ok(Some(name))
    }

    fn spec(&mut self, kind: SpecKind) -> Parsed<Item> {
        let name = self.spec_name()?;
        let body = self.expression()?;
        let context = if self.take_keyword(Keyword::Context) { Some(self.expression()?) } else { None };
        self.end_of_section()?;
        Ok(Item::Spec { kind, name, body, context })
    }

    fn compute(&mut self) -> Parsed<Item> {
        let name = self.spec_name()?;
        let extreme = if self.take_keyword(Keyword::Min) {
            Extreme::Least
        } else if self.take_keyword(Keyword::Max) {
            Extreme::Most
        } else {
            return Err(self.expected("`MIN` or `MAX`"));
        };
        self.expect_sign(Sign::OpenBracket)?;
        let start = self.expression()?;
        self.expect_sign(Sign::Comma)?;
        let end = self.expression()?;
        self.expect_sign(Sign::CloseBracket)?;
        let context = if self.take_keyword(Keyword::Context) { Some(self.expression()?) } else { None };
        self.end_of_section()?;
        Ok(Item::Compute { extreme, name, start, end, context })
    }

    fn constants(&mut self) -> Parsed<Item> {
        let mut names = Vec::new();
        while !self.take_sign(Sign::Semicolon) {
            names.push(self.declared_name()?);
            if self.token() != Token::Sign(Sign::Semicolon) {
                self.expect_sign(Sign::Comma)?;
            }
        }
        Ok(Item::Constants(names))
    }

    /// Gives each `--@ pc: x` to the module it stands in. Other comments that begin with `--@` are comments.
    fn attach_pragmas(&mut self) {
        for pragma in std::mem::take(&mut self.pragmas) {
            let Some(variable) = pragma.text.strip_prefix("pc:") else {
                self.check_remark(&pragma);
                continue;
            };
            let before = self.ast.modules.partition_point(|module| module.span.start < pragma.span.start);
            match before.checked_sub(1).and_then(|index| self.ast.modules.get_mut(index)) {
                Some(module) => module.pc = Some((variable.trim().to_owned(), pragma.span)),
                None => {
                    let message = "this comment stands in no module";
                    self.report(Diagnostic::error(codes::CONTROL, pragma.span, message));
                }
            }
        }
    }

    /// Warns about a comment that looks as if it was meant to name a program counter: `--@ pcc: x`, `--@ pc x`.
    fn check_remark(&mut self, pragma: &Pragma) {
        let (word, rest) = pragma.text.split_at(pragma.text.find(|c| !is_letter(c)).unwrap_or(pragma.text.len()));
        let value = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '=')).trim();
        let is_one_name = !value.is_empty() && value.chars().all(is_letter);
        if is_one_name && nearest(word, ["pc"]).is_some() {
            let message = "this comment says nothing to uwbmc";
            let help = format!("a program counter is named by `--@ pc: {value}`");
            self.report(Diagnostic::warning(codes::REMARK, pragma.span, message).help(help));
        }
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
