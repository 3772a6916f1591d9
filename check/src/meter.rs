//! What formulas cost: how large they are, and how long it takes to make and to solve them.
//!
//! Engines know no clock. Every solver that they are given counts what it is told and how long it works; whatever else
//! the processor did for them is the making of formulas. What a solver that is a process of its own does is not counted.

use encoder::{ClauseSink, Lit};
use engine::FormulaReport;
use limits::resources::{self, thread_time};
use limits::{Effort, Handle, Work};
use sat::{Answer, Solver};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What all solvers of a run were told, and how long they worked.
#[derive(Debug, Default)]
pub struct Meter {
    variables: AtomicU64,
    clauses: AtomicU64,
    /// Nanoseconds of whole searches, and of solving in them.
    searching: AtomicU64,
    solving: AtomicU64,
}

impl Meter {
    /// The solver, which is measured from now on.
    pub fn attach(self: &Arc<Meter>, solver: Box<dyn Solver>) -> Box<dyn Solver> {
        Box::new(Metered { solver, meter: Arc::clone(self), variables: 0, clauses: 0 })
    }

    /// Does something that makes and solves formulas.
    pub fn search<T>(&self, search: impl FnOnce() -> T) -> T {
        timed(&self.searching, search)
    }

    /// What was measured so far of a model with this many bits.
    pub fn read(&self, state_bits: u64, beside: Beside) -> FormulaReport {
        let unrolling = (seconds(&self.searching) - seconds(&self.solving)).max(0.0);
        FormulaReport {
            state_bits,
            variables: count(&self.variables),
            clauses: count(&self.clauses),
            unrolling: (beside == Beside::Nothing).then_some(unrolling),
            solving: seconds(&self.solving),
            peak_memory: resources::peak(),
        }
    }
}

/// Does something, and adds the time that the processor spent on it.
fn timed<T>(nanoseconds: &AtomicU64, work: impl FnOnce() -> T) -> T {
    let start = thread_time();
    let done = work();
    let spent = thread_time().saturating_sub(start);
    nanoseconds.fetch_add(u64::try_from(spent.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    done
}

/// What a search does besides making and solving formulas.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    /// Nothing: what does not go into solving goes into making formulas.
    Nothing,
    /// Something: another thread works, or states are visited.
    Something,
}

/// A solver that is measured. What it is told is passed on to the meter when it solves and when it is gone, because
/// clauses come by the million.
struct Metered {
    solver: Box<dyn Solver>,
    meter: Arc<Meter>,
    variables: u64,
    clauses: u64,
}

impl Metered {
    fn pass_on(&mut self) {
        self.meter.variables.fetch_add(std::mem::take(&mut self.variables), Ordering::Relaxed);
        self.meter.clauses.fetch_add(std::mem::take(&mut self.clauses), Ordering::Relaxed);
    }
}

impl Drop for Metered {
    fn drop(&mut self) {
        self.pass_on();
    }
}

impl ClauseSink for Metered {
    fn fresh(&mut self) -> Lit {
        self.variables += 1;
        self.solver.fresh()
    }

    fn clause(&mut self, clause: &[Lit]) {
        self.clauses += 1;
        self.solver.clause(clause);
    }
}

impl Solver for Metered {
    fn solve(&mut self, assumptions: &[Lit], effort: Effort, handle: &mut Handle<'_>) -> Answer {
        self.pass_on();
        timed(&self.meter.solving, || self.solver.solve(assumptions, effort, handle))
    }

    fn work(&self) -> Option<Work> {
        self.solver.work()
    }

    fn name(&self) -> &'static str {
        self.solver.name()
    }
}

fn count(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

fn seconds(counter: &AtomicU64) -> f64 {
    count(counter) as f64 / 1e9
}
