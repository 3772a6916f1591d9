//! What a program says besides changing its state: messages through queues, and texts that it prints. Nothing here has a
//! part in what a step means; it is for readers of a run.

use super::ids::{ExprId, VarId};
use super::span::Span;
use super::value::Value;
use std::sync::Arc;

/// A queue of messages: a length, and for each field of a message neighbouring variables, one for each place.
#[derive(Clone, Debug)]
pub struct Queue {
    /// Its name.
    pub name: String,
    /// How many messages there are.
    pub length: VarId,
    /// For each field, where the oldest message has it; the next ones follow.
    pub fields: Vec<VarId>,
}

/// A statement of a program that a process can come to.
#[derive(Clone, Debug)]
pub struct Statement {
    /// As the program writes it, on one line.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// A part of a text that a command prints.
#[derive(Clone, Debug)]
pub enum Printed {
    /// As it is.
    Text(String),
    /// A value before the step, in some spelling.
    Value(ExprId, Spelling),
    /// A value before the step, by the name that it has: the first name is that of 1.
    Named(ExprId, Arc<[String]>),
}

/// How a number is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// In decimal digits.
    Decimal,
    /// In hexadecimal digits.
    Hexadecimal,
    /// In octal digits.
    Octal,
    /// As the character with this number.
    Character,
}

impl Spelling {
    /// A number in this spelling.
    pub(crate) fn spell(self, value: Value) -> String {
        match self {
            Spelling::Decimal => value.to_string(),
            Spelling::Hexadecimal => format!("{value:x}"),
            Spelling::Octal => format!("{value:o}"),
            Spelling::Character => u32::try_from(value).ok().and_then(char::from_u32).unwrap_or('?').to_string(),
        }
    }
}
