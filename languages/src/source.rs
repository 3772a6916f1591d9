//! Source texts: a file's contents and where its lines are.

use std::ops::Range;
use system::Span;

/// The largest source, in bytes, included files counted: far more than anyone writes, and far less than memory.
pub const LARGEST: usize = 64 << 20;

/// A file that a user gave us.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<u32>,
    /// The files that the first one includes.
    parts: Vec<Part>,
}

/// Whose text a part of a source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It belongs to the model: it is in the model's folder, or said on the command line.
    Model,
    /// It is from elsewhere. Unless it turns out to be part of a model, it is nothing to show: a model that was found
    /// somewhere may include any file of the user who checks it.
    Elsewhere,
}

/// A file that is included.
#[derive(Clone, Debug)]
struct Part {
    /// Where its text begins.
    start: u32,
    name: String,
    origin: Origin,
    /// Whether its text was taken away.
    is_concealed: bool,
}

/// A piece of a source to show: some whole lines, cut where they are very long.
#[derive(Clone, Debug)]
pub struct Excerpt {
    /// The lines.
    pub text: String,
    /// The number of the first one, from 1.
    pub first_line: usize,
    /// What to underline, in bytes of `text`.
    pub marked: Range<usize>,
}

impl Source {
    /// A source from the bytes of a file. What is not UTF-8 becomes replacement characters, which are legal in
    /// comments only.
    pub fn new(name: impl Into<String>, bytes: &[u8]) -> Source {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let after_newline = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1);
        let line_starts = std::iter::once(0).chain(after_newline).collect();
        Source { name: name.into(), text, line_starts, parts: Vec::new() }
    }

    /// Adds the text of an included file and says where it begins; `None` if there is too much of it.
    pub fn append(&mut self, name: &str, bytes: &[u8], origin: Origin) -> Option<(usize, String)> {
        if self.text.len() + bytes.len() >= LARGEST {
            return None;
        }
        self.text.push('\n');
        let offset = self.text.len();
        let part = Source::new(name, bytes);
        self.line_starts.extend(part.line_starts.iter().map(|start| start + offset as u32));
        self.parts.push(Part { start: offset as u32, name: name.to_owned(), origin, is_concealed: false });
        self.text.push_str(&part.text);
        Some((offset, part.text))
    }

    /// Takes away the text of included files that are from elsewhere; where its lines are stays known.
    pub fn conceal(&mut self) {
        for at in 0..self.parts.len() {
            if self.parts[at].origin == Origin::Model {
                continue;
            }
            let start = self.parts[at].start as usize;
            let end = self.parts.get(at + 1).map_or(self.text.len(), |next| next.start as usize);
            let blank: String =
                self.text[start..end].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
            self.text.replace_range(start..end, &blank);
            self.parts[at].is_concealed = true;
        }
    }

    /// The files that the first one includes, in order: the name and the text of each.
    pub fn included_files(&self) -> impl Iterator<Item = (&str, &str)> {
        // What is said on the command line is no file.
        let files = self.parts.iter().enumerate().filter(|(_, part)| !part.name.starts_with("--"));
        files.map(|(at, part)| (part.name.as_str(), &self.text[part.start as usize..self.end_of_part(at)]))
    }

    fn end_of_part(&self, at: usize) -> usize {
        self.parts.get(at + 1).map_or(self.text.len(), |next| next.start as usize - 1)
    }

    /// Whether the text at a place was taken away.
    pub fn is_concealed(&self, span: Span) -> bool {
        self.included(span.start).is_some_and(|part| part.is_concealed)
    }

    fn included(&self, offset: u32) -> Option<&Part> {
        self.parts.iter().rev().find(|part| part.start <= offset)
    }

    /// The name of the file that a place is in, and the index of that file's first line.
    fn part(&self, offset: u32) -> (&str, usize) {
        match self.included(offset) {
            Some(part) => (&part.name, self.line_starts.partition_point(|line| *line < part.start)),
            None => (&self.name, 0),
        }
    }

    /// The name of the file that a place is in: the source itself, or one that it includes.
    pub fn file(&self, span: Span) -> &str {
        self.part(span.start).0
    }

    /// The file's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Line and column of an offset, both from 1; the column counts characters.
    pub fn position(&self, offset: u32) -> (usize, usize) {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = self.line_starts[line - 1] as usize;
        let before = self.text.get(start..offset as usize).unwrap_or_default();
        (line - self.part(offset).1, before.chars().count() + 1)
    }

    /// The line, from 1, that a span begins on.
    pub fn line(&self, span: Span) -> usize {
        self.position(span.start).0
    }

    /// The first line of a span, with what to underline in it.
    pub fn excerpt(&self, span: Span) -> Excerpt {
        let start = (span.start as usize).min(self.text.len());
        let Range { start: from, end: to } = self.near(start, &self.line_around(start));
        let marked_end = floor_char(&self.text, (span.end as usize).clamp(start, to.max(start)));
        let text = self.text[from..to].trim_end_matches('\r').to_owned();
        let limit = text.len();
        Excerpt { text, first_line: self.line(span), marked: (start - from).min(limit)..(marked_end - from).min(limit) }
    }

    /// What to show of the line that a span begins on: all of it, or of a long line what stands between the semicolons around the
    /// span, since that is one branch where a whole `case` is on one line. Dots stand for what is left out.
    pub fn clause(&self, span: Span) -> String {
        /// A line of this many bytes is still shown whole.
        const SHORT: usize = 80;
        let start = floor_char(&self.text, (span.start as usize).min(self.text.len()));
        let line = self.line_around(start);
        if self.text[line.clone()].trim().len() <= SHORT {
            return self.text[line].trim().to_owned();
        }
        let near = self.near(start, &line);
        let from = self.text[near.start..start].rfind(';').map_or(near.start, |semicolon| near.start + semicolon + 1);
        let to = self.text[start..near.end].find(';').map_or(near.end, |semicolon| start + semicolon + 1);
        let dots = |left_out: &str| if left_out.trim().is_empty() { "" } else { "..." };
        let parts = [dots(&self.text[line.start..from]), self.text[from..to].trim(), dots(&self.text[to..line.end])];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// The line that an offset is on, without its end.
    fn line_around(&self, offset: usize) -> Range<usize> {
        let line = self.line_starts.partition_point(|begin| *begin as usize <= offset);
        let begin = self.line_starts[line - 1] as usize;
        let end = self.text[begin..].find('\n').map_or(self.text.len(), |length| begin + length);
        begin..end
    }

    /// What is shown of a very long line: a little on each side of the place.
    fn near(&self, offset: usize, line: &Range<usize>) -> Range<usize> {
        const AROUND: usize = 100;
        let from = floor_char(&self.text, line.start.max(offset.saturating_sub(AROUND)));
        let to = floor_char(&self.text, line.end.min(offset + AROUND));
        from..to.max(from)
    }
}

/// The nearest character boundary at or before an offset.
fn floor_char(text: &str, mut offset: usize) -> usize {
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let source = Source::new("m.smv", "a\nbä c\n".as_bytes());
        assert_eq!(source.position(0), (1, 1));
        let c = source.text().find('c').unwrap() as u32;
        assert_eq!(source.position(c), (2, 4));
    }

    #[test]
    fn an_excerpt_of_a_very_long_line_is_short() {
        let text = format!("{}x{}", "a".repeat(1_000_000), "b".repeat(1_000_000));
        let source = Source::new("m.smv", text.as_bytes());
        let excerpt = source.excerpt(Span { start: 1_000_000, end: 1_000_001 });
        assert!(excerpt.text.len() <= 200);
        assert_eq!(&excerpt.text[excerpt.marked], "x");
    }

    #[test]
    fn of_a_long_line_the_branch_is_shown() {
        let text =
            "next(s) := case s = 0 : {1, 4}; s = 1 : 2; s = 2 : {3, 1}; s = 3 : 0; s = 4 : {4, 5}; TRUE : s; esac;";
        let source = Source::new("m.smv", text.as_bytes());
        let clause_at = |part: &str| {
            let start = text.find(part).unwrap() as u32;
            source.clause(Span { start, end: start + part.len() as u32 })
        };
        assert_eq!(clause_at("{3, 1}"), "... s = 2 : {3, 1}; ...");
        assert_eq!(clause_at("{1, 4}"), "next(s) := case s = 0 : {1, 4}; ...");
        assert_eq!(clause_at("esac"), "... esac;");
        assert_eq!(
            Source::new("m.smv", b"  pc = idle : wait; \n").clause(Span { start: 14, end: 18 }),
            "pc = idle : wait;"
        );
    }

    #[test]
    fn what_is_from_elsewhere_can_be_taken_away_and_its_lines_stay() {
        let mut source = Source::new("m.pml", b"#include\n");
        let (ours, _) = source.append("near.h", b"near\n", Origin::Model).unwrap();
        let (theirs, _) = source.append("/far.h", "ä\nsecret\n".as_bytes(), Origin::Elsewhere).unwrap();
        let secret = Span { start: theirs as u32 + 3, end: theirs as u32 + 9 };
        assert_eq!(source.slice(secret), "secret");
        source.conceal();
        assert_eq!(source.slice(secret).trim(), "");
        assert!(source.is_concealed(secret) && !source.text().contains("secret"));
        assert_eq!((source.file(secret), source.line(secret)), ("/far.h", 2));
        assert!(source.text()[ours..].starts_with("near") && !source.is_concealed(Span::default()));
    }

    #[test]
    fn garbage_becomes_text() {
        let source = Source::new("m.smv", &[0xff, b'\n', 0xfe]);
        assert_eq!(source.position(source.text().len() as u32).0, 2);
    }
}
