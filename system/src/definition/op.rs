//! Operators and what they compute: the one definition that constant folding and execution share.

use super::fault::Fault;
use super::sort::{Sort, WordSort};
use super::value::Value;

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// Boolean negation.
    Not,
    /// Integer or word negation.
    Negate,
    /// Bitwise complement of a word.
    Complement,
    /// The bits `low..=high` of a word, as an unsigned word.
    Extract {
        /// Highest bit kept.
        high: u32,
        /// Lowest bit kept.
        low: u32,
    },
    /// The word brought to another width or signedness, its number kept where it fits and wrapped where not.
    Resize(WordSort),
    /// The same bits read in another way (same width).
    Reinterpret(WordSort),
    /// The integer that a word stands for.
    ToInteger,
    /// A word for an integer or boolean, wrapped.
    ToWord(WordSort),
    /// Whether an integer is not zero.
    ToBoolean,
    /// The integer 0 or 1 for a boolean.
    BooleanToInteger,
    /// An integer reduced to the low bits of a machine word, as storing it in a C variable does.
    Truncate(WordSort),
}

/// An operator with two operands. Arithmetic and order are read by the operands' sort: integers or words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// Boolean conjunction; the right operand counts only where the left one is true.
    And,
    /// Boolean disjunction; the right operand counts only where the left one is false.
    Or,
    /// Boolean exclusive or.
    Xor,
    /// Equality of two values of one kind.
    Equal,
    /// Less than.
    Less,
    /// Less than or equal.
    LessEqual,
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient, rounded toward zero.
    Divide,
    /// Remainder, with the sign of the dividend.
    Modulo,
    /// Bitwise and of words.
    BitAnd,
    /// Bitwise or of words.
    BitOr,
    /// Bitwise exclusive or of words.
    BitXor,
    /// The left word's bits above the right word's, as an unsigned word.
    Concat,
    /// The word shifted left by a number of bits, zeros coming in.
    ShiftLeft,
    /// The word shifted right by a number of bits, copies of the sign coming in if it is signed.
    ShiftRight,
}

impl Unary {
    /// Whether the operator can fail on some operand of this sort.
    pub fn can_fail(self, operand: Sort) -> bool {
        match (self, operand) {
            (Unary::Negate, Sort::Integer { low, .. }) => low == i64::MIN,
            (Unary::ToInteger, Sort::Word(word)) => word.width == 64 && !word.signed,
            _ => false,
        }
    }

    /// Applies the operator to a value of the given sort.
    pub fn apply(self, operand: Sort, value: Value) -> Result<Value, Fault> {
        Ok(match self {
            Unary::Not => 1 - value,
            Unary::Negate => match operand {
                Sort::Word(word) => word.wrap(-word.number(value)),
                _ => value.checked_neg().ok_or(Fault::Overflow)?,
            },
            Unary::Complement => word_of(operand).wrap(i128::from(!value)),
            Unary::Extract { high, low } => {
                WordSort { width: high - low + 1, signed: false }.wrap(word_of(operand).number(value) >> low)
            }
            Unary::Resize(to) => resize(value, word_of(operand), to),
            Unary::Reinterpret(to) => to.wrap(i128::from(value)),
            Unary::ToInteger => i64::try_from(word_of(operand).number(value)).map_err(|_| Fault::Overflow)?,
            Unary::ToWord(to) | Unary::Truncate(to) => to.wrap(i128::from(value)),
            Unary::ToBoolean => Value::from(value != 0),
            Unary::BooleanToInteger => value,
        })
    }
}

impl Binary {
    /// Whether the operator can fail on operands of these sorts.
    pub fn can_fail(self, left: Sort, right: Sort) -> bool {
        match self {
            Binary::Divide | Binary::Modulo => match right {
                Sort::Integer { low, high } => low <= 0 && high >= 0 || self.interval(left, right).is_none(),
                _ => true,
            },
            Binary::ShiftLeft | Binary::ShiftRight => !shift_amount_is_safe(left, right),
            Binary::Add | Binary::Subtract | Binary::Multiply => {
                matches!(left, Sort::Integer { .. }) && self.interval(left, right).is_none()
            }
            _ => false,
        }
    }

    /// Applies the operator to values of the given sorts.
    pub fn apply(self, left: Sort, right: Sort, a: Value, b: Value) -> Result<Value, Fault> {
        match left {
            Sort::Word(word) => self.apply_to_words(word, right, a, b),
            _ => self.apply_to_scalars(a, b),
        }
    }

    fn apply_to_scalars(self, a: Value, b: Value) -> Result<Value, Fault> {
        Ok(match self {
            Binary::And => a & b,
            Binary::Or => a | b,
            Binary::Xor => a ^ b,
            Binary::Equal => Value::from(a == b),
            Binary::Less => Value::from(a < b),
            Binary::LessEqual => Value::from(a <= b),
            Binary::Add => a.checked_add(b).ok_or(Fault::Overflow)?,
            Binary::Subtract => a.checked_sub(b).ok_or(Fault::Overflow)?,
            Binary::Multiply => a.checked_mul(b).ok_or(Fault::Overflow)?,
            Binary::Divide if b == 0 => return Err(Fault::DivisionByZero),
            Binary::Modulo if b == 0 => return Err(Fault::DivisionByZero),
            Binary::Divide => a.checked_div(b).ok_or(Fault::Overflow)?,
            Binary::Modulo => a.checked_rem(b).ok_or(Fault::Overflow)?,
            Binary::BitAnd => a & b,
            Binary::BitOr => a | b,
            Binary::BitXor => a ^ b,
            Binary::Concat | Binary::ShiftLeft | Binary::ShiftRight => {
                unreachable!("the arena gives {self:?} to words only")
            }
        })
    }

    fn apply_to_words(self, word: WordSort, right: Sort, a: Value, b: Value) -> Result<Value, Fault> {
        let (x, y) = (word.number(a), word.number(b));
        Ok(match self {
            Binary::Less => Value::from(x < y),
            Binary::LessEqual => Value::from(x <= y),
            Binary::Add => word.wrap(x + y),
            Binary::Subtract => word.wrap(x - y),
            Binary::Multiply => word.wrap(x.wrapping_mul(y)),
            Binary::Divide | Binary::Modulo if y == 0 => return Err(Fault::DivisionByZero),
            Binary::Divide => word.wrap(x / y),
            Binary::Modulo => word.wrap(x % y),
            Binary::Concat => {
                let low = word_of(right);
                let bits = low.number(b) & ((1 << low.width) - 1);
                concatenated(word, right).wrap(x << low.width | bits)
            }
            Binary::ShiftLeft => word.wrap(x << shift_amount(word, right, b)?),
            Binary::ShiftRight => word.wrap(x >> shift_amount(word, right, b)?),
            _ => self.apply_to_scalars(a, b)?,
        })
    }

    /// The interval of an integer operation's result, if it surely fits a value.
    pub fn interval(self, left: Sort, right: Sort) -> Option<Sort> {
        let (Sort::Integer { low: a, high: b }, Sort::Integer { low: c, high: d }) = (left, right) else {
            return None;
        };
        let [a, b, c, d] = [a, b, c, d].map(i128::from);
        let (low, high) = match self {
            Binary::Add => (a + c, b + d),
            Binary::Subtract => (a - d, b - c),
            Binary::Multiply => hull([a * c, a * d, b * c, b * d]),
            Binary::Divide => hull([a, b, -a, -b]),
            // The remainder is closer to zero than both operands and has the dividend's sign.
            Binary::Modulo => {
                let most = (c.abs().max(d.abs()) - 1).max(0);
                (a.min(0).max(-most), b.max(0).min(most))
            }
            _ => return None,
        };
        Some(Sort::Integer { low: i64::try_from(low).ok()?, high: i64::try_from(high).ok()? })
    }
}

/// The sort of a concatenation.
pub fn concatenated(left: WordSort, right: Sort) -> WordSort {
    WordSort { width: left.width + word_of(right).width, signed: false }
}

fn hull(numbers: [i128; 4]) -> (i128, i128) {
    numbers.iter().fold((i128::MAX, i128::MIN), |(low, high), n| (low.min(*n), high.max(*n)))
}

fn word_of(sort: Sort) -> WordSort {
    match sort {
        Sort::Word(word) => word,
        other => unreachable!("the arena gives word operators to words only, not to {other:?}"),
    }
}

/// Narrowing keeps the low bits, and for signed words the sign; widening keeps the number.
fn resize(value: Value, from: WordSort, to: WordSort) -> Value {
    if to.width >= from.width || !from.signed {
        return to.wrap(from.number(value));
    }
    let magnitude = value & ((1 << (to.width - 1)) - 1);
    let sign = if value < 0 { -1 << (to.width - 1) } else { 0 };
    to.wrap(i128::from(magnitude | sign))
}

/// SMV shifts by at most the word's width.
fn shift_amount(word: WordSort, by: Sort, amount: Value) -> Result<u32, Fault> {
    let amount = match by {
        Sort::Word(by) => by.number(amount),
        _ => i128::from(amount),
    };
    if (0..=i128::from(word.width)).contains(&amount) { Ok(amount as u32) } else { Err(Fault::ShiftOutOfRange) }
}

fn shift_amount_is_safe(word: Sort, by: Sort) -> bool {
    let Sort::Word(word) = word else { return false };
    match by {
        Sort::Integer { low, high } => low >= 0 && high <= i64::from(word.width),
        Sort::Word(by) => !by.signed && by.width < 32 && (1u32 << by.width) - 1 <= word.width,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BYTE: Sort = Sort::Word(WordSort { width: 8, signed: false });
    const SIGNED_BYTE: Sort = Sort::Word(WordSort { width: 8, signed: true });

    #[test]
    fn division_truncates_toward_zero() {
        let integers = Sort::Integer { low: -10, high: 10 };
        assert_eq!(Binary::Divide.apply(integers, integers, -7, 2), Ok(-3));
        assert_eq!(Binary::Modulo.apply(integers, integers, -7, 2), Ok(-1));
        assert_eq!(Binary::Divide.apply(integers, integers, 1, 0), Err(Fault::DivisionByZero));
    }

    #[test]
    fn words_wrap_concatenate_and_shift() {
        assert_eq!(Binary::Add.apply(BYTE, BYTE, 250, 10), Ok(4));
        assert_eq!(Binary::Subtract.apply(SIGNED_BYTE, SIGNED_BYTE, -128, 1), Ok(127));
        assert_eq!(Binary::Concat.apply(BYTE, SIGNED_BYTE, 1, -1), Ok(0x1ff));
        assert_eq!(Binary::ShiftRight.apply(SIGNED_BYTE, BYTE, -8, 2), Ok(-2));
        assert_eq!(Binary::ShiftLeft.apply(BYTE, BYTE, 1, 9), Err(Fault::ShiftOutOfRange));
        assert_eq!(Unary::Extract { high: 7, low: 4 }.apply(BYTE, 0xa5), Ok(0xa));
        assert_eq!(Unary::Complement.apply(BYTE, 0xa5), Ok(0x5a));
    }

    proptest! {
        #[test]
        fn intervals_contain_every_result(
            a in -9i64..9, more in 0i64..9, c in -9i64..9, extra in 0i64..9, x in 0i64..9, y in 0i64..9
        ) {
            let (left, right) = (Sort::Integer { low: a, high: a + more }, Sort::Integer { low: c, high: c + extra });
            let (x, y) = (a + x.min(more), c + y.min(extra));
            for op in [Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Divide, Binary::Modulo] {
                if let Ok(result) = op.apply(left, right, x, y) {
                    prop_assert!(op.interval(left, right).is_some_and(|sort| sort.admits(result)), "{op:?} {x} {y}");
                } else {
                    prop_assert!(op.can_fail(left, right));
                }
            }
        }
    }
}
