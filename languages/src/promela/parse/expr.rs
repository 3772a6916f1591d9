//! Expressions, by precedence climbing. In an `ltl` block the temporal operators are part of the language.

use super::super::ast::{
    BinaryOp, Creation, Declaration, Expr, ExprRef, Initial, Name, Order, Pattern, Query, Reference, Root, Type,
    UnaryOp,
};
use super::super::codes;
use super::super::token::{Keyword, Sign, Token};
use super::{LONGEST_CHAIN, Parser};
use system::Span;

impl Parser<'_> {
    /// An expression.
    pub(super) fn expr(&mut self) -> Option<ExprRef> {
        self.binary(0)
    }

    fn add(&mut self, expr: Expr, span: Span) -> Option<ExprRef> {
        let added = self.ast.add(expr, span);
        if self.ast.depth(added) > LONGEST_CHAIN {
            return self.error(codes::TOO_LARGE, span, "this expression is too long");
        }
        Some(added)
    }

    fn binary(&mut self, least: u8) -> Option<ExprRef> {
        let start = self.span();
        let mut left = self.deeper(Self::unary)?;
        let (mut before, mut chained) = (None, None);
        while let Some((op, level, tokens)) = self.operator().filter(|(_, level, _)| *level >= least) {
            self.suspect_operator();
            for _ in 0..tokens {
                self.advance();
            }
            let right = self.deeper(|parser| parser.binary(level + 1))?;
            chained = if before == Some(level) { Some(op) } else { chained };
            before = Some(level);
            left = self.add(Expr::Binary(op, left, right), start.to(self.last_span()))?;
        }
        if let Some(op) = chained {
            self.suspect_chain(op, start.to(self.last_span()));
        }
        Some(left)
    }

    /// The binary operator here: its level, and how many tokens it takes.
    fn operator(&self) -> Option<(BinaryOp, u8, usize)> {
        let op = match self.peek() {
            Token::Sign(sign) => match sign {
                Sign::Or | Sign::Disjunction => (BinaryOp::Or, 2),
                Sign::And | Sign::Conjunction => (BinaryOp::And, 3),
                Sign::BitOr => (BinaryOp::BitOr, 5),
                Sign::BitXor => (BinaryOp::BitXor, 6),
                Sign::BitAnd => (BinaryOp::BitAnd, 7),
                Sign::Equal => (BinaryOp::Equal, 8),
                Sign::NotEqual => (BinaryOp::NotEqual, 8),
                Sign::Less if self.in_formula && *self.peek_at(1) == Token::Sign(Sign::Arrow) => {
                    return Some((BinaryOp::Iff, 1, 2));
                }
                Sign::Less => (BinaryOp::Less, 9),
                Sign::Greater => (BinaryOp::Greater, 9),
                Sign::LessEqual => (BinaryOp::LessEqual, 9),
                Sign::GreaterEqual => (BinaryOp::GreaterEqual, 9),
                Sign::ShiftLeft => (BinaryOp::ShiftLeft, 10),
                Sign::ShiftRight => (BinaryOp::ShiftRight, 10),
                Sign::Plus => (BinaryOp::Add, 11),
                Sign::Minus => (BinaryOp::Subtract, 11),
                Sign::Times => (BinaryOp::Multiply, 12),
                Sign::Divide => (BinaryOp::Divide, 12),
                Sign::Modulo => (BinaryOp::Modulo, 12),
                Sign::Arrow if self.in_formula => (BinaryOp::Implies, 1),
                _ => return None,
            },
            Token::Name(name) if self.in_formula => match &**name {
                "U" | "until" | "stronguntil" => (BinaryOp::Until, 4),
                "W" | "weakuntil" => (BinaryOp::WeakUntil, 4),
                "V" | "R" | "release" => (BinaryOp::Release, 4),
                "implies" => (BinaryOp::Implies, 1),
                "equivalent" => (BinaryOp::Iff, 1),
                _ => return None,
            },
            _ => return None,
        };
        Some((op.0, op.1, 1))
    }

    fn unary(&mut self) -> Option<ExprRef> {
        let start = self.span();
        let op = match self.peek() {
            Token::Sign(Sign::Not) => UnaryOp::Not,
            Token::Sign(Sign::Minus) => UnaryOp::Negate,
            Token::Sign(Sign::Complement) => UnaryOp::Complement,
            Token::Sign(Sign::SortedSend) => {
                self.advance();
                let inner = self.deeper(Self::unary)?;
                let span = start.to(self.last_span());
                let once = self.add(Expr::Unary(UnaryOp::Not, inner), span)?;
                return self.add(Expr::Unary(UnaryOp::Not, once), span);
            }
            Token::Sign(Sign::OpenBracket)
                if self.in_formula && *self.peek_at(1) == Token::Sign(Sign::CloseBracket) =>
            {
                self.advance();
                UnaryOp::Always
            }
            Token::Sign(Sign::Less) if self.in_formula && *self.peek_at(1) == Token::Sign(Sign::Greater) => {
                self.advance();
                UnaryOp::Eventually
            }
            Token::Name(name) if self.in_formula && !self.is_variable(name) => match &**name {
                "always" => UnaryOp::Always,
                "eventually" => UnaryOp::Eventually,
                "X" | "next" => {
                    self.suspect_operator();
                    UnaryOp::Next
                }
                _ => return self.primary(),
            },
            _ => return self.primary(),
        };
        self.advance();
        let inner = self.deeper(Self::unary)?;
        self.add(Expr::Unary(op, inner), start.to(self.last_span()))
    }

    fn primary(&mut self) -> Option<ExprRef> {
        let start = self.span();
        match self.peek().clone() {
            Token::Number(value) => {
                if value > i64::from(u32::MAX) {
                    return self.error(codes::NUMBER, start, "this number does not fit 32 bits");
                }
                self.advance();
                // As C has it: a constant beyond the largest int keeps its low 32 bits.
                self.add(Expr::Number(i64::from(value as u32 as i32)), start)
            }
            Token::Keyword(keyword) => self.keyword_expr(keyword, start),
            Token::Sign(Sign::OpenParen) => self.parenthesised(),
            Token::Name(name) => self.named(name, start),
            _ => self.unexpected("an expression"),
        }
    }

    fn parenthesised(&mut self) -> Option<ExprRef> {
        let start = self.span();
        self.advance();
        let first = self.deeper(Self::expr)?;
        if !self.in_formula && self.eat(Sign::Arrow) {
            let then = self.deeper(Self::expr)?;
            self.expect(Sign::Colon, "between the two values of the conditional expression")?;
            let otherwise = self.deeper(Self::expr)?;
            self.expect(Sign::CloseParen, "after the conditional expression")?;
            return self.add(Expr::Conditional(first, then, otherwise), start.to(self.last_span()));
        }
        self.expect(Sign::CloseParen, "after the expression")?;
        Some(first)
    }

    fn keyword_expr(&mut self, keyword: Keyword, start: Span) -> Option<ExprRef> {
        let simple = match keyword {
            Keyword::True | Keyword::Skip => Some(Expr::Number(1)),
            Keyword::False => Some(Expr::Number(0)),
            Keyword::Timeout => Some(Expr::Timeout),
            Keyword::NonProgress => {
                self.observing("np_", start)?;
                Some(Expr::NonProgress)
            }
            _ => None,
        };
        if let Some(simple) = simple {
            self.advance();
            return self.add(simple, start);
        }
        match keyword {
            Keyword::Run => self.run(start),
            Keyword::Len => self.query(Query::Len, start),
            Keyword::Full => self.query(Query::Full, start),
            Keyword::Empty => self.query(Query::Empty, start),
            Keyword::NotFull => self.query(Query::NotFull, start),
            Keyword::NotEmpty => self.query(Query::NotEmpty, start),
            Keyword::Enabled | Keyword::PcValue | Keyword::GetPriority => {
                self.advance();
                self.expect(Sign::OpenParen, "before the process")?;
                let pid = self.deeper(Self::expr)?;
                self.expect(Sign::CloseParen, "after the process")?;
                let span = start.to(self.last_span());
                let expr = match keyword {
                    Keyword::Enabled => {
                        self.observing("enabled", span)?;
                        Expr::Enabled(pid)
                    }
                    Keyword::PcValue => Expr::PcValue(pid),
                    _ => {
                        self.ast.priorities.get_or_insert(span);
                        Expr::Priority(pid)
                    }
                };
                self.add(expr, span)
            }
            _ => self.unexpected("an expression"),
        }
    }

    /// Some things only a claim or a formula may ask, since the answer depends on all processes.
    fn observing(&mut self, what: &str, span: Span) -> Option<()> {
        if self.in_claim || self.in_formula || !self.in_body {
            return Some(());
        }
        let message = format!("only a claim or a formula may ask for {what}");
        self.error_with_help(codes::CLAIM, span, message, "ask in a never claim, an ltl block or an invariant")
    }

    fn run(&mut self, start: Span) -> Option<ExprRef> {
        self.advance();
        let name = self.name("the name of a proctype")?;
        if !self.in_body {
            return self.error(codes::RUN, start, "only a process can run another one");
        }
        self.expect(Sign::OpenParen, "before the arguments")?;
        let mut arguments = Vec::new();
        while !self.eat(Sign::CloseParen) {
            arguments.push(self.deeper(Self::expr)?);
            if !self.eat(Sign::Comma) && !self.is(Sign::CloseParen) {
                return self.unexpected("`,` or `)`");
            }
        }
        let priority = self.priority()?;
        self.add(Expr::Run(Creation { name, arguments, priority }), start.to(self.last_span()))
    }

    /// `priority N`, if it is there.
    pub(super) fn priority(&mut self) -> Option<Option<u32>> {
        let span = self.span();
        if !self.eat_word(Keyword::Priority) {
            return Some(None);
        }
        self.ast.priorities.get_or_insert(span);
        let span = self.span();
        let priority = self.constant("the priority")?;
        if !(1..=255).contains(&priority) {
            return self.error(codes::SIZE, span, "a priority is between 1 and 255");
        }
        Some(Some(priority as u32))
    }

    fn query(&mut self, query: Query, start: Span) -> Option<ExprRef> {
        self.advance();
        self.expect(Sign::OpenParen, "before the channel")?;
        let channel = self.reference()?;
        self.expect(Sign::CloseParen, "after the channel")?;
        self.add(Expr::Query(query, channel), start.to(self.last_span()))
    }

    fn named(&mut self, name: Name, start: Span) -> Option<ExprRef> {
        if !self.is_variable(&name) && self.proctypes.contains(&name) {
            return self.remote(name, start);
        }
        if !self.is_variable(&name)
            && let Some(value) = self.mtypes.get(&name)
        {
            let number = Expr::Number(*value);
            self.advance();
            return self.add(number, start);
        }
        let reference = self.reference()?;
        let order = match (self.peek(), self.peek_at(1)) {
            (Token::Sign(Sign::Question), Token::Sign(Sign::OpenBracket)) => Order::Fifo,
            (Token::Sign(Sign::RandomReceive), Token::Sign(Sign::OpenBracket)) => Order::Any,
            _ => return self.add(Expr::Variable(reference), start.to(self.last_span())),
        };
        self.advance();
        self.advance();
        let patterns = self.patterns()?;
        self.expect(Sign::CloseBracket, "after the fields")?;
        self.add(Expr::Poll(reference, order, patterns), start.to(self.last_span()))
    }

    /// `p[1]@label`, `p@label`, `p[1]:variable`, `p:variable`
    fn remote(&mut self, name: Name, start: Span) -> Option<ExprRef> {
        self.advance();
        let mut pid = None;
        if self.eat(Sign::OpenBracket) {
            pid = Some(self.deeper(Self::expr)?);
            self.expect(Sign::CloseBracket, "after the process number")?;
        }
        if self.eat(Sign::At) {
            let label = self.name("a label")?;
            return self.add(Expr::RemoteLabel(name, pid, label), start.to(self.last_span()));
        }
        self.expect(Sign::Colon, "or `@` after the process")?;
        let variable = self.name("a variable of the process")?;
        let mut index = None;
        if self.eat(Sign::OpenBracket) {
            index = Some(self.deeper(Self::expr)?);
            self.expect(Sign::CloseBracket, "after the index")?;
        }
        self.add(Expr::RemoteVariable(name, pid, variable, index), start.to(self.last_span()))
    }

    /// A variable with its indices and fields.
    pub(super) fn reference(&mut self) -> Option<Reference> {
        let start = self.span();
        let name = self.name("a variable")?;
        let root = match (&*name, self.local(&name), self.globals.get(&name)) {
            (_, Some(local), _) => Root::Local(local),
            (_, None, Some(global)) => Root::Global(*global),
            ("_pid", ..) => Root::Pid,
            ("_nr_pr", ..) => Root::ProcessCount,
            ("_last", ..) => Root::Last,
            ("_priority", ..) => {
                self.ast.priorities.get_or_insert(start);
                Root::Priority
            }
            ("_", ..) => Root::Scratch,
            _ => return self.undeclared(&name, start),
        };
        let index = self.index()?;
        let mut fields = Vec::new();
        while self.eat(Sign::Dot) {
            let field = self.name("a field")?;
            fields.push((field, self.index()?));
        }
        let span = start.to(self.last_span());
        Some(self.without_idle_indices(Reference { root, index, fields, span }))
    }

    /// SPIN takes a variable that is no array for an array of one element: `x[0]` is `x`.
    fn without_idle_indices(&self, mut reference: Reference) -> Reference {
        let Some(mut declaration) = self.declaration(reference.root) else { return reference };
        reference.index = self.needed_index(declaration, reference.index);
        for (name, index) in &mut reference.fields {
            let Type::Struct(structure) = declaration.ty else { break };
            let mut fields = self.ast.structures[structure].fields.iter();
            let Some(field) = fields.find(|field| field.name == *name) else { break };
            declaration = field;
            *index = self.needed_index(declaration, *index);
        }
        reference
    }

    fn needed_index(&self, declaration: &Declaration, index: Option<ExprRef>) -> Option<ExprRef> {
        index.filter(|index| declaration.length.is_some() || !matches!(self.ast.expr(*index), Expr::Number(0)))
    }

    /// The declaration of a variable.
    pub(super) fn declaration(&self, root: Root) -> Option<&Declaration> {
        match root {
            Root::Global(id) => Some(&self.ast.globals[id]),
            Root::Local(id) => Some(&self.locals[id]),
            _ => None,
        }
    }

    fn index(&mut self) -> Option<Option<ExprRef>> {
        // In a formula, `[]` is an operator.
        if !self.is(Sign::OpenBracket) || *self.peek_at(1) == Token::Sign(Sign::CloseBracket) {
            return Some(None);
        }
        self.advance();
        let index = self.deeper(Self::expr)?;
        self.expect(Sign::CloseBracket, "after the index")?;
        Some(Some(index))
    }

    /// What a receive expects, field by field. `a(b, c)` is `a, b, c`.
    pub(super) fn patterns(&mut self) -> Option<Vec<Pattern>> {
        let mut patterns = Vec::new();
        let mut open = 0;
        loop {
            while self.eat(Sign::OpenParen) {
                open += 1;
            }
            patterns.push(self.pattern()?);
            while open > 0 && self.eat(Sign::CloseParen) {
                open -= 1;
            }
            if self.is(Sign::OpenParen) {
                continue;
            }
            if !self.eat(Sign::Comma) {
                break;
            }
        }
        if open > 0 {
            return self.unexpected("`)`");
        }
        Some(patterns)
    }

    fn pattern(&mut self) -> Option<Pattern> {
        match self.peek().clone() {
            Token::Keyword(Keyword::Eval) => {
                self.advance();
                self.expect(Sign::OpenParen, "before the expression")?;
                let value = self.deeper(Self::expr)?;
                self.expect(Sign::CloseParen, "after the expression")?;
                Some(Pattern::Match(value))
            }
            Token::Number(_) | Token::Sign(Sign::Minus) | Token::Keyword(_) => Some(Pattern::Match(self.unary()?)),
            Token::Name(name) if !self.is_variable(&name) && self.mtypes.contains_key(&name) => {
                Some(Pattern::Match(self.unary()?))
            }
            _ => Some(Pattern::Store(self.reference()?)),
        }
    }

    /// The value of a constant expression. A global variable that begins with a constant counts, as SPIN has it.
    pub(super) fn evaluate(&self, expr: ExprRef) -> Option<i64> {
        match self.ast.expr(expr) {
            Expr::Number(value) => Some(*value),
            Expr::Unary(UnaryOp::Negate, a) => self.evaluate(*a)?.checked_neg(),
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.evaluate(*a)?, self.evaluate(*b)?);
                match op {
                    BinaryOp::Add => a.checked_add(b),
                    BinaryOp::Subtract => a.checked_sub(b),
                    BinaryOp::Multiply => a.checked_mul(b),
                    BinaryOp::Divide => a.checked_div(b),
                    BinaryOp::Modulo => a.checked_rem(b),
                    _ => None,
                }
            }
            Expr::Variable(reference) if reference.fields.is_empty() && reference.index.is_none() => {
                match self.declaration(reference.root)?.initial {
                    Initial::Value(value) if value != expr => self.evaluate(value),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
