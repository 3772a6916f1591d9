//! Variables that have the same values are drawn alike in some walks.
//!
//! Where each process has a variable that says what it does, all of them have to vote yes before anything else happens. With a draw for each of
//! twenty processes, that is met in one walk of a million.

use fastrand::Rng;
use std::collections::BTreeMap;
use system::Value;

/// With how many percent a variable is drawn by itself all the same, in one walk or another.
const DEVIATES: [u32; 3] = [0, 5, 20];

/// What is drawn for variables with some values.
pub(super) struct Alike<'v> {
    /// In walks where all are drawn alike, the seed for those that have the same values.
    seeds: Option<BTreeMap<&'v [Value], u64>>,
    deviates: u32,
}

impl<'v> Alike<'v> {
    /// In every other walk, those that have the same values are drawn alike.
    pub fn draw(random: &mut Rng) -> Alike<'v> {
        Alike { seeds: random.bool().then(BTreeMap::new), deviates: DEVIATES[random.usize(..DEVIATES.len())] }
    }

    /// By what the next variable is drawn, which has these values.
    pub fn random_for(&mut self, values: &'v [Value], random: &mut Rng) -> Rng {
        let own = random.u64(..);
        let deviates = random.u32(..100) < self.deviates;
        let seed = match &mut self.seeds {
            Some(seeds) if !deviates => *seeds.entry(values).or_insert(own),
            _ => own,
        };
        Rng::with_seed(seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_the_same_values_is_drawn_alike_in_some_walks_only() {
        let mut random = Rng::with_seed(1);
        let (few, many) = ([0, 1], [0, 1, 2]);
        let mut seen = [false; 2];
        for _ in 0..50 {
            let mut alike = Alike::draw(&mut random);
            let mut seed = |values| alike.random_for(values, &mut random).get_seed();
            let [one, other, different] = [seed(&few[..]), seed(&few[..]), seed(&many[..])];
            assert_ne!(one, different);
            seen[usize::from(one == other)] = true;
        }
        assert_eq!(seen, [true; 2]);
    }
}
