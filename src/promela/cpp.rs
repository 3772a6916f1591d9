//! The preprocessor: what Promela models use of C's, on tokens.
//!
//! Tokens that come from a macro carry the place where the macro is used, so that diagnostics and traces name the line
//! that the user looks at. A macro is not expanded inside its own expansion, as in C.

use super::codes;
use super::lexer::{Line, lex, word};
use super::token::{Keyword, Sign, Spanned, Token};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::Source;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use system::Span;

/// How deep files may include each other.
const DEEPEST_INCLUDE: usize = 64;
/// How many tokens a model may expand to.
const MOST_TOKENS: usize = 10_000_000;

/// Finds an included file: from the name of the including file and the name in the directive, the name and the bytes.
pub type Reader<'a> = &'a (dyn Fn(&str, &str) -> Result<(String, Vec<u8>), String> + Sync);

#[derive(Clone)]
struct Macro {
    /// The parameters of a macro that is used like a function.
    parameters: Option<Vec<Rc<str>>>,
    body: Rc<[Spanned]>,
}

/// Preprocesses a source; included files become parts of it, and so do the `extra` texts (a name and a text each), which
/// come behind it. The tokens end with [`Token::End`].
pub fn preprocess(
    source: &mut Source,
    extra: &[(String, String)],
    reader: Reader<'_>,
    diagnostics: &mut Diagnostics,
) -> Vec<Spanned> {
    let mut cpp =
        Preprocessor { source, reader, diagnostics, macros: FxHashMap::default(), out: Vec::new(), full: false };
    let (name, text) = (cpp.source.name().to_owned(), cpp.source.text().to_owned());
    cpp.file(&name, &text, 0, 0);
    for (name, text) in extra {
        if let Some((offset, text)) = cpp.source.append(name, text.as_bytes()) {
            cpp.file(name, &text, offset, 0);
        }
    }
    let end = text.len() as u32;
    let mut out = cpp.out;
    out.push(Spanned { token: Token::End, span: Span { start: end, end }, begins_line: true });
    out
}

struct Preprocessor<'a> {
    source: &'a mut Source,
    reader: Reader<'a>,
    diagnostics: &'a mut Diagnostics,
    macros: FxHashMap<Rc<str>, Macro>,
    out: Vec<Spanned>,
    full: bool,
}

/// An open `#if`: whether the lines count now, and whether a branch was taken already.
struct Conditional {
    active: bool,
    taken: bool,
    outer: bool,
    span: Span,
}

impl Preprocessor<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(codes::PREPROCESSOR, span, message));
    }

    fn file(&mut self, name: &str, text: &str, offset: usize, depth: usize) {
        let mut conditionals: Vec<Conditional> = Vec::new();
        // Text between directives is expanded in one go: the arguments of a macro may span lines.
        let mut pending: Vec<Spanned> = Vec::new();
        for line in lex(text, offset) {
            let is_directive = matches!(line.tokens.first(), Some(first) if first.token == Token::Sign(Sign::Hash));
            let active = conditionals.last().is_none_or(|open| open.active);
            if is_directive {
                if active {
                    self.expand_all(std::mem::take(&mut pending));
                }
                self.directive(&line, name, depth, &mut conditionals);
            } else if active {
                pending.extend(line.tokens);
            }
        }
        self.expand_all(pending);
        if let Some(open) = conditionals.last() {
            self.error(open.span, "this conditional has no #endif");
        }
    }

    fn directive(&mut self, line: &Line, name: &str, depth: usize, conditionals: &mut Vec<Conditional>) {
        let hash = line.tokens[0].span;
        let Some(word) = line.tokens.get(1) else { return };
        let rest = &line.tokens[2..];
        let span = hash.to(word.span);
        let active = conditionals.last().is_none_or(|open| open.active);
        let text = match &word.token {
            Token::Name(name) => name.to_string(),
            Token::Keyword(keyword) => keyword.text().to_owned(),
            // `# 12 "file"` is what a preprocessor leaves behind.
            Token::Number(_) => return,
            _ => String::new(),
        };
        match text.as_str() {
            "ifdef" | "ifndef" => {
                let defined = match rest.first().map(|token| &token.token) {
                    Some(Token::Name(name)) => self.macros.contains_key(name),
                    _ => false,
                };
                let holds = defined == (text == "ifdef");
                conditionals.push(Conditional { active: active && holds, taken: holds, outer: active, span });
            }
            "if" => {
                let holds = active && self.condition(rest, span);
                conditionals.push(Conditional { active: holds, taken: holds, outer: active, span });
            }
            "elif" | "else" => {
                let Some(mut open) = conditionals.pop() else {
                    return self.error(span, format!("#{text} without #if"));
                };
                let holds = open.outer && !open.taken && (text == "else" || self.condition(rest, span));
                open.active = holds;
                open.taken |= holds;
                conditionals.push(open);
            }
            "endif" => {
                if conditionals.pop().is_none() {
                    self.error(span, "#endif without #if");
                }
            }
            _ if !active => {}
            "define" => self.define(rest, span),
            "undef" => {
                if let Some(Token::Name(name)) = rest.first().map(|token| &token.token) {
                    self.macros.remove(name);
                }
            }
            "include" => self.include(rest, span, name, depth),
            "error" => self.error(span, "the model says #error here"),
            "pragma" | "line" | "warning" | "ident" => {}
            _ => self.error(span, "this is no directive of the preprocessor"),
        }
    }

    fn define(&mut self, rest: &[Spanned], span: Span) {
        let Some(first) = rest.first() else { return self.error(span, "#define needs a name") };
        let name: Rc<str> = match &first.token {
            Token::Name(name) => name.clone(),
            Token::Keyword(keyword) => keyword.text().into(),
            _ => return self.error(first.span, "#define needs a name"),
        };
        // Only a parenthesis right behind the name begins parameters.
        let opens = |token: &Spanned| token.token == Token::Sign(Sign::OpenParen) && token.span.start == first.span.end;
        let Some(_) = rest.get(1).filter(|token| opens(token)) else {
            self.macros.insert(name, Macro { parameters: None, body: rest[1..].into() });
            return;
        };
        let mut parameters = Vec::new();
        let mut at = 2;
        loop {
            match rest.get(at).map(|token| &token.token) {
                Some(Token::Name(parameter)) => parameters.push(parameter.clone()),
                Some(Token::Keyword(keyword)) => parameters.push(keyword.text().into()),
                Some(Token::Sign(Sign::Comma)) => {}
                Some(Token::Sign(Sign::CloseParen)) => break,
                _ => return self.error(span, "the parameters of this macro do not end"),
            }
            at += 1;
        }
        self.macros.insert(name, Macro { parameters: Some(parameters), body: rest[at + 1..].into() });
    }

    fn include(&mut self, rest: &[Spanned], span: Span, from: &str, depth: usize) {
        let Some(Token::Text(wanted)) = rest.first().map(|token| &token.token) else {
            return self.error(span, "#include needs a file name in quotes");
        };
        if depth >= DEEPEST_INCLUDE {
            return self.error(span, "files include each other too deeply");
        }
        match (self.reader)(from, wanted) {
            Ok((name, bytes)) => match self.source.append(&name, &bytes) {
                Some((offset, text)) => self.file(&name, &text, offset, depth + 1),
                None => self.error(span, "the included files are too large"),
            },
            Err(error) => self.error(span, format!("{wanted} cannot be read: {error}")),
        }
    }

    fn expand_all(&mut self, tokens: Vec<Spanned>) {
        let mut expansion = Expansion { input: Vec::new(), hidden: Vec::new() };
        expansion.push(tokens, None, None);
        let mut begins_line = false;
        while let Some((token, use_site)) = expansion.next() {
            // What a macro expands to begins a line if its name does.
            begins_line |= token.begins_line && use_site.is_none();
            if self.out.len() >= MOST_TOKENS {
                if !std::mem::replace(&mut self.full, true) {
                    self.error(token.span, "the model expands to too many tokens");
                }
                return;
            }
            let name: Option<Rc<str>> = match &token.token {
                Token::Name(name) => Some(name.clone()),
                Token::Keyword(keyword) if self.macros.contains_key(keyword.text()) => Some(keyword.text().into()),
                _ => None,
            };
            let found = name.filter(|name| !expansion.hidden.contains(name));
            let Some((name, definition)) = found.and_then(|name| Some((name.clone(), self.macros.get(&name)?.clone())))
            else {
                let begins_line = std::mem::take(&mut begins_line);
                self.out.push(Spanned { token: token.token, span: use_site.unwrap_or(token.span), begins_line });
                continue;
            };
            let site = use_site.unwrap_or(token.span);
            match &definition.parameters {
                None => expansion.push(definition.body.to_vec(), Some(site), Some(name)),
                Some(parameters) => match expansion.arguments() {
                    None => {
                        let begins_line = std::mem::take(&mut begins_line);
                        self.out.push(Spanned { token: token.token, span: site, begins_line });
                    }
                    Some(arguments) => match self.substitute(&definition, parameters, &arguments, site) {
                        Some(body) => expansion.push(body, Some(site), Some(name)),
                        None => self.error(
                            site,
                            format!("the macro {name} has {} parameters, not {}", parameters.len(), arguments.len()),
                        ),
                    },
                },
            }
        }
    }

    /// The body of a macro with its arguments; `None` if their number is wrong.
    fn substitute(
        &mut self,
        definition: &Macro,
        parameters: &[Rc<str>],
        arguments: &[Vec<Spanned>],
        site: Span,
    ) -> Option<Vec<Spanned>> {
        let no_arguments = parameters.is_empty() && arguments.len() == 1 && arguments[0].is_empty();
        if parameters.len() != arguments.len() && !no_arguments {
            return None;
        }
        let spelled = |token: &Token| -> Option<Rc<str>> {
            match token {
                Token::Name(name) => Some(name.clone()),
                Token::Keyword(keyword) => Some(keyword.text().into()),
                _ => None,
            }
        };
        let argument = |token: &Spanned| {
            let name = spelled(&token.token)?;
            let at = parameters.iter().position(|parameter| *parameter == name)?;
            Some(arguments[at].clone())
        };
        let mut body: Vec<Spanned> = Vec::new();
        let mut tokens = definition.body.iter().peekable();
        while let Some(token) = tokens.next() {
            if token.token == Token::Sign(Sign::Hash)
                && let Some(text) = tokens.peek().and_then(|next| argument(next))
            {
                tokens.next();
                let text: Vec<String> = text.iter().map(|token| plain(&token.token)).collect();
                body.push(Spanned { token: Token::Text(text.join(" ").into()), span: site, begins_line: false });
                continue;
            }
            let mut piece = argument(token).unwrap_or_else(|| vec![token.clone()]);
            while tokens.peek().is_some_and(|next| next.token == Token::Sign(Sign::Paste)) {
                tokens.next();
                let Some(right) = tokens.next() else { break };
                let mut right = argument(right).unwrap_or_else(|| vec![right.clone()]);
                let (Some(a), false) = (piece.pop(), right.is_empty()) else { continue };
                let b = right.remove(0);
                let glued = format!("{}{}", plain(&a.token), plain(&b.token));
                let is_number = glued.bytes().all(|byte| byte.is_ascii_digit());
                let token = if is_number { Token::Number(glued.parse().unwrap_or(i64::MAX)) } else { word(&glued) };
                piece.push(Spanned { token, span: site, begins_line: false });
                piece.extend(right);
            }
            body.extend(piece);
        }
        Some(body)
    }

    /// The condition of an `#if`.
    fn condition(&mut self, tokens: &[Spanned], span: Span) -> bool {
        let mut known: Vec<Spanned> = Vec::new();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            if !matches!(&token.token, Token::Name(name) if &**name == "defined") {
                known.push(token.clone());
                continue;
            }
            let in_parentheses = tokens.get(at).is_some_and(|next| next.token == Token::Sign(Sign::OpenParen));
            at += usize::from(in_parentheses);
            let defined = match tokens.get(at).map(|token| &token.token) {
                Some(Token::Name(name)) => self.macros.contains_key(name),
                Some(Token::Keyword(keyword)) => self.macros.contains_key(keyword.text()),
                _ => false,
            };
            at += 1 + usize::from(in_parentheses);
            known.push(Spanned { token: Token::Number(defined.into()), span: token.span, begins_line: false });
        }
        let saved = std::mem::take(&mut self.out);
        self.expand_all(known);
        let expanded = std::mem::replace(&mut self.out, saved);
        let mut evaluator = Evaluator { tokens: &expanded, at: 0, depth: 0 };
        match evaluator.binary(0) {
            Some(value) if evaluator.at == expanded.len() => value != 0,
            _ => {
                self.error(span, "this condition cannot be evaluated");
                false
            }
        }
    }
}

/// A token as text, for gluing.
fn plain(token: &Token) -> String {
    match token {
        Token::Name(name) | Token::Text(name) => name.to_string(),
        Token::Number(value) => value.to_string(),
        Token::Keyword(keyword) => keyword.text().to_owned(),
        Token::Sign(sign) => sign.text().to_owned(),
        Token::Unknown(char) => char.to_string(),
        Token::End => String::new(),
    }
}

/// Tokens that wait for expansion: the innermost macro last.
struct Expansion {
    input: Vec<(std::vec::IntoIter<Spanned>, Option<Span>)>,
    /// The macros that are being expanded, one for each entry above but the first.
    hidden: Vec<Rc<str>>,
}

impl Expansion {
    fn push(&mut self, tokens: Vec<Spanned>, use_site: Option<Span>, name: Option<Rc<str>>) {
        self.input.push((tokens.into_iter(), use_site));
        self.hidden.extend(name);
    }

    fn next(&mut self) -> Option<(Spanned, Option<Span>)> {
        loop {
            let (tokens, use_site) = self.input.last_mut()?;
            if let Some(token) = tokens.next() {
                return Some((token, *use_site));
            }
            self.input.pop();
            self.hidden.pop();
        }
    }

    fn peek(&self) -> Option<&Token> {
        let mut open = self.input.iter().rev();
        open.find_map(|(tokens, _)| tokens.as_slice().first()).map(|token| &token.token)
    }

    /// The arguments of a macro, if a parenthesis follows.
    fn arguments(&mut self) -> Option<Vec<Vec<Spanned>>> {
        if self.peek() != Some(&Token::Sign(Sign::OpenParen)) {
            return None;
        }
        self.next();
        let mut arguments = vec![Vec::new()];
        let mut depth = 0usize;
        while let Some((token, site)) = self.next() {
            match token.token {
                Token::Sign(Sign::CloseParen) if depth == 0 => break,
                Token::Sign(Sign::Comma) if depth == 0 => {
                    arguments.push(Vec::new());
                    continue;
                }
                Token::Sign(Sign::OpenParen) => depth += 1,
                Token::Sign(Sign::CloseParen) => depth -= 1,
                _ => {}
            }
            let token = Spanned { span: site.unwrap_or(token.span), ..token };
            arguments.last_mut()?.push(token);
        }
        Some(arguments)
    }
}

/// Evaluates the condition of an `#if` by precedence climbing.
struct Evaluator<'a> {
    tokens: &'a [Spanned],
    at: usize,
    depth: usize,
}

impl Evaluator<'_> {
    fn binary(&mut self, least: u8) -> Option<i64> {
        let mut left = self.unary()?;
        while let Some(Token::Sign(sign)) = self.tokens.get(self.at).map(|token| &token.token) {
            let sign = *sign;
            let level = match sign {
                Sign::Or => 1,
                Sign::And => 2,
                Sign::BitOr => 3,
                Sign::BitXor => 4,
                Sign::BitAnd => 5,
                Sign::Equal | Sign::NotEqual => 6,
                Sign::Less | Sign::Greater | Sign::LessEqual | Sign::GreaterEqual => 7,
                Sign::ShiftLeft | Sign::ShiftRight => 8,
                Sign::Plus | Sign::Minus => 9,
                Sign::Times | Sign::Divide | Sign::Modulo => 10,
                _ => break,
            };
            if level < least {
                break;
            }
            self.at += 1;
            let right = self.binary(level + 1)?;
            left = apply(sign, left, right)?;
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > 1000 {
            return None;
        }
        let token = self.tokens.get(self.at)?;
        self.at += 1;
        match token.token {
            Token::Number(value) => Some(value),
            Token::Name(_) | Token::Keyword(Keyword::False) => Some(0),
            Token::Keyword(Keyword::True) => Some(1),
            Token::Sign(Sign::Not) => Some(i64::from(self.unary()? == 0)),
            Token::Sign(Sign::Minus) => self.unary()?.checked_neg(),
            Token::Sign(Sign::Complement) => Some(!self.unary()?),
            Token::Sign(Sign::OpenParen) => {
                let value = self.binary(0)?;
                let closes = self.tokens.get(self.at)?.token == Token::Sign(Sign::CloseParen);
                self.at += 1;
                closes.then_some(value)
            }
            _ => None,
        }
    }
}

fn apply(sign: Sign, a: i64, b: i64) -> Option<i64> {
    Some(match sign {
        Sign::Or => i64::from(a != 0 || b != 0),
        Sign::And => i64::from(a != 0 && b != 0),
        Sign::BitOr => a | b,
        Sign::BitXor => a ^ b,
        Sign::BitAnd => a & b,
        Sign::Equal => i64::from(a == b),
        Sign::NotEqual => i64::from(a != b),
        Sign::Less => i64::from(a < b),
        Sign::Greater => i64::from(a > b),
        Sign::LessEqual => i64::from(a <= b),
        Sign::GreaterEqual => i64::from(a >= b),
        Sign::ShiftLeft => a.checked_shl(u32::try_from(b).ok()?)?,
        Sign::ShiftRight => a.checked_shr(u32::try_from(b).ok()?)?,
        Sign::Plus => a.checked_add(b)?,
        Sign::Minus => a.checked_sub(b)?,
        Sign::Times => a.checked_mul(b)?,
        Sign::Divide => a.checked_div(b)?,
        Sign::Modulo => a.checked_rem(b)?,
        _ => return None,
    })
}
