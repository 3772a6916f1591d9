//! Sorts of expressions and domains of variables.

use super::value::Value;
use std::sync::Arc;

/// The widest word, in bits: a word has to fit a [`Value`].
pub const WIDEST_WORD: u32 = 64;

/// Width and signedness of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WordSort {
    /// Number of bits, from 1 to [`WIDEST_WORD`].
    pub width: u32,
    /// Whether the word is read in two's complement.
    pub signed: bool,
}

impl WordSort {
    /// Brings any number into the word's range by keeping its low bits: words wrap.
    pub fn wrap(self, value: i128) -> Value {
        let unused = 64 - self.width;
        let bits = (value as u64) << unused;
        if self.signed { (bits as i64) >> unused } else { (bits >> unused) as i64 }
    }

    /// The number that a value of this sort stands for.
    pub fn number(self, value: Value) -> i128 {
        if self.signed { i128::from(value) } else { i128::from(value as u64) }
    }
}

/// What kind of value an expression has. Integers carry the interval they are known to stay in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// `FALSE` or `TRUE`.
    Boolean,
    /// An integer between two bounds (both included).
    Integer {
        /// The least possible value.
        low: i64,
        /// The greatest possible value.
        high: i64,
    },
    /// A symbolic constant, or a mixture of symbolic constants and integers.
    Enumeration,
    /// A bit vector.
    Word(WordSort),
    /// No value at all: evaluation fails here.
    Never,
}

impl Sort {
    /// Whether `value` may be a value of this sort.
    pub fn admits(self, value: Value) -> bool {
        match self {
            Sort::Boolean => value == 0 || value == 1,
            Sort::Integer { low, high } => (low..=high).contains(&value),
            Sort::Enumeration => true,
            Sort::Word(word) => word.wrap(i128::from(value)) == value,
            Sort::Never => false,
        }
    }

    /// The least sort that has the values of both, if they belong to one kind.
    pub fn join(self, other: Sort) -> Option<Sort> {
        match (self, other) {
            (Sort::Never, sort) | (sort, Sort::Never) => Some(sort),
            (Sort::Integer { low: a, high: b }, Sort::Integer { low: c, high: d }) => {
                Some(Sort::Integer { low: a.min(c), high: b.max(d) })
            }
            (Sort::Enumeration | Sort::Integer { .. }, Sort::Enumeration | Sort::Integer { .. }) => {
                Some(Sort::Enumeration)
            }
            (a, b) => (a == b).then_some(a),
        }
    }
}

/// The finite set of values that a variable can have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// `FALSE` and `TRUE`.
    Boolean,
    /// All integers between two bounds (both included, never empty).
    Range {
        /// The least value.
        low: i64,
        /// The greatest value.
        high: i64,
    },
    /// A list of symbolic constants and integers, in order of declaration, without repetition.
    Values(Arc<[Value]>),
    /// All bit vectors of one width.
    Word(WordSort),
}

impl Domain {
    /// The sort of a variable with this domain.
    pub fn sort(&self) -> Sort {
        match self {
            Domain::Boolean => Sort::Boolean,
            Domain::Range { low, high } => Sort::Integer { low: *low, high: *high },
            Domain::Word(word) => Sort::Word(*word),
            Domain::Values(values) if values.iter().any(|v| super::value::is_symbol(*v)) => Sort::Enumeration,
            Domain::Values(values) => Sort::Integer {
                low: values.iter().copied().min().unwrap_or(0),
                high: values.iter().copied().max().unwrap_or(0),
            },
        }
    }

    /// How many values there are.
    pub fn size(&self) -> u128 {
        match self {
            Domain::Boolean => 2,
            Domain::Range { low, high } => (i128::from(*high) - i128::from(*low) + 1) as u128,
            Domain::Values(values) => values.len() as u128,
            Domain::Word(word) => 1 << word.width,
        }
    }

    /// How many bits a stored value takes.
    pub fn bits(&self) -> u32 {
        128 - (self.size() - 1).leading_zeros()
    }

    /// Whether `value` belongs to the domain.
    #[inline]
    pub fn contains(&self, value: Value) -> bool {
        match self {
            Domain::Boolean => value == 0 || value == 1,
            Domain::Range { low, high } => *low <= value && value <= *high,
            Domain::Values(values) => values.contains(&value),
            Domain::Word(word) => word.wrap(i128::from(value)) == value,
        }
    }

    /// The position of a value in the domain: the number that is stored for it.
    #[inline]
    pub fn index_of(&self, value: Value) -> u64 {
        match self {
            Domain::Boolean => value as u64,
            Domain::Range { low, .. } => value.wrapping_sub(*low) as u64,
            Domain::Values(values) => values.iter().position(|v| *v == value).unwrap_or(0) as u64,
            Domain::Word(word) => value as u64 & (u64::MAX >> (64 - word.width)),
        }
    }

    /// The value at a position: the inverse of [`Domain::index_of`].
    #[inline]
    pub fn value_at(&self, index: u64) -> Value {
        match self {
            Domain::Boolean => index as Value,
            Domain::Range { low, .. } => low.wrapping_add(index as i64),
            Domain::Values(values) => values[index as usize],
            Domain::Word(word) => word.wrap(i128::from(index)),
        }
    }

    /// Whether every value of an expression of this sort is sure to belong to the domain.
    pub fn covers(&self, sort: Sort) -> bool {
        match (self, sort) {
            (Domain::Boolean, Sort::Boolean) | (_, Sort::Never) => true,
            (Domain::Range { low, high }, Sort::Integer { low: least, high: most }) => *low <= least && most <= *high,
            (Domain::Word(word), Sort::Word(other)) => *word == other,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn domains() -> impl Strategy<Value = Domain> {
        prop_oneof![
            Just(Domain::Boolean),
            (-50i64..50, 0i64..300).prop_map(|(low, more)| Domain::Range { low, high: low + more }),
            (1u32..=64, any::<bool>()).prop_map(|(width, signed)| Domain::Word(WordSort { width, signed })),
            Just(Domain::Values(vec![3, 7, crate::definition::value::SYMBOL_BASE].into())),
        ]
    }

    proptest! {
        #[test]
        fn every_position_names_one_value_and_back(domain in domains(), pick in any::<u64>()) {
            let index = (u128::from(pick) % domain.size()) as u64;
            let value = domain.value_at(index);
            prop_assert!(domain.contains(value));
            prop_assert_eq!(domain.index_of(value), index);
            prop_assert!(u128::from(index) < 1 << domain.bits());
            prop_assert!(domain.sort().admits(value));
        }
    }

    #[test]
    fn a_domain_of_one_value_takes_no_bits() {
        assert_eq!(Domain::Range { low: 4, high: 4 }.bits(), 0);
        assert_eq!(Domain::Range { low: 0, high: 4 }.bits(), 3);
    }

    #[test]
    fn words_wrap_in_both_readings() {
        assert_eq!(WordSort { width: 8, signed: false }.wrap(259), 3);
        assert_eq!(WordSort { width: 8, signed: true }.wrap(200), -56);
        assert_eq!(WordSort { width: 64, signed: false }.number(-1), i128::from(u64::MAX));
    }
}
