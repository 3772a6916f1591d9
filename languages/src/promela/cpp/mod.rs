//! The preprocessor: what Promela models use of C's, on tokens.
//!
//! Tokens that come from a macro carry the place where the macro is used, so that diagnostics and traces name the line
//! that the user looks at.

mod condition;
mod expand;

use super::codes;
use super::lexer::{Line, lex};
use super::token::{Sign, Spanned, Token};
use crate::define::Define;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{Origin, Source};
use expand::{Last, Macro, Parameters, spelling};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use system::Span;

/// How deep files may include each other.
const DEEPEST_INCLUDE: usize = 64;
/// How many tokens a model may expand to.
const MOST_TOKENS: usize = 10_000_000;

/// An included file.
pub struct Included {
    /// Its name, which names in its own directives are relative to.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
    /// Whether it belongs to the model.
    pub origin: Origin,
}

/// Finds an included file, from the name of the including file and the name in the directive.
pub type Reader<'a> = &'a (dyn Fn(&str, &str) -> Result<Included, String> + Sync);

/// Preprocesses a source; included files become parts of it, and so do the `extra` texts (a name and a text each), which
/// come behind it. The `defines` come before it. The tokens end with [`Token::End`].
pub fn preprocess(
    source: &mut Source,
    defines: &[Define],
    extra: &[(String, String)],
    reader: Reader<'_>,
    diagnostics: &mut Diagnostics,
) -> Vec<Spanned> {
    let (name, text) = (source.name().to_owned(), source.text().to_owned());
    let mut cpp = Preprocessor {
        source,
        reader,
        diagnostics,
        macros: FxHashMap::default(),
        given: FxHashMap::default(),
        out: Vec::new(),
        made: 0,
        full: false,
    };
    cpp.given(defines);
    cpp.file(&name, &text, 0, 0);
    for (name, text) in extra {
        cpp.part(name, text);
    }
    cpp.refuse_unused();
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
    /// The macros from outside the model that it has not mentioned yet, and where they are.
    given: FxHashMap<Rc<str>, Span>,
    out: Vec<Spanned>,
    /// How many tokens expansion has made.
    made: usize,
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

    /// Reads a text that is no file.
    fn part(&mut self, name: &str, text: &str) {
        if let Some((offset, text)) = self.source.append(name, text.as_bytes(), Origin::Model) {
            self.file(name, &text, offset, 0);
        }
    }

    /// Reads macros from outside the model.
    fn given(&mut self, defines: &[Define]) {
        for Define { name, value } in defines {
            self.part("-D", &format!("#define {name} {}", value.as_deref().unwrap_or("1")));
        }
        self.given = self.macros.iter().map(|(name, definition)| (name.clone(), definition.place)).collect();
    }

    /// Notes that the model asks for a macro.
    fn mention(&mut self, name: &str) {
        if !self.given.is_empty() {
            self.given.remove(name);
        }
    }

    fn is_defined(&mut self, name: &str) -> bool {
        self.mention(name);
        self.macros.contains_key(name)
    }

    fn refuse_unused(&mut self) {
        for (name, span) in std::mem::take(&mut self.given) {
            self.error(span, format!("the model does not mention {name}, so that -D {name} has no effect"));
        }
    }

    fn file(&mut self, name: &str, text: &str, offset: usize, depth: usize) {
        let mut conditionals: Vec<Conditional> = Vec::new();
        // Text between directives is expanded in one go: the arguments of a macro may span lines.
        let mut pending: Vec<Spanned> = Vec::new();
        for line in lex(text, offset, self.diagnostics) {
            if self.diagnostics.is_over_after(line.tokens.len()) {
                return;
            }
            let is_directive = matches!(line.tokens.first(), Some(first) if first.token == Token::Sign(Sign::Hash));
            let active = conditionals.last().is_none_or(|open| open.active);
            if is_directive {
                if active {
                    self.text(std::mem::take(&mut pending));
                }
                self.directive(&line, name, depth, &mut conditionals);
            } else if active {
                pending.extend(line.tokens);
            }
        }
        self.text(pending);
        if let Some(open) = conditionals.last() {
            self.error(open.span, "this conditional has no #endif");
        }
    }

    fn text(&mut self, tokens: Vec<Spanned>) {
        let expanded = self.expand(tokens);
        self.out.extend(expanded);
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
                let name = rest.first().and_then(|token| spelling(&token.token));
                let defined = name.is_some_and(|name| self.is_defined(&name));
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
        let Some(name) = spelling(&first.token) else { return self.error(first.span, "#define needs a name") };
        if self.given.remove(&name).is_some() {
            let message = format!("the model defines {name} itself, so that -D {name} has no effect");
            let help = format!("put the definition between `#ifndef {name}` and `#endif`");
            self.diagnostics.push(Diagnostic::error(codes::PREPROCESSOR, first.span, message).help(help));
        }
        // Only a parenthesis right behind the name begins parameters.
        let opens = rest
            .get(1)
            .is_some_and(|token| token.token == Token::Sign(Sign::OpenParen) && token.span.start == first.span.end);
        if !opens {
            self.macros.insert(name, Macro { parameters: None, body: rest[1..].into(), place: first.span });
            return;
        }
        let Some((parameters, end)) = parameters(rest) else {
            return self.error(span, "the parameters of this macro do not end");
        };
        self.macros.insert(name, Macro { parameters: Some(parameters), body: rest[end..].into(), place: first.span });
    }

    fn include(&mut self, rest: &[Spanned], span: Span, from: &str, depth: usize) {
        let Some(Token::Text(wanted)) = rest.first().map(|token| &token.token) else {
            return self.error(span, "#include needs a file name in quotes");
        };
        if depth >= DEEPEST_INCLUDE {
            return self.error(span, "files include each other too deeply");
        }
        match (self.reader)(from, wanted) {
            Ok(Included { name, bytes, origin }) => match self.source.append(&name, &bytes, origin) {
                Some((offset, text)) => self.file(&name, &text, offset, depth + 1),
                None => self.error(span, "the included files are too large"),
            },
            Err(error) => self.error(span, format!("{wanted} cannot be read: {error}")),
        }
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
            let name = tokens.get(at).and_then(|token| spelling(&token.token));
            let defined = name.is_some_and(|name| self.is_defined(&name));
            at += 1 + usize::from(in_parentheses);
            known.push(Spanned { token: Token::Number(defined.into()), span: token.span, begins_line: false });
        }
        let expanded = self.expand(known);
        let value = condition::evaluate(&expanded);
        if value.is_none() {
            self.error(span, "this condition cannot be evaluated");
        }
        value.is_some_and(|value| value != 0)
    }
}

/// The parameters of a macro, from the tokens behind `#define`, and where the body begins.
fn parameters(rest: &[Spanned]) -> Option<(Parameters, usize)> {
    let mut names: Vec<Rc<str>> = Vec::new();
    let mut last = Last::One;
    let mut at = 2;
    loop {
        match &rest.get(at)?.token {
            Token::Sign(Sign::CloseParen) => return Some((Parameters { names: names.into(), last }, at + 1)),
            Token::Sign(Sign::Comma) => {}
            // `...` is `..` and `.` here. Behind a name it is that parameter that takes the rest.
            Token::Sign(Sign::Range) if rest.get(at + 1)?.token == Token::Sign(Sign::Dot) => {
                if rest[at - 1].token == Token::Sign(Sign::Comma) || names.is_empty() {
                    names.push("__VA_ARGS__".into());
                }
                last = Last::Rest;
                at += 1;
            }
            other => names.push(spelling(other)?),
        }
        at += 1;
    }
}
