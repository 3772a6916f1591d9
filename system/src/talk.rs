//! What a program says besides changing its state: messages through queues, and texts that it prints. Nothing here has a
//! part in what a step means; it is for those who read a run.

use crate::fault::Fault;
use crate::ids::{ExprId, VarId};
use crate::machine::{Machine, Workspace};
use crate::span::Span;
use crate::state::State;
use crate::value::Value;
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
    fn spell(self, value: Value) -> String {
        match self {
            Spelling::Decimal => value.to_string(),
            Spelling::Hexadecimal => format!("{value:x}"),
            Spelling::Octal => format!("{value:o}"),
            Spelling::Character => u32::try_from(value).ok().and_then(char::from_u32).unwrap_or('?').to_string(),
        }
    }
}

impl Machine {
    /// What a text says in a state. A value that cannot be computed is a question mark.
    pub fn printed(&self, parts: &[Printed], state: &State, workspace: &mut Workspace) -> String {
        let mut value = |expr: ExprId| self.evaluate(expr, state, workspace);
        let known =
            |value: Result<Value, Fault>, spell: &dyn Fn(Value) -> String| value.map_or_else(|_| "?".to_owned(), spell);
        let part = |part: &Printed| match part {
            Printed::Text(text) => text.clone(),
            Printed::Value(expr, spelling) => known(value(*expr), &|value| spelling.spell(value)),
            Printed::Named(expr, names) => known(value(*expr), &|value| {
                let name = usize::try_from(value - 1).ok().and_then(|index| names.get(index));
                name.cloned().unwrap_or_else(|| value.to_string())
            }),
        };
        parts.iter().map(part).collect()
    }

    /// The messages in a queue, the oldest first, each with its fields.
    pub fn messages(&self, queue: &Queue, state: &State) -> Vec<Vec<(VarId, Value)>> {
        let get = |var: VarId| self.layout().get(&state.0, var).unwrap_or(0);
        let field = |first: &VarId, at: usize| {
            let var = VarId::from(first.index() + at);
            (var, get(var))
        };
        let length = usize::try_from(get(queue.length)).unwrap_or(0);
        (0..length).map(|at| queue.fields.iter().map(|first| field(first, at)).collect()).collect()
    }
}
