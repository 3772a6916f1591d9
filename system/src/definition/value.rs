//! Values: 64-bit numbers, in which symbolic constants have a corner of their own.
//!
//! One representation for every sort keeps evaluation flat: a boolean is 0 or 1, an integer is itself, an
//! unsigned word is its bit pattern, a signed word is sign-extended, and a symbolic constant is
//! [`SYMBOL_BASE`] plus its index. Symbols and integers never meet, so that an enumeration may mix them.

use super::sort::{Sort, WordSort};
use indexmap::IndexSet;

/// A value of any sort.
pub type Value = i64;

/// The first value that stands for a symbolic constant. Integers of a model stay far below it.
pub const SYMBOL_BASE: Value = 1 << 48;

/// How many symbolic constants a system may have at most.
const MOST_SYMBOLS: Value = 1 << 32;

/// The symbolic constants of a system, in order of first mention.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    names: IndexSet<String>,
}

impl Symbols {
    /// The value of the symbolic constant `name`, which is new from here on if it was not known.
    pub fn intern(&mut self, name: &str) -> Value {
        if let Some(index) = self.names.get_index_of(name) {
            return SYMBOL_BASE + index as Value;
        }
        SYMBOL_BASE + self.names.insert_full(name.to_owned()).0 as Value
    }

    /// The value of `name`, if it is a symbolic constant of the system.
    pub fn get(&self, name: &str) -> Option<Value> {
        self.names.get_index_of(name).map(|index| SYMBOL_BASE + index as Value)
    }

    /// The name behind a value, if it is a symbolic constant.
    pub fn name(&self, value: Value) -> Option<&str> {
        let index = usize::try_from(value.checked_sub(SYMBOL_BASE)?).ok()?;
        self.names.get_index(index).map(String::as_str)
    }

    /// Writes a value of the given sort as SMV would.
    pub fn render(&self, value: Value, sort: Sort) -> String {
        match sort {
            Sort::Boolean => (if value == 0 { "FALSE" } else { "TRUE" }).to_owned(),
            Sort::Word(word) => render_word(value, word),
            _ => self.name(value).map_or_else(|| value.to_string(), str::to_owned),
        }
    }
}

/// Whether the value stands for a symbolic constant.
pub fn is_symbol(value: Value) -> bool {
    (SYMBOL_BASE..SYMBOL_BASE + MOST_SYMBOLS).contains(&value)
}

/// Writes a word constant in SMV's decimal form, such as `0ud8_5` or `-0sd8_5`.
fn render_word(value: Value, word: WordSort) -> String {
    let width = word.width;
    if !word.signed {
        return format!("0ud{width}_{}", value as u64);
    }
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}0sd{width}_{}", value.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_keep_apart_from_integers_and_come_back_by_name() {
        let mut symbols = Symbols::default();
        let idle = symbols.intern("idle");
        let busy = symbols.intern("busy");
        assert_eq!(symbols.intern("idle"), idle);
        assert_ne!(idle, busy);
        assert!(is_symbol(idle) && !is_symbol(0) && !is_symbol(-1));
        assert_eq!(symbols.name(busy), Some("busy"));
        assert_eq!(symbols.get("absent"), None);
        assert_eq!(symbols.name(7), None);
    }

    #[test]
    fn words_are_written_as_smv_writes_them() {
        let symbols = Symbols::default();
        let unsigned = Sort::Word(WordSort { width: 64, signed: false });
        let signed = Sort::Word(WordSort { width: 8, signed: true });
        assert_eq!(symbols.render(-1, unsigned), "0ud64_18446744073709551615");
        assert_eq!(symbols.render(-5, signed), "-0sd8_5");
    }
}
