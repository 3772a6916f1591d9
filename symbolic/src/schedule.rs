//! In which order the parts of a conjunction are conjoined, so that bits can be quantified early.
//!
//! R. Ranjan, A. Aziz, R. Brayton, B. Plessier, C. Pixley: Efficient BDD algorithms for FSM synthesis and verification. IWLS
//! 1995. At each point the part is taken that lets go of many bits and brings few new ones.

use rustc_hash::{FxHashMap, FxHashSet};

/// What a part reads, as far as an image is concerned: numbers of bits.
#[derive(Clone, Debug, Default)]
pub struct Reads {
    /// Bits that the image quantifies.
    pub hidden: Vec<u32>,
    /// Bits that it keeps.
    pub kept: Vec<u32>,
}

/// A part, by its number, and the bits that no later one reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The number of the part.
    pub part: usize,
    /// What can be quantified with it.
    pub done: Vec<u32>,
}

/// How much the shares of quantified, hidden and new bits and the lowest hidden bit count, as in that paper.
const WEIGHTS: [f64; 4] = [6.0, 1.0, 1.0, 2.0];

/// The parts in their order.
pub fn schedule(parts: &[Reads]) -> Vec<Turn> {
    let mut readers = Readers::default();
    for bit in parts.iter().flat_map(|part| &part.hidden) {
        *readers.of_hidden.entry(*bit).or_default() += 1;
    }
    for bit in parts.iter().flat_map(|part| &part.kept) {
        readers.new.insert(*bit);
    }
    let mut left: Vec<usize> = (0..parts.len()).collect();
    let mut turns = Vec::with_capacity(parts.len());
    while !left.is_empty() {
        let lowest = left.iter().flat_map(|part| &parts[*part].hidden).max().copied().unwrap_or(0);
        let benefits: Vec<f64> = left.iter().map(|part| readers.benefit(&parts[*part], lowest)).collect();
        let best = (0..left.len()).fold(0, |best, at| if benefits[at] > benefits[best] { at } else { best });
        let part = left.remove(best);
        turns.push(Turn { part, done: readers.take(&parts[part]) });
    }
    turns
}

/// Which bits parts that have not had their turn read.
#[derive(Default)]
struct Readers {
    /// How many of them read a hidden bit.
    of_hidden: FxHashMap<u32, usize>,
    /// Kept bits that no part has brought yet.
    new: FxHashSet<u32>,
}

impl Readers {
    fn is_last(&self, bit: u32) -> bool {
        self.of_hidden.get(&bit) == Some(&1)
    }

    fn benefit(&self, part: &Reads, lowest: u32) -> f64 {
        let last = part.hidden.iter().filter(|bit| self.is_last(**bit)).count();
        let new = part.kept.iter().filter(|bit| self.new.contains(bit)).count();
        let low = part.hidden.iter().max().copied().unwrap_or(0);
        let shares = [
            share(last, part.hidden.len()),
            share(part.hidden.len(), self.of_hidden.len()),
            1.0 - share(new, self.new.len()),
            share(low as usize, lowest as usize),
        ];
        shares.iter().zip(WEIGHTS).map(|(share, weight)| share * weight).sum()
    }

    /// The part has its turn; the bits that nothing reads afterwards.
    fn take(&mut self, part: &Reads) -> Vec<u32> {
        for bit in &part.kept {
            self.new.remove(bit);
        }
        let mut done = Vec::new();
        for bit in &part.hidden {
            if self.is_last(*bit) {
                self.of_hidden.remove(bit);
                done.push(*bit);
            } else if let Some(count) = self.of_hidden.get_mut(bit) {
                *count -= 1;
            }
        }
        done
    }
}

fn share(some: usize, all: usize) -> f64 {
    if all == 0 { 0.0 } else { some as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_is_quantified_with_the_last_part_that_reads_it() {
        let reads = |hidden: &[u32], kept: &[u32]| Reads { hidden: hidden.to_vec(), kept: kept.to_vec() };
        let parts = [reads(&[0, 1], &[0]), reads(&[1, 2], &[1]), reads(&[2, 3], &[2]), reads(&[], &[3])];
        let turns = schedule(&parts);
        let mut order: Vec<usize> = turns.iter().map(|turn| turn.part).collect();
        for (at, turn) in turns.iter().enumerate() {
            for bit in &turn.done {
                assert!(parts[turn.part].hidden.contains(bit));
                assert!(!turns[at + 1..].iter().any(|later| parts[later.part].hidden.contains(bit)));
            }
        }
        let mut done: Vec<u32> = turns.iter().flat_map(|turn| turn.done.clone()).collect();
        done.sort_unstable();
        assert_eq!(done, [0, 1, 2, 3]);
        order.sort_unstable();
        assert_eq!(order, [0, 1, 2, 3]);
    }
}
