//! The units of a model: proctypes, init, claims, formulas and global declarations.

use super::super::ast::{
    Choosing, Declaration, ExprRef, Forbidden, Formula, Initial, Name, Proctype, Sequence, TraceAssertion,
};
use super::super::codes;
use super::super::token::{Keyword, Sign, Token};
use super::Parser;
use super::advice::Expected;
use rustc_hash::FxHashMap;
use system::Span;

impl Parser<'_> {
    /// All units, formulas last: they may mention what is declared after them. After a mistake, reading goes on at the
    /// next unit.
    pub(super) fn units(&mut self) {
        let mut formulas = Vec::new();
        while *self.peek() != Token::End {
            if self.eat(Sign::Semicolon) {
                continue;
            }
            if self.is_word(Keyword::Ltl) {
                formulas.push(self.at);
                self.skip_formula();
                continue;
            }
            let start = self.at;
            if self.unit().is_none() {
                self.recover(start);
            }
        }
        for start in formulas {
            self.at = start;
            if self.ltl().is_none() {
                self.recover(start);
            }
        }
    }

    /// Goes behind the formula that begins here.
    fn skip_formula(&mut self) {
        while !matches!(self.peek(), Token::End | Token::Sign(Sign::CloseBrace)) {
            self.advance();
        }
        self.eat(Sign::CloseBrace);
    }

    fn recover(&mut self, start: usize) {
        self.scopes.clear();
        self.in_body = false;
        self.in_formula = false;
        self.in_claim = false;
        (self.loops, self.depth, self.expansion) = (0, 0, 0);
        if self.at == start {
            self.advance();
        }
        while !begins_unit(self.peek()) {
            self.advance();
        }
    }

    fn unit(&mut self) -> Option<()> {
        match self.peek() {
            Token::Keyword(Keyword::Active | Keyword::Proctype | Keyword::DProctype) => self.proctype(),
            Token::Keyword(Keyword::Init) => self.init(),
            Token::Keyword(Keyword::Never) => self.never(),
            Token::Keyword(Keyword::Typedef) => self.typedef(),
            Token::Keyword(Keyword::Inline) => self.inline(),
            Token::Keyword(Keyword::Trace) => self.trace(Forbidden::Others),
            Token::Keyword(Keyword::NoTrace) => self.trace(Forbidden::Itself),
            _ if self.is_declaration() => self.global_declaration(),
            _ => self.unexpected("a proctype, a declaration or another unit of a model"),
        }
    }

    fn proctype(&mut self) -> Option<()> {
        let start = self.span();
        let mut active = 0;
        if self.eat_word(Keyword::Active) {
            active = 1;
            if self.eat(Sign::OpenBracket) {
                let span = self.span();
                active = self.constant("the number of processes")?;
                self.expect(Sign::CloseBracket, "after the number of processes")?;
                if !(0..=255).contains(&active) {
                    return self.error(codes::PROCESSES, span, "there are at most 255 processes");
                }
            }
        }
        let choice = if self.is_word(Keyword::DProctype) { Choosing::Forbidden } else { Choosing::Allowed };
        if !self.eat_word(Keyword::Proctype) && !self.eat_word(Keyword::DProctype) {
            return self.unexpected("`proctype`");
        }
        let name_span = self.span();
        let name = self.new_name("the name of the proctype")?;
        if self.ast.proctype(&name).is_some() {
            return self.error(codes::DUPLICATE, name_span, format!("the proctype {name} is declared twice"));
        }
        self.begin_body();
        self.expect(Sign::OpenParen, "before the parameters")?;
        while !self.eat(Sign::CloseParen) {
            for parameter in self.declarations()? {
                self.parameter(parameter)?;
            }
            if !self.eat(Sign::Semicolon) && !self.is(Sign::CloseParen) {
                return self.mismatched(Expected::Separator("`;` or `)`"));
            }
        }
        let parameters = self.locals.len();
        let priority = self.priority()?;
        let mut provided = None;
        if self.eat_word(Keyword::Provided) {
            self.expect(Sign::OpenParen, "after `provided`")?;
            provided = Some(self.expr()?);
            self.expect(Sign::CloseParen, "after the condition")?;
        }
        let head = start.to(name_span);
        let proctype = self.body(Head { name, active: active as u32, parameters, provided, priority, span: head })?;
        self.ast.proctypes.push(Proctype { choice, ..proctype });
        Some(())
    }

    fn parameter(&mut self, parameter: Declaration) -> Option<()> {
        let span = parameter.span;
        if !matches!(parameter.initial, Initial::Zero) {
            return self.error(codes::SYNTAX, span, "a parameter has no initial value of its own");
        }
        if parameter.length.is_some() {
            let help = "make the array global, or pass its elements one by one";
            return self.error_with_help(codes::UNSUPPORTED, span, "an array cannot be a parameter", help);
        }
        self.declare_local(parameter).map(drop)
    }

    fn init(&mut self) -> Option<()> {
        let span = self.span();
        self.advance();
        let priority = self.priority()?;
        if self.ast.init().is_some() {
            return self.error(codes::DUPLICATE, span, "there is more than one init");
        }
        self.begin_body();
        let init =
            self.body(Head { name: ":init:".into(), active: 1, parameters: 0, provided: None, priority, span })?;
        self.ast.proctypes.push(init);
        Some(())
    }

    fn begin_body(&mut self) {
        self.locals = Vec::new();
        self.scopes = vec![FxHashMap::default()];
        self.in_body = true;
        self.initialising = true;
        self.loops = 0;
    }

    fn body(&mut self, head: Head) -> Option<Proctype> {
        self.initialised = self.locals.len();
        let (body, end) = self.body_statements()?;
        let Head { name, active, parameters, provided, priority, span } = head;
        let locals = std::mem::take(&mut self.locals);
        let initialised = self.initialised;
        let (choice, earlier) = (Choosing::Allowed, self.ast.proctypes.len());
        Some(Proctype {
            name,
            active,
            locals,
            parameters,
            initialised,
            choice,
            provided,
            priority,
            body,
            span,
            end,
            earlier,
        })
    }

    fn body_statements(&mut self) -> Option<(Sequence, Span)> {
        self.expect(Sign::OpenBrace, "before the body")?;
        let mut body = Vec::new();
        // A body of declarations only has no statement, and that is fine.
        while self.is_declaration() && self.initialising {
            body.extend(self.local_declaration()?);
            let mut separated = self.is(Sign::CloseBrace) || self.may_omit_separator();
            while self.eat(Sign::Semicolon) || self.eat(Sign::Arrow) {
                separated = true;
            }
            if !separated {
                return self.mismatched(Expected::Separator("`;` after the declaration"));
            }
        }
        if !self.is(Sign::CloseBrace) {
            body.extend(self.sequence()?);
        }
        let end = self.expect_end_of_body()?;
        self.scopes.clear();
        self.in_body = false;
        Some((body, end))
    }

    /// The name that may stand here, or another one.
    fn name_or(&mut self, otherwise: impl FnOnce() -> Name) -> Name {
        let Token::Name(name) = self.peek() else { return otherwise() };
        let name = name.clone();
        self.advance();
        name
    }

    fn never(&mut self) -> Option<()> {
        let span = self.span();
        self.advance();
        let number = self.ast.claims.len();
        let name = self.name_or(|| format!("never_{number}").into());
        self.begin_body();
        self.in_claim = true;
        let claim = self.body(Head { name, active: 0, parameters: 0, provided: None, priority: None, span });
        self.in_claim = false;
        let claim = claim?;
        if let Some(local) = claim.locals.first() {
            let message = "a never claim has no variables of its own";
            return self.error_with_help(codes::CLAIM, local.span, message, "declare the variable outside the claim");
        }
        self.ast.claims.push(claim);
        Some(())
    }

    fn trace(&mut self, forbids: Forbidden) -> Option<()> {
        let span = self.span();
        self.advance();
        if self.ast.trace.is_some() {
            return self.error(codes::DUPLICATE, span, "there is more than one trace assertion");
        }
        self.begin_body();
        let name = if forbids == Forbidden::Others { "trace" } else { "notrace" };
        let head = Head { name: name.into(), active: 0, parameters: 0, provided: None, priority: None, span };
        let body = self.body(head)?;
        self.ast.trace = Some(TraceAssertion { forbids, body });
        Some(())
    }

    fn ltl(&mut self) -> Option<()> {
        let start = self.span();
        self.advance();
        let (before, number) = (self.at, self.unnamed_formulas);
        let name = self.name_or(|| format!("ltl_{number}").into());
        self.unnamed_formulas += usize::from(self.at == before);
        self.expect(Sign::OpenBrace, "before the formula")?;
        self.in_formula = true;
        let formula = self.expr();
        self.in_formula = false;
        let formula = formula?;
        self.eat(Sign::Semicolon);
        self.expect(Sign::CloseBrace, "after the formula")?;
        self.ast.formulas.push(Formula { name, formula, span: start.to(self.last_span()) });
        Some(())
    }
}

/// Whether a unit of the model begins here, or the model ends.
fn begins_unit(token: &Token) -> bool {
    matches!(
        token,
        Token::End
            | Token::Keyword(
                Keyword::Proctype
                    | Keyword::DProctype
                    | Keyword::Active
                    | Keyword::Init
                    | Keyword::Never
                    | Keyword::Ltl
                    | Keyword::Typedef
                    | Keyword::Inline
                    | Keyword::Trace
                    | Keyword::NoTrace
            )
    )
}

/// What is known of a proctype before its body.
struct Head {
    name: Name,
    active: u32,
    parameters: usize,
    provided: Option<ExprRef>,
    priority: Option<u32>,
    span: Span,
}
