//! How long a walk is that begins in an initial state.
//!
//! What needs twenty steps is hardly met by walks of two thousand: there are few of them, the points at which a policy changes its mind come
//! too late, and what went wrong in the first steps may be made good, or be out of reach, for the rest. How deep a violation
//! is, is not known. So walks of different lengths share the work (after M. Luby, A. Sinclair, D. Zuckerman, Optimal speedup of Las Vegas
//! algorithms, 1993): those that are as long as can be have three quarters of it, and shorter ones have equal parts of the rest.

/// The shortest walks.
const SHORTEST: usize = 16;

/// How many times as long as the next shorter ones walks are.
const FACTOR: usize = 4;

/// How many times the work of all shorter walks the longest have.
const FAVOUR: u64 = 3;

/// The lengths of walks, the greatest first, with the number of steps that walks of each have made.
pub(super) struct Lengths {
    made: Vec<(usize, u64)>,
    /// Which one the walk at hand has.
    at: usize,
}

impl Lengths {
    /// Of walks that have at most this many steps.
    pub fn up_to(longest: usize) -> Lengths {
        let shorter = std::iter::successors(Some(longest / FACTOR), |length| Some(length / FACTOR));
        let all = std::iter::once(longest).chain(shorter.take_while(|length| *length >= SHORTEST));
        Lengths { made: all.map(|length| (length, 0)).collect(), at: 0 }
    }

    /// The length of the next walk.
    pub fn next(&mut self) -> usize {
        let shorter = self.made.len() as u64 - 1;
        let spent = |at: &usize| self.made[*at].1 * if *at == 0 { 1 } else { FAVOUR * shorter };
        self.at = (0..self.made.len()).min_by_key(spent).unwrap_or(0);
        self.made[self.at].0
    }

    /// Notes how many steps that walk has made. One that could make none counts as well: others have their turn.
    pub fn note(&mut self, steps: usize) {
        self.made[self.at].1 += steps.max(1) as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_walks_have_most_of_the_work_and_the_others_equal_parts() {
        let mut lengths = Lengths::up_to(2000);
        for _ in 0..10_000 {
            let next = lengths.next();
            lengths.note(next);
        }
        let [(2000, longest), others @ ..] = &lengths.made[..] else { panic!("the longest is the first") };
        assert_eq!(others.iter().map(|(length, _)| *length).collect::<Vec<_>>(), [500, 125, 31]);
        for (_, steps) in others {
            assert!(steps.abs_diff(longest / (3 * FAVOUR)) <= 2000, "{:?}", lengths.made);
        }
    }

    #[test]
    fn short_runs_have_one_length() {
        let mut lengths = Lengths::up_to(20);
        assert_eq!([lengths.next(), lengths.next()], [20, 20]);
        assert_eq!(Lengths::up_to(0).next(), 0);
    }
}
