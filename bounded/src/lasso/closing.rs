//! The loop of a lasso, whatever the formula: where it begins, that it is closed, and that it is fair.

use encoder::{ClauseSink, Lit, Snapshot, Time, Unrolling};
use system::{ExprId, Fairness, FiniteRuns, ProcessId, System};
use temporal::Refusal;

/// The loop of a run.
pub(super) struct Closing {
    snapshot: Snapshot,
    /// For each position but the last, whether the loop begins there.
    pub starts: Vec<Lit>,
    /// For each of them, whether it is part of the loop.
    pub inside: Vec<Lit>,
    /// Whether there are states that others do not see.
    pub hides: Hides,
    repetition: Repetition,
    /// Whether others see the state before the last; none if they surely do.
    pub seen: Option<Lit>,
    /// Implies that the last state closes the loop, and that the loop is fair. None before the first step.
    pub closed: Option<Lit>,
    /// Whether others see a state of the loop.
    is_seen: Recurring,
    constraints: Vec<Constraint>,
    /// Is false.
    never: Option<Lit>,
}

/// Which states others do not see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hides {
    /// None: there are no atomic sections, and it does not matter that a process does not move in its part of a pass, as the state is repeated only.
    None,
    /// Those inside atomic sections that go on, and those that a process does not leave in its part of a pass.
    Some,
}

/// Whether formulas and fairness can tell how often a state is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repetition {
    Matters,
    DoesNotMatter,
}

/// What a run gets longer by.
#[derive(Clone, Copy, Debug)]
pub enum Longer {
    /// A step.
    Step,
    /// The first part of a pass, that of a process.
    Pass(ProcessId),
    /// A further part. No loop begins there: what would begin in the middle of a pass can begin with the next one.
    Further(ProcessId),
}

/// Whether something holds somewhere in the loop, as far as the run goes: it does so only if it has been seen.
#[derive(Clone, Copy, Default)]
pub(super) struct Recurring(Option<Lit>);

impl Recurring {
    /// One position more, where it may hold: where each of these clauses is true.
    pub fn extend(&mut self, inside: Lit, holds: &[&[Lit]], sink: &mut dyn ClauseSink) {
        let (now, here) = (sink.fresh(), sink.fresh());
        sink.clause(&[!here, inside]);
        for part in holds {
            sink.clause(&clause(!here, part.iter().copied()));
        }
        sink.clause(&clause(!now, std::iter::once(here).chain(self.0)));
        self.0 = Some(now);
    }

    /// The literal that implies it.
    pub fn lit(self) -> Option<Lit> {
        self.0
    }
}

/// Whether a condition holds nowhere in the loop, as far as the run goes.
#[derive(Clone, Copy, Default)]
struct Never(Option<Lit>);

impl Never {
    /// One position more, where it may hold: where all of these are true.
    fn extend(&mut self, inside: Lit, holds: &[Lit], sink: &mut dyn ClauseSink) {
        let now = sink.fresh();
        sink.clause(&clause(!now, std::iter::once(!inside).chain(holds.iter().map(|lit| !*lit))));
        if let Some(before) = self.0 {
            sink.clause(&[!now, before]);
        }
        self.0 = Some(now);
    }
}

/// A fairness constraint, and what is known of it so far: it is met if one of the two is true.
struct Constraint {
    fairness: Fairness,
    recurs: Recurring,
    never: Never,
}

/// The step out of a state, as constraints look at it.
struct Look {
    time: Time,
    inside: Lit,
    seen: Option<Lit>,
}

/// Why the fairness of a system cannot be asked of a lasso.
pub(super) fn refuses(system: &System) -> Option<Refusal> {
    let asks = system.finite_runs == FiniteRuns::Prolonged || system.fairness.iter().any(is_about_process);
    let why = "bounded model checking cannot tell who can move: relations, constraints or inputs decide it";
    (asks && !encoder::can_stay(system)).then(|| why.to_owned())
}

/// Whether a constraint asks who can move.
fn is_about_process(fairness: &Fairness) -> bool {
    matches!(fairness, Fairness::Weak(_) | Fairness::Strong(_))
}

impl Constraint {
    /// Nothing has been seen of it.
    fn new(fairness: Fairness) -> Constraint {
        Constraint { fairness, recurs: Recurring::default(), never: Never::default() }
    }
}

impl Closing {
    pub fn new(
        system: &System,
        repetition: Repetition,
        unrolling: &mut Unrolling<'_>,
        sink: &mut dyn ClauseSink,
    ) -> Closing {
        Closing {
            snapshot: unrolling.snapshot(sink),
            starts: Vec::new(),
            inside: Vec::new(),
            hides: if system.has_atomic_sections { Hides::Some } else { Hides::None },
            repetition,
            seen: None,
            closed: None,
            is_seen: Recurring::default(),
            constraints: system.fairness.iter().copied().map(Constraint::new).collect(),
            never: None,
        }
    }

    /// One step more. The position before it can be where the loop begins. Says whether there is such a step.
    pub fn extend(&mut self, longer: Longer, unrolling: &mut Unrolling<'_>, sink: &mut dyn ClauseSink) -> bool {
        let time = Time(self.starts.len());
        match longer {
            Longer::Step => {
                let start = self.may_begin(sink);
                unrolling.may_begin_loop(start);
                unrolling.extend(sink);
            }
            Longer::Pass(process) | Longer::Further(process) if !unrolling.extend_by(process, sink) => return false,
            Longer::Pass(_) => {
                if self.repetition == Repetition::Matters {
                    self.hides = Hides::Some;
                }
                self.may_begin(sink);
            }
            Longer::Further(_) => self.goes_on(sink),
        }
        if !matches!(longer, Longer::Further(_)) {
            unrolling.tie(time, &self.snapshot, self.starts[time.0], sink);
        }
        self.look(time, unrolling, sink);
        true
    }

    /// A position where the loop can begin.
    fn may_begin(&mut self, sink: &mut dyn ClauseSink) -> Lit {
        let (start, inside) = (sink.fresh(), sink.fresh());
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
        start
    }

    /// A position where the loop does not begin.
    fn goes_on(&mut self, sink: &mut dyn ClauseSink) {
        let never = *self.never.get_or_insert_with(|| {
            let never = sink.fresh();
            sink.clause(&[!never]);
            never
        });
        self.inside.push(self.inside.last().copied().unwrap_or(never));
        self.starts.push(never);
    }

    /// What is known of the step out of a position.
    ///
    /// Where it does not matter how often a state is repeated, one that a process does not leave in its part of a pass may be looked at: it is that
    /// at the next position, and so on up to one where a step is made, which the loop has. Constraints that ask who moves find
    /// that none does.
    fn look(&mut self, time: Time, unrolling: &mut Unrolling<'_>, sink: &mut dyn ClauseSink) {
        let inside = self.inside[time.0];
        let seen = unrolling.is_seen(time, sink);
        let is_made: Vec<Lit> = seen.into_iter().collect();
        self.is_seen.extend(inside, &is_made.chunks(1).collect::<Vec<_>>(), sink);
        self.seen = seen.filter(|_| self.hides == Hides::Some);
        let look = Look { time, inside, seen: self.seen };
        for constraint in &mut self.constraints {
            constraint.extend(&look, unrolling, sink);
        }
        self.closed = Some(self.close(inside, unrolling, sink));
    }

    fn close(&self, inside: Lit, unrolling: &mut Unrolling<'_>, sink: &mut dyn ClauseSink) -> Lit {
        let closed = sink.fresh();
        unrolling.tie(Time(self.starts.len()), &self.snapshot, closed, sink);
        sink.clause(&[!closed, inside]);
        sink.clause(&clause(!closed, self.is_seen.lit()));
        for start in self.starts.iter().rev().take(unrolling.least_loop() - 1) {
            sink.clause(&[!closed, !*start]);
        }
        for Constraint { recurs, never, .. } in &self.constraints {
            sink.clause(&clause(!closed, recurs.lit().into_iter().chain(never.0)));
        }
        closed
    }
}

impl Constraint {
    /// One step more. Conditions count in states that others see.
    fn extend(&mut self, look: &Look, unrolling: &mut Unrolling<'_>, sink: &mut dyn ClauseSink) {
        match self.fairness {
            Fairness::Justice(often) if unrolling.never_holds_at(look.time, often) => {}
            Fairness::Justice(often) => self.recurs.all(look, &look.holds(often, unrolling, sink), sink),
            Fairness::Compassion(often, then) => {
                let (often, then) = (look.holds(often, unrolling, sink), look.holds(then, unrolling, sink));
                self.never.extend(look.inside, &often, sink);
                self.recurs.all(look, &then, sink);
            }
            Fairness::Weak(process) => {
                let (moves, able) = who(process, look, unrolling, sink);
                let parts: Vec<[Lit; 2]> = able.iter().map(|lit| [moves, !*lit]).collect();
                let seen = look.seen.map(|seen| [moves, seen]);
                let parts: Vec<&[Lit]> = parts.iter().chain(&seen).map(<[Lit; 2]>::as_slice).collect();
                self.recurs.extend(look.inside, &parts, sink);
            }
            Fairness::Strong(process) => {
                let (moves, mut able) = who(process, look, unrolling, sink);
                able.extend(look.seen);
                self.never.extend(look.inside, &able, sink);
                self.recurs.all(look, &[moves], sink);
            }
        }
    }
}

impl Look {
    /// A condition holds if all of these are true.
    fn holds(&self, condition: ExprId, unrolling: &mut Unrolling<'_>, sink: &mut dyn ClauseSink) -> Vec<Lit> {
        let holds = unrolling.holds_at(self.time, condition, sink);
        std::iter::once(holds).chain(self.seen).collect()
    }
}

impl Recurring {
    /// One position more, where it may hold: where all of these are true.
    fn all(&mut self, look: &Look, holds: &[Lit], sink: &mut dyn ClauseSink) {
        self.extend(look.inside, &holds.chunks(1).collect::<Vec<_>>(), sink);
    }
}

/// Whether a process makes a step, and whether it could.
fn who(process: ProcessId, look: &Look, unrolling: &mut Unrolling<'_>, sink: &mut dyn ClauseSink) -> (Lit, Vec<Lit>) {
    let moves = unrolling.is_moved_by(look.time, process, sink);
    (moves, unrolling.could_be_moved_by(look.time, process, sink).into_iter().collect())
}

/// A clause.
pub(super) fn clause(first: Lit, others: impl IntoIterator<Item = Lit>) -> Vec<Lit> {
    std::iter::once(first).chain(others).collect()
}
