//! Lanes: the threads of all processes of a run, and sets of them.

/// How many lanes there can be.
pub const MAX_LANES: usize = 256;

/// A thread of a process, numbered by who created it as which of its threads: the same thread has the same number in
/// every run, whatever the order in which threads are created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lane(pub u16);

impl Lane {
    /// The first thread of the first process.
    pub const MAIN: Lane = Lane(0);

    /// Its number, to index with.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The lane of a number that comes from outside, if there can be such a lane.
    pub fn of(number: u64) -> Option<Lane> {
        (number < MAX_LANES as u64).then_some(Lane(number as u16))
    }
}

/// A set of lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneSet {
    bits: [u64; MAX_LANES / 64],
}

impl LaneSet {
    /// The words that the set is written as.
    pub const WORDS: usize = MAX_LANES / 64;

    /// A set from its words.
    pub fn from_words(bits: [u64; Self::WORDS]) -> LaneSet {
        LaneSet { bits }
    }

    /// Its words.
    pub fn words(&self) -> [u64; Self::WORDS] {
        self.bits
    }

    /// Whether a lane is in it.
    pub fn contains(&self, lane: Lane) -> bool {
        self.bits[lane.index() / 64] >> (lane.index() % 64) & 1 == 1
    }

    /// Adds a lane.
    pub fn insert(&mut self, lane: Lane) {
        self.bits[lane.index() / 64] |= 1 << (lane.index() % 64);
    }

    /// Takes a lane out.
    pub fn remove(&mut self, lane: Lane) {
        self.bits[lane.index() / 64] &= !(1 << (lane.index() % 64));
    }

    /// Whether it has no lane.
    pub fn is_empty(&self) -> bool {
        self.bits == [0; Self::WORDS]
    }

    /// How many lanes it has.
    pub fn len(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The lanes, in order.
    pub fn iter(&self) -> impl Iterator<Item = Lane> {
        self.bits
            .into_iter()
            .enumerate()
            .flat_map(|(index, word)| Ones(word).map(move |bit| Lane(index as u16 * 64 + bit)))
    }
}

/// The places of the ones of a word.
struct Ones(u64);

impl Iterator for Ones {
    type Item = u16;

    fn next(&mut self) -> Option<u16> {
        let place = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (place < u64::BITS).then_some(place as u16)
    }
}

impl FromIterator<Lane> for LaneSet {
    fn from_iter<I: IntoIterator<Item = Lane>>(lanes: I) -> LaneSet {
        let mut set = LaneSet::default();
        lanes.into_iter().for_each(|lane| set.insert(lane));
        set
    }
}
