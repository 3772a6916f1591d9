//! The bytes of a proof as a sequence of letters and numbers, for text and binary proofs alike.
//!
//! # Which format it is
//!
//! Every step of a binary proof ends in a zero byte, and a text proof never has one; so a proof is binary when it
//! has a zero byte, or begins with `a`, which no text proof does. Guessing from the first few bytes, as is often done,
//! mistakes a binary proof that begins with a deletion for a text.
//!
//! # Numbers in binary proofs
//!
//! The number n is `2n`, or `-2n + 1` when it is negative, in groups of seven bits, the least significant group first;
//! the high bit of a byte says that another one follows.

use super::{Position, Reason, Rejected};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Text,
    Binary,
}

/// What is left of a proof.
pub(super) struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    format: Format,
}

impl<'a> Input<'a> {
    /// The whole proof.
    pub(super) fn new(bytes: &'a [u8]) -> Input<'a> {
        let binary = bytes.first() == Some(&b'a') || bytes.contains(&0);
        Input { bytes, at: 0, line: 1, format: if binary { Format::Binary } else { Format::Text } }
    }

    /// Whether the steps begin with the letter that says what they are.
    pub(super) fn is_binary(&self) -> bool {
        self.format == Format::Binary
    }

    /// Where the next byte is.
    pub(super) fn position(&self) -> Position {
        match self.format {
            Format::Text => Position::Line(self.line),
            Format::Binary => Position::Byte(self.at),
        }
    }

    /// Goes to the next step, past blanks and comment lines; false at the end of the proof.
    pub(super) fn next_step(&mut self) -> bool {
        if self.format == Format::Text {
            self.skip_blanks();
            while self.peek() == Some(b'c') {
                self.skip_line();
                self.skip_blanks();
            }
        }
        self.at < self.bytes.len()
    }

    /// Goes past this letter if it comes next.
    pub(super) fn take(&mut self, letter: u8) -> bool {
        if self.format == Format::Text {
            self.skip_blanks();
        }
        let found = self.peek() == Some(letter);
        self.at += usize::from(found);
        found
    }

    /// Goes past a number.
    pub(super) fn number(&mut self) -> Result<i64, Rejected> {
        let start = self.position();
        let number = match self.format {
            Format::Text => self.decimal(),
            Format::Binary => self.variable_length(),
        };
        number.map_err(|reason| Rejected { at: start, reason })
    }

    /// Goes past numbers up to the next zero, and past the zero, which is left out.
    pub(super) fn numbers(&mut self, into: &mut Vec<i64>) -> Result<(), Rejected> {
        into.clear();
        loop {
            match self.number()? {
                0 => return Ok(()),
                number => into.push(number),
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while let Some(byte) = self.peek().filter(u8::is_ascii_whitespace) {
            self.line += usize::from(byte == b'\n');
            self.at += 1;
        }
    }

    fn skip_line(&mut self) {
        while self.peek().is_some_and(|byte| byte != b'\n') {
            self.at += 1;
        }
    }

    fn decimal(&mut self) -> Result<i64, Reason> {
        self.skip_blanks();
        let start = self.at;
        while self.peek().is_some_and(|byte| !byte.is_ascii_whitespace()) {
            self.at += 1;
        }
        match &self.bytes[start..self.at] {
            [] => Err(Reason::Truncated),
            [b'-'] if self.at == self.bytes.len() => Err(Reason::Truncated),
            [b'-', digits @ ..] => magnitude(digits).map(|number| -number),
            digits => magnitude(digits),
        }
    }

    fn variable_length(&mut self) -> Result<i64, Reason> {
        let mut code: u64 = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.peek().ok_or(Reason::Truncated)?;
            self.at += 1;
            let group = u64::from(byte & 0x7f);
            if group << shift >> shift != group {
                break;
            }
            code |= group << shift;
            if byte & 0x80 == 0 {
                let magnitude = (code >> 1) as i64;
                return Ok(if code & 1 == 1 { -magnitude } else { magnitude });
            }
        }
        Err(Reason::Syntax("a number of at most 64 bits"))
    }
}

fn magnitude(digits: &[u8]) -> Result<i64, Reason> {
    let push = |number: i64, &digit: &u8| {
        let digit = digit.is_ascii_digit().then(|| i64::from(digit - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    };
    let number = if digits.is_empty() { None } else { digits.iter().try_fold(0, push) };
    number.ok_or(Reason::Syntax("a number"))
}
