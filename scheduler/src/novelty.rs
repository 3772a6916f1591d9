//! Runs that go on where others showed something new.
//!
//! Chance alone hardly ever meets a bug that needs five interruptions, each at the right place. On the way to such a bug,
//! objects are used in orders in which they were not used before. A run in which that happens is kept; others repeat
//! its beginning and go on by chance, so that one rare order leads to the next. What counts as new is as in
//! \[RFF\]: by which operations of the program an object was used last, not by which threads.

use crate::plan::{Choice, Plan};
use crate::record::{Record, Step};
use operations::region::Policy;
use operations::{Class, Flags, Key, Lane};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};

/// As many uses of an object in a row are looked at.
const IN_A_ROW: usize = 3;
/// As many runs are kept; the oldest ones go first.
const MOST_KEPT: usize = 1024;
/// Nothing is new any more after as many orders.
const MOST_SEEN: usize = 1 << 21;
/// The latest of as many kept runs is gone on with.
const CANDIDATES: usize = 4;
/// One run of as many begins by chance, too.
const AFRESH: usize = 10;

/// The beginning of a run up to the last step that showed something new.
#[derive(Clone, Debug)]
struct Kept {
    tape: Vec<Choice>,
    /// The steps that did.
    news: Vec<usize>,
}

/// What has been seen, and the runs that showed it first.
#[derive(Clone, Debug, Default)]
pub struct Novelty {
    seen: FxHashSet<u64>,
    kept: VecDeque<Kept>,
}

impl Novelty {
    /// Keeps a run if it shows something new; whether it does.
    pub fn learn(&mut self, record: &Record) -> bool {
        if self.seen.len() > MOST_SEEN {
            return false;
        }
        let orders = orders(&record.steps);
        let is_new = |(step, order): (usize, u64)| self.seen.insert(order).then_some(step);
        let news: Vec<usize> = orders.into_iter().enumerate().filter_map(is_new).collect();
        let Some(last) = news.last() else { return false };
        let tape = record.steps[..=*last].iter().map(Step::choice).collect();
        if self.kept.len() == MOST_KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back(Kept { tape, news });
        true
    }

    /// A run that repeats the beginning of one that was kept, and goes on by chance.
    pub fn plan(&self, random: &mut fastrand::Rng, depth: usize) -> Plan {
        let tape = self.beginning(random);
        let policy = if random.bool() { Policy::Random } else { Policy::Sampling };
        Plan { branch: tape.len(), tape, policy, seed: random.u64(..), is_lenient: true, ..Plan::free(depth) }
    }

    /// Up to a step that showed something new, or up to anywhere before it.
    fn beginning(&self, random: &mut fastrand::Rng) -> Vec<Choice> {
        if self.kept.is_empty() || random.usize(..AFRESH) == 0 {
            return Vec::new();
        }
        let latest = (0..CANDIDATES).map(|_| random.usize(..self.kept.len())).max().unwrap_or(0);
        let kept = &self.kept[latest];
        let end = kept.news[random.usize(..kept.news.len())] + 1;
        let end = if random.bool() { end } else { random.usize(..=end) };
        kept.tape[..end].to_vec()
    }
}

/// The last use of an object that comes before another.
#[derive(Clone, Copy, Hash)]
struct Use {
    lane: Lane,
    caller: u64,
    did_exchange: bool,
}

/// For each step, a number that stands for the object and how it was used last.
fn orders(steps: &[Step]) -> Vec<u64> {
    let mut uses: FxHashMap<(Class, Key), [Option<Use>; IN_A_ROW]> = FxHashMap::default();
    steps
        .iter()
        .map(|step| {
            let op = &step.event.op;
            let object = (op.class(), op.key);
            let last = uses.entry(object).or_default();
            last.rotate_right(1);
            let did_exchange = op.flags.has(Flags::COMPARES) && step.event.result != 0;
            last[0] = Some(Use { lane: step.event.lane, caller: step.caller, did_exchange });
            number(object, last)
        })
        .collect()
}

/// Threads count only as being the last one or not: what one of a hundred can do, all can.
fn number(object: (Class, Key), last: &[Option<Use>; IN_A_ROW]) -> u64 {
    let mut hasher = FxHasher::default();
    object.hash(&mut hasher);
    let me = last[0].map(|last| last.lane);
    for used in last.iter().flatten() {
        (Some(used.lane) == me, used.caller, used.did_exchange).hash(&mut hasher);
    }
    hasher.finish()
}
