//! Finite runs that satisfy a formula however they go on.
//!
//! The values at positions that have a step out of them are those of lassos. The last position has values of its own, in
//! which nothing counts that is to come: no goal of U is met there, no V is kept up for ever, and nothing is known of the step.
//! This is the case without a loop of [BHJLS06], for formulas in negation normal form.

use super::formula::{After, Encoded, Place, sorted};
use encoder::{ClauseSink, Lit, Unrolling};
use system::{ExprId, Footprint, System};
use temporal::{Arena, NodeId, can_show};

/// What has to be known of a formula to tell whether finite runs satisfy it.
pub(super) struct Prefixes {
    /// The conditions that the step out of a state decides.
    of_steps: Vec<ExprId>,
}

impl Prefixes {
    /// None if finite runs do not count, or satisfy nothing.
    pub fn of(system: &System, arena: &Arena, root: NodeId) -> Option<Prefixes> {
        let counts = system.has_finite_counterexamples() && can_show(arena, root);
        let sees_step = |expr: &ExprId| Footprint::of(&system.exprs, &[*expr]).has_step(system);
        counts.then(|| Prefixes { of_steps: arena.conditions(root).into_iter().filter(sees_step).collect() })
    }

    /// Whether the step out of a state decides a condition.
    pub fn sees_step(&self, condition: ExprId) -> bool {
        self.of_steps.contains(&condition)
    }
}

impl Encoded {
    /// A literal that implies that every run that begins like this one, up to its last state, satisfies the formula.
    pub fn shown(&mut self, unrolling: &mut Unrolling<'_>, sink: &mut dyn ClauseSink) -> Option<Lit> {
        self.prefixes.as_ref()?;
        let (shown, never) = (sink.fresh(), sink.fresh());
        sink.clause(&[!never]);
        let before = std::mem::take(&mut self.held);
        let place =
            Place { position: unrolling.depth().0, start: never, before: &before, after: After::Nothing(never) };
        self.now.clear();
        for (part, _) in self.parts.clone() {
            let value = self.value((part, 0), place, unrolling, sink);
            self.now.insert((part, 0), value);
        }
        let whole = self.whole.unwrap_or(self.now[&(self.root, 0)]);
        sink.clause(&[!shown, whole]);
        for ((part, round), asked) in sorted(&self.ahead) {
            if round == 0 {
                sink.clause(&[!shown, !asked, self.now[&(part, 0)]]);
            }
        }
        self.held = before;
        Some(shown)
    }
}
