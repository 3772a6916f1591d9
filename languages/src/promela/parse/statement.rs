//! Statements and sequences.

use super::super::ast::{
    BinaryOp, Copying, Declaration, Expr, ExprRef, Initial, Kind, Label, Name, Order, Pattern, Query, Reference, Root,
    Sequence, Statement, Type,
};
use super::super::codes;
use super::super::token::{Keyword, Sign, Spanned, Token};
use super::advice::Expected;
use super::{MOST_EXPANSIONS, MOST_TOKENS, Parser};
use rustc_hash::FxHashMap;
use std::ops::RangeInclusive;
use system::Span;

impl Parser<'_> {
    /// `{ sequence }`, with a scope of its own.
    pub(super) fn braced(&mut self, what: &str) -> Option<Sequence> {
        self.expect(Sign::OpenBrace, what)?;
        self.scopes.push(FxHashMap::default());
        let sequence = self.deeper(Self::sequence);
        self.scopes.pop();
        let sequence = sequence?;
        self.expect_end_of_body()?;
        Some(sequence)
    }

    /// Steps separated by `;` or `->`, up to what cannot begin a step.
    pub(super) fn sequence(&mut self) -> Option<Sequence> {
        let mut sequence = Vec::new();
        while self.is(Sign::Semicolon) || self.is(Sign::Arrow) {
            self.advance();
        }
        let start = self.span();
        loop {
            self.step(&mut sequence)?;
            let mut separated = self.may_omit_separator();
            while self.is(Sign::Semicolon) || self.is(Sign::Arrow) {
                self.advance();
                separated = true;
            }
            if !separated || self.ends_sequence() {
                break;
            }
        }
        if sequence.is_empty() {
            return self.error(codes::SYNTAX, start, "a sequence needs at least one statement");
        }
        Some(sequence)
    }

    /// SPIN supplies a separator behind `}` and `else`.
    pub(super) fn may_omit_separator(&self) -> bool {
        matches!(self.tokens[self.at - 1].token, Token::Sign(Sign::CloseBrace) | Token::Keyword(Keyword::Else))
    }

    fn ends_sequence(&self) -> bool {
        matches!(
            self.peek(),
            Token::Sign(Sign::CloseBrace | Sign::Option) | Token::Keyword(Keyword::Fi | Keyword::Od) | Token::End
        )
    }

    /// A declaration or a statement, perhaps with an escape.
    fn step(&mut self, sequence: &mut Sequence) -> Option<()> {
        if let Token::Keyword(Keyword::Xr | Keyword::Xs) = self.peek() {
            self.ast.exclusive.get_or_insert(self.span());
            self.advance();
            loop {
                self.reference()?;
                if !self.eat(Sign::Comma) {
                    return Some(());
                }
            }
        }
        if self.is_declaration() {
            sequence.extend(self.local_declaration()?);
            return Some(());
        }
        let main = self.statement(sequence)?;
        self.initialising = false;
        if !self.eat_word(Keyword::Unless) {
            sequence.push(main);
            return Some(());
        }
        let escape = self.statement(sequence)?;
        let span = main.span.to(escape.span);
        let (mut main, labels) = (main, Vec::new());
        let labels = if matches!(main.kind, Kind::Block(_) | Kind::Atomic(_) | Kind::DStep(_)) {
            std::mem::take(&mut main.labels)
        } else {
            labels
        };
        sequence.push(Statement { kind: Kind::Unless(Box::new(main), Box::new(escape)), span, labels });
        Some(())
    }

    /// A statement with its labels. What it needs before it (the start of a `for`) goes to the sequence.
    fn statement(&mut self, sequence: &mut Sequence) -> Option<Statement> {
        let start = self.span();
        let mut labels = Vec::new();
        while let (Token::Name(name), Token::Sign(Sign::Colon)) = (self.peek(), self.peek_at(1)) {
            labels.push(Label { name: name.clone(), expansion: self.expansion });
            self.advance();
            self.advance();
        }
        if !labels.is_empty() && (self.ends_sequence() || self.is(Sign::Semicolon) || self.is(Sign::Arrow)) {
            return Some(Statement { kind: Kind::Skip, span: start, labels });
        }
        if !labels.is_empty() && self.is_declaration() {
            return self.error(codes::LABEL, start, "a label cannot stand before a declaration");
        }
        let kind = self.deeper(|parser| parser.kind(sequence))?;
        Some(Statement { kind, span: start.to(self.last_span()), labels })
    }

    fn kind(&mut self, sequence: &mut Sequence) -> Option<Kind> {
        match self.peek().clone() {
            Token::Keyword(keyword) => self.keyword_statement(keyword, sequence),
            Token::Sign(Sign::OpenBrace) => {
                self.initialising = false;
                Some(Kind::Block(self.braced("")?))
            }
            Token::Name(name) if self.inlines.contains_key(&name) && !self.is_variable(&name) => self.call(&name),
            Token::Name(name) if self.is_variable(&name) || name.starts_with('_') => self.variable_statement(),
            _ => self.condition(),
        }
    }

    fn keyword_statement(&mut self, keyword: Keyword, sequence: &mut Sequence) -> Option<Kind> {
        let span = self.span();
        match keyword {
            Keyword::If => Some(Kind::If(self.options(Keyword::Fi)?)),
            Keyword::Do => {
                self.loops += 1;
                let options = self.options(Keyword::Od);
                self.loops -= 1;
                Some(Kind::Do(options?))
            }
            Keyword::For => self.for_loop(sequence),
            Keyword::Select => self.select(sequence),
            Keyword::Break => {
                self.advance();
                if self.loops == 0 {
                    return self.error(codes::BREAK, span, "this break is outside a loop");
                }
                Some(Kind::Break)
            }
            Keyword::Goto => {
                self.advance();
                let name = self.name("a label")?;
                Some(Kind::Goto(Label { name, expansion: self.expansion }))
            }
            Keyword::Atomic | Keyword::DStep => {
                self.advance();
                self.initialising = false;
                let body = self.braced("before the statements")?;
                Some(if keyword == Keyword::Atomic { Kind::Atomic(body) } else { Kind::DStep(body) })
            }
            Keyword::Else => {
                self.advance();
                Some(Kind::Else)
            }
            Keyword::Assert => {
                self.advance();
                Some(Kind::Assert(self.expr()?))
            }
            Keyword::Printf => self.printf(),
            Keyword::Printm => {
                self.advance();
                self.expect(Sign::OpenParen, "before the constant")?;
                let constant = self.expr()?;
                self.expect(Sign::CloseParen, "after the constant")?;
                Some(Kind::Print("%e".into(), vec![constant]))
            }
            Keyword::SetPriority => self.set_priority(),
            Keyword::Return => self.error(codes::UNSUPPORTED, span, "inlines that return a value are not supported"),
            _ => self.condition(),
        }
    }

    fn condition(&mut self) -> Option<Kind> {
        let condition = self.expr()?;
        Some(if matches!(self.ast.expr(condition), Expr::Number(1)) { Kind::Skip } else { Kind::Condition(condition) })
    }

    fn printf(&mut self) -> Option<Kind> {
        self.advance();
        self.expect(Sign::OpenParen, "before the text")?;
        let Token::Text(format) = self.peek().clone() else { return self.unexpected("a text") };
        self.advance();
        let mut values = Vec::new();
        while self.eat(Sign::Comma) {
            values.push(self.expr()?);
        }
        self.expect(Sign::CloseParen, "after the text")?;
        Some(Kind::Print(format, values))
    }

    fn set_priority(&mut self) -> Option<Kind> {
        self.ast.priorities.get_or_insert(self.span());
        self.advance();
        self.expect(Sign::OpenParen, "before the process")?;
        let pid = self.expr()?;
        self.expect(Sign::Comma, "between the process and its priority")?;
        let priority = self.expr()?;
        self.expect(Sign::CloseParen, "after the priority")?;
        Some(Kind::SetPriority(pid, priority))
    }

    fn options(&mut self, end: Keyword) -> Option<Vec<Sequence>> {
        self.advance();
        let mut options = Vec::new();
        while self.eat(Sign::Option) {
            self.initialising = false;
            self.suspect_assignment();
            options.push(self.deeper(Self::sequence)?);
        }
        if options.is_empty() {
            return self.mismatched(Expected::Option("`::`"));
        }
        if !self.eat_word(end) {
            return self.mismatched(Expected::OptionOrSeparator(&format!("`::`, `;` or `{}`", end.text())));
        }
        Some(options)
    }

    /// A statement that begins with a variable: an assignment, a send or receive, or a condition.
    fn variable_statement(&mut self) -> Option<Kind> {
        let start = self.at;
        let reference = self.reference()?;
        let span = reference.span;
        match self.peek() {
            Token::Sign(Sign::Assign) => {
                self.advance();
                if let Token::Name(name) = self.peek()
                    && self.inlines.contains_key(name)
                    && !self.is_variable(name)
                {
                    return self.error(codes::UNSUPPORTED, span, "inlines that return a value are not supported");
                }
                Some(Kind::Assign(reference, self.expr()?))
            }
            Token::Sign(sign @ (Sign::Increment | Sign::Decrement)) => {
                let op = if *sign == Sign::Increment { BinaryOp::Add } else { BinaryOp::Subtract };
                self.advance();
                let one = self.ast.add(Expr::Number(1), span);
                let old = self.ast.add(Expr::Variable(reference.clone()), span);
                let new = self.ast.add(Expr::Binary(op, old, one), span);
                Some(Kind::Assign(reference, new))
            }
            Token::Sign(sign @ (Sign::Not | Sign::SortedSend)) => {
                let order = if *sign == Sign::Not { Order::Fifo } else { Order::Any };
                self.advance();
                Some(Kind::Send(reference, order, self.message()?))
            }
            Token::Sign(sign @ (Sign::Question | Sign::RandomReceive))
                if *self.peek_at(1) != Token::Sign(Sign::OpenBracket) =>
            {
                let order = if *sign == Sign::Question { Order::Fifo } else { Order::Any };
                self.advance();
                if !self.eat(Sign::Less) {
                    return Some(Kind::Receive(reference, order, Copying::Takes, self.patterns()?));
                }
                let patterns = self.patterns()?;
                self.expect(Sign::Greater, "after the fields")?;
                Some(Kind::Receive(reference, order, Copying::Copies, patterns))
            }
            _ => {
                self.at = start;
                self.condition()
            }
        }
    }

    /// The fields of a message: `a, b` or `a(b, c)`.
    fn message(&mut self) -> Option<Vec<ExprRef>> {
        let mut fields = vec![self.expr()?];
        if self.eat(Sign::OpenParen) {
            loop {
                fields.push(self.expr()?);
                if !self.eat(Sign::Comma) {
                    break;
                }
            }
            self.expect(Sign::CloseParen, "after the fields")?;
        }
        while self.eat(Sign::Comma) {
            fields.push(self.expr()?);
        }
        Some(fields)
    }

    /// `for (i : low .. high) { .. }` and `for (i in array) { .. }`, as the loop that SPIN makes of it.
    fn for_loop(&mut self, sequence: &mut Sequence) -> Option<Kind> {
        let start = self.span();
        self.advance();
        self.expect(Sign::OpenParen, "after `for`")?;
        let index = self.reference()?;
        // `in` is a word of the language here only.
        let counts_through = matches!(self.peek(), Token::Name(name) if &**name == "in");
        let (low, high) = if counts_through {
            self.advance();
            let array = self.reference()?;
            if self.is_channel(&array) {
                return self.for_messages(sequence, index, array, start);
            }
            let Some(declaration) = self.declaration(array.root) else {
                return self.error(codes::TYPE, array.span, "this is no array");
            };
            let Some(length) = declaration.length.filter(|_| array.fields.is_empty()) else {
                let message = "only the elements of an array can be counted through";
                return self.error(codes::UNSUPPORTED, array.span, message);
            };
            let low = self.ast.add(Expr::Number(0), array.span);
            (low, self.ast.add(Expr::Number(i64::from(length) - 1), array.span))
        } else {
            self.range(Expected::Values("`in` or `:`"))?
        };
        self.expect(Sign::CloseParen, "after the range")?;
        let span = start.to(self.last_span());
        self.eat(Sign::Semicolon);
        self.initialising = false;
        self.loops += 1;
        let body = self.braced("before the statements of the loop");
        self.loops -= 1;
        self.begin_range(sequence, &index, low, span);
        let mut option = vec![self.compare(&index, BinaryOp::LessEqual, high, span)];
        option.extend(body?);
        option.push(self.increment(&index, span));
        Some(Kind::Do(vec![option, vec![plain(Kind::Else, span), plain(Kind::Break, span)]]))
    }

    fn is_channel(&self, reference: &Reference) -> bool {
        let Some(declaration) = self.declaration(reference.root) else { return false };
        declaration.ty == Type::Chan
            && reference.fields.is_empty()
            && declaration.length.is_some() == reference.index.is_some()
    }

    /// `for (m in channel) { .. }`: every message is received, and sent again, in turn.
    fn for_messages(
        &mut self,
        sequence: &mut Sequence,
        message: Reference,
        channel: Reference,
        start: Span,
    ) -> Option<Kind> {
        self.expect(Sign::CloseParen, "after the channel")?;
        let span = start.to(self.last_span());
        let counter = self.locals.len();
        self.locals.push(Declaration {
            name: format!("_for_{counter}").into(),
            ty: Type::Byte,
            length: None,
            initial: Initial::Zero,
            hidden: false,
            span,
        });
        let index = Reference { root: Root::Local(counter), index: None, fields: Vec::new(), span };
        self.eat(Sign::Semicolon);
        self.initialising = false;
        self.loops += 1;
        let body = self.braced("before the statements of the loop");
        self.loops -= 1;
        let zero = self.ast.add(Expr::Number(0), span);
        self.begin_range(sequence, &index, zero, span);
        let length = self.ast.add(Expr::Query(Query::Len, channel.clone()), span);
        let taken = Kind::Receive(channel.clone(), Order::Fifo, Copying::Takes, vec![Pattern::Store(message.clone())]);
        let again = self.ast.add(Expr::Variable(message), span);
        let mut option = vec![self.compare(&index, BinaryOp::Less, length, span), plain(taken, span)];
        option.push(plain(Kind::Send(channel, Order::Fifo, vec![again]), span));
        option.extend(body?);
        option.push(self.increment(&index, span));
        Some(Kind::Do(vec![option, vec![plain(Kind::Else, span), plain(Kind::Break, span)]]))
    }

    /// `select (i : low .. high)`
    fn select(&mut self, sequence: &mut Sequence) -> Option<Kind> {
        let start = self.span();
        self.advance();
        self.expect(Sign::OpenParen, "after `select`")?;
        let literals = self.literal_range();
        let index = self.reference()?;
        let (low, high) = self.range(Expected::Other("`:`"))?;
        self.expect(Sign::CloseParen, "after the range")?;
        let span = start.to(self.last_span());
        if let Some(values) = literals {
            let options = values.map(|value| {
                let value = self.ast.add(Expr::Number(value), span);
                vec![Statement { kind: Kind::Assign(index.clone(), value), span, labels: Vec::new() }]
            });
            return Some(Kind::If(options.collect()));
        }
        self.begin_range(sequence, &index, low, span);
        let option = vec![self.compare(&index, BinaryOp::Less, high, span), self.increment(&index, span)];
        let stop = vec![Statement { kind: Kind::Break, span, labels: Vec::new() }];
        Some(Kind::Do(vec![stop, option]))
    }

    /// Where a `select` of a plain name between two numbers that are not far apart is written outside an inline, SPIN
    /// makes it a choice between assignments.
    fn literal_range(&self) -> Option<RangeInclusive<i64>> {
        /// The farthest that the numbers may be apart.
        const WIDEST: i64 = 32;
        let tokens = [0, 1, 2, 3, 4, 5].map(|offset| self.peek_at(offset));
        match tokens {
            [
                Token::Name(name),
                Token::Sign(Sign::Colon),
                Token::Number(low),
                Token::Sign(Sign::Range),
                Token::Number(high),
                Token::Sign(Sign::CloseParen),
            ] if !name.contains('_') && self.expansion == 0 && (0..=WIDEST).contains(&(high - low)) => {
                Some(*low..=*high)
            }
            _ => None,
        }
    }

    fn range(&mut self, expected: Expected<'_>) -> Option<(ExprRef, ExprRef)> {
        if !self.eat(Sign::Colon) {
            return self.mismatched(expected);
        }
        let low = self.expr()?;
        self.expect(Sign::Range, "between the bounds")?;
        Some((low, self.expr()?))
    }

    fn begin_range(&mut self, sequence: &mut Sequence, index: &Reference, low: ExprRef, span: Span) {
        sequence.push(Statement { kind: Kind::Assign(index.clone(), low), span, labels: Vec::new() });
    }

    fn compare(&mut self, index: &Reference, op: BinaryOp, bound: ExprRef, span: Span) -> Statement {
        let value = self.ast.add(Expr::Variable(index.clone()), index.span);
        let condition = self.ast.add(Expr::Binary(op, value, bound), span);
        Statement { kind: Kind::Condition(condition), span, labels: Vec::new() }
    }

    fn increment(&mut self, index: &Reference, span: Span) -> Statement {
        let value = self.ast.add(Expr::Variable(index.clone()), index.span);
        let one = self.ast.add(Expr::Number(1), span);
        let next = self.ast.add(Expr::Binary(BinaryOp::Add, value, one), span);
        Statement { kind: Kind::Assign(index.clone(), next), span, labels: Vec::new() }
    }

    /// A call of an inline: its body, with the arguments put in for the parameters, is parsed where it stands.
    fn call(&mut self, name: &Name) -> Option<Kind> {
        let site = self.span();
        let inline = self.inlines.get(name).cloned()?;
        self.advance();
        if self.at_end_of_line() {
            self.advance();
        }
        self.expect(Sign::OpenParen, "before the arguments")?;
        let arguments = self.call_arguments()?;
        if arguments.len() != inline.parameters.len() {
            let (wanted, given) = (inline.parameters.len(), arguments.len());
            let message = format!("the inline {name} has {wanted} parameters, but here are {given} arguments");
            return self.error(codes::ARGUMENT_COUNT, site, message);
        }
        self.expansions += 1;
        if self.expansions > MOST_EXPANSIONS {
            return self.error(codes::TOO_LARGE, site, "there are too many calls of inlines; one may call itself");
        }
        let mut body = Vec::new();
        for token in inline.body.iter() {
            if self.tokens.len() + body.len() > MOST_TOKENS {
                return self.error(codes::TOO_LARGE, site, "the bodies of inlines are too long; one may call itself");
            }
            let parameter = match &token.token {
                Token::Name(name) => inline.parameters.iter().position(|parameter| parameter == name),
                _ => None,
            };
            match parameter {
                Some(at) => body.extend(arguments[at].iter().cloned()),
                None => body.push(token.clone()),
            }
        }
        self.tokens.splice(self.at..self.at, body);
        self.initialising = false;
        let outside = std::mem::replace(&mut self.expansion, self.expansions);
        let block = self.braced("");
        self.expansion = outside;
        Some(Kind::Block(block?))
    }

    fn call_arguments(&mut self) -> Option<Vec<Vec<Spanned>>> {
        let mut arguments: Vec<Vec<Spanned>> = Vec::new();
        let mut depth = 0;
        loop {
            match self.peek() {
                Token::Sign(Sign::CloseParen) if depth == 0 => break,
                Token::Sign(Sign::OpenParen | Sign::OpenBracket | Sign::OpenBrace) => depth += 1,
                Token::Sign(Sign::CloseParen | Sign::CloseBracket | Sign::CloseBrace) => depth -= 1,
                Token::Sign(Sign::Comma) if depth == 0 => {
                    arguments.push(Vec::new());
                    self.advance();
                    continue;
                }
                Token::End => return self.unexpected("`)` after the arguments"),
                _ => {}
            }
            let token = self.tokens[self.at].clone();
            if arguments.is_empty() {
                arguments.push(Vec::new());
            }
            arguments.last_mut()?.push(token);
            self.advance();
        }
        self.advance();
        Some(arguments)
    }
}

/// A statement without labels.
fn plain(kind: Kind, span: Span) -> Statement {
    Statement { kind, span, labels: Vec::new() }
}
