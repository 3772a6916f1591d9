//! What a walk decides by: a schedule says which process moves, a data policy which of its steps the process makes.
//!
//! Uniform choices seldom meet a bug that needs one process to run far ahead, or all processes to decide alike. So each
//! walk draws a policy of its own, and many walks try many.

use fastrand::Rng;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use system::{PointId, ProcessId};

/// With how many percent the process that moved last goes on, in a walk that runs on.
const RUNS_ON: u32 = 90;

/// The most times that a process loses its priority during a walk.
const MOST_DROPS: usize = 5;

/// Which process moves.
enum Schedule {
    /// Any, with equal chances.
    Uniform,
    /// The one with the highest priority. At a few random steps it becomes the one with the lowest: S. Burckhardt,
    /// P. Kothari, M. Musuvathi, S. Nagarakatte, A randomized scheduler with probabilistic guarantees of finding bugs,
    /// ASPLOS 2010.
    Priorities { ranks: Vec<i64>, drops: Vec<usize>, lowest: i64 },
    /// Each in its turn.
    RoundRobin { places: Vec<usize>, last: usize },
    /// Mostly the one that moved last.
    RunOn { last: Option<ProcessId> },
}

impl Schedule {
    fn draw(random: &mut Rng, processes: usize, length: usize) -> Schedule {
        match random.u32(..5) {
            0 => Schedule::Uniform,
            1 => {
                let mut ranks: Vec<i64> = (0..processes as i64).collect();
                random.shuffle(&mut ranks);
                let drops = (0..random.usize(1..=MOST_DROPS)).map(|_| random.usize(..length.max(1))).collect();
                Schedule::Priorities { ranks, drops, lowest: 0 }
            }
            2 => {
                let mut places: Vec<usize> = (0..processes).collect();
                random.shuffle(&mut places);
                Schedule::RoundRobin { places, last: processes - 1 }
            }
            3 => Schedule::RoundRobin { places: (0..processes).collect(), last: processes - 1 },
            _ => Schedule::RunOn { last: None },
        }
    }

    /// The position of the next process among those that can move.
    fn choose(&mut self, able: &[ProcessId], step: usize, random: &mut Rng) -> usize {
        match self {
            Schedule::Uniform => random.usize(..able.len()),
            Schedule::Priorities { ranks, drops, lowest } => {
                if drops.contains(&step) {
                    *lowest -= 1;
                    let dropped = able[highest(ranks, able)];
                    ranks[dropped.index()] = *lowest;
                }
                highest(ranks, able)
            }
            Schedule::RoundRobin { places, last } => {
                let all = places.len();
                let wait = |process: &ProcessId| (places[process.index()] + all - 1 - *last) % all;
                let chosen = (0..able.len()).min_by_key(|index| wait(&able[*index])).unwrap_or(0);
                *last = places[able[chosen].index()];
                chosen
            }
            Schedule::RunOn { last } => {
                let again = last.and_then(|last| able.iter().position(|process| *process == last));
                let chosen = match again {
                    Some(again) if random.u32(..100) < RUNS_ON => again,
                    _ => random.usize(..able.len()),
                };
                *last = Some(able[chosen]);
                chosen
            }
        }
    }
}

fn highest(ranks: &[i64], able: &[ProcessId]) -> usize {
    (0..able.len()).max_by_key(|index| ranks[able[*index].index()]).unwrap_or(0)
}

/// Which of its steps a process makes.
enum Data {
    /// Any, with equal chances.
    Uniform,
    /// A process makes the same decision whenever it comes to a control point.
    Alike { salt: u64 },
    /// All processes make the same decision at a control point, but for one time in a hundred or a few more.
    AllAlike { salt: u64, noise: u32 },
}

impl Data {
    fn draw(random: &mut Rng) -> Data {
        match random.u32(..3) {
            0 => Data::Uniform,
            1 => Data::Alike { salt: random.u64(..) },
            _ => Data::AllAlike { salt: random.u64(..), noise: random.u32(3..=5) },
        }
    }

    fn choose(&self, process: ProcessId, point: Option<PointId>, options: usize, random: &mut Rng) -> usize {
        match self {
            Data::AllAlike { salt, noise } if random.u32(..100) >= *noise => decision((salt, point, options), options),
            Data::Alike { salt } => decision((salt, process, point, options), options),
            Data::Uniform | Data::AllAlike { .. } => random.usize(..options),
        }
    }
}

/// One of the options, always the same one for the same reason.
fn decision(reason: impl Hash, options: usize) -> usize {
    let mut hasher = FxHasher::default();
    reason.hash(&mut hasher);
    Rng::with_seed(hasher.finish()).usize(..options)
}

/// A schedule and a data policy.
pub(super) struct Policy {
    schedule: Schedule,
    data: Data,
}

impl Policy {
    /// One for a walk of at most this length.
    pub fn draw(random: &mut Rng, processes: usize, length: usize) -> Policy {
        Policy { schedule: Schedule::draw(random, processes, length), data: Data::draw(random) }
    }

    /// The position of the next process among those that can move.
    pub fn process(&mut self, able: &[ProcessId], step: usize, random: &mut Rng) -> usize {
        self.schedule.choose(able, step, random)
    }

    /// Which of its steps the process makes at a control point.
    pub fn option(&self, process: ProcessId, point: Option<PointId>, options: usize, random: &mut Rng) -> usize {
        self.data.choose(process, point, options, random)
    }
}
