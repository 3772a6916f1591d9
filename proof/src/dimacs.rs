//! The reader for DIMACS CNF files.
//!
//! Comment lines begin with `c`, the header is `p cnf <variables> <clauses>`, and every clause is a list of literals
//! that ends in `0`, over as many lines as it likes. The header must be true: a file that was cut off, or that uses a
//! variable it does not declare, is refused rather than read as a weaker formula.

use std::fmt;
use std::str::SplitAsciiWhitespace;

use super::{Cnf, Lit};

/// Why a DIMACS file was refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DimacsError {
    /// The line, counted from one.
    pub line: usize,
    /// What is wrong with it.
    pub reason: DimacsReason,
}

/// What can be wrong with a DIMACS file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DimacsReason {
    /// The line is not text.
    NotText,
    /// A clause comes before the header, or the file ends without one.
    MissingHeader,
    /// There are two headers.
    SecondHeader,
    /// The line begins with `p` and is not `p cnf <variables> <clauses>`.
    BadHeader,
    /// This word should be a literal.
    NotALiteral(String),
    /// The literal's variable is larger than the header declares.
    UndeclaredVariable(Lit),
    /// The last clause has no `0` at its end.
    UnfinishedClause,
    /// The header promised another number of clauses.
    WrongNumberOfClauses {
        /// What the header says.
        declared: usize,
        /// What the file has.
        found: usize,
    },
}

impl fmt::Display for DimacsError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.reason {
            DimacsReason::NotText => write!(f, "the line is not text"),
            DimacsReason::MissingHeader => write!(f, "expected `p cnf <variables> <clauses>` before the clauses"),
            DimacsReason::SecondHeader => write!(f, "a second header"),
            DimacsReason::BadHeader => write!(f, "expected `p cnf <variables> <clauses>`"),
            DimacsReason::NotALiteral(word) => write!(f, "expected a literal or 0, found `{word}`"),
            DimacsReason::UndeclaredVariable(lit) => write!(f, "literal {lit} is beyond the header's variables"),
            DimacsReason::UnfinishedClause => write!(f, "the last clause does not end in 0"),
            DimacsReason::WrongNumberOfClauses { declared, found } => {
                write!(f, "the header promises {declared} clauses, the file has {found}")
            }
        }
    }
}

impl std::error::Error for DimacsError {}

impl Cnf {
    /// Reads a DIMACS CNF file.
    pub fn parse(bytes: &[u8]) -> Result<Cnf, DimacsError> {
        let mut reader = Reader::default();
        let mut last = 0;
        for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
            reader.line(line).map_err(|reason| DimacsError { line: number, reason })?;
            last = number;
        }
        reader.finish().map_err(|reason| DimacsError { line: last, reason })
    }
}

#[derive(Clone, Copy)]
struct Header {
    variables: u32,
    clauses: usize,
}

#[derive(Default)]
struct Reader {
    header: Option<Header>,
    clauses: Vec<Vec<Lit>>,
    /// The clause that has no `0` yet.
    open: Vec<Lit>,
}

impl Reader {
    fn line(&mut self, line: &[u8]) -> Result<(), DimacsReason> {
        if line.starts_with(b"c") {
            return Ok(());
        }
        let line = std::str::from_utf8(line).map_err(|_| DimacsReason::NotText)?;
        let mut words = line.split_ascii_whitespace();
        if line.starts_with('p') { self.header(words) } else { words.try_for_each(|word| self.word(word)) }
    }

    fn header(&mut self, mut words: SplitAsciiWhitespace) -> Result<(), DimacsReason> {
        if self.header.is_some() {
            return Err(DimacsReason::SecondHeader);
        }
        let mut next = || words.next().ok_or(DimacsReason::BadHeader);
        let (p, cnf, variables, clauses) = (next()?, next()?, next()?, next()?);
        match (variables.parse(), clauses.parse()) {
            (Ok(variables), Ok(clauses)) if p == "p" && cnf == "cnf" && words.next().is_none() => {
                self.header = Some(Header { variables, clauses });
                Ok(())
            }
            _ => Err(DimacsReason::BadHeader),
        }
    }

    fn word(&mut self, word: &str) -> Result<(), DimacsReason> {
        let header = self.header.ok_or(DimacsReason::MissingHeader)?;
        let number: i64 = word.parse().map_err(|_| DimacsReason::NotALiteral(word.to_owned()))?;
        if number == 0 {
            self.clauses.push(std::mem::take(&mut self.open));
            return Ok(());
        }
        let lit = Lit::new(number).ok_or_else(|| DimacsReason::NotALiteral(word.to_owned()))?;
        if lit.variable() > header.variables {
            return Err(DimacsReason::UndeclaredVariable(lit));
        }
        self.open.push(lit);
        Ok(())
    }

    fn finish(self) -> Result<Cnf, DimacsReason> {
        let header = self.header.ok_or(DimacsReason::MissingHeader)?;
        if !self.open.is_empty() {
            return Err(DimacsReason::UnfinishedClause);
        }
        let (declared, found) = (header.clauses, self.clauses.len());
        if declared != found {
            return Err(DimacsReason::WrongNumberOfClauses { declared, found });
        }
        Ok(Cnf { variables: header.variables, clauses: self.clauses })
    }
}
