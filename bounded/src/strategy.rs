//! How an engine works: each choice is one ingredient that can be left out.

use encoder::{Alike, Distances, Grain, Idling, Order, Rules, Scheduling, Valid};
use sat::Phase;

/// The conflicts of a round under restrictions.
const ROUND: i32 = 500;

/// The conflicts after which it is worth finding out which processes can change places.
const WORTH_LIKENESS: u64 = 200;

/// What is kept from one bound to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reuse {
    /// One solver for all bounds: the formula grows.
    Incremental,
    /// A new solver and a new formula at each bound, as the paper has it.
    Fresh,
}

/// Which control points are widened after a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Widen {
    /// One of those that are blamed, as the paper has it.
    One,
    /// All that are blamed.
    Blamed,
    /// None: what the first underapproximation does not show is left to others.
    Never,
}

/// Whether what was widened stays so at the next bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Carry {
    /// Everything is restricted again, as the paper has it.
    Restart,
    /// It stays.
    Warm,
}

/// Whether to look for a smaller set to blame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Minimise {
    /// The solver's core is taken as it is.
    No,
    /// Each blamed point is tried to be left out, with this many conflicts at most.
    Within(i32),
}

/// How long a round under restrictions may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounds {
    /// As long as it needs.
    Unlimited,
    /// This many conflicts; then everything is widened. An underapproximation that is hard to refute is worth no more than the
    /// whole, and giving it up only ever widens.
    Within(i32),
}

/// How many bounds are asked about at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stride {
    /// One.
    One,
    /// Some, where the system can always wait: one refutation settles them all. Where there is a violation, each is asked
    /// about by itself, so that it is found at its smallest depth all the same.
    Some,
}

/// When it is found out which processes can change places, where the rules ask for an order of them and questions are about finite runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Likeness {
    /// Before the first step.
    AtOnce,
    /// After this many conflicts: in large systems it takes a tenth of a second, which is more than many questions take.
    After(u64),
}

/// A way to sweep over the bounds. Plain bounded model checking is the special case without switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Strategy {
    /// Which runs the formula has.
    pub rules: Rules,
    /// What is kept between bounds.
    pub reuse: Reuse,
    /// How many bounds are asked about at once.
    pub stride: Stride,
    /// What is widened after a round.
    pub widen: Widen,
    /// What stays widened at the next bound.
    pub carry: Carry,
    /// Whether blame is minimised.
    pub minimise: Minimise,
    /// How long a round under restrictions may take.
    pub rounds: Rounds,
    /// When it is found out which processes can change places.
    pub likeness: Likeness,
    /// The solver's first phase.
    pub phase: Phase,
}

impl Strategy {
    /// Plain bounded model checking: Figure 3 of \[GLST05\].
    pub fn plain() -> Strategy {
        Strategy {
            rules: Rules {
                distances: Distances::Limited,
                idling: Idling::Represented,
                alike: Alike::Ordered,
                ..Rules::default()
            },
            reuse: Reuse::Incremental,
            stride: Stride::Some,
            widen: Widen::Blamed,
            carry: Carry::Warm,
            minimise: Minimise::No,
            rounds: Rounds::Unlimited,
            likeness: Likeness::After(WORTH_LIKENESS),
            phase: Phase::True,
        }
    }

    /// Whether several bounds can be asked about at once, as far as the formula goes: waiting has to be among the steps.
    ///
    /// Under switches too, if what is widened stays so: a core without a restriction refutes the formula without restrictions,
    /// in which a run can wait. That a restricted run may not be able to wait only means that more is widened.
    pub fn strides(&self) -> bool {
        let Rules { scheduling, idling, valid, .. } = self.rules;
        self.stride == Stride::Some
            && self.reuse == Reuse::Incremental
            && scheduling == Scheduling::Free
            && idling != Idling::Excluded
            && (valid == Valid::Absent || valid == Valid::Monotone && self.carry == Carry::Warm)
    }

    /// Plain bounded model checking with scheduling constraints.
    pub fn pruned() -> Strategy {
        let rules = Rules { scheduling: Scheduling::Peephole, idling: Idling::Excluded, ..Strategy::plain().rules };
        Strategy { rules, ..Strategy::plain() }
    }

    /// Underapproximation-widening as \[GLST05\] has it: Figure 5 with Eq. (11).
    ///
    /// # Differs from the paper
    ///
    /// The rounds of one bound share a solver, the restrictions being assumptions: the paper's solver started anew.
    pub fn paper() -> Strategy {
        Strategy {
            rules: Rules { valid: Valid::Paper, ..Rules::default() },
            reuse: Reuse::Fresh,
            stride: Stride::One,
            widen: Widen::One,
            carry: Carry::Restart,
            minimise: Minimise::No,
            rounds: Rounds::Unlimited,
            likeness: Likeness::After(WORTH_LIKENESS),
            phase: Phase::True,
        }
    }

    /// Underapproximation-widening as we have it: a switch for each process, short rounds, several bounds at once, and no
    /// clause for what is widened for good. Where it does not help it is plain bounded model checking after a few rounds.
    pub fn widening() -> Strategy {
        let rules = Rules { valid: Valid::Monotone, grain: Grain::Process, ..Strategy::plain().rules };
        Strategy { rules, rounds: Rounds::Within(ROUND), ..Strategy::plain() }
    }

    /// The same with a switch for each control point and scheduling constraints, and rounds as long as they need to be.
    pub fn scheduled() -> Strategy {
        let rules = Rules { valid: Valid::Monotone, ..Strategy::pruned().rules };
        Strategy { rules, ..Strategy::plain() }
    }

    /// The first underapproximation only, in an order of processes.
    pub fn scout(order: Order) -> Strategy {
        let rules = Rules { valid: Valid::Monotone, idling: Idling::Excluded, order, ..Rules::default() };
        Strategy { rules, widen: Widen::Never, phase: Phase::False, ..Strategy::plain() }
    }
}
