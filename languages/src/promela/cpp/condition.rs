//! Conditions of `#if`.

use super::super::token::{Keyword, Sign, Spanned, Token};

/// The value of a condition whose macros are expanded; `None` if it has none.
pub(super) fn evaluate(tokens: &[Spanned]) -> Option<i64> {
    let mut evaluator = Evaluator { tokens, at: 0, depth: 0 };
    let value = evaluator.binary(0)?;
    (evaluator.at == tokens.len()).then_some(value)
}

/// Evaluates the condition of an `#if` by precedence climbing.
struct Evaluator<'a> {
    tokens: &'a [Spanned],
    at: usize,
    depth: usize,
}

impl Evaluator<'_> {
    fn binary(&mut self, least: u8) -> Option<i64> {
        let mut left = self.unary()?;
        while let Some(Token::Sign(sign)) = self.tokens.get(self.at).map(|token| &token.token) {
            let sign = *sign;
            let level = match sign {
                Sign::Or => 1,
                Sign::And => 2,
                Sign::BitOr => 3,
                Sign::BitXor => 4,
                Sign::BitAnd => 5,
                Sign::Equal | Sign::NotEqual => 6,
                Sign::Less | Sign::Greater | Sign::LessEqual | Sign::GreaterEqual => 7,
                Sign::ShiftLeft | Sign::ShiftRight => 8,
                Sign::Plus | Sign::Minus => 9,
                Sign::Times | Sign::Divide | Sign::Modulo => 10,
                _ => break,
            };
            if level < least {
                break;
            }
            self.at += 1;
            let right = self.binary(level + 1)?;
            left = apply(sign, left, right)?;
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > 1000 {
            return None;
        }
        let token = self.tokens.get(self.at)?;
        self.at += 1;
        match token.token {
            Token::Number(value) => Some(value),
            Token::Name(_) | Token::Keyword(Keyword::False) => Some(0),
            Token::Keyword(Keyword::True) => Some(1),
            Token::Sign(Sign::Not) => Some(i64::from(self.unary()? == 0)),
            Token::Sign(Sign::Minus) => self.unary()?.checked_neg(),
            Token::Sign(Sign::Complement) => Some(!self.unary()?),
            Token::Sign(Sign::OpenParen) => {
                let value = self.binary(0)?;
                let closes = self.tokens.get(self.at)?.token == Token::Sign(Sign::CloseParen);
                self.at += 1;
                closes.then_some(value)
            }
            _ => None,
        }
    }
}

fn apply(sign: Sign, a: i64, b: i64) -> Option<i64> {
    Some(match sign {
        Sign::Or => i64::from(a != 0 || b != 0),
        Sign::And => i64::from(a != 0 && b != 0),
        Sign::BitOr => a | b,
        Sign::BitXor => a ^ b,
        Sign::BitAnd => a & b,
        Sign::Equal => i64::from(a == b),
        Sign::NotEqual => i64::from(a != b),
        Sign::Less => i64::from(a < b),
        Sign::Greater => i64::from(a > b),
        Sign::LessEqual => i64::from(a <= b),
        Sign::GreaterEqual => i64::from(a >= b),
        Sign::ShiftLeft => a.checked_shl(u32::try_from(b).ok()?)?,
        Sign::ShiftRight => a.checked_shr(u32::try_from(b).ok()?)?,
        Sign::Plus => a.checked_add(b)?,
        Sign::Minus => a.checked_sub(b)?,
        Sign::Times => a.checked_mul(b)?,
        Sign::Divide => a.checked_div(b)?,
        Sign::Modulo => a.checked_rem(b)?,
        _ => return None,
    })
}
