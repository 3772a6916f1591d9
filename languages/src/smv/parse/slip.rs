//! Slips: what is reported once and then read as it was meant, so that one mistake gives one error.

use super::{Keyword, Parser, Sign, Spanned, Token, codes};
use crate::diagnostic::Diagnostic;
use crate::smv::ast::Infix;
use system::{Span, UnaryTemporal};

impl Parser<'_> {
    fn text(&self) -> &str {
        self.source.slice(self.span())
    }

    fn foreign(&mut self, message: String, help: &str) {
        let span = self.span();
        self.report(Diagnostic::error(codes::FOREIGN_OPERATOR, span, message).help(help));
    }

    /// The operator that the token at hand is in another language. It is reported.
    pub(super) fn foreign_infix(&mut self) -> Option<Infix> {
        let (op, help) = match self.token() {
            Token::Sign(Sign::DoubleAnd) => (Infix::And, "write `&`"),
            Token::Sign(Sign::DoubleOr) => (Infix::Or, "write `|`"),
            Token::Sign(Sign::DoubleEqual) => (Infix::Equal, "write `=`"),
            Token::Sign(Sign::Unequal) => (Infix::NotEqual, "write `!=`"),
            Token::Sign(Sign::EqualLess) => (Infix::LessEqual, "write `<=`"),
            Token::Sign(Sign::DoubleArrow) => (Infix::Implies, "write `->` for an implication, `>=` for a comparison"),
            Token::Sign(Sign::Percent) => (Infix::Mod, "write `mod`"),
            Token::Identifier => match self.text() {
                "and" | "AND" => (Infix::And, "write `&`"),
                "or" | "OR" => (Infix::Or, "write `|`"),
                _ => return None,
            },
            _ => return None,
        };
        self.foreign(format!("SMV has no operator `{}`", self.text()), help);
        Some(op)
    }

    /// Whether the token at hand negates in another language. It is reported.
    pub(super) fn is_foreign_not(&mut self) -> bool {
        let found = match self.token() {
            Token::Sign(Sign::Tilde) => true,
            Token::Identifier => matches!(self.text(), "not" | "NOT") && self.begins_operand(self.peek(1)),
            _ => false,
        };
        if found {
            self.foreign(format!("SMV has no operator `{}`", self.text()), "write `!`");
        }
        found
    }

    /// The LTL operator that `[]` or `<>` is in other languages, and how many tokens it has. It is reported.
    pub(super) fn foreign_temporal(&mut self) -> Option<(UnaryTemporal, usize)> {
        let (op, tokens, text, meant) = match (self.token(), self.peek(1)) {
            (Token::Sign(Sign::OpenBracket), Token::Sign(Sign::CloseBracket)) => {
                (UnaryTemporal::Globally, 2, "[]", "write `G`")
            }
            (Token::Sign(Sign::Unequal), _) => (UnaryTemporal::Finally, 1, "<>", "write `F`"),
            _ => return None,
        };
        if !self.begins_operand(self.peek(tokens)) {
            return None;
        }
        self.foreign(format!("SMV has no operator `{text}`"), meant);
        Some((op, tokens))
    }

    /// Whether an operand can begin with this token.
    fn begins_operand(&self, token: Token) -> bool {
        match token {
            Token::Identifier | Token::Number | Token::Word => true,
            Token::Sign(sign) => matches!(sign, Sign::OpenParen | Sign::OpenBrace | Sign::Not | Sign::Minus),
            Token::Keyword(keyword) => {
                matches!(keyword, Keyword::True | Keyword::False | Keyword::Case | Keyword::SelfWord | Keyword::Next)
                    || super::expr::function(keyword).is_some()
                    || super::expr::temporal_prefix(keyword).is_some()
            }
            _ => false,
        }
    }

    /// Whether the token at hand is on a later line than the one before it.
    fn is_on_a_new_line(&self) -> bool {
        let (before, here) = (self.previous_span(), self.span());
        self.source.text().get(before.end as usize..here.start as usize).is_some_and(|text| text.contains('\n'))
    }

    /// Reports that something is missing at the end of what was read so far, and reads on as if it was there.
    fn missing(&mut self, what: &str) {
        let end = self.previous_span().end;
        let message = format!("a {what} is missing here");
        self.report(Diagnostic::error(codes::SYNTAX, Span { start: end, end }, message));
    }

    /// Whether a `;` was probably forgotten here: a new line begins what can come next, or the section ends. It is
    /// reported where it belongs, at the end of the line before.
    pub(super) fn is_semicolon_forgotten(&mut self) -> bool {
        let begins_declaration = match self.token() {
            Token::Identifier | Token::Keyword(Keyword::SmallInit | Keyword::Next) => self.is_on_a_new_line(),
            Token::Keyword(keyword) => keyword.begins_section(),
            Token::End => true,
            _ => false,
        };
        if begins_declaration {
            self.missing("`;`");
        }
        begins_declaration
    }

    /// The same behind the value of a branch of a `case`.
    pub(super) fn is_branch_unfinished(&mut self) -> bool {
        let is_end = self.token() == Token::Keyword(Keyword::Esac);
        let found = is_end || self.is_on_a_new_line() && self.begins_operand(self.token());
        if found {
            self.missing("`;`");
        }
        found
    }

    /// Whether the `:=` at hand is inside a guard, and not in the assignment after a `case` without `esac`.
    fn is_guard(&self) -> bool {
        let rest = self.tokens[self.at..].iter().map(|spanned| spanned.token);
        let end = rest.take_while(|token| !matches!(token, Token::Sign(Sign::Semicolon) | Token::End));
        let mut end = end.take_while(|token| *token != Token::Keyword(Keyword::Case));
        end.any(|token| token == Token::Sign(Sign::Colon))
    }

    /// Whether what is at hand cannot belong to a `case` that is open: then its `esac` is missing, which is reported
    /// where the `case` begins.
    pub(super) fn is_esac_missing(&mut self, case: Span) -> bool {
        let found = match self.token() {
            Token::Sign(Sign::Assign) => !self.is_guard(),
            Token::Keyword(keyword) => keyword.begins_section() || keyword == Keyword::SmallInit,
            Token::End => true,
            _ => false,
        };
        if found {
            let word = Span { start: case.start, end: case.start + Keyword::Case.text().len() as u32 };
            let message = "this `case` has no `esac`";
            self.report(Diagnostic::error(codes::SYNTAX, word, message).help("close it with `esac;`"));
        }
        found
    }

    /// Whether `=` stands for `:=` here. It is reported.
    pub(super) fn is_equal_for_assign(&mut self) -> bool {
        let found = matches!(self.token(), Token::Sign(Sign::Equal | Sign::DoubleEqual));
        if found {
            let (span, text) = (self.span(), self.text());
            let message = format!("`{text}` compares; an assignment or definition is written `:=`");
            self.report(Diagnostic::error(codes::SYNTAX, span, message).help("write `:=`"));
        }
        found
    }

    /// Whether a keyword is used as a name, as the declaration that was reported has it.
    pub(super) fn is_misused(&self, keyword: Keyword) -> bool {
        self.misused.contains(&keyword)
    }

    /// Reports a keyword that is declared as a name, once, and takes it for the name from then on.
    pub(super) fn keyword_as_name(&mut self, what: &str) -> bool {
        let Token::Keyword(keyword) = self.token() else { return false };
        if keyword.begins_section() && !self.is_declared() {
            return false;
        }
        if !self.misused.insert(keyword) {
            return true;
        }
        let span = self.span();
        let message = format!("`{}` is a reserved word of SMV and cannot be {what}", keyword.text());
        let help = format!("choose another name, such as `{}_`", keyword.text());
        self.report(Diagnostic::error(codes::RESERVED, span, message).help(help));
        true
    }

    /// Whether a keyword that was declared as a name is used as that name here, and not as the keyword.
    pub(super) fn is_name_again(&self, keyword: Keyword) -> bool {
        if !self.is_misused(keyword) {
            return false;
        }
        match keyword {
            Keyword::A | Keyword::E => self.peek(1) != Token::Sign(Sign::OpenBracket),
            Keyword::True | Keyword::False | Keyword::SelfWord | Keyword::Case => false,
            _ if super::expr::temporal_prefix(keyword).is_some() => !self.begins_operand(self.peek(1)),
            _ => self.peek(1) != Token::Sign(Sign::OpenParen),
        }
    }

    /// Takes a keyword of a section in small letters for the keyword, and reports it.
    pub(super) fn read_small_section(&mut self) {
        let text = self.text();
        let is_name = matches!(
            self.peek(1),
            Token::Sign(Sign::Colon | Sign::Assign | Sign::Dot | Sign::OpenBracket | Sign::Comma)
        );
        if self.token() != Token::Identifier || is_name {
            return;
        }
        let mut sections = Keyword::ALL.iter().filter(|(keyword, _)| keyword.begins_section());
        let meant = sections.find(|(_, spelling)| spelling.eq_ignore_ascii_case(text));
        let Some((keyword, spelling)) = meant else { return };
        let span = self.span();
        let message = format!("`{text}` is no keyword: capital letters matter");
        self.report(Diagnostic::error(codes::SYNTAX, span, message).help(format!("write `{spelling}`")));
        self.tokens[self.at] = Spanned { token: Token::Keyword(*keyword), span };
    }
}
