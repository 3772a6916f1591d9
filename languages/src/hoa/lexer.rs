//! Tokens of the Hanoi format.

use super::codes;
use crate::diagnostic::Diagnostic;
use system::Span;

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// The name of an item, such as `States:`, without the colon.
    Header(String),
    /// A word.
    Word(String),
    /// `@name`, without the sign.
    Alias(String),
    /// A text in quotation marks.
    Text(String),
    /// A number.
    Number(u32),
    /// One of `! & | ( ) [ ] { }`.
    Sign(char),
    /// `--BODY--`.
    Body,
    /// `--END--`.
    End,
    /// `--ABORT--`.
    Abort,
}

/// A token and where it is.
pub(super) type Spanned = (Token, Span);

/// The tokens of a text.
pub(super) fn tokens(text: &str) -> Result<Vec<Spanned>, Diagnostic> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_ascii_whitespace() {
            at += 1;
        } else if rest.starts_with("/*") {
            at += comment(rest).ok_or_else(|| wrong(at, 2, "this comment has no end"))?;
        } else {
            let (token, length) = token(first, rest).map_err(|message| wrong(at, first.len_utf8(), message))?;
            tokens.push((token, span(at, length)));
            at += length;
        }
    }
    Ok(tokens)
}

fn span(at: usize, length: usize) -> Span {
    Span { start: at as u32, end: (at + length) as u32 }
}

fn wrong(at: usize, length: usize, message: &str) -> Diagnostic {
    Diagnostic::error(codes::SYNTAX, span(at, length), message)
}

/// The length of the comment that a text begins with. Comments nest.
fn comment(text: &str) -> Option<usize> {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(b"/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with(b"*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += 1;
        }
    }
    None
}

/// The token that a text begins with, and its length.
fn token(first: char, rest: &str) -> Result<(Token, usize), &'static str> {
    let marks = [("--BODY--", Token::Body), ("--END--", Token::End), ("--ABORT--", Token::Abort)];
    if let Some((text, mark)) = marks.into_iter().find(|(text, _)| rest.starts_with(text)) {
        return Ok((mark, text.len()));
    }
    match first {
        '!' | '&' | '|' | '(' | ')' | '[' | ']' | '{' | '}' => Ok((Token::Sign(first), 1)),
        '"' => quoted(rest).ok_or("this text has no closing quotation mark"),
        '@' => {
            let name = word(&rest[1..]);
            Ok((Token::Alias(name.to_owned()), 1 + name.len()))
        }
        '0'..='9' => {
            let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let number = rest[..length].parse().map_err(|_| "this number is too large")?;
            Ok((Token::Number(number), length))
        }
        _ if first.is_ascii_alphabetic() || first == '_' => {
            let name = word(rest);
            let is_header = rest[name.len()..].starts_with(':');
            let token = if is_header { Token::Header(name.to_owned()) } else { Token::Word(name.to_owned()) };
            Ok((token, name.len() + usize::from(is_header)))
        }
        _ => Err("the Hanoi format has no such character here"),
    }
}

fn word(text: &str) -> &str {
    &text[..text.find(|c| !is_inside_word(c)).unwrap_or(text.len())]
}

fn is_inside_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

/// A text in quotation marks; a backslash takes away the meaning of the sign that follows.
fn quoted(rest: &str) -> Option<(Token, usize)> {
    let (mut text, mut is_escaped) = (String::new(), false);
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if is_escaped => {
                text.push(c);
                is_escaped = false;
            }
            '\\' => is_escaped = true,
            '"' => return Some((Token::Text(text), at + 1)),
            _ => text.push(c),
        }
    }
    None
}
