//! The ends of lines as separators.
//!
//! In the body of a process SPIN reads a line's end as `;`, unless a parenthesis is open or the line ends with something
//! that cannot end a statement. So `x = y` with `-1` on the next line are two statements.

use super::super::token::{Keyword, Sign, Spanned, Token};
use system::Span;

/// The tokens with a `;` of no length where the end of a line is one.
pub(super) fn insert(tokens: Vec<Spanned>) -> Vec<Spanned> {
    let mut out: Vec<Spanned> = Vec::with_capacity(tokens.len() + tokens.len() / 4);
    let mut place = Place::default();
    for token in tokens {
        let last = out.last().filter(|_| token.begins_line && place.braces > 0 && place.parentheses == 0);
        if let Some(last) = last.filter(|last| ends_statement(&last.token) && !goes_on(&last.token, &token.token)) {
            let end = last.span.end;
            let token = Token::Sign(Sign::Semicolon);
            out.push(Spanned { token, span: Span { start: end, end }, begins_line: false });
        }
        place.pass(&token.token);
        out.push(token);
    }
    out
}

/// Where the tokens are.
#[derive(Default)]
struct Place {
    /// Whether the next brace begins a body.
    before_body: bool,
    /// How many braces of a body are open.
    braces: usize,
    parentheses: usize,
}

impl Place {
    fn pass(&mut self, token: &Token) {
        match token {
            Token::Keyword(
                Keyword::Proctype
                | Keyword::DProctype
                | Keyword::Init
                | Keyword::Never
                | Keyword::Inline
                | Keyword::Trace
                | Keyword::NoTrace,
            ) => *self = Place { before_body: true, ..Place::default() },
            Token::Sign(Sign::OpenBrace) if self.before_body => *self = Place { braces: 1, ..Place::default() },
            Token::Sign(Sign::OpenBrace) if self.braces > 0 => self.braces += 1,
            Token::Sign(Sign::CloseBrace) => self.braces = self.braces.saturating_sub(1),
            Token::Sign(Sign::OpenParen) => self.parentheses += 1,
            Token::Sign(Sign::CloseParen) => self.parentheses = self.parentheses.saturating_sub(1),
            _ => {}
        }
    }
}

fn ends_statement(token: &Token) -> bool {
    matches!(
        token,
        Token::Name(_)
            | Token::Number(_)
            | Token::Sign(Sign::CloseBrace | Sign::CloseParen | Sign::CloseBracket | Sign::Increment | Sign::Decrement)
            | Token::Keyword(
                Keyword::Od
                    | Keyword::Fi
                    | Keyword::Else
                    | Keyword::Break
                    | Keyword::Skip
                    | Keyword::True
                    | Keyword::False
                    | Keyword::Timeout
            )
    )
}

/// An escape may begin on the line behind a block.
fn goes_on(last: &Token, next: &Token) -> bool {
    *last == Token::Sign(Sign::CloseBrace) && *next == Token::Keyword(Keyword::Unless)
}
