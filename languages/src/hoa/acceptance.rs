//! Acceptance conditions: a run has to pass every set infinitely often. Others are refused.

use super::codes;
use super::lexer::{Spanned, Token};
use crate::diagnostic::Diagnostic;
use system::Span;

/// The most acceptance sets: a bit each.
const MOST: u32 = 64;

/// Reads `Inf(0) & Inf(1) & ...`, in any order, or `t` if there are no sets: the number of sets.
pub(super) fn read(sets: u32, condition: &[Spanned], span: Span) -> Result<u32, Diagnostic> {
    if sets > MOST {
        return Err(Diagnostic::error(codes::UNSUPPORTED, span, format!("there are more than {MOST} acceptance sets")));
    }
    match required(condition) {
        Some(mut found) => {
            found.sort_unstable();
            found.dedup();
            if found.iter().copied().eq(0..sets) { Ok(sets) } else { Err(other(span)) }
        }
        None => Err(other(span)),
    }
}

fn other(span: Span) -> Diagnostic {
    let message = "this acceptance condition is neither Büchi nor generalised Büchi over all sets";
    let help = "convert the automaton, for example by `autfilt --gba` of Spot: the condition is then Inf(0)&Inf(1)&...";
    Diagnostic::error(codes::ACCEPTANCE, span, message).help(help)
}

/// The sets of a conjunction of `Inf`; `None` if it is something else. Parentheses make no difference to a conjunction.
fn required(condition: &[Spanned]) -> Option<Vec<u32>> {
    if let [(Token::Word(word), _)] = condition {
        return (word == "t").then(Vec::new);
    }
    let mut sets = Vec::new();
    let mut rest: &[Spanned] = condition;
    let mut open = 0_u32;
    loop {
        while let [(Token::Sign('('), _), more @ ..] = rest {
            (rest, open) = (more, open + 1);
        }
        let [(Token::Word(word), _), (Token::Sign('('), _), (Token::Number(set), _), (Token::Sign(')'), _), more @ ..] =
            rest
        else {
            return None;
        };
        if word != "Inf" {
            return None;
        }
        sets.push(*set);
        rest = more;
        while let [(Token::Sign(')'), _), more @ ..] = rest {
            (rest, open) = (more, open.checked_sub(1)?);
        }
        match rest {
            [] => return (open == 0).then_some(sets),
            [(Token::Sign('&'), _), more @ ..] => rest = more,
            _ => return None,
        }
    }
}
