//! Where in the source a part of the system comes from.

/// A range of bytes in a source file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// The span from the beginning of one to the end of another.
    pub fn to(self, end: Span) -> Span {
        Span { start: self.start.min(end.start), end: self.end.max(end.end) }
    }
}
