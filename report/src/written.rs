//! A property as its author wrote it, so that a verdict says what was checked.

use languages::source::Source;
use serde::Serialize;
use system::{Claim, Property, PropertyId, Span, System};

/// What is claimed, and where that is written.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Written {
    /// `invariant`, `deadlock`, `ltl`, `ctl` or `unsupported`.
    pub kind: &'static str,
    /// The formula as it is written, on one line; in words where it is not written anywhere.
    pub formula: String,
    /// The file that it is written in, if it is.
    pub file: Option<String>,
    /// The line of that file.
    pub line: Option<usize>,
    /// The word that it begins with, such as `INVARSPEC`; empty if the formula says it all.
    #[serde(skip)]
    pub keyword: String,
    /// Whether it is in the model's own file.
    #[serde(skip)]
    is_main: bool,
}

/// What the name of a file is for properties of the command line.
const COMMAND_LINE: &str = "--invariant";

/// How much of a formula people are shown.
const MOST_SHOWN: usize = 200;

impl Written {
    /// A property that is written nowhere, in words.
    pub fn in_words(kind: &'static str, formula: &str) -> Written {
        Written { kind, formula: formula.to_owned(), ..Written::default() }
    }

    /// A property of a system that was read from this source.
    pub fn of(system: &System, source: &Source, property: PropertyId) -> Written {
        let property = &system.properties[property];
        let kind = kind(&property.claim);
        if property.span == Span::default() {
            let formula = in_words(property, system.has_statements).to_owned();
            return Written { kind, formula, ..Written::default() };
        }
        let file = source.file(property.span);
        if file == COMMAND_LINE {
            let (keyword, formula) = (COMMAND_LINE.to_owned(), on_one_line(source.slice(property.span)));
            return Written { kind, formula, keyword, ..Written::default() };
        }
        let (keyword, formula) = parts(&specification(source, property.span));
        let (line, is_main) = (Some(source.line(property.span)), file == source.name());
        Written { kind, formula, file: Some(file.to_owned()), line, keyword, is_main }
    }

    /// The same in a line for people, such as `line 31: INVARSPEC x < 3`.
    pub fn describe(&self) -> String {
        let mut text =
            if self.keyword.is_empty() { self.formula.clone() } else { format!("{} {}", self.keyword, self.formula) };
        if let Some((end, _)) = text.char_indices().nth(MOST_SHOWN) {
            text.truncate(end);
            text.push_str("...");
        }
        match (self.line, &self.file) {
            (Some(line), Some(file)) if !self.is_main => format!("{file}, line {line}: {text}"),
            (Some(line), _) => format!("line {line}: {text}"),
            _ => text,
        }
    }
}

/// The word for what is claimed, for machines.
pub fn kind(claim: &Claim) -> &'static str {
    match claim {
        Claim::Invariant(_) => "invariant",
        Claim::DeadlockFree => "deadlock",
        Claim::Ltl(_) => "ltl",
        Claim::Ctl(_) => "ctl",
        Claim::Compute(..) => "compute",
        Claim::Progress(_) => "progress",
        Claim::Never(_) => "never",
        Claim::Unsupported(_) => "unsupported",
    }
}

/// What is claimed though no line of the model says so.
fn in_words(property: &Property, is_program: bool) -> &'static str {
    match property.claim {
        Claim::DeadlockFree if is_program => "every process that cannot go on is at its end or at an end label",
        Claim::DeadlockFree => "every state has a successor",
        Claim::Never(_) => "no run is accepted by the automaton",
        _ => "a property that the model does not write down",
    }
}

/// The whole text of a specification: an SMV specification's place begins after its keyword, and a claim's is its first
/// word.
fn specification(source: &Source, span: Span) -> String {
    let (before, from) = source.text().split_at_checked(span.start as usize).unwrap_or_default();
    let written = on_one_line(source.slice(span));
    if written == "never" {
        return block(&on_one_line(from));
    }
    let keyword = before.trim_end().rsplit(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    if KEYWORDS.contains(&keyword) { format!("{keyword} {written}") } else { written }
}

/// The text up to the brace that closes the first one.
fn block(text: &str) -> String {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth <= 1 => return text[..=at].to_owned(),
            '}' => depth -= 1,
            _ => {}
        }
    }
    text.to_owned()
}

/// The words that specifications of SMV begin with.
const KEYWORDS: [&str; 6] = ["INVARSPEC", "LTLSPEC", "CTLSPEC", "SPEC", "PSLSPEC", "COMPUTE"];

/// The word that a specification begins with, and its formula, without its name and what surrounds it.
fn parts(written: &str) -> (String, String) {
    let text = written.trim_end_matches(';').trim_end();
    let (keyword, rest) = text.split_once(' ').unwrap_or((text, ""));
    let rest = match keyword {
        _ if KEYWORDS.contains(&keyword) => match rest.strip_prefix("NAME ") {
            Some(named) => named.split_once(":=").map_or(named, |(_, formula)| formula),
            None => rest,
        },
        "ltl" => match rest.split_once('{') {
            Some((_, formula)) => formula.trim_end().trim_end_matches('}'),
            None => rest,
        },
        _ => return (String::new(), text.to_owned()),
    };
    (keyword.to_owned(), rest.trim().to_owned())
}

/// A text of either language on one line, with a blank where there are comments or several blanks.
pub(super) fn on_one_line(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = if rest.starts_with("--") || rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            plain.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        plain.push(' ');
        rest = &rest[skipped..];
    }
    plain.split_whitespace().collect::<Vec<&str>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_specification_is_read_off_its_source_on_one_line() {
        let text = "MODULE main LTLSPEC -- why\n G (a -- so\n -> F b)";
        let source = Source::new("m.smv", text.as_bytes());
        let at = |part: &str| Span { start: text.find(part).unwrap_or_default() as u32, end: text.len() as u32 };
        assert_eq!(specification(&source, at("G (")), "G (a -> F b)", "a comment hides the keyword");
        let source = Source::new("m.pml", b"never /* bad */ { do :: { x } od } init { skip }");
        assert_eq!(specification(&source, Span { start: 0, end: 5 }), "never { do :: { x } od }");
        let source = Source::new("m.smv", b"INVARSPEC\n  x<3");
        assert_eq!(specification(&source, Span { start: 12, end: 15 }), "INVARSPEC x<3");
    }

    #[test]
    fn keyword_name_and_formula_are_told_apart() {
        for (written, keyword, formula) in [
            ("INVARSPEC NAME safe := x < 3;", "INVARSPEC", "x < 3"),
            ("LTLSPEC G (a -> F b)", "LTLSPEC", "G (a -> F b)"),
            ("ltl p1 { [] (x <= 3) }", "ltl", "[] (x <= 3)"),
            ("ltl { <> done }", "ltl", "<> done"),
            ("assert(x == 1)", "", "assert(x == 1)"),
            ("SPEC", "SPEC", ""),
        ] {
            assert_eq!(parts(written), (keyword.to_owned(), formula.to_owned()), "{written}");
        }
    }

    #[test]
    fn a_formula_is_shown_with_its_line_and_not_at_any_length() {
        let formula = "x".repeat(1000);
        let long = Written { formula, line: Some(7), is_main: true, ..Written::default() };
        assert_eq!(long.describe(), format!("line 7: {}...", "x".repeat(MOST_SHOWN)));
        let elsewhere =
            Written { formula: "y".into(), file: Some("lock.h".into()), line: Some(2), ..Written::default() };
        assert_eq!(elsewhere.describe(), "lock.h, line 2: y");
    }
}
