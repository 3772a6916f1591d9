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
    /// The files that the first one includes: where the text of each begins, and its name.
    parts: Vec<(u32, String)>,
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
    pub fn append(&mut self, name: &str, bytes: &[u8]) -> Option<(usize, String)> {
        if self.text.len() + bytes.len() >= LARGEST {
            return None;
        }
        self.text.push('\n');
        let offset = self.text.len();
        let part = Source::new(name, bytes);
        self.line_starts.extend(part.line_starts.iter().map(|start| start + offset as u32));
        self.parts.push((offset as u32, name.to_owned()));
        self.text.push_str(&part.text);
        Some((offset, part.text))
    }

    /// The name of the file that a place is in, and the index of that file's first line.
    fn part(&self, offset: u32) -> (&str, usize) {
        match self.parts.iter().rev().find(|(start, _)| *start <= offset) {
            Some((start, name)) => (name, self.line_starts.partition_point(|line| line < start)),
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
        /// How much of a very long line is shown on each side of the place.
        const AROUND: usize = 100;
        let start = (span.start as usize).min(self.text.len());
        let line = self.line_starts.partition_point(|begin| *begin as usize <= start);
        let begin = self.line_starts[line - 1] as usize;
        let end = self.text[begin..].find('\n').map_or(self.text.len(), |length| begin + length);
        let from = floor_char(&self.text, begin.max(start.saturating_sub(AROUND)));
        let to = floor_char(&self.text, end.min(start + AROUND));
        let marked_end = floor_char(&self.text, (span.end as usize).clamp(start, to.max(start)));
        let text = self.text[from..to.max(from)].trim_end_matches('\r').to_owned();
        let limit = text.len();
        Excerpt {
            text,
            first_line: line - self.part(span.start).1,
            marked: (start - from).min(limit)..(marked_end - from).min(limit),
        }
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
    fn garbage_becomes_text() {
        let source = Source::new("m.smv", &[0xff, b'\n', 0xfe]);
        assert_eq!(source.position(source.text().len() as u32).0, 2);
    }
}
