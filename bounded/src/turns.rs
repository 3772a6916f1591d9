//! Who is next: which worker of a race has which share of the work.
//!
//! Each part of a worker's work counts for the weight that the worker had when it did it, and the one with the least is next
//! (stride scheduling, after C. A. Waldspurger and W. E. Weihl, 1995). So a change of weights is about what comes after it: a worker
//! that was behind for long does not catch up on all the turns that it has not had.
//!
//! The favourite has most turns. That is the first prover, until another worker is clearly ahead of it, so that where nothing
//! helps, the race costs little more than the first prover alone. Verdicts do not depend on any of this, only on who gives them.

/// The weight of the favourite. That of others says how many turns they have for so many of the favourite's.
pub(super) const FAVOUR: u64 = 64;

/// The weight of a prover that has hardly begun, so that what it is good for is known soon, and how much work that is.
const BEGINNING: (u64, u64) = (500_000, 64);

/// The weight of a prover or guest that is not the favourite.
const BEHIND: u64 = 3;

/// The weight of a prover that the favourite is clearly ahead of.
const BEATEN: u64 = 1;

/// The weight of a visitor as long as its search is short.
const VISITING: u64 = 16;

/// The weight of one who hunts for lassos. Its first look, before all others begin, counts as well.
const LASSOS: u64 = 8;

/// The work of a short search: less than a second.
const SHORT: u64 = 20_000_000;

/// How many times as much work as a challenger the favourite has to need. Where workers are about as good as each other, which of
/// them is ahead changes from bound to bound.
const CLEARLY: f64 = 2.0;

/// How many times the work of all bounds before it makes a bound one that an engine is stuck at.
const STUCK: u64 = 2;

/// How many bounds an engine settles at once, at most.
const AT_ONCE: usize = 4;

/// So little work that no comparison should rest on it.
const NOTHING: u64 = 300_000;

/// So little work that nothing is stuck that has done no more for its last bounds.
const LITTLE: u64 = 4_000_000;

/// What an engine is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    FirstProver,
    Prover,
    Hunter,
    LassoHunter,
    Visitor,
    Walker,
    Guest,
}

impl Role {
    /// Whether it looks for violations and settles no bound.
    pub fn hunts(self) -> bool {
        matches!(self, Role::Hunter | Role::LassoHunter | Role::Walker)
    }
}

/// How much of the work is hunting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zeal {
    /// Little: a bound that holds is settled in about the time that a prover alone takes.
    Modest,
    /// Much: what a large system does wrong is found by those who hunt or by none.
    Eager,
}

impl Zeal {
    /// The weight of a hunter or walker, up to so much work: what it looks for may be near. The share is large at first and smaller
    /// when nothing has come of it, so that a valid bound does not pay for it for ever.
    fn hunting(self, favourite: Progress) -> [(u64, u64); 4] {
        match (self, favourite) {
            (Zeal::Modest, _) => [(1_000_000, 512), (2_000_000, 64), (20_000_000, 11), (u64::MAX, 4)],
            (Zeal::Eager, Progress::Steady) => [(1_000_000, 512), (5_000_000, 64), (200_000_000, 32), (u64::MAX, 8)],
            (Zeal::Eager, Progress::Stuck) => [(1_000_000, 512), (200_000_000, 64), (400_000_000, 16), (u64::MAX, 8)],
        }
    }

    /// The weight of those who settle bounds while the favourite is stuck.
    fn together(self) -> u64 {
        match self {
            Zeal::Modest => FAVOUR,
            Zeal::Eager => 8,
        }
    }
}

/// Whether a worker has most turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Favourite,
    Other,
}

/// What a worker has done so far.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub role: Role,
    /// Its work, in ticks.
    ticks: u64,
    /// The ticks after which each bound was settled.
    settled: Vec<u64>,
    /// Its work, each part for the weight that it had then.
    weighed: u64,
    standing: Standing,
}

impl Record {
    /// Of a worker that has done nothing.
    pub fn new(role: Role) -> Record {
        Record { role, ticks: 0, settled: Vec::new(), weighed: 0, standing: Standing::Other }
    }

    /// Notes the work of one who hunts for lassos before all others begin: the favourite does eight times as much before it goes on.
    pub fn note_head_start(&mut self, ticks: u64) {
        self.note(LASSOS, ticks, 0);
    }

    /// Notes a turn of this weight: how much work has been done by now, and how many bounds are settled.
    pub fn note(&mut self, weight: u64, ticks: u64, settled: usize) {
        self.weighed += (ticks - self.ticks.min(ticks)) * FAVOUR / weight;
        self.ticks = ticks;
        self.settled.resize(settled.max(self.settled.len()), ticks);
    }

    /// How many bounds were settled at once in the end.
    fn at_once(&self) -> usize {
        let last = self.settled.last();
        self.settled.iter().rev().take_while(|ticks| Some(*ticks) == last).count().clamp(1, AT_ONCE)
    }

    /// Whether a bound is the last of those that were settled at once.
    fn ends_at(&self, bound: usize) -> bool {
        self.settled.get(bound + 1) != Some(&self.settled[bound])
    }

    /// Whether this one needs clearly less work than another: for the last bounds that both have settled, or for those at
    /// which the other one still is. How work grows with the bound is much the same for all, so that no more has to be guessed; where
    /// it grows steeply at first, guesses are far off. What was settled at once is compared as a whole.
    fn is_clearly_ahead_of(&self, other: &Record) -> bool {
        let is_late = other.settled.get(self.settled.len()).is_some_and(|theirs| *theirs < self.ticks);
        let both = self.settled.len().min(other.settled.len());
        let common = (0..both).rev().find(|bound| self.ends_at(*bound) && other.ends_at(*bound));
        let settled = common.map_or(0.0, |bound| ratio(other.settled[bound], self.settled[bound]));
        let ours = self.settled.get(other.settled.len() + AT_ONCE - 1);
        let waiting = ours.map_or(0.0, |ours| ratio(other.ticks, *ours));
        !is_late && settled.max(waiting) >= CLEARLY
    }

    /// Whether the bounds at hand take far more than all those before them. Bounds that are asked about at once take more than one does;
    /// those who are eager do not wait for that.
    fn is_stuck(&self, zeal: Zeal) -> bool {
        let at_once = match zeal {
            Zeal::Modest => self.at_once() as u64,
            Zeal::Eager => 1,
        };
        let settled = self.settled.last().copied().unwrap_or(0);
        self.ticks > STUCK * at_once * settled.max(LITTLE)
    }

    /// What a turn weighs.
    fn weight(&self, favourite: Option<&Record>, zeal: Zeal) -> u64 {
        let is_stuck = favourite.is_some_and(|record| record.is_stuck(zeal));
        let progress = if is_stuck { Progress::Stuck } else { Progress::Steady };
        match (self.role, self.standing, progress) {
            (_, Standing::Favourite, Progress::Steady) => FAVOUR,
            (Role::LassoHunter, ..) => LASSOS,
            (Role::Hunter | Role::Walker, ..) => {
                let shares = zeal.hunting(progress);
                shares.iter().find(|(until, _)| self.ticks < *until).map_or(BEATEN, |(_, weight)| *weight)
            }
            (Role::FirstProver | Role::Prover | Role::Visitor, _, Progress::Stuck) => zeal.together(),
            (Role::Visitor, ..) if self.ticks < SHORT => VISITING,
            (Role::FirstProver | Role::Prover, ..) if self.ticks < BEGINNING.0 => BEGINNING.1,
            (Role::FirstProver | Role::Prover, ..)
                if favourite.is_some_and(|ahead| ahead.is_clearly_ahead_of(self)) =>
            {
                BEATEN
            }
            _ => BEHIND,
        }
    }
}

/// How the favourite gets on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    Steady,
    Stuck,
}

/// How many times as much work as ours theirs is.
fn ratio(theirs: u64, ours: u64) -> f64 {
    (theirs + NOTHING) as f64 / (ours + NOTHING) as f64
}

/// How much work those who hunt beside the others do, for [`FAVOUR`] of theirs: as much as they would have in turns with a favourite that
/// gets on, but never more.
pub(super) fn share_beside<'a>(hunters: impl Iterator<Item = &'a Record>, zeal: Zeal) -> u64 {
    let shares = zeal.hunting(Progress::Steady);
    let weight =
        |record: &Record| shares.iter().find(|(until, _)| record.ticks < *until).map_or(BEATEN, |(_, own)| *own);
    hunters.map(weight).sum::<u64>().clamp(BEATEN, FAVOUR)
}

/// A worker, by its number, and the weight of its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub worker: usize,
    pub weight: u64,
}

/// The next turn: that of the worker that has done the least for its weight.
pub(super) fn next(records: &mut [&mut Record], zeal: Zeal) -> Option<Turn> {
    elect(records);
    let worker = (0..records.len()).min_by_key(|worker| records[*worker].weighed)?;
    let favourite = records.iter().find(|record| record.standing == Standing::Favourite);
    let weight = records[worker].weight(favourite.map(|record| &**record), zeal);
    Some(Turn { worker, weight })
}

/// Makes the one the favourite that is clearly ahead of the favourite so far.
fn elect(records: &mut [&mut Record]) {
    let so_far = records.iter().position(|record| record.standing == Standing::Favourite);
    let Some(first) = so_far.or_else(|| records.iter().position(|record| record.role == Role::FirstProver)) else {
        return;
    };
    let challenge =
        |best: usize, other: usize| if records[other].is_clearly_ahead_of(records[best]) { other } else { best };
    let favourite = (0..records.len()).fold(first, challenge);
    for (worker, record) in records.iter_mut().enumerate() {
        record.standing = if worker == favourite { Standing::Favourite } else { Standing::Other };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work that a worker does between two bounds.
    type Pace = fn(usize) -> u64;

    const TURN: u64 = 1_000_000;

    /// Lets workers that need this much work for each bound take turns until they have done so much work together. A worker without a
    /// pace settles nothing.
    fn shares(team: &[(Role, Option<Pace>)], until: u64) -> Vec<u64> {
        let mut records: Vec<Record> = team.iter().map(|(role, _)| Record::new(*role)).collect();
        while records.iter().map(|record| record.ticks).sum::<u64>() < until {
            let mut all: Vec<&mut Record> = records.iter_mut().collect();
            let turn = next(&mut all, Zeal::Modest).expect("there are workers");
            let (record, pace) = (&mut records[turn.worker], team[turn.worker].1);
            let ticks = record.ticks + TURN;
            let settled = pace.map_or(0, |pace| (0..1000).take_while(|bound| pace(*bound) <= ticks).count());
            record.note(turn.weight, ticks, settled);
        }
        records.iter().map(|record| record.ticks).collect()
    }

    fn steady(bound: usize) -> u64 {
        bound as u64 * TURN
    }

    fn slow(bound: usize) -> u64 {
        10 * steady(bound)
    }

    fn ends_early(bound: usize) -> u64 {
        if bound < 8 { steady(bound) / 10 } else { u64::MAX }
    }

    #[test]
    fn what_does_not_help_costs_little() {
        let team = [(Role::FirstProver, Some(steady as Pace)), (Role::Prover, Some(slow)), (Role::Hunter, None)];
        let [first, second, hunter] = shares(&team, 200 * TURN)[..] else { panic!("three workers") };
        assert!(second < first / 10, "the second prover has {second}, the first {first}");
        assert!(hunter < first / 3, "the hunter has {hunter}, the first prover {first}");
    }

    #[test]
    fn a_hunter_of_lassos_that_has_had_its_look_costs_little() {
        let team = [(Role::FirstProver, Some(steady as Pace)), (Role::LassoHunter, None)];
        let [first, hunter] = shares(&team, 200 * TURN)[..] else { panic!("two workers") };
        assert!(hunter > 0 && hunter < first / 7, "the hunter has {hunter}, the first prover {first}");
    }

    #[test]
    fn the_favourite_is_the_one_that_is_clearly_ahead() {
        let team = [(Role::FirstProver, Some(slow as Pace)), (Role::Prover, Some(steady)), (Role::Hunter, None)];
        let [first, second, _] = shares(&team, 200 * TURN)[..] else { panic!("three workers") };
        assert!(second > 3 * first, "the second prover has {second}, the first {first}");
    }

    #[test]
    fn a_favourite_that_is_stuck_shares_with_those_that_settle_bounds() {
        let team = [(Role::FirstProver, Some(steady as Pace)), (Role::Prover, Some(ends_early))];
        let [first, second] = shares(&team, 200 * TURN)[..] else { panic!("two workers") };
        assert!(first > 2 * second, "the first prover goes on: {first} and {second}");
    }

    #[test]
    fn none_is_left_without_a_turn() {
        let roles = [
            Role::FirstProver,
            Role::Prover,
            Role::Hunter,
            Role::LassoHunter,
            Role::Visitor,
            Role::Walker,
            Role::Guest,
        ];
        let team = roles.map(|role| (role, None));
        assert!(shares(&team, 400 * TURN).iter().all(|ticks| *ticks >= 5 * TURN));
    }

    #[test]
    fn what_is_settled_at_once_is_compared_as_a_whole() {
        let (mut strides, mut steps) = (Record::new(Role::FirstProver), Record::new(Role::Prover));
        for (work, settled) in [(1, 1), (4, 5), (16, 9)] {
            strides.note(FAVOUR, work * TURN, settled);
        }
        for (work, settled) in [(1, 5), (2, 6), (4, 7), (8, 8)] {
            steps.note(1, work * TURN, settled);
        }
        // At bounds 5 to 7 it has done less, but the other one had asked about bound 8 by then, too.
        assert!(steps.is_clearly_ahead_of(&strides), "by the bounds up to 4");
        let behind = Record { settled: vec![4 * TURN; 5], ..steps.clone() };
        assert!(!behind.is_clearly_ahead_of(&strides));
        assert!(!strides.is_clearly_ahead_of(&steps));
    }
}
