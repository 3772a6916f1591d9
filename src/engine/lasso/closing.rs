//! The loop of a lasso, whatever the formula: where it begins, that it is closed, and that it is fair.

use crate::sat::Solver;
use crate::temporal::Refusal;
use encoder::{Lit, Snapshot, Time, Unrolling};
use system::{ExprId, Fairness, System};

/// The loop of a run.
pub(super) struct Closing {
    snapshot: Snapshot,
    /// For each position but the last, whether the loop begins there.
    pub starts: Vec<Lit>,
    /// For each of them, whether it is part of the loop.
    pub inside: Vec<Lit>,
    /// Implies that the last state closes the loop, and that the loop is fair. None before the first step.
    pub closed: Option<Lit>,
    justice: Vec<(ExprId, Recurring)>,
    compassion: Vec<(Never, Recurring)>,
}

/// Whether something holds somewhere in the loop, as far as the run goes: it does so only if it has been seen.
#[derive(Clone, Copy, Default)]
pub(super) struct Recurring(Option<Lit>);

impl Recurring {
    /// One position more, where it may hold.
    pub fn extend(&mut self, inside: Lit, holds: Lit, solver: &mut dyn Solver) {
        let (now, here) = (solver.fresh(), solver.fresh());
        solver.clause(&[!here, inside]);
        solver.clause(&[!here, holds]);
        match self.0 {
            Some(before) => solver.clause(&[!now, here, before]),
            None => solver.clause(&[!now, here]),
        }
        self.0 = Some(now);
    }

    /// The literal that implies it.
    pub fn lit(self) -> Option<Lit> {
        self.0
    }
}

/// Whether a condition holds nowhere in the loop, as far as the run goes.
struct Never {
    condition: ExprId,
    lit: Option<Lit>,
    then: ExprId,
}

/// Why the fairness of a system cannot be asked of a lasso.
pub(super) fn refuses(system: &System) -> Option<Refusal> {
    let is_known = |fairness: &Fairness| matches!(fairness, Fairness::Justice(_) | Fairness::Compassion(..));
    let other = system.fairness.iter().any(|fairness| !is_known(fairness));
    other.then(|| "bounded model checking does not know fairness of processes".to_owned())
}

impl Closing {
    pub fn new(system: &System, unrolling: &mut Unrolling<'_>, solver: &mut dyn Solver) -> Closing {
        let (mut justice, mut compassion) = (Vec::new(), Vec::new());
        for fairness in &system.fairness {
            match *fairness {
                Fairness::Justice(often) => justice.push((often, Recurring::default())),
                Fairness::Compassion(condition, then) => {
                    compassion.push((Never { condition, lit: None, then }, Recurring::default()));
                }
                _ => {}
            }
        }
        let snapshot = unrolling.snapshot(solver);
        Closing { snapshot, starts: Vec::new(), inside: Vec::new(), closed: None, justice, compassion }
    }

    /// One step more. The position before it can be where the loop begins.
    pub fn extend(&mut self, unrolling: &mut Unrolling<'_>, solver: &mut dyn Solver) {
        let time = Time(self.starts.len());
        let (start, inside) = (solver.fresh(), solver.fresh());
        unrolling.tie(time, &self.snapshot, start, solver);
        solver.clause(&[!start, inside]);
        match self.inside.last().copied() {
            Some(before) => {
                solver.clause(&[!start, !before]);
                solver.clause(&[!before, inside]);
                solver.clause(&[!inside, before, start]);
            }
            None => solver.clause(&[!inside, start]),
        }
        self.starts.push(start);
        self.inside.push(inside);
        for (condition, recurring) in &mut self.justice {
            let holds = unrolling.holds_at(time, *condition, solver);
            recurring.extend(inside, holds, solver);
        }
        for (never, recurring) in &mut self.compassion {
            let holds = unrolling.holds_at(time, never.condition, solver);
            never.extend(inside, holds, solver);
            let holds = unrolling.holds_at(time, never.then, solver);
            recurring.extend(inside, holds, solver);
        }
        self.closed = Some(self.close(inside, unrolling, solver));
    }

    fn close(&self, inside: Lit, unrolling: &mut Unrolling<'_>, solver: &mut dyn Solver) -> Lit {
        let closed = solver.fresh();
        unrolling.tie(Time(self.starts.len()), &self.snapshot, closed, solver);
        solver.clause(&[!closed, inside]);
        for (_, recurring) in &self.justice {
            solver.clause(&clause(!closed, recurring.lit()));
        }
        for (never, recurring) in &self.compassion {
            let mut either = clause(!closed, recurring.lit());
            either.extend(never.lit);
            solver.clause(&either);
        }
        closed
    }
}

impl Never {
    fn extend(&mut self, inside: Lit, holds: Lit, solver: &mut dyn Solver) {
        let now = solver.fresh();
        solver.clause(&[!now, !inside, !holds]);
        if let Some(before) = self.lit {
            solver.clause(&[!now, before]);
        }
        self.lit = Some(now);
    }
}

fn clause(first: Lit, second: Option<Lit>) -> Vec<Lit> {
    std::iter::once(first).chain(second).collect()
}
