//! What the signals of an unrolling stand for.

use super::{Time, Unrolling};
use crate::gate::Signal;
use crate::lit::{ClauseSink, Lit};
use crate::value::Encoded;
use system::{ProcessId, Value, VarId};

/// Something that is true or false at a time of the unrolling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bit {
    /// The process makes the step out of the state.
    Selector(ProcessId),
    /// The process has control of an atomic section.
    Holder(ProcessId),
    /// The variable has the value.
    Value(VarId, Value),
    /// The bit of a variable in two's complement, the least significant one being number 0.
    Position(VarId, usize),
}

impl Unrolling<'_> {
    /// The signals of a state and of the step out of it: its inputs, and its selector if there is a step.
    pub fn bits(&self, time: Time) -> Vec<(Bit, Signal)> {
        let Some(frame) = self.frames.get(time.0) else { return Vec::new() };
        let selector = frame.selector.iter().enumerate();
        let mut bits: Vec<(Bit, Signal)> =
            selector.map(|(process, signal)| (Bit::Selector(ProcessId::from(process)), *signal)).collect();
        let holder = frame.control.holder.iter().enumerate();
        bits.extend(holder.map(|(process, signal)| (Bit::Holder(ProcessId::from(process)), *signal)));
        for (var, encoded) in frame.values.iter().enumerate() {
            if let Some(encoded) = encoded {
                bits.extend(bits_of(VarId::from(var), encoded));
            }
        }
        bits
    }

    /// One signal of a state or of the step out of it. A value without a signal is impossible, and a number that has
    /// fewer bits is continued by its sign.
    pub fn bit(&self, bit: Bit, time: Time) -> Signal {
        let Some(frame) = self.frames.get(time.0) else { return Signal::FALSE };
        match bit {
            Bit::Selector(process) => frame.selector.get(process.index()).copied().unwrap_or(Signal::FALSE),
            Bit::Holder(process) => frame.control.holder.get(process.index()).copied().unwrap_or(Signal::FALSE),
            Bit::Value(var, wanted) => {
                let bits = frame.values[var.index()].as_ref().map(|encoded| bits_of(var, encoded)).unwrap_or_default();
                let found = bits.iter().find(|(bit, _)| *bit == Bit::Value(var, wanted));
                found.map_or(Signal::FALSE, |(_, signal)| *signal)
            }
            Bit::Position(var, position) => {
                let signals = frame.values[var.index()].as_ref().map(Encoded::signals).unwrap_or_default();
                signals.get(position).or(signals.last()).copied().unwrap_or(Signal::FALSE)
            }
        }
    }

    /// The literal of a signal; what it needs is emitted if it was not.
    pub fn literal(&mut self, signal: Signal, sink: &mut dyn ClauseSink) -> Lit {
        self.gates.literal(signal, sink)
    }
}

fn bits_of(var: VarId, encoded: &Encoded) -> Vec<(Bit, Signal)> {
    match encoded {
        Encoded::Boolean(signal) => vec![(Bit::Value(var, 1), *signal)],
        Encoded::OneHot(values) => values.iter().map(|(value, signal)| (Bit::Value(var, *value), *signal)).collect(),
        Encoded::Integer(bits) | Encoded::Word(bits) => {
            bits.iter().enumerate().map(|(position, signal)| (Bit::Position(var, position), *signal)).collect()
        }
    }
}
