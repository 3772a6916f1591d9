//! Runs that have come nearest to what walks aim at. Other walks go on from their ends.
//!
//! What takes several unlikely things one after the other is hardly ever met by walks that all begin at the beginning: the chances of
//! the single things multiply. Where each of them brings a walk nearer to what it aims at, runs that have come nearer are kept, and what is
//! left takes the chance of one thing at a time. That is multilevel splitting (P. Glasserman, P. Heidelberger, P. Shahabuddin, T. Zajic,
//! Multilevel splitting for estimating rare event probabilities, Operations Research 47, 1999). Where what seems near is a dead end, it is
//! lost work: so only some walks go on from there, and an end from which many have set out in vain is forgotten.

use super::aim::{Distance, Wanted};
use super::run::Run;
use fastrand::Rng;
use std::collections::BTreeMap;

/// The most ways to violate invariants for which runs are kept.
const MOST_WAYS: usize = 16;
/// How many distances are kept of each, the least ones.
const MOST_LEVELS: usize = 12;
/// How many runs are kept at each distance.
const MOST_RUNS: usize = 4;
/// How many walks set out from a run in vain before it is forgotten.
const PATIENCE: u32 = 128;
/// The longest run that is kept.
const LONGEST: usize = 4096;

/// A run that is kept.
struct Kept {
    run: Run,
    /// How many walks have gone on from there.
    tried: u32,
}

/// A way to violate an invariant, and the runs that are nearest to it.
struct Way {
    wanted: Vec<Wanted>,
    /// By distance.
    levels: BTreeMap<Distance, Vec<Kept>>,
}

/// The ways that walks aim at, with runs that have come near.
#[derive(Default)]
pub(super) struct Milestones(Vec<Way>);

impl Milestones {
    /// Remembers a way; says which one it is. Where there are too many, one takes the place of another.
    pub fn way(&mut self, wanted: Vec<Wanted>, random: &mut Rng) -> usize {
        if let Some(known) = self.0.iter().position(|way| way.wanted == wanted) {
            return known;
        }
        let way = Way { wanted, levels: BTreeMap::new() };
        if self.0.len() < MOST_WAYS {
            self.0.push(way);
            return self.0.len() - 1;
        }
        let place = random.usize(..MOST_WAYS);
        self.0[place] = way;
        place
    }

    /// One of the ways that are known already.
    pub fn known(&self, random: &mut Rng) -> Option<usize> {
        (!self.0.is_empty()).then(|| random.usize(..self.0.len()))
    }

    /// What a way asks for; nothing if it has been forgotten.
    pub fn wanted(&self, way: usize) -> Option<&[Wanted]> {
        self.0.get(way).map(|way| way.wanted.as_slice())
    }

    /// A run to go on from: mostly one of the nearest.
    pub fn draw(&mut self, way: usize, random: &mut Rng) -> Option<&Run> {
        let levels = &mut self.0[way].levels;
        let nearest: Vec<Distance> = levels.keys().copied().collect();
        let level = nearest.iter().find(|_| random.bool()).or(nearest.first())?;
        let runs = levels.get_mut(level)?;
        runs.retain(|kept| kept.tried < PATIENCE);
        if runs.is_empty() {
            levels.remove(level);
            return None;
        }
        let kept = random.usize(..runs.len());
        let kept = &mut levels.get_mut(level)?[kept];
        kept.tried += 1;
        Some(&kept.run)
    }

    /// A walk has come this near. Of runs that are as near, the shorter ones are kept.
    pub fn note(&mut self, way: usize, distance: Distance, run: &Run) {
        // What a walk has aimed at is forgotten while it is under way if a property is decided.
        let Some(Way { levels, .. }) = self.0.get_mut(way).filter(|_| run.len() <= LONGEST) else { return };
        let runs = levels.entry(distance).or_default();
        if runs.iter().all(|kept| kept.run.last() != run.last() || run.len() < kept.run.len()) {
            runs.retain(|kept| kept.run.last() != run.last());
            runs.push(Kept { run: run.without_detours(), tried: 0 });
            if runs.len() > MOST_RUNS {
                let longest = (0..runs.len()).max_by_key(|place| runs[*place].run.len());
                longest.map(|place| runs.swap_remove(place));
            }
        }
        while levels.len() > MOST_LEVELS {
            levels.pop_last();
        }
    }

    /// Forgets what is about properties that are decided.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::super::aim::Goal;
    use super::*;
    use system::{CommandId, State, Step};

    fn run(numbers: &[u64]) -> Run {
        let mut run = Run::default();
        run.begin(&State([numbers[0]].into()));
        for number in &numbers[1..] {
            run.push(&Step { command: CommandId::new(0), inputs: Vec::new() }, &[*number]);
        }
        run
    }

    #[test]
    fn near_and_short_runs_are_kept_without_detours_and_forgotten_after_many_tries() {
        let (mut milestones, mut random) = (Milestones::default(), Rng::with_seed(1));
        let way = milestones.way(Vec::new(), &mut random);
        assert!(milestones.draw(way, &mut random).is_none());
        milestones.note(way, Distance::of(7), &run(&[0, 1, 2, 1, 5]));
        assert_eq!(milestones.draw(way, &mut random).map(Run::len), Some(2), "0, 1 and 5");
        for end in 10..20 {
            milestones.note(way, Distance::of(3), &run(&[0, 1, 2, 3, end]));
        }
        milestones.note(way, Distance::of(3), &run(&[0, 10]));
        let drawn: Vec<(usize, u64)> =
            (0..60).filter_map(|_| milestones.draw(way, &mut random).map(|run| (run.len(), run.last()[0]))).collect();
        assert!(drawn.contains(&(1, 10)) && !drawn.contains(&(4, 10)), "the shorter of two runs to a state: {drawn:?}");
        assert!(drawn.contains(&(2, 5)), "sometimes one that is not as near: {drawn:?}");
        for _ in 0..10 * PATIENCE {
            milestones.draw(way, &mut random);
        }
        assert!(milestones.draw(way, &mut random).is_none());
    }

    #[test]
    fn no_more_ways_are_kept_than_there_is_room_for() {
        let (mut milestones, mut random) = (Milestones::default(), Rng::with_seed(1));
        for number in 0..4 * MOST_WAYS {
            let wanted = vec![Wanted { goal: Goal::Has(system::ExprId::from(number), true), before: Vec::new() }];
            let way = milestones.way(wanted.clone(), &mut random);
            assert!(way < MOST_WAYS && milestones.wanted(way) == Some(wanted.as_slice()));
            assert_eq!(milestones.way(wanted, &mut random), way);
        }
    }
}
