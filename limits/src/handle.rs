//! The one handle that work is given: time, memory, interruption and progress.

use crate::budget::{Budget, Ended, Interrupt};
use crate::observer::{Observer, Progress};
use std::cell::Cell;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::Duration;
use system::Alarm;

/// What a piece of work may take before it has to give way to another one, counted in work and not in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// This many states.
    pub states: usize,
    /// How often those who choose values, or make nodes, may ask whether to go on.
    pub looks: u32,
    /// How often it may tell how far it is.
    pub reports: u32,
}

/// All of it.
impl Default for Patience {
    fn default() -> Patience {
        Patience { states: usize::MAX, looks: u32::MAX, reports: u32::MAX }
    }
}

impl Patience {
    /// With about this many states.
    pub fn of_states(states: usize) -> Patience {
        Patience { states, ..Patience::default() }
    }
}

/// Whether the work may go on, and who is told about it.
#[derive(Default)]
pub struct Handle<'a> {
    budget: Budget,
    observer: Option<&'a mut dyn Observer>,
    patience: Patience,
    /// Ends this part of the work, whatever else there is to do.
    until: Option<Interrupt>,
    /// How often it was told how far the work is.
    reports: u32,
    /// How far the work was when that was last told.
    last: Option<Progress>,
    /// Why all of the work has to end, once it has to.
    ended: Rc<Cell<Option<Ended>>>,
}

impl<'a> Handle<'a> {
    /// Begins now, with a limit on the time and on the bytes of memory.
    pub fn new(timeout: Option<Duration>, memory: usize, observer: &'a mut dyn Observer) -> Handle<'a> {
        let budget = Budget::new(timeout, observer.interrupt()).with_memory(memory as u64);
        Handle { budget, observer: Some(observer), ..Handle::default() }
    }

    /// The handle of a part of the work, which also ends when its patience does.
    pub fn patient(&mut self, patience: Patience) -> Handle<'_> {
        let patience = Patience {
            states: self.patience.states.min(patience.states),
            looks: self.patience.looks.min(patience.looks),
            reports: self.patience.reports.min(patience.reports),
        };
        Handle { patience, ..self.part() }
    }

    /// The handle of a part of the work, which also ends when a flag is raised.
    pub fn until(&mut self, flag: Interrupt) -> Handle<'_> {
        Handle { until: Some(flag), ..self.part() }
    }

    fn part(&mut self) -> Handle<'_> {
        let observer = self.observer.as_mut().map(|observer| &mut **observer as &mut dyn Observer);
        Handle {
            budget: self.budget.clone(),
            observer,
            patience: self.patience,
            until: self.until.clone(),
            reports: 0,
            last: self.last.clone(),
            ended: Rc::clone(&self.ended),
        }
    }

    /// Tells how far the work is. `Break` ends it at the next occasion.
    pub fn see(&mut self, now: Progress) -> ControlFlow<()> {
        self.reports = self.reports.saturating_add(1);
        let is_large = matches!(now, Progress::States { states, .. } if states > self.patience.states);
        let is_patient = !is_large && self.reports <= self.patience.reports;
        let observed = self.observe(&now);
        self.last = Some(now);
        let is_wanted = !self.until.as_ref().is_some_and(Interrupt::is_raised);
        if observed.is_none() && is_patient && is_wanted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Why all of the work has to end, after telling how far it is.
    fn observe(&mut self, now: &Progress) -> Option<Ended> {
        let mut ended = None;
        if let Some(observer) = &mut self.observer
            && observer.see(now).is_break()
        {
            ended = Some(observer.why().unwrap_or(Ended::Interrupted));
        }
        let ended = self.budget.reason().or(ended);
        self.ended.set(ended);
        ended
    }

    /// Whether the work has to end. Those who watch see that it is as far as before.
    pub fn is_over(&mut self) -> bool {
        match self.last.take() {
            Some(last) => self.see(last).is_break(),
            None => self.why().is_some() || self.until.as_ref().is_some_and(Interrupt::is_raised),
        }
    }

    /// Why all of the work had to end, if it had to.
    pub fn why(&self) -> Option<Ended> {
        self.ended.get().or_else(|| self.budget.reason())
    }

    /// From now on the work also has to end when the process takes more than its bytes of memory: those who store states
    /// count them, others do not.
    pub fn limit_memory(&mut self) {
        self.budget.watch_memory();
    }

    /// What tells other threads, and work that cannot report how far it is, that it has to end.
    pub fn alarm(&self) -> Alarm {
        let (alarm, until) = (self.budget.alarm(), self.until.clone());
        let alarm = match until {
            Some(flag) => Alarm::new(move || flag.is_raised() || alarm.rings()),
            None => alarm,
        };
        if self.patience.looks < u32::MAX { alarm.or_after(self.patience.looks) } else { alarm }
    }

    /// The bytes of memory that the work may take.
    pub fn memory(&self) -> usize {
        self.budget.memory()
    }

    /// How long the work has taken.
    pub fn elapsed(&self) -> Duration {
        self.budget.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets the work go on for a number of looks.
    struct Looks(usize);

    impl Observer for Looks {
        fn see(&mut self, _: &Progress) -> ControlFlow<()> {
            self.0 = self.0.saturating_sub(1);
            if self.0 > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        }
    }

    fn states(states: usize) -> Progress {
        Progress::States { states, depth: 0 }
    }

    #[test]
    fn a_part_ends_before_the_whole() {
        let mut handle = Handle::default();
        let mut part = handle.patient(Patience::of_states(10));
        assert!(part.see(states(10)).is_continue());
        assert!(part.see(states(11)).is_break() && part.is_over());
        assert_eq!(part.why(), None);
        assert!(handle.see(states(11)).is_continue());
        let flag = Interrupt::default();
        let mut part = handle.until(flag.clone());
        assert!(!part.is_over() && !part.alarm().rings());
        flag.raise();
        assert!(part.is_over() && part.alarm().rings());
        assert!(!handle.is_over());
    }

    #[test]
    fn what_ends_a_part_for_all_ends_the_whole() {
        let mut looks = Looks(3);
        let mut handle = Handle::new(None, usize::MAX, &mut looks);
        let mut part = handle.patient(Patience::of_states(10));
        assert!(part.see(states(1)).is_continue() && !part.is_over() && part.is_over());
        assert_eq!((part.why(), handle.why()), (Some(Ended::Interrupted), Some(Ended::Interrupted)));
    }

    #[test]
    fn patience_is_counted_in_looks() {
        let mut handle = Handle::default();
        let alarm = handle.patient(Patience { looks: 2, ..Patience::default() }).alarm();
        assert_eq!([alarm.rings(), alarm.rings(), alarm.rings()], [false, false, true]);
        assert!(!handle.alarm().rings());
    }
}
