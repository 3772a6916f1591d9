//! One way to check, bound by bound: typed answers, each counterexample replayed, faults and failures as in `check`.

use super::super::watch::Watch;
use crate::check::{Fault, bounds, confirm};
use crate::engine::{Attitude, Bounded, Stop};
use crate::error::Error;
use crate::observer::{Bounds, Observer, Progress};
use crate::sat::Effort;
use serde::Serialize;
use std::time::{Duration, Instant};
use system::{Machine, Slice, Trace};

/// Whether a property is violated within this many steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// No.
    Valid,
    /// Yes, in this many steps.
    Violated(usize),
    /// A counterexample of this many steps is known, which is more; whether there is a shorter one was not asked any more.
    Ahead(usize),
    /// The time was over.
    Unknown,
}

impl Answer {
    /// The word for machines.
    pub fn word(self) -> &'static str {
        match self {
            Answer::Valid => "valid",
            Answer::Violated(_) => "violated",
            Answer::Ahead(_) => "ahead",
            Answer::Unknown => "unknown",
        }
    }

    /// The length of the counterexample.
    pub fn steps(self) -> Option<usize> {
        match self {
            Answer::Violated(steps) | Answer::Ahead(steps) => Some(steps),
            Answer::Valid | Answer::Unknown => None,
        }
    }
}

/// What a column did at one bound.
#[derive(Clone, Debug, Serialize)]
pub struct Cell {
    /// The answer.
    #[serde(skip)]
    pub answer: Answer,
    /// Its word: valid, violated, ahead, or unknown when the time was over.
    pub result: &'static str,
    /// The length of the counterexample.
    pub steps: Option<usize>,
    /// How long it took.
    pub seconds: f64,
    /// Rounds of underapproximation-widening at this bound.
    pub rounds: usize,
    /// Control points that are widened at this bound.
    pub widened: usize,
    /// Conflicts of the solvers.
    pub conflicts: u64,
}

/// The model as the columns have it: the cone of influence, if that is smaller than the whole.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The whole model.
    pub whole: &'a Machine,
    /// How the cone is part of it.
    pub slice: Option<&'a Slice>,
}

impl Scene<'_> {
    /// A run of the cone, as one of the whole model.
    fn lifted(&self, trace: &Trace) -> Result<Trace, Error> {
        match self.slice {
            Some(slice) if !trace.states.is_empty() => slice
                .lift(self.whole.system(), trace)
                .ok_or_else(|| Error::bug("a run of the cone of influence is none of the whole model")),
            _ => Ok(trace.clone()),
        }
    }
}

/// One way to check, and what it did at each bound.
pub struct Column<'a> {
    pub name: &'static str,
    pub attitude: Box<dyn Attitude + 'a>,
    pub cells: Vec<Cell>,
    pub spent: Duration,
    scene: Scene<'a>,
    /// The last bound.
    last: usize,
    /// Why it has ended, once it has.
    end: Option<Stop>,
    is_late: bool,
    /// How many counterexamples have been replayed.
    confirmed: usize,
}

impl<'a> Column<'a> {
    /// A column that has begun, and may have come to an end with that.
    pub fn new(
        name: &'static str,
        (scene, last): (Scene<'a>, usize),
        attitude: Box<dyn Attitude + 'a>,
        end: Option<Stop>,
        spent: Duration,
    ) -> Column<'a> {
        Column { name, attitude, cells: Vec::new(), spent, scene, last, end, is_late: false, confirmed: 0 }
    }

    /// Whether it has nothing more to say.
    pub fn is_over(&self) -> bool {
        // One that has looked at every run knows the answer at every bound.
        let is_answered = matches!(self.cells.last(), Some(Cell { answer: Answer::Violated(_), .. }));
        self.is_late || self.end == Some(Stop::Interrupted) || self.end.is_some() && is_answered
    }

    /// Works until the bound is settled, everything is violated, or the time is over.
    pub fn advance(&mut self, bound: usize, limit: Duration, watch: &mut Watch) -> Result<(), Error> {
        if self.is_over() {
            return Ok(());
        }
        // What it took to begin belongs to the first bound.
        let begun = if self.cells.is_empty() { self.spent } else { Duration::ZERO };
        let (start, before, spent) = (Instant::now(), Count::of(self.attitude.as_ref()), self.spent);
        while !self.is_late && self.end.is_none() && self.attitude.found().bound < Some(bound) {
            let seen = Bounds { conflicts: self.attitude.work().conflicts, ..bounds(self.attitude.found(), self.last) };
            let now = Progress::Comparing { column: self.name, bounds: seen };
            let mut stop = || spent + start.elapsed() > limit || watch.see(&now).is_break();
            self.end = self.attitude.step(Effort::Unlimited, &mut stop);
            self.is_late = stop();
        }
        let elapsed = start.elapsed();
        self.spent += elapsed;
        self.confirm()?;
        let answer = answer(self.attitude.found(), bound, self.end.filter(|_| !self.is_late));
        self.cells.push(Count::of(self.attitude.as_ref()).since(&before, answer, elapsed + begun));
        Ok(())
    }

    /// Replays what is new, and ends if the model has no meaning somewhere or a solver failed.
    pub fn confirm(&mut self) -> Result<(), Error> {
        let found = self.attitude.found();
        if let Some(failure) = &found.failure {
            return Err(Error::Solver(failure.clone()));
        }
        for (property, trace) in &found.violations[self.confirmed..] {
            confirm(self.scene.whole, *property, &self.scene.lifted(trace)?)?;
        }
        self.confirmed = found.violations.len();
        Ok(())
    }

    /// Goes on with another question.
    pub fn replace(&mut self, attitude: Box<dyn Attitude + 'a>) -> Result<(), Error> {
        (self.attitude, self.confirmed) = (attitude, 0);
        self.confirm()
    }

    /// A run to where something has no meaning, if it met one.
    pub fn fault(&self) -> Result<Option<Fault>, Error> {
        let Some((failure, trace)) = &self.attitude.found().fault else { return Ok(None) };
        let properties: Vec<_> = self.scene.whole.system().properties.indices().collect();
        Fault::new(self.scene.whole, &properties, (*failure, self.scene.lifted(trace)?)).map(Some)
    }
}

/// What has been found about runs of up to this many steps, by an engine that may have come to an end.
pub fn answer(found: &Bounded, bound: usize, end: Option<Stop>) -> Answer {
    let shortest = found.violations.iter().map(|(_, trace)| trace.moves.len()).min();
    let is_complete = matches!(end, Some(Stop::NoLongerRuns | Stop::AllStates | Stop::Bound));
    match shortest {
        Some(steps) if steps <= bound => Answer::Violated(steps),
        Some(steps) => Answer::Ahead(steps),
        None if found.bound >= Some(bound) || is_complete => Answer::Valid,
        None => Answer::Unknown,
    }
}

/// What can be counted about an engine.
#[derive(Default)]
pub struct Count {
    rounds: usize,
    widened: usize,
    conflicts: u64,
}

impl Count {
    pub fn of(attitude: &dyn Attitude) -> Count {
        let found = attitude.found();
        Count { rounds: found.rounds.len(), widened: found.widened(), conflicts: attitude.work().conflicts }
    }

    pub fn since(&self, before: &Count, answer: Answer, elapsed: Duration) -> Cell {
        Cell {
            answer,
            result: answer.word(),
            steps: answer.steps(),
            seconds: elapsed.as_secs_f64(),
            rounds: self.rounds.saturating_sub(before.rounds),
            widened: self.widened,
            conflicts: self.conflicts.saturating_sub(before.conflicts),
        }
    }
}
