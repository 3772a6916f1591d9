//! How long work tells how far it is and learns whether it may go on: one value and one trait for all of it.
//!
//! Engines say it as a [`Progress`] to their [`Handle`](crate::Handle), which tells an [`Observer`].
//! Only the command line knows what becomes of it: a line on a terminal, a deadline, Ctrl-C.

use crate::budget::{Ended, Interrupt};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Is told about the work, and can end it.
pub trait Observer {
    /// Sees how far the work is. `Break` ends it at the next occasion.
    fn see(&mut self, now: &Progress) -> ControlFlow<()>;

    /// A flag that ends the work, also where it cannot tell how far it is.
    fn interrupt(&self) -> Interrupt {
        Interrupt::default()
    }

    /// Why it ended the work, if it did.
    fn why(&self) -> Option<Ended> {
        None
    }
}

/// An observer that sees nothing and lets everything go on.
impl Observer for () {
    fn see(&mut self, _: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// How far some work is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// An engine that unrolls.
    Bounds(Bounds),
    /// A search over states; `states` grows with time, so that it has a rate.
    States {
        /// States visited so far.
        states: usize,
        /// The depth of the states at hand; 0 if it is not counted.
        depth: usize,
    },
    /// A search over runs, which stores no states.
    Runs {
        /// States visited so far, again and again.
        visits: usize,
        /// The length of the run at hand.
        depth: usize,
    },
    /// Runs of a program.
    Executions {
        /// How many so far.
        runs: u64,
        /// How much of an exhaustive search they are, in millionths, as far as that can be said.
        done: u32,
    },
    /// Decision diagrams.
    Diagrams {
        /// Properties decided so far.
        decided: usize,
        /// All of them; 0 if states are counted.
        all: usize,
        /// Layers of the search at hand, or steps of the fixpoint.
        layers: usize,
        /// Nodes, garbage included.
        nodes: usize,
    },
    /// The search for a simpler counterexample.
    Simplifying {
        /// Steps looked at so far.
        looked: usize,
    },
    /// The writing of a proof.
    Proving {
        /// The property.
        property: Arc<str>,
        /// The bound that is refuted.
        depth: usize,
        /// The last bound.
        bound: usize,
    },
    /// The checking of proofs.
    Certifying {
        /// Proofs checked so far.
        done: usize,
        /// All of them.
        all: usize,
    },
    /// A column of a comparison.
    Comparing {
        /// Its name.
        column: &'static str,
        /// How far it is.
        bounds: Bounds,
    },
    /// A run of a suite.
    Measuring {
        /// The position of the run, from 1.
        number: usize,
        /// How many runs there are.
        all: usize,
        /// What is measured.
        what: Arc<str>,
    },
}

/// How far an engine that unrolls is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The greatest bound that is settled.
    pub settled: Option<usize>,
    /// The last bound.
    pub bound: usize,
    /// Rounds of underapproximation-widening.
    pub rounds: usize,
    /// Control points that were widened.
    pub widened: usize,
    /// Control points that have a switch.
    pub points: usize,
    /// Conflicts of the solvers, if they count them.
    pub conflicts: u64,
    /// The steps of the shortest counterexample that is known.
    pub shortest: Option<usize>,
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.settled {
            Some(settled) => write!(f, "bound {settled} of {}", self.bound)?,
            None => write!(f, "no bound of {} yet", self.bound)?,
        }
        if self.points > 0 {
            write!(f, ", round {}, {} of {} points widened", self.rounds, self.widened, self.points)?;
        }
        write!(f, ", {} conflicts", self.conflicts)
    }
}

impl Progress {
    /// In a line, after this many seconds of work.
    pub fn render(&self, elapsed: f64) -> String {
        let rate = |count: usize| count as f64 / elapsed.max(0.001);
        match self {
            Progress::Bounds(bounds) => bounds.to_string(),
            Progress::States { states, depth } => {
                let depth = if *depth > 0 { format!("depth {depth}, ") } else { String::new() };
                format!("{depth}{states} states, {:.0} a second", rate(*states))
            }
            Progress::Runs { visits, depth } => {
                format!("depth {depth}, {visits} states visited, {:.0} a second", rate(*visits))
            }
            Progress::Diagrams { decided, all, layers, nodes } => {
                let decided = if *all > 1 { format!("{decided} of {all} properties, ") } else { String::new() };
                let layers = if *layers > 0 { format!("layer {layers}, ") } else { String::new() };
                format!("{decided}{layers}{nodes} nodes")
            }
            Progress::Executions { runs, done } => executions(*runs, *done, elapsed),
            Progress::Simplifying { looked } => format!("simplifying, {looked} steps looked at"),
            Progress::Proving { property, depth, bound } => format!("proving {property}, bound {depth} of {bound}"),
            Progress::Certifying { done, all } => format!("{done} of {all} proofs checked"),
            Progress::Comparing { column, bounds } => format!("{column}: {bounds}"),
            Progress::Measuring { number, all, what } => format!("{number} of {all}: {what}"),
        }
    }
}

/// How far runs of a program are. Nothing is said of what is left before some of it is done.
fn executions(runs: u64, done: u32, elapsed: f64) -> String {
    let rate = runs as f64 / elapsed.max(0.001);
    let share = f64::from(done) / 1e6;
    let estimate =
        if done > 0 { format!(", about {:.1} % of {:.0}", share * 100.0, runs as f64 / share) } else { String::new() };
    format!("{runs} runs, {rate:.0} a second{estimate}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_work_says_how_far_it_is() {
        let bounds =
            Bounds { settled: Some(7), bound: 12, rounds: 3, widened: 5, points: 20, conflicts: 99, shortest: None };
        let plain = Bounds { points: 0, settled: None, ..bounds };
        for (progress, expected) in [
            (Progress::Bounds(bounds), "bound 7 of 12, round 3, 5 of 20 points widened, 99 conflicts"),
            (Progress::Bounds(plain), "no bound of 12 yet, 99 conflicts"),
            (Progress::Comparing { column: "BMC", bounds: plain }, "BMC: no bound of 12 yet, 99 conflicts"),
            (Progress::States { states: 1000, depth: 4 }, "depth 4, 1000 states, 500 a second"),
            (Progress::States { states: 1000, depth: 0 }, "1000 states, 500 a second"),
            (Progress::Runs { visits: 1000, depth: 4 }, "depth 4, 1000 states visited, 500 a second"),
            (Progress::Diagrams { decided: 2, all: 3, layers: 7, nodes: 99 }, "2 of 3 properties, layer 7, 99 nodes"),
            (Progress::Diagrams { decided: 0, all: 1, layers: 0, nodes: 99 }, "99 nodes"),
            (Progress::Executions { runs: 1000, done: 0 }, "1000 runs, 500 a second"),
            (Progress::Executions { runs: 1000, done: 40_000 }, "1000 runs, 500 a second, about 4.0 % of 25000"),
            (Progress::Proving { property: "safe".into(), depth: 1, bound: 3 }, "proving safe, bound 1 of 3"),
        ] {
            assert_eq!(progress.render(2.0), expected);
        }
    }
}
