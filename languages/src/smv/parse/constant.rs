//! Numbers and word constants.

use super::{Parser, Sign, codes};
use crate::diagnostic::Diagnostic;
use crate::smv::ast::Expr;
use system::WIDEST_WORD;

/// The greatest integer constant, as in NuSMV.
const GREATEST: i64 = i32::MAX as i64;

impl Parser<'_> {
    /// The value of the number at hand; out of range, it is reported and 0 stands for it.
    pub(super) fn number(&mut self) -> i64 {
        let span = self.span();
        let value = self.source.slice(span).parse().ok().filter(|value| *value <= GREATEST);
        value.unwrap_or_else(|| {
            let message = format!("integers go up to {GREATEST}");
            self.report(Diagnostic::error(codes::NUMBER, span, message).help("use a word type for larger numbers"));
            0
        })
    }

    /// The word constant at hand.
    pub(super) fn word_constant(&mut self) -> Expr {
        let span = self.span();
        match read_word(self.source.slice(span)) {
            Ok(word) => word,
            Err(reason) => {
                self.report(Diagnostic::error(codes::NUMBER, span, reason));
                Expr::Word { bits: 0, width: 1, signed: false }
            }
        }
    }

    /// A literal range of steps: `2..5`.
    pub(super) fn literal_range(&mut self) -> super::Parsed<(i64, i64)> {
        let low = self.integer()?;
        self.expect_sign(Sign::Range)?;
        Ok((low, self.integer()?))
    }
}

fn read_word(text: &str) -> Result<Expr, String> {
    let malformed = || format!("`{text}` is no word constant");
    let rest = text.strip_prefix('0').ok_or_else(malformed)?;
    let signed = rest.starts_with('s');
    let rest = rest.strip_prefix(['u', 's']).unwrap_or(rest);
    let (base, rest) = rest.split_at_checked(1).ok_or_else(malformed)?;
    let (radix, bits_per_digit) = match base.to_ascii_lowercase().as_str() {
        "b" => (2, 1),
        "o" => (8, 3),
        "h" => (16, 4),
        _ => (10, 0),
    };
    let (width, digits) = rest.split_once('_').ok_or_else(malformed)?;
    let digits: String = digits.chars().filter(|c| *c != '_').collect();
    let width: u32 = match width {
        "" if radix == 10 => return Err("a decimal word constant needs a width, as in 0ud8_5".to_owned()),
        "" => digits.len() as u32 * bits_per_digit,
        width => width.parse().unwrap_or(u32::MAX),
    };
    if !(1..=WIDEST_WORD).contains(&width) {
        return Err(format!("words have 1 to {WIDEST_WORD} bits"));
    }
    let bits = u64::from_str_radix(&digits, radix).map_err(|_| format!("`{digits}` is no number of this base"))?;
    let most = if signed && radix == 10 { 1u64 << (width - 1) } else { u64::MAX >> (64 - width) };
    if bits > most {
        return Err(format!("the number does not fit {width} bits"));
    }
    Ok(Expr::Word { bits, width, signed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_constants_have_a_width_and_stay_inside_it() {
        assert_eq!(read_word("0ud8_255"), Ok(Expr::Word { bits: 255, width: 8, signed: false }));
        assert_eq!(read_word("0sh4_f"), Ok(Expr::Word { bits: 15, width: 4, signed: true }));
        assert_eq!(read_word("0o_17"), Ok(Expr::Word { bits: 15, width: 6, signed: false }));
        assert_eq!(read_word("0sd4_8"), Ok(Expr::Word { bits: 8, width: 4, signed: true }));
        for wrong in ["0ud8_256", "0sd4_9", "0d_5", "0b65_1", "0b0_0", "0ud64_18446744073709551616", "0b4_2"] {
            assert!(read_word(wrong).is_err(), "{wrong}");
        }
    }
}
