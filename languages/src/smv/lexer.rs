//! From text to tokens. One pass over the bytes; anything that is no token becomes [`Token::Unknown`], and the
//! parser says so where it matters.

use super::token::{Keyword, Sign, Spanned, Token};
use crate::diagnostic::Diagnostics;
use rustc_hash::FxHashMap;
use system::Span;

/// A comment that speaks to this tool: `--@ key: value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pragma {
    /// The text behind `--@`, trimmed.
    pub text: String,
    /// Where it is.
    pub span: Span,
}

/// The tokens of a file, ending with [`Token::End`], and its pragmas. Where reading has to end, the file ends there.
pub fn lex(text: &str, diagnostics: &mut Diagnostics) -> (Vec<Spanned>, Vec<Pragma>) {
    let mut lexer = Lexer { text, at: 0, tokens: Vec::with_capacity(text.len() / 4), pragmas: Vec::new() };
    let keywords = keywords();
    while lexer.skip_blanks_and_comments() && !diagnostics.is_over_after(1) {
        let start = lexer.at;
        let token = lexer.token(&keywords);
        lexer.push(token, start);
    }
    lexer.push(Token::End, text.len());
    (lexer.tokens, lexer.pragmas)
}

fn keywords() -> FxHashMap<&'static str, Keyword> {
    let alternatives = [("Word", Keyword::Word), ("Integer", Keyword::Integer), ("Real", Keyword::Real)];
    Keyword::ALL.iter().map(|(keyword, text)| (*text, *keyword)).chain(alternatives).collect()
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    tokens: Vec<Spanned>,
    pragmas: Vec<Pragma>,
}

impl Lexer<'_> {
    fn push(&mut self, token: Token, start: usize) {
        let end = self.at.max(start);
        self.tokens.push(Spanned { token, span: Span { start: start as u32, end: end as u32 } });
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn byte(&self, offset: usize) -> u8 {
        self.text.as_bytes().get(self.at + offset).copied().unwrap_or(0)
    }

    /// Moves to the next token; false at the end of the file.
    fn skip_blanks_and_comments(&mut self) -> bool {
        loop {
            let rest = self.rest();
            if rest.is_empty() {
                return false;
            }
            if rest.starts_with("--") {
                self.line_comment();
            } else if let Some(comment) = rest.strip_prefix("/--") {
                self.at += comment.find("--/").map_or(rest.len(), |length| "/--".len() + length + "--/".len());
            } else if self.is_line_marker() {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if matches!(rest.as_bytes()[0], b' ' | b'\t' | b'\r' | b'\n' | 0x0c) {
                self.at += 1;
            } else if rest.starts_with('\u{feff}') && self.at == 0 {
                self.at += '\u{feff}'.len_utf8();
            } else {
                return true;
            }
        }
    }

    fn line_comment(&mut self) {
        let start = self.at;
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        if let Some(text) = self.text[start..self.at].strip_prefix("--@") {
            let span = Span { start: start as u32, end: self.at as u32 };
            self.pragmas.push(Pragma { text: text.trim().to_owned(), span });
        }
    }

    /// A line `# 12 "file"`, as preprocessors leave them.
    fn is_line_marker(&self) -> bool {
        let at_line_start = self.at == 0 || self.text.as_bytes()[self.at - 1] == b'\n';
        at_line_start && self.byte(0) == b'#' && self.byte(1) == b' ' && self.byte(2).is_ascii_digit()
    }

    fn token(&mut self, keywords: &FxHashMap<&'static str, Keyword>) -> Token {
        match self.byte(0) {
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => self.word(keywords),
            b'0'..=b'9' => self.number(),
            b'"' => self.quoted(),
            _ => self.sign(),
        }
    }

    fn take_while(&mut self, belongs: impl Fn(u8) -> bool) -> &str {
        let start = self.at;
        let length = self.rest().bytes().position(|byte| !belongs(byte)).unwrap_or(self.rest().len());
        self.at += length;
        &self.text[start..self.at]
    }

    fn word(&mut self, keywords: &FxHashMap<&'static str, Keyword>) -> Token {
        if matches!(self.byte(0), b'f' | b'F') && self.byte(1) == b'\'' && self.byte(2).is_ascii_digit() {
            self.at += 2;
            self.take_while(|byte| byte.is_ascii_digit() || byte == b'/');
            return Token::Real;
        }
        let word = self.take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#' | b'-'));
        keywords.get(word).map_or(Token::Identifier, |keyword| Token::Keyword(*keyword))
    }

    fn number(&mut self) -> Token {
        if let Some(length) = word_constant(self.rest()) {
            self.at += length;
            return Token::Word;
        }
        self.take_while(|byte| byte.is_ascii_digit());
        let mut token = Token::Number;
        if self.byte(0) == b'.' && self.byte(1).is_ascii_digit() {
            self.at += 1;
            self.take_while(|byte| byte.is_ascii_digit());
            token = Token::Real;
        }
        let sign = usize::from(matches!(self.byte(1), b'+' | b'-'));
        if matches!(self.byte(0), b'e' | b'E') && self.byte(1 + sign).is_ascii_digit() {
            self.at += 1 + sign;
            self.take_while(|byte| byte.is_ascii_digit());
            token = Token::Real;
        }
        token
    }

    fn quoted(&mut self) -> Token {
        match self.rest()[1..].find('"') {
            Some(length) => {
                self.at += length + 2;
                Token::Identifier
            }
            None => {
                self.at += 1;
                Token::Unknown
            }
        }
    }

    fn sign(&mut self) -> Token {
        let rest = self.rest();
        let found = Sign::ALL.iter().find(|(_, text)| rest.starts_with(text));
        if let Some((sign, text)) = found {
            self.at += text.len();
            return Token::Sign(*sign);
        }
        self.at += rest.chars().next().map_or(1, char::len_utf8);
        Token::Unknown
    }
}

/// The length of the word constant that the text begins with: `0`, maybe `u` or `s`, a base, maybe a width, `_`,
/// digits.
fn word_constant(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('0')?;
    let rest = rest.strip_prefix(['u', 's']).unwrap_or(rest);
    let rest = rest.strip_prefix(['b', 'B', 'o', 'O', 'd', 'D', 'h', 'H'])?;
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix('_')?;
    let first = rest.bytes().next()?;
    let digits = rest.bytes().take_while(|byte| byte.is_ascii_hexdigit() || *byte == b'_').count();
    first.is_ascii_hexdigit().then_some(text.len() - rest.len() + digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    use system::Alarm;

    fn lex(text: &str) -> (Vec<Spanned>, Vec<Pragma>) {
        super::lex(text, &mut Diagnostics::default())
    }

    fn spell(text: &str) -> Vec<String> {
        lex(text).0.iter().map(|t| text[t.span.start as usize..t.span.end as usize].to_owned()).collect()
    }

    #[test]
    fn identifiers_swallow_hyphens_and_ranges_do_not_swallow_dots() {
        assert_eq!(spell("x-1"), ["x-1", ""]);
        assert_eq!(spell("x - 1"), ["x", "-", "1", ""]);
        assert_eq!(spell("0..3"), ["0", "..", "3", ""]);
        assert_eq!(spell("a<->b"), ["a", "<->", "b", ""]);
        assert_eq!(spell("\"a b\".c"), ["\"a b\"", ".", "c", ""]);
    }

    #[test]
    fn constants_of_every_kind() {
        let kinds: Vec<Token> = lex("0ud8_5 0b_101 0h_ff 12 1.5 1e3 f'1/2 0x").0.iter().map(|t| t.token).collect();
        let word = Token::Word;
        let expected = [word, word, word, Token::Number, Token::Real, Token::Real, Token::Real, Token::Number];
        assert_eq!(kinds[..8], expected);
    }

    #[test]
    fn comments_need_no_end_of_line_and_pragmas_are_kept() {
        let (tokens, pragmas) = lex("a --@ pc: x\n/-- b\n --/ c -- end");
        assert_eq!(tokens.len(), 3);
        assert_eq!(pragmas[0].text, "pc: x");
        assert_eq!(lex("/-- never closed").0.len(), 1);
    }

    #[test]
    fn a_file_ends_where_reading_has_to() {
        let text = "x ".repeat(100_000);
        let mut diagnostics = Diagnostics::until(Alarm::default().or_after(1));
        let tokens = super::lex(&text, &mut diagnostics).0;
        assert!(diagnostics.is_interrupted() && tokens.len() < 50_000, "{} tokens", tokens.len());
        assert_eq!(tokens.last().map(|last| last.token), Some(Token::End));
    }
}
