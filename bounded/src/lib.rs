//! Engines that unroll the system into clauses.
//!
//! [`Sweep`] looks at one bound after the other, by underapproximation-widening or plainly; [`Hunt`] looks for violations
//! by parallel steps; [`race`] lets both work on the same properties, and visits states where there are few.
//!
//! # What is where
//!
//! ```text
//! sweep                 main_uw and check_uw, bound after bound; with no switches, plain bounded model checking
//! underapproximation    the set P: restricted, blamed and widened control points
//! strategy              the ingredients, each of which can be left out
//! hunt visit race       hunting by parallel steps; visiting states; several engines on the same properties
//! turns                 who of them is next
//! walk/                 random runs, each under a schedule and a data policy of its own
//! lasso/                infinite runs that violate a formula, as questions to the same unrolling
//! question refutation within   F(s_k); the formulas behind `holds up to bound k`; one for all bounds up to one
//! induction             invariants that follow from themselves
//! admits sample         whether formulas have the runs of the machine, and some of these
//! ```

mod admits;
mod admits_lassos;
mod hunt;
mod induction;
mod lasso;
mod question;
mod race;
mod refutation;
mod sample;
mod strategy;
mod sweep;
mod turns;
mod underapproximation;
mod visit;
mod walk;
mod within;

pub use admits::{Admission, Probe, is_state};
pub use hunt::Hunt;
pub use induction::{Inductive, can_be_inductive, inductive};
pub use lasso::{is_temporal, refuses as refuses_lassos};
pub use question::can_be_asked;
pub use race::{Guest, Hunter, Jobs, Race, Workers, race, race_within};
pub use refutation::Refutations;
pub use strategy::{Carry, Likeness, Minimise, Reuse, Rounds, Strategy, Stride, Widen};
pub use sweep::{Lengths, Sweep};
pub use turns::Zeal;
pub use walk::Walks;
pub use within::Within;

use encoder::Unsupported;
use engine::{Findings, Trouble};
use limits::{Bounds, Progress};
use sat::{Phase, Solver};
use system::PropertyId;

/// Makes solvers. Workers on other threads make theirs there.
pub type Start<'a> = &'a (dyn Fn(Phase) -> Box<dyn Solver> + Sync);

/// How far an engine that goes from bound to bound is, up to the last one.
pub fn progress(found: &Findings, conflicts: u64, bound: usize) -> Progress {
    Progress::Bounds(Bounds {
        settled: found.settled,
        bound,
        rounds: found.cost.rounds.len(),
        widened: found.cost.widened(),
        points: found.cost.points,
        conflicts,
        shortest: found.violations().iter().map(|(_, trace)| trace.moves.len()).min(),
    })
}

/// That a system cannot be unrolled.
pub fn unsupported(Unsupported(what): Unsupported) -> Trouble {
    Trouble::Usage(format!("bounded model checking does not support {what}; try --engine explicit"))
}

/// Whether nothing is left to find: every property is violated, or a fault makes further answers meaningless.
fn is_over(found: &Findings, open: &[PropertyId]) -> bool {
    found.fault.is_some() || (open.is_empty() && !found.verdicts.is_empty())
}
