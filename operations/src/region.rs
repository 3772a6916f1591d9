//! The layout of the file that the library inside the program and the scheduler share, in words of 64 bits.
//!
//! The scheduler writes the first part before a run; the program writes the rest. What the scheduler reads from it is
//! the word of a program that may have gone astray: every index and every operation is checked.

use crate::{LaneSet, MAX_LANES, Op};

/// What the first word has to be: the version of this layout.
pub const MAGIC: u64 = 0x7577_626d_6300_0003;

/// The descriptors that programs inherit the region and the library by, out of the way of their own.
pub const REGION_FILE: i32 = 900;
/// See [`REGION_FILE`].
pub const LIBRARY_FILE: i32 = 901;

/// Words that the scheduler writes before a run.
pub mod input {
    /// [`super::MAGIC`].
    pub const MAGIC: usize = 0;
    /// How many steps a run may have.
    pub const DEPTH: usize = 1;
    /// How many steps the tape prescribes.
    pub const TAPE: usize = 2;
    /// The step from which on lanes can be asleep.
    pub const BRANCH: usize = 3;
    /// The lanes that are asleep there, four words.
    pub const SLEEP: usize = 4;
    /// How lanes are picked after the tape; see [`super::Policy`].
    pub const POLICY: usize = 8;
    /// Where random choices start from.
    pub const SEED: usize = 9;
    /// Whether the length of the output is written down at each step.
    pub const OUTPUT: usize = 10;
    /// Whether other lanes go on after one has failed.
    pub const PARK: usize = 11;
    /// How many lanes are numbered already; the numbers stay from run to run.
    pub const KNOWN: usize = 12;
    /// The number of this run, which marks what is left over from runs before.
    pub const RUN: usize = 13;
    /// Whether the policy decides where the tape prescribes a lane that cannot move.
    pub const LENIENT: usize = 14;
    /// Whether the program can ask threads to end.
    pub const CANCELS: usize = 15;
    /// The steps at which the lane with the highest priority becomes the one with the lowest, eight words.
    pub const CHANGES: usize = 16;
    /// One more than the step before which the process stops, for a debugger; 0 if it does not.
    pub const STOP: usize = 25;
    /// How many threads of the program are fibres.
    pub const FIBRES: usize = 24;
    /// How many bytes of memory a process may have; 0 if there is no limit.
    pub const MEMORY: usize = 26;
    /// How many lanes there may be.
    pub const LANES: usize = 27;
    /// Whether the program is kept from changing anything outside.
    pub const SANDBOX: usize = 28;
    /// Whether memory is changed by parts of the program whose accesses are not visible.
    pub const HIDDEN: usize = 29;
    /// How many steps lanes make in a row where they take turns, four bits for each of sixteen lanes, then again.
    pub const QUANTA: usize = 30;
    /// Which lanes wait meanwhile until the others cannot move, a bit for each of 64 lanes, then again.
    pub const LATE: usize = 31;
    /// Whether lanes that wait in loops wait for good; otherwise until others have changed what they look at.
    pub const FOR_GOOD: usize = 32;
    /// How much is known of what loops do to memory; see [`super::Sight`].
    pub const SIGHT: usize = 33;
    /// Whether the first process has a number that is the same in all runs.
    pub const NUMBERED: usize = 34;
    /// How many words there are.
    pub const WORDS: usize = 35;
}

/// Words that the program writes.
pub mod output {
    /// How the run ended; see [`super::Ending`].
    pub const ENDING: usize = 51;
    /// The lane that it ended in.
    pub const LANE: usize = 35;
    /// The exit code, or another number that belongs to the ending.
    pub const VALUE: usize = 36;
    /// How many steps there were.
    pub const STEPS: usize = 37;
    /// The lane that runs.
    pub const CURRENT: usize = 38;
    /// How many bytes the message has.
    pub const MESSAGE: usize = 39;
    /// Whether a value was chosen from fewer than the program allows.
    pub const PARTIAL: usize = 40;
    /// How many objects the program has given names to.
    pub const NAMES: usize = 48;
    /// How many steps the last lane has made in a row.
    pub const STREAK: usize = 41;
    /// How often all lanes that are awake have given way to each other.
    pub const ROUNDS: usize = 49;
    /// Whether a lane waits in a loop of which it is not known what it does to memory, or closes the descriptor of a pipe that another one of its
    /// process may be about to use.
    pub const UNCLEAR: usize = 50;
    /// A number that stands for the steps of the log; see [`super::seal`].
    pub const SEAL: usize = 52;
    /// A number that stands for the words that only the library writes during a run; see [`super::share`].
    pub const SUM: usize = 53;
    /// One more than the lane that is in an atomic section; 0 if none is.
    pub const SECTION: usize = 54;
    /// The lanes that are enabled, four words.
    pub const ENABLED: usize = 42;
    /// The process that has stopped for a debugger.
    pub const PROCESS: usize = 46;
    /// Its thread that is about to move.
    pub const THREAD: usize = 47;
    /// Where the message is.
    pub const TEXT: usize = 64;
    /// How many bytes a message can have.
    pub const TEXT_BYTES: usize = 512;
}

/// How much is known of what a program does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Sight {
    /// Not all accesses are announced: a lane that repeats itself may well have changed something.
    Hidden,
    /// Its own are, but it calls functions that could keep something unseen.
    Own,
    /// All that counts.
    Full,
}

/// How lanes are picked after the tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Policy {
    /// The lane that moved last if it can, else the lowest.
    Stay,
    /// Any, with equal chances.
    Random,
    /// By random priorities that change at some steps \[PCT\].
    Priorities,
    /// A lane that begins, ends or waits for that, else as `Stay`.
    LivesFirst,
    /// By random priorities of the next operations, which are drawn again where operations conflict \[POS\].
    Sampling,
    /// In turns, for as many steps as the plan says.
    Rotation,
}

macro_rules! endings {
    ($($(#[doc = $doc:literal])* $name:ident,)*) => {
        /// How a run ended.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u64)]
        pub enum Ending { $($(#[doc = $doc])* $name,)* }

        impl Ending {
            /// The ending of a number that comes from outside.
            pub fn of(number: u64) -> Option<Ending> {
                [$(Ending::$name,)*].get(usize::try_from(number).ok()?).copied()
            }
        }
    };
}

endings! {
    /// The program did not say: it was killed, or it crashed.
    Unknown,
    /// All lanes ended, or the process exited; the value is the exit code.
    Complete,
    /// No lane can move.
    Deadlock,
    /// All lanes that can move are asleep: the rest was explored before.
    Asleep,
    /// An assertion failed; the message says which.
    Assertion,
    /// The program aborted itself.
    Abort,
    /// A lock was released by a lane that does not hold it.
    NotHeld,
    /// The run is as long as runs may be.
    Depth,
    /// The tape prescribes a lane that cannot move; the value is the step.
    Mismatch,
    /// A thread moved that was not created by the program's calls.
    Foreign,
    /// There are more lanes or objects than fit.
    Full,
    /// The program did what is not modelled; the message says what.
    Unsupported,
    /// An assumption does not hold: what goes wrong after that does not count.
    Assumed,
    /// Memory was used that had been given back; the message says how.
    Freed,
    /// A signal killed a process that is not the first; the value is its number.
    Crash,
    /// No lane can move but those that wait in loops, for what does not come.
    Livelock,
    /// No lane can move but those that wait in loops, and what they wait for has come: what they do then is explored where they come
    /// to the loop later.
    Idle,
}

/// Lanes: where they begin, and how many words each has.
pub mod lane {
    /// Where the first lane is.
    pub const START: usize = super::memory::HEADS + 2 * super::memory::PIECES;
    /// How many words a lane has.
    pub const WORDS: usize = 24;
    /// Whether it can move: 0 unborn, 1 alive, 2 ended, 3 stuck.
    pub const STATUS: usize = 0;
    /// Its next operation, four words.
    pub const PENDING: usize = 1;
    /// Where that was called from.
    pub const CALLER: usize = 5;
    /// The class of the queue that it waits in, and the process of the key.
    pub const QUEUE: usize = 6;
    /// The address of the key of the queue.
    pub const QUEUE_ADDRESS: usize = 7;
    /// Its ticket, and whether it has been woken in the highest bit.
    pub const TICKET: usize = 8;
    /// The word that the thread waits at.
    pub const TURN: usize = 9;
    /// The lane that created it.
    pub const PARENT: usize = 10;
    /// As which of its children.
    pub const CHILD: usize = 11;
    /// How many children it created in this run.
    pub const CHILDREN: usize = 12;
    /// The thread pointer of the thread, to know it by.
    pub const THREAD: usize = 13;
    /// The process that it belongs to.
    pub const PROCESS: usize = 14;
    /// Its priority.
    pub const PRIORITY: usize = 15;
    /// Whether it prefers that others go on.
    pub const YIELDS: usize = 16;
    /// The exit code of a process.
    pub const CODE: usize = 17;
    /// How many objects without a name it has created.
    pub const PRIVATE: usize = 18;
    /// The lane whose thread of the system runs it.
    pub const HOST: usize = 19;
    /// One more than the step at which the last turn of the loop begins that it waits in; 0 if it does not.
    pub const LOOP: usize = 20;
    /// The step before which that turn ends.
    pub const LOOP_END: usize = 21;
    /// Where its stack begins there, and where it ends.
    pub const STACK: usize = 22;
    /// See [`STACK`].
    pub const STACK_END: usize = 23;
}

/// Objects: a table with open addressing.
pub mod object {
    use super::{MAX_LANES, lane};
    /// Where the table is.
    pub const START: usize = lane::START + lane::WORDS * MAX_LANES;
    /// How many words an object has: run, class and process, address, and three of state.
    pub const WORDS: usize = 8;
    /// How many objects there can be; a power of two.
    pub const SLOTS: usize = 1 << 14;
}

/// The most steps that a run can have.
pub const MAX_DEPTH: usize = 1 << 16;
/// Where the tape is: one word for each step, the lane and one more than the value of a toss.
pub const TAPE: usize = object::START + object::WORDS * object::SLOTS;
/// Where the log is.
pub const LOG: usize = TAPE + MAX_DEPTH;
/// The words of an entry of the log: the operation, its result, the caller, the lane, the length of the output, the
/// lanes that were enabled, and those that were asleep.
pub const ENTRY_WORDS: usize = Op::WORDS + 4 + 2 * LaneSet::WORDS;
/// Messages that wait in queues.
pub mod slot {
    /// Where the first one is.
    pub const START: usize = super::LOG + super::MAX_DEPTH * super::ENTRY_WORDS;
    /// How many words each has.
    pub const WORDS: usize = DATA + BYTES / 8;
    /// How many there can be.
    pub const COUNT: usize = 128;
    /// How many bytes each can have.
    pub const BYTES: usize = 1024;
    /// The run that it is of.
    pub const RUN: usize = 0;
    /// The queue that it is in.
    pub const QUEUE: usize = 1;
    /// Its place there.
    pub const PLACE: usize = 2;
    /// Its kind or priority.
    pub const KIND: usize = 3;
    /// How many bytes it has.
    pub const LENGTH: usize = 4;
    /// A number that stands for what is said of it above, but for the run, and for its bytes.
    pub const CHECK: usize = 5;
    /// Where they are.
    pub const DATA: usize = 8;
}

/// Names that the program has given to objects.
pub mod name {
    use super::slot;
    /// Where the first one is.
    pub const START: usize = slot::START + slot::COUNT * slot::WORDS;
    /// How many words each has: the process and the address of the object, and the text, which zeros follow.
    pub const WORDS: usize = 8;
    /// How many bytes a text can have.
    pub const BYTES: usize = (WORDS - 2) * 8;
    /// How many there can be.
    pub const COUNT: usize = 256;
}

/// Memory that processes share by name.
pub mod memory {
    use super::{name, output};
    /// For each piece, the run that it is of, and its number.
    pub const HEADS: usize = output::TEXT + output::TEXT_BYTES / 8;
    /// How many pieces there are.
    pub const PIECES: usize = 64;
    /// How many words each has.
    pub const PIECE_WORDS: usize = 1 << 13;
    /// Where the first one is: where a page begins.
    pub const START: usize = (name::START + name::COUNT * name::WORDS).next_multiple_of(512);
}

/// The size of the file.
pub const BYTES: usize = (memory::START + memory::PIECES * memory::PIECE_WORDS) * 8;

/// A number that stands for the entries of the log up to one, from that for those before it and the words of this one. Each word
/// changes it one to one, so that an entry that is written over is noticed.
pub fn seal(before: u64, word: impl Fn(usize) -> u64) -> u64 {
    (0..ENTRY_WORDS).fold(before, |sum, index| {
        let mixed = (sum ^ word(index)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 32
    })
}

/// The words before this one are accounted for: what is written at [`output::SUM`] is the sum of their shares.
pub const ACCOUNTED: usize = lane::START + lane::WORDS * MAX_LANES;

/// What a word adds to the sum that stands for the head of the region and the lanes. Another value at the same place adds something else,
/// and what was never written adds nothing.
pub fn share(index: usize, value: u64) -> u64 {
    let product = value.wrapping_mul(0x9e37_79b9_7f4a_7c15 ^ (index as u64) << 1);
    product ^ product >> 32
}

/// Whether a word is accounted for: not the sum itself, nor the words that threads wait at, which several of them change.
pub fn is_accounted(index: usize) -> bool {
    let is_turn = index >= lane::START && (index - lane::START) % lane::WORDS == lane::TURN;
    index < ACCOUNTED && index != output::SUM && !is_turn
}

/// What stands for a pause in place of the value of a toss.
pub const PAUSE: u32 = u32::MAX - 1;

/// A step of the tape.
pub fn tape_word(lane: crate::Lane, toss: Option<u32>) -> u64 {
    u64::from(lane.0) | toss.map_or(0, |value| u64::from(value) + 1) << 16
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::{input, is_accounted, lane, memory, output, share};
    use std::vec::Vec;

    /// Words of the head of the region that are written by different sides, or for different reasons, are different words.
    #[test]
    fn no_word_has_two_meanings() {
        use output::{
            CURRENT, ENABLED, ENDING, LANE, MESSAGE, NAMES, PARTIAL, PROCESS, ROUNDS, SEAL, SECTION, STEPS, STREAK,
            SUM, TEXT, TEXT_BYTES, THREAD, UNCLEAR, VALUE,
        };
        let single = [
            CURRENT, ENDING, LANE, MESSAGE, NAMES, PARTIAL, PROCESS, ROUNDS, SEAL, SECTION, STEPS, STREAK, SUM, THREAD,
            UNCLEAR, VALUE,
        ];
        let mut words: Vec<usize> = (0..input::WORDS).chain(single).chain(ENABLED..ENABLED + 4).collect();
        words.extend(TEXT..TEXT + TEXT_BYTES / 8);
        words.extend(memory::HEADS..memory::HEADS + 2 * memory::PIECES);
        words.sort_unstable();
        assert!(words.is_sorted_by(|one, other| one < other), "{words:?}");
        assert!(words.last().is_some_and(|last| *last < lane::START));
    }

    /// A word that is written over changes the sum, and one that was never written does not count.
    #[test]
    fn another_value_has_another_share() {
        for index in (0..lane::START).chain([lane::START + lane::PROCESS, lane::START + lane::WORDS + lane::LOOP]) {
            let values = [0, 1, 2, u64::from(u32::MAX), 1 << 32, 1 << 63, u64::MAX];
            let mut shares: Vec<u64> = values.into_iter().map(|value| share(index, value)).collect();
            assert_eq!(shares[0], 0);
            shares.sort_unstable();
            assert!(shares.is_sorted_by(|one, other| one < other), "{index}");
            assert_eq!(is_accounted(index), index != output::SUM);
        }
        assert!(!is_accounted(lane::START + lane::WORDS + lane::TURN));
    }
}
