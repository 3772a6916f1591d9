//! Labels of transitions: boolean combinations of atomic propositions, as operations on a stack.

use super::codes;
use super::lexer::{Spanned, Token};
use crate::diagnostic::Diagnostic;
use std::collections::BTreeMap;
use system::{ExprId, Exprs, Span};

/// An operation on a stack of conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// A constant.
    Constant(bool),
    /// An atomic proposition.
    Proposition(u32),
    /// The topmost one negated.
    Not,
    /// Both of the two topmost ones.
    And,
    /// One of the two topmost ones.
    Or,
}

/// A label: its value is what is left on the stack.
pub type Label = Vec<Op>;

/// The most operations of a label, with its aliases put in.
const MOST: usize = 1 << 16;

/// What can stand in a label.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    /// How many atomic propositions there are.
    pub propositions: u32,
    /// Labels with a name.
    pub aliases: &'a BTreeMap<String, Label>,
}

/// The number of tokens of the label that some tokens begin with, up to the first that cannot belong to it.
pub(super) fn length(tokens: &[Spanned]) -> usize {
    tokens.iter().take_while(|(token, _)| belongs(token)).count()
}

fn belongs(token: &Token) -> bool {
    match token {
        Token::Word(word) => word == "t" || word == "f",
        Token::Number(_) | Token::Alias(_) => true,
        Token::Sign(sign) => "!&|()".contains(*sign),
        _ => false,
    }
}

/// Reads a label, all of some tokens: `!` binds tighter than `&`, and that tighter than `|`.
pub(super) fn read(tokens: &[Spanned], around: Span, names: Names<'_>) -> Result<Label, Diagnostic> {
    let (mut label, mut waiting): (Label, Vec<char>) = (Vec::new(), Vec::new());
    let mut expects_operand = true;
    for (token, span) in tokens {
        match token {
            Token::Sign('!' | '(') if !expects_operand => return Err(misplaced(*span)),
            Token::Sign(sign @ ('!' | '(')) => waiting.push(*sign),
            Token::Sign(sign @ ('&' | '|' | ')')) => {
                if expects_operand {
                    return Err(misplaced(*span));
                }
                settle(*sign, &mut waiting, &mut label);
                if *sign != ')' {
                    waiting.push(*sign);
                    expects_operand = true;
                } else if waiting.pop().is_none() {
                    return Err(misplaced(*span));
                }
            }
            _ if !expects_operand => return Err(misplaced(*span)),
            operand => {
                label.extend(names.operand(operand, *span)?);
                expects_operand = false;
            }
        }
        if label.len() > MOST {
            return Err(Diagnostic::error(codes::UNSUPPORTED, *span, "this label is too long"));
        }
    }
    settle(')', &mut waiting, &mut label);
    if expects_operand || !waiting.is_empty() {
        return Err(Diagnostic::error(codes::SYNTAX, around, "this label is not complete"));
    }
    Ok(label)
}

fn misplaced(span: Span) -> Diagnostic {
    Diagnostic::error(codes::SYNTAX, span, "this does not fit here in a label")
}

/// How tightly an operator binds.
fn strength(sign: char) -> u8 {
    match sign {
        '!' => 3,
        '&' => 2,
        '|' => 1,
        _ => 0,
    }
}

/// Applies the operators that bind at least as tightly as one that comes, back to an open parenthesis.
fn settle(coming: char, waiting: &mut Vec<char>, label: &mut Label) {
    while let Some(sign) = waiting.pop_if(|sign| *sign != '(' && strength(*sign) >= strength(coming)) {
        label.push(match sign {
            '!' => Op::Not,
            '&' => Op::And,
            _ => Op::Or,
        });
    }
}

impl Names<'_> {
    fn operand(&self, token: &Token, span: Span) -> Result<Label, Diagnostic> {
        match token {
            Token::Word(word) if word == "t" || word == "f" => Ok(vec![Op::Constant(word == "t")]),
            Token::Number(number) if *number < self.propositions => Ok(vec![Op::Proposition(*number)]),
            Token::Number(number) => {
                let message = format!("there is no atomic proposition {number}");
                let help = "`AP:` names them; the first one is 0";
                Err(Diagnostic::error(codes::RANGE, span, message).help(help))
            }
            Token::Alias(name) => self.aliases.get(name).cloned().ok_or_else(|| {
                let help = "add `Alias:` with its label, before it is used";
                Diagnostic::error(codes::RANGE, span, format!("there is no alias @{name}")).help(help)
            }),
            _ => Err(Diagnostic::error(codes::SYNTAX, span, "a label has numbers, `t`, `f`, aliases and ! & | ( )")),
        }
    }
}

/// The label in which the propositions have the values of some bits.
pub(super) fn of_letter(letter: usize, propositions: u32) -> Label {
    let mut label = vec![Op::Constant(true)];
    for proposition in 0..propositions {
        label.push(Op::Proposition(proposition));
        label.extend((letter >> proposition & 1 == 0).then_some(Op::Not));
        label.push(Op::And);
    }
    label
}

/// A label as an expression, given those of the propositions.
pub(super) fn expression(label: &[Op], propositions: &[ExprId], exprs: &mut Exprs) -> ExprId {
    let mut stack: Vec<ExprId> = Vec::new();
    for op in label {
        let value = match op {
            Op::Constant(value) => exprs.boolean(*value),
            Op::Proposition(number) => propositions[*number as usize],
            Op::Not => {
                let operand = pop(&mut stack, exprs);
                exprs.not(operand)
            }
            Op::And | Op::Or => {
                let (right, left) = (pop(&mut stack, exprs), pop(&mut stack, exprs));
                if *op == Op::And { exprs.and(left, right) } else { exprs.or(left, right) }
            }
        };
        stack.push(value);
    }
    pop(&mut stack, exprs)
}

/// The topmost condition. A label that was read has one.
fn pop(stack: &mut Vec<ExprId>, exprs: &mut Exprs) -> ExprId {
    stack.pop().unwrap_or_else(|| exprs.boolean(true))
}
