//! Whether a condition on states alone held in the state that was looked at last: most steps change nothing that it reads.

use system::{Footprint, Layout};

/// The value of a condition, and of all that it reads.
#[derive(Debug)]
pub struct Remembered {
    /// Where in a state it reads: words and bits.
    part: Vec<(usize, u64)>,
    /// What it read in the last state.
    read: Vec<u64>,
    /// Whether it held there.
    holds: Option<bool>,
    /// Whether it depends on something else than the values of variables.
    reads_more: bool,
}

impl Remembered {
    /// Nothing, of a condition that reads something.
    pub fn new(layout: &Layout, reads: &Footprint) -> Remembered {
        let mask = layout.mask(reads.now.iter().copied()).into_iter().enumerate();
        let part = mask.filter(|(_, bits)| *bits != 0).collect();
        Remembered { part, read: Vec::new(), holds: None, reads_more: reads.timeout }
    }

    /// Whether the condition holds in a state, if what it reads there is what it read last.
    #[inline]
    pub fn get(&self, state: &[u64]) -> Option<bool> {
        let is_same = |((word, bits), read): (&(usize, u64), &u64)| state[*word] & bits == *read;
        self.holds.filter(|_| self.part.iter().zip(&self.read).all(is_same))
    }

    /// Remembers whether the condition holds in a state.
    pub fn set(&mut self, state: &[u64], holds: bool) {
        self.read.clear();
        self.read.extend(self.part.iter().map(|(word, bits)| state[*word] & bits));
        self.holds = Some(holds).filter(|_| !self.reads_more);
    }
}
