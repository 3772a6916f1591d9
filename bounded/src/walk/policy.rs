//! What a walk decides by: a schedule says which process moves, a data policy which of its steps the process makes.
//!
//! Uniform choices seldom meet a bug that needs one process to run far ahead, all processes to decide alike, or several of them
//! to be between the same two steps. So each walk draws a policy of its own, and many walks try many.

use fastrand::Rng;
use rustc_hash::FxHasher;
use std::collections::{BTreeSet, VecDeque};
use std::hash::{Hash, Hasher};
use system::{PointId, ProcessId};

/// With how many percent the process that moved last goes on, in a walk that runs on.
const RUNS_ON: u32 = 90;

/// With how many percent a process decides otherwise than usual, in one walk or another.
const NOISE: [u32; 5] = [0, 1, 3, 5, 15];

/// The most processes that decide otherwise than all others.
const MOST_DEVIANTS: usize = 4;

/// The most times that a process loses its priority during a walk.
const MOST_DROPS: usize = 5;

/// The most processes of a kind that move, in a walk where few do.
const MOST_OF_FEW: usize = 5;

/// One in this many control points is one where processes linger, in a walk where they do.
const LINGERING: usize = 6;

/// In which order processes are asked whether they can move; the first that can does.
enum Kind {
    /// Any, with equal chances.
    Uniform,
    /// The one with the highest priority first. At a few random steps the one that has moved becomes the one with the lowest:
    /// S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte, A randomized scheduler with probabilistic guarantees of
    /// finding bugs, ASPLOS 2010.
    Priorities { drops: Vec<usize> },
    /// Each in its turn.
    RoundRobin,
    /// Mostly the one that moved last.
    RunOn { last: Option<ProcessId> },
    /// Any of some, the first of the order, with equal chances; others where none of these can. At a step, if there is one, those who
    /// were not among them take their place.
    Some { members: usize, change: Option<usize> },
}

/// Which process moves, or which value an input has.
pub(super) struct Schedule {
    kind: Kind,
    /// All processes. Those before `asked` have been asked in the state at hand; of those after it, priorities and turns say
    /// that the first comes next.
    order: Vec<ProcessId>,
    asked: usize,
}

impl Schedule {
    /// `kinds` has a number for each process; those that do the same have the same.
    pub fn draw(random: &mut Rng, kinds: &[usize], length: usize) -> Schedule {
        let mut order: Vec<ProcessId> = (0..kinds.len()).map(ProcessId::from).collect();
        let kind = match random.u32(..6) {
            0 => Kind::Uniform,
            1 => {
                // Where processes pass things on, the order in which they are declared is mostly that of the way.
                match random.u32(..3) {
                    0 => random.shuffle(&mut order),
                    1 => order.reverse(),
                    _ => {}
                }
                let drops = (0..random.usize(1..=MOST_DROPS)).map(|_| random.usize(..length.max(1))).collect();
                Kind::Priorities { drops }
            }
            2 => {
                random.shuffle(&mut order);
                Kind::RoundRobin
            }
            3 => Kind::RoundRobin,
            4 => Kind::RunOn { last: None },
            _ => {
                // What goes wrong mostly takes few processes, or is done by one half while the other one knows nothing of it.
                let (some, change) = match random.bool() {
                    true => (few(random, kinds), None),
                    false => (half(random, kinds), Some(random.usize(..length.max(1)))),
                };
                order.sort_by_key(|process| !some[process.index()]);
                Kind::Some { members: some.iter().filter(|is_one| **is_one).count(), change }
            }
        };
        Schedule { kind, order, asked: 0 }
    }

    /// In the state at hand, all are asked once more.
    pub fn begin(&mut self) {
        self.asked = 0;
    }

    /// The next process to ask in the state at hand; each comes once.
    pub fn next(&mut self, random: &mut Rng) -> Option<ProcessId> {
        let open = self.order.len() - self.asked;
        if open == 0 {
            return None;
        }
        let chosen = match self.kind {
            Kind::Priorities { .. } | Kind::RoundRobin => 0,
            Kind::RunOn { last: Some(last) } if self.asked == 0 && random.u32(..100) < RUNS_ON => {
                self.order.iter().position(|process| *process == last).unwrap_or(0)
            }
            Kind::Some { members, .. } if self.asked < members => random.usize(..members - self.asked),
            Kind::Uniform | Kind::RunOn { .. } | Kind::Some { .. } => random.usize(..open),
        };
        self.order.swap(self.asked, self.asked + chosen);
        self.asked += 1;
        Some(self.order[self.asked - 1])
    }

    /// A process has moved, at a step of the walk: in the next state all are asked again.
    pub fn moved(&mut self, process: ProcessId, step: usize) {
        self.begin();
        let place = self.order.iter().position(|other| *other == process).unwrap_or(0);
        match &mut self.kind {
            Kind::Uniform => {}
            Kind::Priorities { drops } => {
                if drops.contains(&step) {
                    self.order[place..].rotate_left(1);
                }
            }
            Kind::RoundRobin => self.order.rotate_left(place + 1),
            Kind::RunOn { last } => *last = Some(process),
            Kind::Some { members, change } => {
                if *change == Some(step) {
                    self.order.rotate_left(*members);
                    *members = self.order.len() - *members;
                }
            }
        }
    }
}

/// Of each kind of processes a few neighbours, or all.
fn few(random: &mut Rng, kinds: &[usize]) -> Vec<bool> {
    neighbours(kinds, |all| {
        let count = if random.u32(..3) == 0 { all } else { random.usize(1..=MOST_OF_FEW).min(all) };
        (random.usize(..all), count)
    })
}

/// Of each kind of processes the first half, or the second; of one that has an odd number, with the one in the middle or without.
fn half(random: &mut Rng, kinds: &[usize]) -> Vec<bool> {
    neighbours(kinds, |all| {
        let count = (all + usize::from(random.bool())) / 2;
        if random.bool() { (0, count) } else { (count, all - count) }
    })
}

/// Chooses neighbours of each kind: given how many processes a kind has, `draw` says which is the first one chosen, and how many are.
fn neighbours(kinds: &[usize], mut draw: impl FnMut(usize) -> (usize, usize)) -> Vec<bool> {
    let mut chosen = vec![false; kinds.len()];
    let different: BTreeSet<usize> = kinds.iter().copied().collect();
    for kind in different {
        let alike: Vec<usize> = (0..kinds.len()).filter(|process| kinds[*process] == kind).collect();
        let (first, count) = draw(alike.len());
        (first..first + count).for_each(|place| chosen[alike[place % alike.len()]] = true);
    }
    chosen
}

/// Which of its steps a process makes.
enum Data {
    /// Any, with equal chances.
    Uniform,
    /// A process makes the same decision whenever it comes to a control point, but for a few times in a hundred.
    Alike { salt: u64, noise: u32 },
    /// All processes make the same decision at a control point, but for a few times in a hundred.
    AllAlike { salt: u64, noise: u32 },
    /// The same, but a few processes make decisions of their own.
    Deviants { salt: u64, noise: u32, deviants: Vec<ProcessId> },
}

impl Data {
    fn draw(random: &mut Rng, processes: usize) -> Data {
        let (salt, noise) = (random.u64(..), NOISE[random.usize(..NOISE.len())]);
        match random.u32(..4) {
            0 => Data::Uniform,
            1 => Data::Alike { salt, noise },
            2 => Data::AllAlike { salt, noise },
            _ => {
                let count = random.usize(1..=MOST_DEVIANTS);
                let deviants = (0..count).map(|_| ProcessId::from(random.usize(..processes))).collect();
                Data::Deviants { salt, noise, deviants }
            }
        }
    }

    fn choose(&self, process: ProcessId, point: Option<PointId>, options: usize, random: &mut Rng) -> usize {
        let (salt, noise, is_its_own) = match self {
            Data::Uniform => return random.usize(..options),
            Data::Alike { salt, noise } => (salt, noise, true),
            Data::AllAlike { salt, noise } => (salt, noise, false),
            Data::Deviants { salt, noise, deviants } => (salt, noise, deviants.contains(&process)),
        };
        match is_its_own {
            _ if random.u32(..100) < *noise => random.usize(..options),
            true => decision((salt, process, point, options), options),
            false => decision((salt, point, options), options),
        }
    }
}

/// One of the options, always the same one for the same reason.
fn decision(reason: impl Hash, options: usize) -> usize {
    let mut hasher = FxHasher::default();
    reason.hash(&mut hasher);
    Rng::with_seed(hasher.finish()).usize(..options)
}

/// Where a process is: the control point, and how many there are. Processes that do the same have as many.
#[derive(Clone, Copy, Hash)]
pub(super) struct Place {
    pub points: usize,
    pub point: PointId,
}

/// Control points where processes linger: they move on only when no other process can. What several processes may do there
/// one at a time, such as writing what they have read before, they then do in a row.
struct Lingering {
    salt: u64,
    /// The processes that linger in the state at hand.
    postponed: VecDeque<ProcessId>,
}

/// A schedule and a data policy.
pub(super) struct Policy {
    schedule: Schedule,
    data: Data,
    lingering: Option<Lingering>,
}

impl Policy {
    /// One for a walk of at most this length. `kinds` has a number for each process; those that do the same have the same.
    pub fn draw(random: &mut Rng, kinds: &[usize], length: usize) -> Policy {
        let (schedule, data) = (Schedule::draw(random, kinds, length), Data::draw(random, kinds.len()));
        let lingering = random.bool().then(|| Lingering { salt: random.u64(..), postponed: VecDeque::new() });
        Policy { schedule, data, lingering }
    }

    /// The next process to ask in the state at hand; each comes once. `place` says where a process is.
    pub fn next(&mut self, random: &mut Rng, place: impl Fn(ProcessId) -> Option<Place>) -> Option<ProcessId> {
        let Some(lingering) = &mut self.lingering else { return self.schedule.next(random) };
        while let Some(process) = self.schedule.next(random) {
            let lingers = place(process).is_some_and(|place| decision((lingering.salt, place), LINGERING) == 0);
            match lingers {
                true => lingering.postponed.push_back(process),
                false => return Some(process),
            }
        }
        lingering.postponed.pop_front()
    }

    /// Which of its steps the process makes at a control point.
    pub fn option(&self, process: ProcessId, point: Option<PointId>, options: usize, random: &mut Rng) -> usize {
        if options == 1 { 0 } else { self.data.choose(process, point, options, random) }
    }

    /// A process has moved, at a step of the walk.
    pub fn moved(&mut self, process: ProcessId, step: usize) {
        self.schedule.moved(process, step);
        if let Some(lingering) = &mut self.lingering {
            lingering.postponed.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(kind: Kind) -> Schedule {
        Schedule { kind, order: (0..4).map(ProcessId::from).collect(), asked: 0 }
    }

    /// Who is asked in one state.
    fn asked(schedule: &mut Schedule) -> Vec<usize> {
        let mut random = Rng::with_seed(7);
        std::iter::from_fn(|| schedule.next(&mut random)).map(ProcessId::index).collect()
    }

    #[test]
    fn every_schedule_asks_every_process_once() {
        for kind in [
            Kind::Uniform,
            Kind::RoundRobin,
            Kind::Priorities { drops: vec![0] },
            Kind::RunOn { last: None },
            Kind::Some { members: 2, change: Some(7) },
            Kind::Some { members: 0, change: None },
        ] {
            let mut schedule = schedule(kind);
            for step in 0..20 {
                let mut all = asked(&mut schedule);
                let mover = all[step % 4];
                all.sort_unstable();
                assert_eq!(all, [0, 1, 2, 3]);
                schedule.moved(ProcessId::from(mover), step);
            }
        }
    }

    #[test]
    fn turns_go_on_after_the_one_who_moved() {
        let mut schedule = schedule(Kind::RoundRobin);
        schedule.moved(ProcessId::from(1_usize), 0);
        assert_eq!(asked(&mut schedule), [2, 3, 0, 1]);
    }

    #[test]
    fn some_come_before_others_until_these_take_their_place() {
        let mut schedule = schedule(Kind::Some { members: 1, change: Some(9) });
        for step in 0..20 {
            let all = asked(&mut schedule);
            let place = all.iter().position(|process| *process == 0);
            assert_eq!(place, Some(if step < 10 { 0 } else { 3 }), "{all:?}");
            schedule.moved(ProcessId::from(all[step % 4]), step);
        }
    }

    #[test]
    fn some_of_each_kind_are_chosen() {
        let kinds = [7, 7, 7, 7, 7, 7, 7, 7, 3, 3];
        let mut random = Rng::with_seed(5);
        for _ in 0..100 {
            let chosen = few(&mut random, &kinds);
            assert!(chosen[..8].contains(&true) && chosen[8..].contains(&true), "{chosen:?}");
            let chosen = half(&mut random, &kinds);
            assert!(chosen[..4].iter().all(|is_one| *is_one != chosen[4]) && chosen[8] != chosen[9], "{chosen:?}");
        }
    }

    #[test]
    fn priorities_drop_at_their_steps_only() {
        let mut schedule = schedule(Kind::Priorities { drops: vec![1] });
        schedule.moved(ProcessId::from(0_usize), 0);
        assert_eq!(asked(&mut schedule), [0, 1, 2, 3]);
        schedule.moved(ProcessId::from(0_usize), 1);
        assert_eq!(asked(&mut schedule), [1, 2, 3, 0]);
    }

    #[test]
    fn those_who_linger_come_last_and_each_comes_once() {
        let mut random = Rng::with_seed(3);
        let mut lingered = 0;
        for _ in 0..100 {
            let mut policy = Policy::draw(&mut random, &[4; 12], 10);
            let place = |process: ProcessId| Some(Place { points: 4, point: PointId::from(process.index() % 4) });
            let mut asked: Vec<usize> =
                std::iter::from_fn(|| policy.next(&mut random, place)).map(ProcessId::index).collect();
            if let Some(Lingering { salt, .. }) = policy.lingering {
                let lingers = |process: &usize| {
                    place(ProcessId::from(*process)).is_some_and(|place| decision((salt, place), LINGERING) == 0)
                };
                assert!(asked.iter().skip_while(|process| !lingers(process)).all(lingers), "{asked:?}");
                lingered += asked.iter().filter(|process| lingers(process)).count();
            }
            asked.sort_unstable();
            assert_eq!(asked, Vec::from_iter(0..12));
        }
        assert!(lingered > 0);
    }
}
