//! When a check came how far.

use super::super::watch::Watch;
use super::column::Moment;
use crate::check::{Report, Verdict};
use limits::{Bounds, Ended, Interrupt, Observer, Progress};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The moments at which something changed, for another thread to read.
#[derive(Clone, Default)]
pub struct Moments(Arc<Mutex<Vec<Moment>>>);

impl Moments {
    /// Those so far, and the end, after this time.
    pub fn until(&self, end: Duration) -> Vec<Moment> {
        let mut moments = self.change(|moments| moments.clone());
        let bounds = moments.last().map_or(Bounds::default(), |moment| moment.bounds);
        moments.push(Moment { at: end, bounds });
        moments
    }

    fn change<T>(&self, change: impl FnOnce(&mut Vec<Moment>) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Writes down when bounds were settled and counterexamples became known, and lets the watch of the command decide whether
/// the work goes on.
pub struct Timeline<'a> {
    column: &'static str,
    watch: &'a mut Watch,
    start: Instant,
    moments: Moments,
    last: Moment,
}

impl<'a> Timeline<'a> {
    /// Begins now.
    pub fn new(column: &'static str, watch: &'a mut Watch, moments: Moments) -> Timeline<'a> {
        Timeline { column, watch, start: Instant::now(), moments, last: Moment::default() }
    }

    /// The moments at which something changed, and the end, when this was found.
    pub fn end(self, found: &Report) -> Vec<Moment> {
        let lengths = found.properties.iter().filter_map(|property| match &property.verdict {
            Verdict::Violated(trace) => Some(trace.moves.len()),
            _ => None,
        });
        let bounds = Bounds { shortest: lengths.min(), ..self.last.bounds };
        let mut moments = self.moments.change(|moments| moments.clone());
        moments.push(Moment { at: self.start.elapsed(), bounds });
        moments
    }
}

impl Observer for Timeline<'_> {
    fn see(&mut self, now: &Progress) -> ControlFlow<()> {
        let Progress::Bounds(bounds) = now.clone() else { return self.watch.see(now) };
        let moment = Moment { at: self.start.elapsed(), bounds };
        // A search that begins anew takes back what it said.
        if bounds.settled < self.last.bounds.settled || bounds.shortest.is_none() && self.last.bounds.shortest.is_some()
        {
            self.moments.change(Vec::clear);
        }
        if known(&moment) != known(&self.last) {
            self.moments.change(|moments| moments.push(moment));
        }
        self.last = moment;
        self.watch.see(&Progress::Comparing { column: self.column, bounds })
    }

    fn interrupt(&self) -> Interrupt {
        self.watch.interrupt()
    }

    fn why(&self) -> Option<Ended> {
        self.watch.why()
    }
}

fn known(moment: &Moment) -> (Option<usize>, Option<usize>) {
    (moment.bounds.settled, moment.bounds.shortest)
}
