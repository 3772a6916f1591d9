//! The one handle that a search is given: limits, interruption and progress.

use super::options::Options;
use limits::Budget;
use limits::{Observer, Progress};
use std::ops::ControlFlow;
use std::time::Duration;
use system::Alarm;

/// Whether the work may go on, and who is told about it.
pub struct Handle<'a> {
    budget: Budget,
    observer: &'a mut dyn Observer,
    /// Why the work has to end, once it has to.
    why: Option<&'static str>,
}

impl<'a> Handle<'a> {
    /// Begins now, with the limits of the options.
    pub fn new(options: &Options, observer: &'a mut dyn Observer) -> Handle<'a> {
        Handle { budget: Budget::new(options.timeout, observer.interrupt()), observer, why: None }
    }

    /// Tells how far the work is. `Break` ends it at the next occasion.
    pub fn see(&mut self, now: &Progress<'_>) -> ControlFlow<()> {
        let observed = self.observer.see(now);
        let ended = || observed.is_break().then(|| self.observer.why().unwrap_or("interrupted"));
        self.why = self.budget.reason().or_else(ended);
        if self.why.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Why the work had to end, if it had to.
    pub fn why(&self) -> Option<&'static str> {
        self.why.or_else(|| self.budget.reason())
    }

    /// From now on the work also has to end when the process takes more than this.
    pub fn limit_memory(&mut self, bytes: u64) {
        self.budget.limit_memory(bytes);
    }

    /// What tells other threads, and work that cannot report how far it is, that the run has to end.
    pub fn alarm(&self, memory: usize) -> Alarm {
        self.budget.alarm(memory)
    }

    /// How long the run has taken.
    pub fn elapsed(&self) -> Duration {
        self.budget.elapsed()
    }
}
