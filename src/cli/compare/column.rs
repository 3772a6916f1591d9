//! One way to check, and when it had the answer at each bound. The answers are those of `check`: counterexamples are
//! replayed, and faults and failures are told as there.

use super::super::net::{self, Limits};
use super::super::terminal;
use super::super::watch::Watch;
use super::timeline::{Moments, Timeline};
use crate::Error;
use crate::check::{self, Choice, Fault, Options, Procedure, Report, Runs, Unrolling, Verdict};
use crate::model::Model;
use bounded::{Strategy, Stride, Workers};
use limits::{Bounds, Budget, Ended, Observer};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

/// Whether a property is violated within a number of steps.
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

impl Cell {
    /// What happened between two moments, with the answer that was known then.
    fn new(answer: Answer, before: &Moment, now: &Moment) -> Cell {
        Cell {
            answer,
            result: answer.word(),
            steps: answer.steps(),
            seconds: now.at.saturating_sub(before.at).as_secs_f64(),
            rounds: now.bounds.rounds.saturating_sub(before.bounds.rounds),
            widened: now.bounds.widened,
            conflicts: now.bounds.conflicts.saturating_sub(before.bounds.conflicts),
        }
    }
}

/// How far a check was after some time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moment {
    /// The time since it began.
    pub at: Duration,
    /// How far it was.
    pub bounds: Bounds,
}

/// A way to check.
#[derive(Clone)]
pub struct Way {
    pub name: &'static str,
    engine: Choice,
    unrolling: Unrolling,
}

impl Way {
    /// A procedure that works alone.
    fn alone(name: &'static str, strategy: Strategy) -> Way {
        let unrolling = Unrolling { widening: Procedure::Alone(strategy), ..Unrolling::default() };
        Way { name, engine: Choice::Widening, unrolling }
    }

    /// The ways that are compared. The race has no question about runs of exactly this many steps.
    pub fn all(runs: Runs) -> Vec<Way> {
        // Each bound has a row of its own.
        let plain = Strategy { stride: Stride::One, ..Strategy::plain() };
        let mut ways = vec![
            Way::alone("BMC", plain),
            Way::alone("BMC, scheduling", Strategy::pruned()),
            Way::alone("paper's UW", Strategy::paper()),
            Way::alone("UW alone", Strategy { stride: Stride::One, ..Strategy::widening() }),
        ];
        if runs == Runs::UpTo {
            let widening = Procedure::Team(Workers::default());
            let unrolling = Unrolling { widening, ..Unrolling::default() };
            ways.push(Way { name: "default", engine: Choice::Auto, unrolling });
        }
        ways
    }

    /// The options of `check` for it.
    fn options(&self, common: &Options, runs: Runs) -> Options {
        let solver = common.unrolling.solver.clone();
        let unrolling = Unrolling { solver, runs, ..self.unrolling.clone() };
        Options { engine: self.engine, unrolling, ..common.clone() }
    }
}

/// The question to every column.
pub struct Asked<'a> {
    pub model: &'a Arc<Model>,
    /// The greatest bound.
    pub bound: usize,
    /// What all columns have in common.
    pub options: &'a Options,
}

/// One way to check, and what it did at each bound.
pub struct Column {
    pub name: &'static str,
    /// How many control points it can restrict.
    pub points: usize,
    pub cells: Vec<Cell>,
    pub spent: Duration,
    /// A run to where something has no meaning, if it met one.
    pub fault: Option<Fault>,
    /// Why it was left alone, if it did not end when it had to.
    pub left_alone: Option<Ended>,
}

impl Column {
    /// Checks up to a bound, and reads off when each bound before it had its answer.
    pub fn up_to(way: &Way, asked: &Asked<'_>, watch: &mut Watch) -> Result<Column, Error> {
        let bound = asked.bound;
        let options = way.options(asked.options, Runs::UpTo).bound(bound);
        let Ran { moments, report, left_alone } = run(way, options, asked.model, watch)?;
        let spent = moments.last().map_or(Duration::ZERO, |moment| moment.at);
        Ok(Column {
            name: way.name,
            points: report.as_ref().map_or(0, |report| report.cost.points),
            cells: cells(&moments, bound, report.as_ref().is_some_and(is_decided)),
            spent,
            fault: report.and_then(|report| report.faults.into_iter().next()),
            left_alone,
        })
    }

    /// Asks about runs of exactly this many steps for each bound, each from the beginning: Table 1 of the paper.
    pub fn exactly(way: &Way, asked: &Asked<'_>, watch: &mut Watch) -> Result<Column, Error> {
        let mut column = Column::new(way.name);
        for bound in 0..=asked.bound {
            let options = way.options(asked.options, Runs::Exactly).bound(bound);
            let Ran { moments, report, left_alone } = run(way, options, asked.model, watch)?;
            let end = moments.last().copied().unwrap_or_default();
            let is_late = watch.why().is_some() || asked.options.timeout.is_some_and(|timeout| end.at > timeout);
            let answer = match end.bounds.shortest {
                Some(steps) => Answer::Violated(steps),
                None if is_late || left_alone.is_some() => Answer::Unknown,
                None => Answer::Valid,
            };
            column.spent += end.at;
            column.cells.push(Cell::new(answer, &Moment::default(), &end));
            column.left_alone = left_alone;
            if let Some(report) = report {
                column.points = report.cost.points;
                column.fault = report.faults.into_iter().next();
            }
            if column.fault.is_some() || column.left_alone.is_some() || watch.why().is_some() {
                break;
            }
        }
        Ok(column)
    }

    /// One that has done nothing so far.
    fn new(name: &'static str) -> Column {
        Column { name, points: 0, cells: Vec::new(), spent: Duration::ZERO, fault: None, left_alone: None }
    }
}

/// What came of a check.
struct Ran {
    moments: Vec<Moment>,
    /// What it found, unless it was left alone.
    report: Option<Report>,
    left_alone: Option<Ended>,
}

/// Checks, under a net.
fn run(way: &Way, options: Options, model: &Arc<Model>, watch: &mut Watch) -> Result<Ran, Error> {
    let budget = Budget::new(options.timeout, watch.interrupt());
    let limits = Limits { budget: budget.clone(), memory: options.memory as u64 };
    let (name, seen) = (way.name, Moments::default());
    let (mut line, model, moments) = (watch.again(), Arc::clone(model), seen.clone());
    let ran = net::under(&limits, move |_| {
        let mut timeline = Timeline::new(name, &mut line, moments);
        let report = check::check(&model, &options, &mut timeline)?;
        Ok(Ran { moments: timeline.end(&report), report: Some(report), left_alone: None })
    });
    ran.unwrap_or_else(|why| {
        terminal::clear_line();
        Ok(Ran { moments: seen.until(budget.elapsed()), report: None, left_alone: Some(why) })
    })
}

/// Whether nothing was left open.
fn is_decided(report: &Report) -> bool {
    !report.properties.iter().any(|property| matches!(property.verdict, Verdict::Unknown(_)))
}

/// What was known at each bound: as soon as it was settled, or else in the end.
fn cells(moments: &[Moment], bound: usize, is_decided: bool) -> Vec<Cell> {
    let end = moments.last().copied().unwrap_or_default();
    let mut cells: Vec<Cell> = Vec::new();
    let mut before = Moment::default();
    for bound in 0..=bound {
        let settled = moments.iter().find(|moment| moment.bounds.settled >= Some(bound));
        let now = settled.copied().unwrap_or(end);
        let answer = match now.bounds.shortest {
            Some(steps) if steps <= bound => Answer::Violated(steps),
            Some(steps) => Answer::Ahead(steps),
            None if settled.is_some() || is_decided => Answer::Valid,
            None => Answer::Unknown,
        };
        cells.push(Cell::new(answer, &before, &now));
        let is_last = matches!(answer, Answer::Violated(_) | Answer::Unknown);
        if settled.is_none() && is_last {
            break;
        }
        before = now;
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(milliseconds: u64, settled: Option<usize>, shortest: Option<usize>) -> Moment {
        Moment { at: Duration::from_millis(milliseconds), bounds: Bounds { settled, shortest, ..Bounds::default() } }
    }

    fn answers(cells: &[Cell]) -> Vec<(Answer, f64)> {
        cells.iter().map(|cell| (cell.answer, cell.seconds)).collect()
    }

    #[test]
    fn a_bound_has_its_answer_when_it_is_settled() {
        let moments = [moment(1, None, None), moment(3, Some(0), None), moment(7, Some(2), None)];
        let valid = [(Answer::Valid, 0.003), (Answer::Valid, 0.004), (Answer::Valid, 0.0)];
        assert_eq!(answers(&cells(&moments, 2, true)), valid);
        let mut late = valid.to_vec();
        late.push((Answer::Unknown, 0.0));
        assert_eq!(answers(&cells(&moments, 5, false)), late);
    }

    #[test]
    fn a_counterexample_beyond_the_bound_is_ahead_of_it() {
        let moments = [moment(2, Some(0), None), moment(5, Some(0), Some(3))];
        let ahead =
            [(Answer::Valid, 0.002), (Answer::Ahead(3), 0.003), (Answer::Ahead(3), 0.0), (Answer::Violated(3), 0.0)];
        assert_eq!(answers(&cells(&moments, 9, true)), ahead);
    }
}
