//! The expansion of macros, with the rules of C: an argument is expanded before it is put in for its parameter, unless it
//! is glued or made a text, and a macro's name stays as it is inside the macro's own expansion.

use super::super::lexer::word;
use super::super::token::{Sign, Spanned, Token};
use super::{MOST_TOKENS, Preprocessor};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::rc::Rc;
use system::Span;

/// How deep the uses of macros may nest in each other's arguments.
const DEEPEST_ARGUMENT: usize = 200;

/// What a name stands for.
#[derive(Clone)]
pub(super) struct Macro {
    /// The parameters of a macro that is used like a function.
    pub parameters: Option<Parameters>,
    pub body: Rc<[Spanned]>,
    /// Where its name is.
    pub place: Span,
}

/// The parameters of a macro.
#[derive(Clone)]
pub(super) struct Parameters {
    pub names: Rc<[Rc<str>]>,
    /// What the last parameter stands for.
    pub last: Last,
}

/// What the last parameter of a macro stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    /// One argument, as the others do.
    One,
    /// All arguments that are left, with the commas between them.
    Rest,
}

impl Parameters {
    fn position(&self, token: &Token) -> Option<usize> {
        let spelling = spelling(token)?;
        self.names.iter().position(|name| **name == *spelling)
    }

    /// The arguments, one for each parameter; `None` if their number is wrong.
    fn fit(&self, mut given: Vec<Vec<Piece>>) -> Option<Vec<Vec<Piece>>> {
        let wanted = self.names.len();
        if wanted == 0 && given.len() == 1 && given[0].is_empty() {
            given.clear();
        }
        if self.last == Last::Rest {
            while given.len() > wanted {
                let more = given.pop()?;
                let end = given.last_mut()?;
                let span = more.first().or(end.last()).map_or(Span::default(), |piece| piece.token.span);
                end.push(Piece::new(Spanned { token: Token::Sign(Sign::Comma), span, begins_line: false }));
                end.extend(more);
            }
            given.resize_with(given.len().max(wanted.min(given.len() + 1)), Vec::new);
        }
        (given.len() == wanted).then_some(given)
    }
}

/// The spelling of a token that can be the name of a macro or of a parameter.
pub(super) fn spelling(token: &Token) -> Option<Rc<str>> {
    match token {
        Token::Name(name) => Some(name.clone()),
        Token::Keyword(keyword) => Some(keyword.text().into()),
        _ => None,
    }
}

/// A token on its way through expansion.
#[derive(Clone)]
struct Piece {
    token: Spanned,
    /// Whether it is the name of a macro that was met inside the macro's own expansion: it is never expanded again.
    is_final: bool,
}

impl Piece {
    fn new(token: Spanned) -> Piece {
        Piece { token, is_final: false }
    }
}

impl Preprocessor<'_> {
    /// Expands all macros in some tokens.
    pub(super) fn expand(&mut self, tokens: Vec<Spanned>) -> Vec<Spanned> {
        let pieces = tokens.into_iter().map(Piece::new).collect();
        self.expand_pieces(pieces, FxHashSet::default(), 0).into_iter().map(|piece| piece.token).collect()
    }

    fn expand_pieces(&mut self, pieces: Vec<Piece>, hidden: FxHashSet<Rc<str>>, depth: usize) -> Vec<Piece> {
        let mut waiting = Waiting { levels: Vec::new(), hidden };
        waiting.push(Level { pieces: pieces.into_iter(), site: None, name: None });
        let mut out = Vec::new();
        let mut begins_line = false;
        while let Some((mut piece, site)) = waiting.next() {
            // What a macro expands to begins a line if its name does.
            begins_line |= piece.token.begins_line && site.is_none();
            piece.token.span = site.unwrap_or(piece.token.span);
            let place = piece.token.span;
            let Some(level) = self.used(&mut piece, &mut waiting, depth) else {
                if !self.make(1, place) {
                    return out;
                }
                piece.token.begins_line = std::mem::take(&mut begins_line);
                out.push(piece);
                continue;
            };
            if !self.make(level.pieces.len(), place) {
                return out;
            }
            waiting.push(level);
        }
        out
    }

    /// What a piece expands to, if it is the use of a macro.
    fn used(&mut self, piece: &mut Piece, waiting: &mut Waiting, depth: usize) -> Option<Level> {
        if piece.is_final {
            return None;
        }
        let name = spelling(&piece.token.token)?;
        let definition = self.macros.get(&name)?.clone();
        if waiting.hidden.contains(&name) {
            piece.is_final = true;
            return None;
        }
        self.mention(&name);
        let site = piece.token.span;
        let body = match &definition.parameters {
            None => definition.body.iter().cloned().map(Piece::new).collect(),
            Some(parameters) => {
                let given = waiting.arguments()?;
                let count = given.len();
                let Some(arguments) = parameters.fit(given) else {
                    let wanted = parameters.names.len();
                    self.error(site, format!("the macro {name} has {wanted} parameters, not {count}"));
                    return Some(Level { pieces: Vec::new().into_iter(), site: Some(site), name: None });
                };
                self.substitute(
                    &definition.body,
                    parameters,
                    &arguments,
                    Place { site, depth, hidden: &waiting.hidden },
                )
            }
        };
        Some(Level { pieces: body.into_iter(), site: Some(site), name: Some(name) })
    }

    /// The body of a macro with its arguments.
    fn substitute(
        &mut self,
        body: &[Spanned],
        parameters: &Parameters,
        arguments: &[Vec<Piece>],
        place: Place<'_>,
    ) -> Vec<Piece> {
        let raw = |token: &Spanned| match parameters.position(&token.token) {
            Some(at) => arguments[at].clone(),
            None => vec![Piece::new(token.clone())],
        };
        let mut expanded: BTreeMap<usize, Vec<Piece>> = BTreeMap::new();
        let mut out: Vec<Piece> = Vec::new();
        let mut tokens = body.iter().peekable();
        while let Some(token) = tokens.next() {
            let is_hash = token.token == Token::Sign(Sign::Hash);
            if let Some(text) = tokens.peek().filter(|next| is_hash && parameters.position(&next.token).is_some()) {
                out.push(as_text(&raw(text), place.site));
                tokens.next();
                continue;
            }
            let is_glued = tokens.peek().is_some_and(|next| next.token == Token::Sign(Sign::Paste));
            if let Some(at) = parameters.position(&token.token).filter(|_| !is_glued) {
                let argument = expanded.entry(at).or_insert_with(|| self.expand_argument(&arguments[at], place));
                out.extend(argument.iter().cloned());
                if !self.make(out.len(), place.site) {
                    return out;
                }
                continue;
            }
            let mut piece = raw(token);
            while tokens.next_if(|next| next.token == Token::Sign(Sign::Paste)).is_some() {
                let Some(right) = tokens.next() else { break };
                let takes_rest = parameters.last == Last::Rest
                    && parameters.position(&right.token) == Some(parameters.names.len() - 1);
                glue(&mut piece, raw(right), takes_rest, place.site);
            }
            out.extend(piece);
        }
        out
    }

    fn expand_argument(&mut self, argument: &[Piece], place: Place<'_>) -> Vec<Piece> {
        if place.depth >= DEEPEST_ARGUMENT {
            self.error(place.site, "macros are nested too deeply in the arguments of macros");
            return Vec::new();
        }
        self.expand_pieces(argument.to_vec(), place.hidden.clone(), place.depth + 1)
    }

    /// Counts tokens that expansion makes; false if there are too many, or reading has to end.
    fn make(&mut self, tokens: usize, span: Span) -> bool {
        self.made += tokens;
        if self.made <= MOST_TOKENS {
            return !self.diagnostics.is_over_after(tokens);
        }
        if !std::mem::replace(&mut self.full, true) {
            self.error(span, "the model expands to too many tokens");
        }
        false
    }
}

/// Where a macro is used.
#[derive(Clone, Copy)]
struct Place<'a> {
    site: Span,
    depth: usize,
    hidden: &'a FxHashSet<Rc<str>>,
}

/// `#parameter`
fn as_text(pieces: &[Piece], span: Span) -> Piece {
    let words: Vec<String> = pieces.iter().map(|piece| plain(&piece.token.token)).collect();
    Piece::new(Spanned { token: Token::Text(words.join(" ").into()), span, begins_line: false })
}

/// `left ## right`. A comma before all the rest of the arguments goes away if there is no rest, and else stays.
fn glue(left: &mut Vec<Piece>, mut right: Vec<Piece>, right_takes_rest: bool, span: Span) {
    let is_comma = left.last().is_some_and(|piece| piece.token.token == Token::Sign(Sign::Comma));
    if is_comma && right_takes_rest {
        if right.is_empty() {
            left.pop();
        }
        return left.extend(right);
    }
    if right.is_empty() {
        return;
    }
    let Some(a) = left.pop() else { return left.extend(right) };
    let b = right.remove(0);
    let glued = format!("{}{}", plain(&a.token.token), plain(&b.token.token));
    let is_number = glued.bytes().all(|byte| byte.is_ascii_digit());
    let token = if is_number { Token::Number(glued.parse().unwrap_or(i64::MAX)) } else { word(&glued) };
    left.push(Piece::new(Spanned { token, span, begins_line: false }));
    left.extend(right);
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

/// Pieces of the same origin: a macro's body with its arguments, and where it is used.
struct Level {
    pieces: std::vec::IntoIter<Piece>,
    site: Option<Span>,
    name: Option<Rc<str>>,
}

/// Pieces that wait for expansion: the innermost macro last.
struct Waiting {
    levels: Vec<Level>,
    /// The macros that are being expanded.
    hidden: FxHashSet<Rc<str>>,
}

impl Waiting {
    fn push(&mut self, level: Level) {
        self.hidden.extend(level.name.clone());
        self.levels.push(level);
    }

    fn next(&mut self) -> Option<(Piece, Option<Span>)> {
        loop {
            let level = self.levels.last_mut()?;
            if let Some(piece) = level.pieces.next() {
                return Some((piece, level.site));
            }
            if let Some(name) = self.levels.pop().and_then(|level| level.name) {
                self.hidden.remove(&name);
            }
        }
    }

    fn peek(&self) -> Option<&Token> {
        let mut open = self.levels.iter().rev();
        open.find_map(|level| level.pieces.as_slice().first()).map(|piece| &piece.token.token)
    }

    /// The arguments of a macro, if a parenthesis follows.
    fn arguments(&mut self) -> Option<Vec<Vec<Piece>>> {
        if self.peek() != Some(&Token::Sign(Sign::OpenParen)) {
            return None;
        }
        self.next();
        let mut arguments = vec![Vec::new()];
        let mut depth = 0usize;
        while let Some((mut piece, site)) = self.next() {
            match piece.token.token {
                Token::Sign(Sign::CloseParen) if depth == 0 => break,
                Token::Sign(Sign::Comma) if depth == 0 => {
                    arguments.push(Vec::new());
                    continue;
                }
                Token::Sign(Sign::OpenParen) => depth += 1,
                Token::Sign(Sign::CloseParen) => depth -= 1,
                _ => {}
            }
            piece.token.span = site.unwrap_or(piece.token.span);
            arguments.last_mut()?.push(piece);
        }
        Some(arguments)
    }
}
