//! The order of variables, and a better one when diagrams grow.
//!
//! R. Rudell: Dynamic variable ordering for ordered binary decision diagrams. ICCAD 1993. A node stands for the same function in every
//! order, so that handles stay what they are.

mod levels;
mod sift;

use crate::manager::{Core, Manager};
use crate::node::{Variable, next, now};
pub(crate) use levels::Levels;

/// Whether the order of variables changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ordering {
    /// The first variable stays on top.
    Fixed,
    /// Where diagrams grow, every variable is moved to where it makes them smallest.
    Sifted,
}

/// From how many nodes on it is worth looking for another order, and how many there may be before it is looked at again: sifting
/// costs as much as many images, and most is gained the first time.
const FEW: usize = 1 << 12;
const ROOM: usize = 1 << 17;

/// Where variables are.
pub(crate) struct Arrangement {
    /// The place of each variable.
    place: Vec<u32>,
    /// The variable at each place.
    variable: Vec<Variable>,
}

impl Arrangement {
    pub fn new(variables: Variable) -> Arrangement {
        Arrangement::of((0..variables).collect())
    }

    /// All variables, from the top.
    fn of(variable: Vec<Variable>) -> Arrangement {
        let mut place = vec![0; variable.len()];
        for (at, variable) in variable.iter().enumerate() {
            place[*variable as usize] = at as u32;
        }
        Arrangement { place, variable }
    }

    /// The place of a variable; the first one is on top.
    pub fn place(&self, variable: Variable) -> u32 {
        self.place[variable as usize]
    }

    /// The variable that a level belongs to.
    pub fn variable(&self, level: u32) -> Variable {
        self.variable[level as usize / 2]
    }

    /// The level of a variable's value now.
    pub fn now(&self, variable: Variable) -> u32 {
        now(self.place(variable))
    }

    /// The level of its next value.
    pub fn next(&self, variable: Variable) -> u32 {
        next(self.place(variable))
    }

    /// The numbers of some variables in the order of their places.
    pub fn sorted(&self, variables: &[Variable]) -> Vec<usize> {
        let mut sorted: Vec<usize> = (0..variables.len()).collect();
        sorted.sort_by_key(|at| self.place(variables[*at]));
        sorted
    }

    /// The variable at a place and the one below it change places.
    fn swap(&mut self, place: usize) {
        self.variable.swap(place, place + 1);
        for moved in [place, place + 1] {
            self.place[self.variable[moved] as usize] = moved as u32;
        }
    }
}

/// When the order is looked at again.
pub(crate) struct Review {
    ordering: Ordering,
    /// From how many nodes on an operation is interrupted.
    pub from: usize,
    /// How many nodes there were when the order was changed last.
    known: usize,
}

impl Review {
    pub fn new(ordering: Ordering) -> Review {
        let from = if ordering == Ordering::Sifted { ROOM } else { usize::MAX };
        Review { ordering, from, known: 0 }
    }
}

impl Core {
    /// An operation was interrupted because of the order of variables, for the first time or once more: garbage is collected,
    /// and the order changed where that can help. More nodes are allowed afterwards if the operation itself needs them.
    pub fn review(&mut self, interruptions: usize) {
        let limit = self.review.from;
        let has_changed = self.improve();
        if interruptions > 1 || (!has_changed && self.store.len() > limit / 2) {
            self.review.from = self.review.from.max(2 * limit);
        }
    }

    /// Collects garbage and looks for a better order, if it may change and there are many more nodes than the last time.
    pub fn improve(&mut self) -> bool {
        self.collect();
        let before = self.store.len();
        let has_grown = before >= FEW && before > 2 * self.review.known;
        // While nodes move there are more of them, and the budget is exact.
        let has_room = before <= self.whole_budget / 4;
        let is_worth_it = self.review.ordering == Ordering::Sifted && has_grown && has_room;
        if is_worth_it {
            self.sift();
            // Where hardly anything was gained, nothing will be gained soon.
            let has_gained = self.store.len() * 4 < before * 3;
            self.review.known = if has_gained { self.store.len() } else { 2 * self.store.len() };
            self.review.from = ROOM.max(4 * self.store.len());
        }
        is_worth_it
    }

    fn sift(&mut self) {
        let handles = self.handles();
        let mut levels = Levels::new(&mut self.store, &handles, self.variables);
        let work = sift::sift(&mut levels, &mut self.arrangement, &self.alarm);
        levels.finish();
        self.cache.clear();
        self.computed += work / WORK;
    }
}

/// How many nodes are moved in the time that a result takes.
const WORK: u64 = 4;

impl Manager {
    /// Says whether the order of variables changes. If it does, a better one is looked for at once where there are many nodes.
    pub fn set_ordering(&mut self, ordering: Ordering) {
        self.core.review = Review::new(ordering);
        if ordering == Ordering::Sifted {
            self.core.improve();
        }
    }

    /// The variables from the top of the order.
    pub fn order(&self) -> &[Variable] {
        &self.core.arrangement.variable
    }

    /// Puts variables into an order, from the top, before anything else is done.
    pub fn arrange(&mut self, order: &[Variable]) {
        self.core.arrangement = Arrangement::of(order.to_vec());
    }

    /// Looks for a better order at once.
    pub fn sift(&mut self) {
        self.core.collect();
        self.core.sift();
    }
}
