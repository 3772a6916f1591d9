//! From text to tokens. One pass over the bytes; anything that is no token becomes [`Token::Unknown`], and the
//! parser says so where it matters.

use super::token::{Keyword, Sign, Spanned, Token};
use crate::diagnostic::Diagnostics;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::OnceLock;
use system::Span;

/// A logical line: the tokens between two ends of lines (a backslash or a comment joins lines).
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The tokens, in order.
    pub tokens: Vec<Spanned>,
}

/// Splits a text into logical lines. `offset` is where the text begins in the source. Where reading has to end, the text ends there.
pub fn lex(text: &str, offset: usize, diagnostics: &mut Diagnostics) -> Vec<Line> {
    let mut lexer = Lexer { text, at: 0, offset, lines: vec![Line::default()], begins_line: true };
    while lexer.skip_blanks() && !diagnostics.is_over_after(1) {
        let (start, begins_line) = (lexer.at, std::mem::take(&mut lexer.begins_line));
        let token = lexer.token();
        let span = Span { start: (offset + start) as u32, end: (offset + lexer.at) as u32 };
        if let Some(line) = lexer.lines.last_mut() {
            line.tokens.push(Spanned { token, span, begins_line });
        }
    }
    lexer.lines
}

fn keywords() -> &'static FxHashMap<&'static str, Keyword> {
    static KEYWORDS: OnceLock<FxHashMap<&'static str, Keyword>> = OnceLock::new();
    KEYWORDS.get_or_init(|| Keyword::ALL.iter().map(|(keyword, text)| (*text, *keyword)).collect())
}

/// The token that a name spells.
pub fn word(text: &str) -> Token {
    match keywords().get(text) {
        Some(keyword) => Token::Keyword(*keyword),
        None => Token::Name(text.into()),
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    offset: usize,
    lines: Vec<Line>,
    /// Whether an end of a line was passed since the last token, also one behind a backslash or inside a comment.
    begins_line: bool,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Moves to the next token; false at the end of the text.
    fn skip_blanks(&mut self) -> bool {
        loop {
            let rest = self.rest();
            let Some(first) = rest.chars().next() else { return false };
            let passed = self.at;
            if first == '\n' {
                self.at += 1;
                self.lines.push(Line::default());
            } else if rest.starts_with("\\\n") {
                self.at += 2;
            } else if rest.starts_with("\\\r\n") {
                self.at += 3;
            } else if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if let Some(comment) = rest.strip_prefix("/*") {
                match comment.find("*/") {
                    Some(length) => self.at += length + 4,
                    None => return self.unclosed_comment(),
                }
            } else if first.is_whitespace() || first == '\u{feff}' && self.at + self.offset == 0 {
                self.at += first.len_utf8();
            } else {
                return true;
            }
            self.begins_line |= self.text[passed..self.at].contains('\n');
        }
    }

    /// A comment that does not end swallows the file: better to say so at its beginning.
    fn unclosed_comment(&mut self) -> bool {
        let start = (self.offset + self.at) as u32;
        let span = Span { start, end: start + 2 };
        self.at = self.text.len();
        if let Some(line) = self.lines.last_mut() {
            line.tokens.push(Spanned { token: Token::Unknown('/'), span, begins_line: false });
        }
        false
    }

    fn token(&mut self) -> Token {
        let rest = self.rest();
        let first = rest.chars().next().unwrap_or('\0');
        if first.is_ascii_alphabetic() || first == '_' {
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let token = word(&rest[..length]);
            self.at += length;
            return token;
        }
        if first.is_ascii_digit() {
            return self.number();
        }
        if first == '"' {
            return self.string();
        }
        if first == '\'' {
            return self.character();
        }
        match Sign::ALL.iter().find(|(_, text)| rest.starts_with(text)) {
            Some((sign, text)) => {
                self.at += text.len();
                // SPIN takes the long arrow for the short one.
                Token::Sign(if *sign == Sign::LongArrow { Sign::Arrow } else { *sign })
            }
            None => {
                self.at += first.len_utf8();
                Token::Unknown(first)
            }
        }
    }

    fn number(&mut self) -> Token {
        let rest = self.rest();
        let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let value = rest[..length].parse().unwrap_or(i64::MAX);
        self.at += length;
        Token::Number(value)
    }

    fn string(&mut self) -> Token {
        let rest = &self.text[self.at + 1..];
        let mut escaped = false;
        for (index, char) in rest.char_indices() {
            match char {
                '"' if !escaped => {
                    self.at += index + 2;
                    return Token::Text(Rc::from(&rest[..index]));
                }
                '\n' if !escaped => break,
                _ => escaped = char == '\\' && !escaped,
            }
        }
        self.at += 1;
        Token::Unknown('"')
    }

    fn character(&mut self) -> Token {
        let bytes = self.rest().as_bytes();
        let (value, length) = match bytes {
            [_, b'\\', b'n', b'\'', ..] => (i64::from(b'\n'), 4),
            [_, b'\\', b't', b'\'', ..] => (i64::from(b'\t'), 4),
            [_, b'\\', b'r', b'\'', ..] => (i64::from(b'\r'), 4),
            [_, b'\\', b'0', b'\'', ..] => (0, 4),
            [_, b'\\', other, b'\'', ..] if other.is_ascii() => (i64::from(*other), 4),
            [_, other, b'\'', ..] if other.is_ascii() => (i64::from(*other), 3),
            _ => {
                self.at += 1;
                return Token::Unknown('\'');
            }
        };
        self.at += length;
        Token::Number(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use system::Alarm;

    #[test]
    fn a_text_ends_where_reading_has_to() {
        let text = "x\n".repeat(100_000);
        let mut diagnostics = Diagnostics::until(Alarm::default().or_after(1));
        let lines = lex(&text, 0, &mut diagnostics);
        assert!(diagnostics.is_interrupted() && lines.len() < 50_000, "{} lines", lines.len());
    }
}
