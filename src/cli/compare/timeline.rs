//! When a check came how far.

use super::super::watch::Watch;
use super::column::Moment;
use crate::check::{Report, Verdict};
use limits::{Bounds, Ended, Interrupt, Observer, Progress};
use std::ops::ControlFlow;
use std::time::Instant;

/// Writes down when bounds were settled and counterexamples became known, and lets the watch of the command decide whether
/// the work goes on.
pub struct Timeline<'a> {
    column: &'static str,
    watch: &'a mut Watch,
    start: Instant,
    moments: Vec<Moment>,
    last: Moment,
}

impl<'a> Timeline<'a> {
    /// Begins now.
    pub fn new(column: &'static str, watch: &'a mut Watch) -> Timeline<'a> {
        Timeline { column, watch, start: Instant::now(), moments: Vec::new(), last: Moment::default() }
    }

    /// The moments at which something changed, and the end, when this was found.
    pub fn end(mut self, found: &Report) -> Vec<Moment> {
        let lengths = found.properties.iter().filter_map(|property| match &property.verdict {
            Verdict::Violated(trace) => Some(trace.moves.len()),
            _ => None,
        });
        let bounds = Bounds { shortest: lengths.min(), ..self.last.bounds };
        self.moments.push(Moment { at: self.start.elapsed(), bounds });
        self.moments
    }
}

impl Observer for Timeline<'_> {
    fn see(&mut self, now: &Progress) -> ControlFlow<()> {
        let Progress::Bounds(bounds) = now.clone() else { return self.watch.see(now) };
        let known = |moment: &Moment| (moment.bounds.settled, moment.bounds.shortest);
        let moment = Moment { at: self.start.elapsed(), bounds };
        // A search that begins anew takes back what it said.
        if bounds.settled < self.last.bounds.settled || bounds.shortest.is_none() && self.last.bounds.shortest.is_some()
        {
            self.moments.clear();
        }
        if known(&moment) != known(&self.last) {
            self.moments.push(moment);
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
