//! From tokens to an automaton.

use super::automaton::{Automaton, Proposition, Transition};
use super::label::{self, Label, Names};
use super::lexer::{Spanned, Token, tokens};
use super::{acceptance, codes};
use crate::diagnostic::Diagnostic;
use std::collections::BTreeMap;
use system::Span;

/// The most states of an automaton.
const MOST_STATES: u32 = 100_000;

/// With more propositions, every transition needs a label.
const MOST_IMPLICIT: u32 = 10;

/// What is known of the automaton after its header.
#[derive(Default)]
struct Header {
    states: Option<u32>,
    starts: Vec<(u32, Span)>,
    propositions: Vec<Proposition>,
    aliases: BTreeMap<String, Label>,
    sets: Option<u32>,
}

struct Parser {
    tokens: Vec<Spanned>,
    at: usize,
    /// The place behind the last token.
    end: Span,
}

/// Reads an automaton.
pub(super) fn parse(text: &str) -> Result<Automaton, Diagnostic> {
    let end = Span { start: text.trim_end().len() as u32, end: text.trim_end().len() as u32 };
    let mut parser = Parser { tokens: tokens(text)?, at: 0, end };
    let header = parser.header()?;
    parser.body(header)
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    /// Where the next token is.
    fn here(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |(_, span)| *span)
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.peek().cloned();
        self.at += 1;
        token
    }

    /// Passes a sign, if it comes next.
    fn passes(&mut self, sign: char) -> bool {
        let is_next = self.peek() == Some(&Token::Sign(sign));
        self.at += usize::from(is_next);
        is_next
    }

    fn expected(&self, what: &str) -> Diagnostic {
        Diagnostic::error(codes::SYNTAX, self.here(), format!("expected {what}"))
    }

    fn number(&mut self, what: &str) -> Result<u32, Diagnostic> {
        match self.peek() {
            Some(Token::Number(number)) => {
                let number = *number;
                self.at += 1;
                Ok(number)
            }
            _ => Err(self.expected(what)),
        }
    }

    fn header(&mut self) -> Result<Header, Diagnostic> {
        self.version()?;
        let mut header = Header::default();
        loop {
            let span = self.here();
            match self.next() {
                Some(Token::Body) => return Ok(header),
                Some(Token::Header(name)) => self.item(&name, span, &mut header)?,
                _ => {
                    self.at -= 1;
                    return Err(self.expected("an item of the header, or --BODY--"));
                }
            }
        }
    }

    fn version(&mut self) -> Result<(), Diagnostic> {
        if self.next() != Some(Token::Header("HOA".to_owned())) {
            self.at -= 1;
            return Err(self.expected("`HOA: v1`, with which an automaton begins"));
        }
        let span = self.here();
        match self.next() {
            Some(Token::Word(version)) if version == "v1" => Ok(()),
            _ => Err(Diagnostic::error(codes::UNSUPPORTED, span, "only version v1 of the Hanoi format is read")),
        }
    }

    fn item(&mut self, name: &str, span: Span, header: &mut Header) -> Result<(), Diagnostic> {
        match name {
            "States" => {
                let here = self.here();
                let states = self.number("how many states there are")?;
                if states > MOST_STATES {
                    let message = format!("an automaton has at most {MOST_STATES} states");
                    return Err(Diagnostic::error(codes::UNSUPPORTED, here, message));
                }
                header.states = Some(states);
            }
            "Start" => {
                let here = self.here();
                let start = self.state()?;
                header.starts.push((start, here));
            }
            "AP" => header.propositions = self.propositions()?,
            "Alias" => {
                let Some(Token::Alias(alias)) = self.next() else {
                    self.at -= 1;
                    return Err(self.expected("the name of an alias, such as @a"));
                };
                let label = self.label(header)?;
                header.aliases.insert(alias, label);
            }
            "Acceptance" => header.sets = Some(self.acceptance()?),
            _ if name.starts_with(char::is_uppercase) => {
                let message = format!("`{name}:` says something about the automaton that is not understood");
                return Err(Diagnostic::error(codes::UNSUPPORTED, span, message));
            }
            _ => self.skip_values(),
        }
        Ok(())
    }

    /// Items that begin with a small letter do not change what the automaton is.
    fn skip_values(&mut self) {
        while self.peek().is_some_and(|token| !matches!(token, Token::Header(_) | Token::Body)) {
            self.at += 1;
        }
    }

    /// A single state: a conjunction of several is alternation.
    fn state(&mut self) -> Result<u32, Diagnostic> {
        let state = self.number("the number of a state")?;
        if self.peek() == Some(&Token::Sign('&')) {
            let help = "make it nondeterministic first, as `autfilt --remove-alternation` of Spot does";
            let message = "the automaton is alternating";
            return Err(Diagnostic::error(codes::UNSUPPORTED, self.here(), message).help(help));
        }
        Ok(state)
    }

    fn propositions(&mut self) -> Result<Vec<Proposition>, Diagnostic> {
        let (here, count) = (self.here(), self.number("how many atomic propositions there are")?);
        let mut propositions = Vec::new();
        while let (span, Some(Token::Text(text))) = (self.here(), self.peek()) {
            propositions.push(Proposition { text: text.clone(), span });
            self.at += 1;
        }
        if propositions.len() != count as usize {
            let message = format!("{count} atomic propositions, but {} names", propositions.len());
            return Err(Diagnostic::error(codes::SYNTAX, here, message));
        }
        Ok(propositions)
    }

    fn label(&mut self, header: &Header) -> Result<Label, Diagnostic> {
        let here = self.here();
        let length = label::length(&self.tokens[self.at.min(self.tokens.len())..]);
        let names = Names { propositions: header.propositions.len() as u32, aliases: &header.aliases };
        let label = label::read(&self.tokens[self.at..self.at + length], here, names)?;
        self.at += length;
        Ok(label)
    }

    /// The number of acceptance sets, all of which a run has to pass infinitely often.
    fn acceptance(&mut self) -> Result<u32, Diagnostic> {
        let sets = self.number("how many acceptance sets there are")?;
        let (start, here) = (self.at, self.here());
        self.skip_values();
        let condition = &self.tokens[start..self.at];
        let end = condition.last().map_or(here.end, |(_, span)| span.end);
        acceptance::read(sets, condition, Span { start: here.start, end })
    }

    fn body(&mut self, header: Header) -> Result<Automaton, Diagnostic> {
        let Some(sets) = header.sets else {
            return Err(self.expected("`Acceptance:` in the header, before the states"));
        };
        let mut states: BTreeMap<u32, Vec<Transition>> = BTreeMap::new();
        loop {
            let span = self.here();
            match self.next() {
                Some(Token::Header(name)) if name == "State" => {
                    let (state, transitions) = self.state_with_transitions(&header, sets)?;
                    if states.insert(state, transitions).is_some() {
                        let message = format!("state {state} is described twice");
                        return Err(Diagnostic::error(codes::SYNTAX, span, message));
                    }
                }
                Some(Token::End) if self.at == self.tokens.len() => return finish(header, sets, states),
                Some(Token::End) => return Err(self.expected("the end: a file holds one automaton")),
                Some(Token::Abort) => {
                    return Err(Diagnostic::error(codes::SYNTAX, span, "the automaton was not written to its end"));
                }
                _ => {
                    self.at -= 1;
                    return Err(self.expected("`State:` or --END--"));
                }
            }
        }
    }

    fn state_with_transitions(&mut self, header: &Header, sets: u32) -> Result<(u32, Vec<Transition>), Diagnostic> {
        let own = self.label_in_brackets(header)?;
        let state = self.number("the number of a state")?;
        if let Some(Token::Text(_)) = self.peek() {
            self.at += 1;
        }
        let own_marks = self.marks(sets)?;
        let (mut transitions, mut unlabelled) = (Vec::new(), 0);
        while matches!(self.peek(), Some(Token::Sign('[') | Token::Number(_))) {
            let label = self.label_in_brackets(header)?;
            let span = self.here();
            let to = self.state()?;
            let marks = own_marks | self.marks(sets)?;
            let propositions = header.propositions.len() as u32;
            let label = match (label, &own) {
                (Some(label), None) => label,
                (None, Some(label)) => label.clone(),
                (None, None) if propositions <= MOST_IMPLICIT => label::of_letter(unlabelled, propositions),
                _ => return Err(Diagnostic::error(codes::SYNTAX, span, "this transition needs one label")),
            };
            unlabelled += 1;
            transitions.push(Transition { label, to, marks, span });
        }
        let is_implicit = own.is_none() && unlabelled > 0 && self.is_implicit(&transitions);
        if is_implicit && unlabelled != 1 << header.propositions.len() {
            return Err(self.expected("as many transitions as the propositions can have values, or labels"));
        }
        Ok((state, transitions))
    }

    /// Whether the transitions of a state were written without labels.
    fn is_implicit(&self, transitions: &[Transition]) -> bool {
        transitions.first().is_some_and(|first| {
            let before = self.tokens.iter().rposition(|(_, span)| span.end <= first.span.start);
            before.is_some_and(|at| self.tokens[at].0 != Token::Sign(']'))
        })
    }

    fn label_in_brackets(&mut self, header: &Header) -> Result<Option<Label>, Diagnostic> {
        if !self.passes('[') {
            return Ok(None);
        }
        let label = self.label(header)?;
        if !self.passes(']') {
            return Err(self.expected("`]`"));
        }
        Ok(Some(label))
    }

    /// The acceptance sets in braces, a bit each.
    fn marks(&mut self, sets: u32) -> Result<u64, Diagnostic> {
        let mut marks = 0;
        if self.passes('{') {
            while !self.passes('}') {
                let span = self.here();
                let set = self.number("the number of an acceptance set, or `}`")?;
                if set >= sets {
                    let message = format!("there is no acceptance set {set}");
                    return Err(Diagnostic::error(codes::RANGE, span, message).help("the first one is 0"));
                }
                marks |= 1 << set;
            }
        }
        Ok(marks)
    }
}

/// The automaton, if all of its states exist.
fn finish(header: Header, sets: u32, mut states: BTreeMap<u32, Vec<Transition>>) -> Result<Automaton, Diagnostic> {
    let described = states.keys().next_back().map_or(0, |last| last + 1);
    let count = header.states.unwrap_or(described).max(described);
    let ends = states.values().flatten().map(|transition| (transition.to, transition.span));
    if let Some((state, span)) = header.starts.iter().copied().chain(ends).find(|(state, _)| *state >= count) {
        return Err(Diagnostic::error(codes::RANGE, span, format!("there is no state {state}")));
    }
    let transitions = (0..count).map(|state| states.remove(&state).unwrap_or_default()).collect();
    let starts = header.starts.into_iter().map(|(start, _)| start).collect();
    Ok(Automaton { propositions: header.propositions, starts, transitions, sets })
}
