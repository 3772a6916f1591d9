//! How the states and the moves of a run are written into [compact](super::compact) lists.

use super::compact::{Bytes, Item, write_number};
use super::state::State;
use super::trace::Moved;
use crate::definition::ids::{CommandId, ProcessId, VarId};
use crate::definition::value::Value;

/// Instead of the number of words that a state differs in from the one before: it is written as a whole.
const WHOLE: u64 = 0;

impl Item for State {
    fn write(&self, before: Option<&State>, bytes: &mut Vec<u8>) {
        match before {
            Some(before) if before.0.len() == self.0.len() => write_difference(&before.0, &self.0, bytes),
            _ => {
                write_number(bytes, WHOLE);
                write_number(bytes, self.0.len() as u64);
                write_difference(&vec![0; self.0.len()], &self.0, bytes);
            }
        }
    }

    fn read(before: Option<State>, bytes: &mut Bytes<'_>) -> State {
        let (changed, mut state) = match (bytes.number(), before) {
            (WHOLE, _) | (_, None) => {
                let words = vec![0; bytes.number() as usize];
                (bytes.number(), State(words.into()))
            }
            (changed, Some(before)) => (changed, before),
        };
        read_difference(changed.saturating_sub(1), &mut state.0, bytes);
        state
    }
}

/// Writes the words in which a state differs from another: how many plus one, and of each how far it is from the last one, which of its
/// bytes differ, and those.
fn write_difference(from: &[u64], to: &[u64], bytes: &mut Vec<u8>) {
    let changes = from.iter().zip(to).map(|(from, to)| from ^ to).enumerate().filter(|(_, change)| *change != 0);
    write_number(bytes, changes.clone().count() as u64 + 1);
    let mut next = 0;
    for (word, change) in changes {
        write_number(bytes, (word - next) as u64);
        next = word + 1;
        let mask = bytes.len();
        bytes.push(0);
        for (place, byte) in change.to_le_bytes().into_iter().enumerate().filter(|(_, byte)| *byte != 0) {
            bytes[mask] |= 1 << place;
            bytes.push(byte);
        }
    }
}

/// Changes a number of words as it was written.
fn read_difference(changed: u64, words: &mut [u64], bytes: &mut Bytes<'_>) {
    let mut word = 0;
    for _ in 0..changed {
        word += bytes.number() as usize;
        let mask = bytes.byte();
        for place in (0..8).filter(|place| mask >> place & 1 == 1) {
            words[word] ^= u64::from(bytes.byte()) << (8 * place);
        }
        word += 1;
    }
}

impl Item for Moved {
    fn write(&self, _: Option<&Moved>, bytes: &mut Vec<u8>) {
        write_number(bytes, self.process.raw().into());
        write_number(bytes, self.command.map_or(0, |command| u64::from(command.raw()) + 1));
        write_number(bytes, self.inputs.len() as u64);
        for (var, value) in &self.inputs {
            write_number(bytes, var.raw().into());
            // Numbers near 0 are short, whatever their sign.
            write_number(bytes, (value << 1 ^ value >> (Value::BITS - 1)).cast_unsigned());
        }
    }

    fn read(_: Option<Moved>, bytes: &mut Bytes<'_>) -> Moved {
        let process = ProcessId::from(bytes.number() as usize);
        let command = bytes.number().checked_sub(1).map(|command| CommandId::from(command as usize));
        let inputs = (0..bytes.number()).map(|_| {
            let (var, value) = (VarId::from(bytes.number() as usize), bytes.number());
            (var, (value >> 1).cast_signed() ^ -(value & 1).cast_signed())
        });
        Moved { process, command, inputs: inputs.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::compact::Compact;
    use super::*;
    use proptest::prelude::*;

    /// States that share most of their words with others, of one width as a rule.
    fn state() -> impl Strategy<Value = State> {
        let word = prop_oneof![Just(0), 0..4u64, any::<u64>(), (0..64u32).prop_map(|bit| 1 << bit)];
        let width = prop_oneof![9 => Just(3usize), 1 => 0..5usize];
        (width, proptest::collection::vec(word, 5)).prop_map(|(width, words)| State(words[..width].into()))
    }

    fn moved() -> impl Strategy<Value = Moved> {
        let value = prop_oneof![-2..3i64, any::<i64>(), Just(i64::MIN)];
        let inputs = proptest::collection::vec((0..300usize, value), 0..3);
        (0..300usize, proptest::option::of(0..20_000usize), inputs).prop_map(|(process, command, inputs)| Moved {
            process: ProcessId::from(process),
            command: command.map(CommandId::from),
            inputs: inputs.into_iter().map(|(var, value)| (VarId::from(var), value)).collect(),
        })
    }

    /// A list does what a vector does, whatever is done to it.
    fn is_like_a_vector<T: Item + PartialEq + std::fmt::Debug>(items: &[T], cut: usize, more: &[T]) {
        let mut list: Compact<T> = items.iter().cloned().collect();
        let mut vector = items.to_vec();
        let are_alike = |list: &Compact<T>, vector: &[T]| {
            assert_eq!((list.len(), list.is_empty()), (vector.len(), vector.is_empty()));
            assert_eq!((list.first().as_ref(), list.last()), (vector.first(), vector.last()));
            assert_eq!(list.iter().collect::<Vec<T>>(), vector);
            assert!(list.backwards().eq(vector.iter().rev().cloned()));
            for index in 0..=vector.len() + 1 {
                assert_eq!(list.get(index).as_ref(), vector.get(index));
                assert!(list.since(index).eq(vector.iter().skip(index).cloned()));
            }
            assert_eq!(*list, vector.iter().cloned().collect(), "however it came to be");
        };
        are_alike(&list, &vector);
        assert_eq!(list.pop(), vector.pop());
        are_alike(&list, &vector);
        list.truncate(cut);
        vector.truncate(cut);
        are_alike(&list, &vector);
        list.extend(more.iter().cloned());
        vector.extend_from_slice(more);
        are_alike(&list, &vector);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn what_is_written_is_read(
            states in proptest::collection::vec(state(), 0..100),
            moves in proptest::collection::vec(moved(), 0..100),
            cut in 0..100usize,
        ) {
            is_like_a_vector(&states, cut, &states[..states.len() / 2]);
            is_like_a_vector(&moves, cut, &moves[..moves.len() / 2]);
        }
    }
}
