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
//! walk/                 random runs, each under a schedule and a data policy of its own
//! lasso/                infinite runs that violate a formula, as questions to the same unrolling
//! question refutation within   F(s_k); the formulas behind `holds up to bound k`; one for all bounds up to one
//! admits sample         whether formulas have the runs of the machine, and some of these
//! ```

mod admits;
mod admits_lassos;
mod hunt;
mod lasso;
mod outcome;
mod question;
mod race;
mod refutation;
mod sample;
mod strategy;
mod sweep;
mod underapproximation;
mod visit;
mod walk;
mod within;

pub use admits::{Admission, admits, is_state};
pub use admits_lassos::admits_lassos;
pub use hunt::Hunt;
pub use lasso::{is_temporal, refuses as refuses_lassos};
pub use outcome::{Bounded, Round, Stop};
pub use question::can_be_asked;
pub use race::{Jobs, Race, Workers, race};
pub use refutation::Refutations;
pub use strategy::{Carry, Minimise, Reuse, Rounds, Strategy, Stride, Widen};
pub use sweep::Sweep;
pub use underapproximation::Point;
pub use walk::Walks;
pub use within::Within;

use sat::{Effort, Phase, Solver, Work};

/// Makes solvers. Workers on other threads make theirs there.
pub type Start<'a> = &'a (dyn Fn(Phase) -> Box<dyn Solver> + Sync);

/// Something that works on properties bit by bit, so that several can take turns.
pub trait Engine {
    /// Asks the next question, with limited effort; says so if that was the last one. `stop` can end the work.
    fn step(&mut self, effort: Effort, stop: &mut dyn FnMut() -> bool) -> Option<Stop>;

    /// What has been found so far.
    fn found(&self) -> &Bounded;

    /// Stops looking at a property that another engine has found to be violated.
    fn forget(&mut self, property: system::PropertyId);

    /// How much the solvers have worked. Where a solver does not count, a query is a tick.
    fn work(&self) -> Work;
}

/// Works alone until the end.
pub fn run(mut engine: impl Engine, stop: &mut dyn FnMut(&Bounded) -> bool) -> Bounded {
    loop {
        let seen = seen(&engine);
        if stop(&seen) {
            return Bounded { stop: Stop::Interrupted, ..seen };
        }
        if let Some(end) = engine.step(Effort::Unlimited, &mut || stop(&seen)) {
            return Bounded { stop: end, ..self::seen(&engine) };
        }
    }
}

/// What has been found so far, and at what cost.
fn seen(engine: &impl Engine) -> Bounded {
    Bounded { conflicts: engine.work().conflicts, ..engine.found().clone() }
}
