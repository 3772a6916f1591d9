//! What to say about mistakes that people make who come from other languages.

use super::super::ast::BinaryOp;
use super::super::codes;
use super::super::token::{Keyword, Sign, Token};
use super::{Name, Parser};
use crate::diagnostic::Diagnostic;
use crate::suggest::did_you_mean;
use system::Span;

/// What has to come next, in words; which help is given depends on what it is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Expected<'a> {
    /// The first option of a selection or loop.
    Option(&'a str),
    /// Another option, the end of this one's statement, or the end of all.
    OptionOrSeparator(&'a str),
    /// What separates statements or declarations.
    Separator(&'a str),
    /// The values that a loop goes through.
    Values(&'a str),
    /// Anything else.
    Other(&'a str),
}

impl<'a> Expected<'a> {
    pub(super) fn words(self) -> &'a str {
        match self {
            Expected::Option(words)
            | Expected::OptionOrSeparator(words)
            | Expected::Separator(words)
            | Expected::Values(words)
            | Expected::Other(words) => words,
        }
    }
}

impl Parser<'_> {
    /// What to do about a token that does not fit here.
    pub(super) fn advice(&self, expected: Expected<'_>) -> Option<&'static str> {
        let before = self.at.checked_sub(1).map(|at| &self.tokens[at].token);
        Some(match (before, self.peek()) {
            (Some(Token::Keyword(Keyword::If)), Token::Sign(Sign::OpenParen)) => {
                "a selection is written `if :: condition -> statements :: else -> statements fi`"
            }
            (Some(Token::Keyword(Keyword::Do)), Token::Sign(_)) => {
                "a loop is written `do :: condition -> statements :: else -> break od`"
            }
            (_, Token::Sign(Sign::Assign)) if matches!(expected, Expected::Values(_)) => {
                "a loop over numbers is written `for (i : 0 .. 9) { statements }`"
            }
            (Some(Token::Sign(Sign::Colon)), Token::Sign(Sign::Assign)) => "an assignment is written with `=`",
            (Some(Token::Sign(Sign::Plus | Sign::Minus | Sign::Times | Sign::Divide)), Token::Sign(Sign::Assign)) => {
                "write the variable twice, as in `x = x + 2`"
            }
            (_, Token::Sign(Sign::Assign)) => "to compare two values, write `==`",
            (_, Token::Keyword(Keyword::Else))
                if matches!(expected, Expected::Option(_) | Expected::OptionOrSeparator(_)) =>
            {
                "`else` is an option: write `:: else`"
            }
            (Some(Token::Keyword(_)), Token::Sign(Sign::OpenBracket)) => {
                "the length of an array comes behind its name, as in `byte a[3]`"
            }
            _ => return None,
        })
    }

    /// The token at a place, or the last one.
    fn token_at(&self, at: usize) -> &Token {
        &self.tokens[at.min(self.tokens.len() - 1)].token
    }

    /// Warns of an option that begins with `x = 1 ->`: an assignment can always run, so it is no condition.
    pub(super) fn suspect_assignment(&mut self) {
        if !matches!(self.token_at(self.at), Token::Name(_)) {
            return;
        }
        let mut sign = self.at + 1;
        if *self.token_at(sign) == Token::Sign(Sign::OpenBracket) {
            // An index that is one token.
            sign += 3;
        }
        let is_value = matches!(
            self.token_at(sign + 1),
            Token::Name(_) | Token::Number(_) | Token::Keyword(Keyword::True | Keyword::False)
        );
        let is_condition = is_value && *self.token_at(sign + 2) == Token::Sign(Sign::Arrow);
        if *self.token_at(sign) == Token::Sign(Sign::Assign) && is_condition {
            let span = self.span().to(self.tokens[sign + 1].span);
            let message = "this assigns a value and can always run";
            let help = "to compare, write `==`; to assign, write `;` behind it instead of `->`";
            self.diagnostics.push(Diagnostic::warning(codes::ASSIGNED, span, message).help(help));
        }
    }

    /// Warns of operators that are not associative and stand side by side: `a -> b -> c` is not what it is in most books.
    pub(super) fn suspect_chain(&mut self, op: BinaryOp, span: Span) {
        let (message, help) = match op {
            BinaryOp::Implies => {
                ("implications are read from the left: (a -> b) -> c", "(a -> b) -> c` or `a -> (b -> c)")
            }
            BinaryOp::Until | BinaryOp::WeakUntil | BinaryOp::Release => {
                ("`U`, `W` and `V` are read from the left: (a U b) U c", "(a U b) U c` or `a U (b U c)")
            }
            _ => return,
        };
        let help = format!("SPIN reads it in the same way; say which is meant: `{help}`");
        self.diagnostics.push(Diagnostic::warning(codes::GROUPING, span, message).help(help));
    }

    /// Warns of an operator that SPIN refuses in formulas.
    pub(super) fn suspect_operator(&mut self) {
        let Token::Name(name) = self.peek() else { return };
        let help = match &**name {
            "X" | "next" => {
                "it is checked here; a formula without it does not depend on how many steps a process takes"
            }
            "R" => "`V` and `release` mean the same in both",
            _ => return,
        };
        let message = format!("SPIN does not know the operator `{name}`");
        self.diagnostics.push(Diagnostic::warning(codes::FOREIGN, self.span(), message).help(help));
    }

    /// A reserved word that is declared as a name. It is said once, and the rest is read as if it were a name.
    pub(super) fn reserved(&mut self, keyword: Keyword) -> Name {
        let word = keyword.text();
        let message = format!("`{word}` is a reserved word and cannot be a name");
        let diagnostic = Diagnostic::error(codes::RESERVED, self.span(), message);
        self.diagnostics.push(diagnostic.help(format!("choose another name, such as `{word}_` or `my_{word}`")));
        self.misused.insert(keyword);
        self.advance();
        word.into()
    }

    /// Whether a mistake here follows from a reserved word that was used as a name.
    pub(super) fn follows_from_reserved(&self) -> bool {
        let near = &self.tokens[self.at.saturating_sub(2)..=self.at];
        near.iter().any(|token| matches!(token.token, Token::Keyword(keyword) if self.misused.contains(&keyword)))
    }

    /// A name that is no variable.
    pub(super) fn undeclared<T>(&mut self, name: &Name, span: Span) -> Option<T> {
        let (code, message, help) = match &**name {
            "G" | "F" if self.in_formula => {
                let message = format!("`{name}` is no operator of formulas in Promela");
                (codes::SYNTAX, message, Some("write `[]` for G (always) and `<>` for F (eventually)".to_owned()))
            }
            "while" => {
                let help = "a loop is written `do :: condition -> statements :: else -> break od`";
                (codes::SYNTAX, "Promela has no `while`".to_owned(), Some(help.to_owned()))
            }
            _ => (codes::UNDEFINED, format!("the variable {name} is not declared"), self.similar(name)),
        };
        let mut diagnostic = Diagnostic::error(code, span, message);
        diagnostic.help = help;
        self.diagnostics.push(diagnostic);
        None
    }

    fn similar(&self, name: &str) -> Option<String> {
        let locals = self.scopes.iter().flat_map(|scope| scope.keys());
        let known = locals.chain(self.globals.keys()).chain(self.mtypes.keys()).chain(self.inlines.keys());
        did_you_mean(name, known.map(|known| &**known).chain(["true", "false", "skip", "timeout", "_pid", "_nr_pr"]))
    }

    /// The place where a separator is missing: the end of the line before, if the token here begins a line.
    pub(super) fn missing_separator(&self, expected: Expected<'_>) -> Option<Span> {
        let wants_separator = matches!(expected, Expected::Separator(_) | Expected::OptionOrSeparator(_));
        let end = self.last_span().end;
        (wants_separator && *self.peek() != Token::End && self.at > 0 && self.tokens[self.at].begins_line)
            .then_some(Span { start: end, end })
    }
}
