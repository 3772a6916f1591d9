//! Operations and events.

use crate::{Class, Kind, Lane};

/// Which object: an address in the memory of a process, or the number of something that all processes share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The process whose address it is; 0 where all processes mean the same.
    pub process: u16,
    /// The address or number.
    pub address: u64,
}

/// The lock of atomic sections (`__VERIFIER_atomic_begin`), which has no address.
pub const SECTIONS: Key = Key { process: 0, address: 1 };

/// What else is known of an operation, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(pub u8);

impl Flags {
    /// A mutex that its holder can lock again.
    pub const RECURSIVE: Flags = Flags(1);
    /// A mutex that answers mistakes with error numbers.
    pub const CHECKED: Flags = Flags(2);
    /// A wait that can end without being woken.
    pub const TIMED: Flags = Flags(4);

    /// An update that first compares with the value.
    pub const COMPARES: Flags = Flags(8);

    /// An update that sets the word to the value, whatever it was. Events have it only where the word was that already.
    pub const SETS: Flags = Flags(1);

    /// An access to the stack of the lane itself.
    pub const OWN: Flags = Flags(2);

    /// A wait that also ends when the lane has been asked to end.
    pub const CANCELLABLE: Flags = Flags(16);

    /// What cannot be done at once fails.
    pub const NO_WAIT: Flags = Flags(32);
    /// Messages of one kind are received, or a message overtakes others.
    pub const CHOOSY: Flags = Flags(64);
    /// A queue that is over when nothing can read or write it any more: a pipe.
    pub const ENDS: Flags = Flags(1);
    /// A name is given to something new if it means nothing yet.
    pub const CREATES: Flags = Flags(1);
    /// It must not mean anything yet.
    pub const EXCLUSIVE: Flags = Flags(2);
    /// A semaphore gets its count if it has none yet.
    pub const ONCE: Flags = Flags(1);

    /// Whether all bits of another value are set.
    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// The bits of both.
    #[must_use]
    pub fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

/// What a lane is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Op {
    /// What it does.
    pub kind: Kind,
    /// Details of the kind.
    pub flags: Flags,
    /// On which object.
    pub key: Key,
    /// The mutex of a condition variable, the size of an access.
    pub extra: u64,
    /// An argument of the kind.
    pub value: i64,
}

impl Op {
    /// An operation without object.
    pub fn local(kind: Kind, value: i64) -> Op {
        Op { kind, flags: Flags::default(), key: Key::default(), extra: 0, value }
    }

    /// An operation on an object.
    pub fn on(kind: Kind, key: Key) -> Op {
        Op { key, ..Op::local(kind, 0) }
    }

    /// The same with flags.
    #[must_use]
    pub fn flagged(self, flags: Flags) -> Op {
        Op { flags, ..self }
    }

    /// The same with an argument.
    #[must_use]
    pub fn valued(self, value: i64) -> Op {
        Op { value, ..self }
    }

    /// The same with an extra word.
    #[must_use]
    pub fn with_extra(self, extra: u64) -> Op {
        Op { extra, ..self }
    }

    /// The class of its object.
    pub fn class(&self) -> Class {
        self.kind.class()
    }

    /// The mutex that a wait at a condition variable gives back and takes again.
    pub fn mutex(&self) -> Key {
        Key { process: self.key.process, address: self.extra }
    }

    /// How many words it is written as.
    pub const WORDS: usize = 4;

    /// As words.
    pub fn to_words(&self) -> [u64; Op::WORDS] {
        let head = self.kind as u64 | u64::from(self.flags.0) << 8 | u64::from(self.key.process) << 16;
        [head, self.key.address, self.extra, self.value as u64]
    }

    /// From words that may come from a program that went astray.
    pub fn from_words(words: [u64; Op::WORDS]) -> Option<Op> {
        let kind = Kind::of(words[0] as u8)?;
        let key = Key { process: (words[0] >> 16) as u16, address: words[1] };
        Some(Op { kind, flags: Flags((words[0] >> 8) as u8), key, extra: words[2], value: words[3] as i64 })
    }
}

/// An operation that was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// By whom.
    pub lane: Lane,
    /// What.
    pub op: Op,
    /// What came out; what it means depends on the kind.
    pub result: i64,
}

/// Tickets from the first to before the second, as the result of waking.
pub fn pack_range(from: u32, to: u32) -> i64 {
    (u64::from(from) | u64::from(to) << 32) as i64
}

/// The tickets of [`pack_range`].
pub fn unpack_range(packed: i64) -> (u32, u32) {
    (packed as u32, (packed as u64 >> 32) as u32)
}
