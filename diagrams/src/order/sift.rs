//! Sifting: each variable goes through all places and stays at the best one.

use super::{Arrangement, Levels};

/// A variable goes no further in a direction when there are this many percent of the least number of nodes.
const GROWTH: usize = 120;

/// How many nodes are looked at before the alarm is asked again.
const PATIENCE: u64 = 1 << 16;

/// Moves every variable, those with many nodes first. The result is how many nodes were looked at.
pub fn sift(levels: &mut Levels<'_>, arrangement: &mut Arrangement, alarm: &dyn Fn(usize) -> bool) -> u64 {
    let mut variables: Vec<(usize, u32)> =
        (0..levels.places()).map(|place| (levels.count(place), arrangement.variable(2 * place as u32))).collect();
    variables.retain(|(count, _)| *count > 0);
    variables.sort_by_key(|(count, variable)| (std::cmp::Reverse(*count), *variable));
    let mut asked = 0;
    for (_, variable) in variables {
        if levels.work - asked > PATIENCE {
            asked = levels.work;
            if alarm(levels.len()) {
                break;
            }
        }
        let place = arrangement.place(variable) as usize;
        Sifted { levels, arrangement, place, best: (usize::MAX, place) }.settle();
    }
    levels.work
}

/// A variable that is being moved.
struct Sifted<'a, 's> {
    levels: &'a mut Levels<'s>,
    arrangement: &'a mut Arrangement,
    place: usize,
    /// The least number of nodes, and where it was.
    best: (usize, usize),
}

impl Sifted<'_, '_> {
    fn settle(mut self) {
        self.look();
        let last = self.levels.places() - 1;
        let ends = if self.place > last / 2 { [last, 0] } else { [0, last] };
        for end in ends {
            while self.place != end && self.levels.len() * 100 <= self.best.0 * GROWTH {
                self.move_towards(end);
                self.look();
            }
            // The way to the other end leads through the best place so far.
            while self.place != self.best.1 {
                self.move_towards(self.best.1);
            }
        }
    }

    fn look(&mut self) {
        if self.levels.len() < self.best.0 {
            self.best = (self.levels.len(), self.place);
        }
    }

    fn move_towards(&mut self, end: usize) {
        let upper = if end > self.place { self.place } else { self.place - 1 };
        self.levels.swap_places(upper);
        self.arrangement.swap(upper);
        self.place = if end > self.place { self.place + 1 } else { self.place - 1 };
    }
}
