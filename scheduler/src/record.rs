//! What came of a run, as the region has it: the word of a program that may have gone astray, so everything is checked.

use crate::finding::WaitStatus;
use crate::plan::Choice;
use operations::region::{self, Ending, lane};
use operations::{Event, Key, Lane, LaneSet, Op};

/// A step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What happened.
    pub event: Event,
    /// The address that it was called from.
    pub caller: u64,
    /// How many bytes had been printed before it.
    pub printed: u64,
    /// The lanes that were enabled.
    pub enabled: LaneSet,
    /// The lanes that were asleep.
    pub asleep: LaneSet,
}

impl Step {
    /// The choice that leads to this step again.
    pub fn choice(&self) -> Choice {
        Choice::of(&self.event)
    }

    fn from_words(words: &[u64]) -> Option<Step> {
        let op = Op::from_words(words[..Op::WORDS].try_into().ok()?)?;
        let event = Event { lane: Lane::of(words[6])?, op, result: words[4] as i64 };
        let set = |from: usize| LaneSet::from_words(core::array::from_fn(|index| words[from + index]));
        let (enabled, asleep) = (set(8), set(8 + LaneSet::WORDS));
        Some(Step { event, caller: words[5], printed: words[7], enabled, asleep })
    }
}

/// What a lane would do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The lane.
    pub lane: Lane,
    /// Its next operation.
    pub op: Op,
    /// The address that it was called from.
    pub caller: u64,
    /// Whether it waits in a loop, where this is the next operation.
    pub is_in_loop: bool,
}

/// A run.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its steps.
    pub steps: Vec<Step>,
    /// What the lanes would do next that have not ended.
    pub pending: Vec<Pending>,
    /// How it ended.
    pub ending: Ending,
    /// The lane in which it ended.
    pub lane: Lane,
    /// A number that belongs to the ending.
    pub value: i64,
    /// A text that belongs to the ending.
    pub message: String,
    /// The objects that the program has given names to.
    pub names: Vec<(Key, String)>,
    /// Whether a value was chosen from fewer than the program allows.
    pub is_partial: bool,
    /// Whether a lane was left in a loop of which it is not known what it does to memory.
    pub is_unclear: bool,
    /// Whether other lanes did something within atomic sections, so that the program has no such run.
    pub is_torn: bool,
    /// Whether the run cannot have gone as it is written down: the program has written over that.
    pub is_overwritten: bool,
    /// How the process ended, or that it did not.
    pub status: WaitStatus,
}

/// As many steps of a run are looked at where every pair of steps would be, and nothing is proved by it.
const LOOKED_AT: usize = 2000;

impl Record {
    /// The first steps: looking at pairs of all of them takes too long where a lane has waited in a loop.
    pub(crate) fn beginning(&self) -> &[Step] {
        &self.steps[..self.steps.len().min(LOOKED_AT)]
    }

    /// The choices that lead to this run again.
    pub fn choices(&self) -> Vec<Choice> {
        self.steps.iter().map(Step::choice).collect()
    }
}

/// The words that bytes are.
pub(crate) fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word))
}

/// The steps of a log, as far as they make sense.
pub(crate) fn steps(log: &[u8]) -> Vec<Step> {
    const BYTES: usize = region::ENTRY_WORDS * 8;
    let mut steps = Vec::with_capacity(log.len() / BYTES);
    let entries = log.as_chunks::<BYTES>().0.iter();
    steps.extend(entries.map_while(|entry| {
        let mut entry_words = [0; region::ENTRY_WORDS];
        entry_words.iter_mut().zip(words(entry)).for_each(|(place, word)| *place = word);
        Step::from_words(&entry_words)
    }));
    steps
}

/// The names of objects.
pub(crate) fn names(words: &[u64]) -> Vec<(Key, String)> {
    let named = |words: &[u64]| {
        let bytes: Vec<u8> =
            words[2..].iter().flat_map(|word| word.to_le_bytes()).take_while(|byte| *byte != 0).collect();
        (Key { process: words[0] as u16, address: words[1] }, String::from_utf8_lossy(&bytes).into_owned())
    };
    words.chunks_exact(region::name::WORDS).map(named).collect()
}

/// The lanes that are alive.
pub(crate) fn pending(words: &[u64]) -> Vec<Pending> {
    words.chunks_exact(lane::WORDS).enumerate().filter_map(|(number, words)| alive(number, words)).collect()
}

fn alive(number: usize, words: &[u64]) -> Option<Pending> {
    let op = Op::from_words(words[lane::PENDING..lane::PENDING + Op::WORDS].try_into().ok()?)?;
    let lane = Lane::of(number as u64)?;
    let is_in_loop = words[lane::LOOP] != 0;
    (words[lane::STATUS] == 1).then_some(Pending { lane, op, caller: words[lane::CALLER], is_in_loop })
}
