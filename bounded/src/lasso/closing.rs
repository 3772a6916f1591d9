//! The loop of a lasso, whatever the formula: where it begins, that it is closed, and that it is fair.

use encoder::{ClauseSink, Lit, Snapshot, Time, Unrolling};
use system::{ExprId, Fairness, System};
use temporal::Refusal;

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
    pub fn extend(&mut self, inside: Lit, holds: Lit, sink: &mut dyn ClauseSink) {
        let (now, here) = (sink.fresh(), sink.fresh());
        sink.clause(&[!here, inside]);
        sink.clause(&[!here, holds]);
        match self.0 {
            Some(before) => sink.clause(&[!now, here, before]),
            None => sink.clause(&[!now, here]),
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
    pub fn new(system: &System, unrolling: &mut Unrolling<'_>, sink: &mut dyn ClauseSink) -> Closing {
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
        let snapshot = unrolling.snapshot(sink);
        Closing { snapshot, starts: Vec::new(), inside: Vec::new(), closed: None, justice, compassion }
    }

    /// One step more. The position before it can be where the loop begins.
    pub fn extend(&mut self, unrolling: &mut Unrolling<'_>, sink: &mut dyn ClauseSink) {
        let time = Time(self.starts.len());
        let (start, inside) = (sink.fresh(), sink.fresh());
        unrolling.tie(time, &self.snapshot, start, sink);
        sink.clause(&[!start, inside]);
        match self.inside.last().copied() {
            Some(before) => {
                sink.clause(&[!start, !before]);
                sink.clause(&[!before, inside]);
                sink.clause(&[!inside, before, start]);
            }
            None => sink.clause(&[!inside, start]),
        }
        self.starts.push(start);
        self.inside.push(inside);
        for (condition, recurring) in &mut self.justice {
            let holds = unrolling.holds_at(time, *condition, sink);
            recurring.extend(inside, holds, sink);
        }
        for (never, recurring) in &mut self.compassion {
            let holds = unrolling.holds_at(time, never.condition, sink);
            never.extend(inside, holds, sink);
            let holds = unrolling.holds_at(time, never.then, sink);
            recurring.extend(inside, holds, sink);
        }
        self.closed = Some(self.close(inside, unrolling, sink));
    }

    fn close(&self, inside: Lit, unrolling: &mut Unrolling<'_>, sink: &mut dyn ClauseSink) -> Lit {
        let closed = sink.fresh();
        unrolling.tie(Time(self.starts.len()), &self.snapshot, closed, sink);
        sink.clause(&[!closed, inside]);
        for (_, recurring) in &self.justice {
            sink.clause(&clause(!closed, recurring.lit()));
        }
        for (never, recurring) in &self.compassion {
            let mut either = clause(!closed, recurring.lit());
            either.extend(never.lit);
            sink.clause(&either);
        }
        closed
    }
}

impl Never {
    fn extend(&mut self, inside: Lit, holds: Lit, sink: &mut dyn ClauseSink) {
        let now = sink.fresh();
        sink.clause(&[!now, !inside, !holds]);
        if let Some(before) = self.lit {
            sink.clause(&[!now, before]);
        }
        self.lit = Some(now);
    }
}

fn clause(first: Lit, second: Option<Lit>) -> Vec<Lit> {
    std::iter::once(first).chain(second).collect()
}
