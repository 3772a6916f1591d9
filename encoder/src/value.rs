//! Values as signals.

use crate::arithmetic::{Bits, constant, sign_extend};
use crate::gate::{Gates, Signal};
use crate::lit::ClauseSink;
use system::{Domain, Sort, Value};

/// A value of some sort as signals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Encoded {
    /// A boolean.
    Boolean(Signal),
    /// An integer in two's complement.
    Integer(Bits),
    /// A word's bits.
    Word(Bits),
    /// One-hot: the value whose signal is true. Enumerations and program counters are encoded so.
    OneHot(Vec<(Value, Signal)>),
}

/// How many bits the integers of an interval need in two's complement.
pub fn integer_width(low: i64, high: i64) -> usize {
    bits(low).max(bits(high))
}

/// The bits of a value in two's complement.
fn bits(value: i64) -> usize {
    65 - (if value < 0 { !value } else { value }).leading_zeros() as usize
}

/// How many bits a value of an integer sort needs.
pub fn width_of(sort: Sort) -> usize {
    match sort {
        Sort::Integer { low, high } => integer_width(low, high),
        _ => 2,
    }
}

impl Encoded {
    /// A constant of a sort.
    pub fn constant(value: Value, sort: Sort) -> Encoded {
        match sort {
            Sort::Boolean => Encoded::Boolean(Signal::constant(value != 0)),
            Sort::Integer { .. } => Encoded::Integer(constant(value.into(), integer_width(value, value))),
            Sort::Word(word) => Encoded::Word(constant(value.into(), word.width as usize)),
            Sort::Enumeration | Sort::Never => Encoded::OneHot(vec![(value, Signal::TRUE)]),
        }
    }

    /// The signal of a boolean.
    pub fn boolean(&self) -> Signal {
        match self {
            Encoded::Boolean(signal) => *signal,
            other => unreachable!("a boolean is needed, not {other:?}"),
        }
    }

    /// The bits of a word.
    pub fn word(&self) -> &[Signal] {
        match self {
            Encoded::Word(bits) => bits,
            other => unreachable!("a word is needed, not {other:?}"),
        }
    }

    /// The two's complement bits of an integer, in some width.
    pub fn integer(&self, gates: &mut Gates, width: usize) -> Bits {
        match self {
            Encoded::Integer(bits) => sign_extend(bits, width),
            Encoded::OneHot(values) => {
                let bits = (0..width).map(|bit| {
                    let ones = values.iter().filter(|(value, _)| value >> bit.min(63) & 1 == 1);
                    gates.any(&ones.map(|(_, signal)| *signal).collect::<Vec<Signal>>())
                });
                bits.collect()
            }
            other => unreachable!("an integer is needed, not {other:?}"),
        }
    }

    /// The value one-hot; `sort` says which integers are possible.
    pub fn one_hot(&self, gates: &mut Gates, sort: Sort) -> Vec<(Value, Signal)> {
        match (self, sort) {
            (Encoded::OneHot(values), _) => values.clone(),
            (Encoded::Integer(_), Sort::Integer { low, high }) => {
                // The bits of a known value may be fewer than its sort needs.
                (low..=high).map(|value| (value, self.equals(gates, value))).collect()
            }
            (other, sort) => unreachable!("{other:?} of sort {sort:?} is no enumeration"),
        }
    }

    /// Whether the value is a certain one.
    pub fn equals(&self, gates: &mut Gates, wanted: Value) -> Signal {
        match self {
            Encoded::Boolean(signal) => gates.iff(*signal, Signal::constant(wanted != 0)),
            Encoded::Word(bits) => gates.equal_bits(bits, &constant(wanted.into(), bits.len())),
            Encoded::Integer(bits) if integer_width(wanted, wanted) > bits.len() => Signal::FALSE,
            Encoded::Integer(bits) => gates.equal_bits(bits, &constant(wanted.into(), bits.len())),
            Encoded::OneHot(values) => {
                values.iter().find(|(value, _)| *value == wanted).map_or(Signal::FALSE, |(_, signal)| *signal)
            }
        }
    }

    /// All signals, for evaluation.
    pub fn signals(&self) -> Vec<Signal> {
        match self {
            Encoded::Boolean(signal) => vec![*signal],
            Encoded::Integer(bits) | Encoded::Word(bits) => bits.clone(),
            Encoded::OneHot(values) => values.iter().map(|(_, signal)| *signal).collect(),
        }
    }

    /// The value, where the signals have these values.
    pub fn decode(&self, domain: &Domain, signal: impl Fn(Signal) -> bool) -> Value {
        let number = |bits: &[Signal]| {
            bits.iter().enumerate().fold(0u64, |number, (at, bit)| number | u64::from(signal(*bit)) << at)
        };
        match self {
            Encoded::Boolean(bit) => Value::from(signal(*bit)),
            Encoded::Integer(bits) => {
                let unused = 64 - bits.len().min(64);
                ((number(bits) << unused) as i64) >> unused
            }
            Encoded::Word(bits) => domain.value_at(number(bits)),
            Encoded::OneHot(values) => {
                values.iter().find(|(_, bit)| signal(*bit)).map_or_else(|| domain.value_at(0), |(value, _)| *value)
            }
        }
    }
}

/// Which form a variable has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As few bits as the domain needs.
    Binary,
    /// One signal per value.
    OneHot,
}

/// New signals for a variable, with the clauses that keep it inside its domain. `possible` says which values a
/// one-hot variable can have at all.
pub fn fresh_variable(
    gates: &mut Gates,
    sink: &mut dyn ClauseSink,
    domain: &Domain,
    form: Form,
    possible: impl Fn(Value) -> bool,
) -> Encoded {
    let mut bits = |gates: &mut Gates, count: usize| -> Bits { (0..count).map(|_| gates.fresh(sink)).collect() };
    match (domain, form) {
        (Domain::Boolean, _) => Encoded::Boolean(bits(gates, 1)[0]),
        (Domain::Word(word), _) => Encoded::Word(bits(gates, word.width as usize)),
        (Domain::Range { low, high }, Form::Binary) => {
            let bits = binary_range(gates, sink, *low, *high);
            Encoded::Integer(bits)
        }
        (Domain::Range { .. } | Domain::Values(_), _) => {
            let values = (0..domain.size() as u64).map(|index| domain.value_at(index)).filter(|value| possible(*value));
            let values: Vec<(Value, Signal)> = values.map(|value| (value, gates.fresh(sink))).collect();
            let signals: Vec<Signal> = values.iter().map(|(_, signal)| *signal).collect();
            exactly_one(gates, sink, &signals);
            Encoded::OneHot(values)
        }
    }
}

/// New bits for an integer between two bounds; the sign is constant where the bounds leave no choice.
fn binary_range(gates: &mut Gates, sink: &mut dyn ClauseSink, low: i64, high: i64) -> Bits {
    let width = integer_width(low, high);
    let mut bits: Bits = (0..width - 1).map(|_| gates.fresh(sink)).collect();
    bits.push(match (low < 0, high < 0) {
        (false, _) => Signal::FALSE,
        (true, true) => Signal::TRUE,
        (true, false) => gates.fresh(sink),
    });
    for (bound, is_low) in [(low, true), (high, false)] {
        let bound = constant(bound.into(), width);
        let outside = if is_low { gates.less_signed(&bits, &bound) } else { gates.less_signed(&bound, &bits) };
        if outside != Signal::FALSE {
            gates.assert_any(&[!outside], sink);
        }
    }
    bits
}

/// Asserts that one of the signals is true and no other: pairwise for few, with a ladder of new variables for many.
pub fn exactly_one(gates: &mut Gates, sink: &mut dyn ClauseSink, signals: &[Signal]) {
    /// Up to here, clauses for every pair are fewest.
    const FEW: usize = 6;
    gates.assert_any(signals, sink);
    if signals.len() <= FEW {
        for (index, a) in signals.iter().enumerate() {
            for b in &signals[index + 1..] {
                gates.assert_any(&[!*a, !*b], sink);
            }
        }
        return;
    }
    let mut some_before = Signal::FALSE;
    for signal in signals {
        let some = gates.fresh(sink);
        gates.assert_any(&[!*signal, some], sink);
        gates.assert_any(&[!some_before, some], sink);
        gates.assert_any(&[!*signal, !some_before], sink);
        some_before = some;
    }
}
