//! main_uw and check_uw: Figure 5 of \[GLST05\], and with P = ∅ bounded model checking, Figure 3.
//!
//! At each bound k the question is whether the last state of a run of exactly k steps violates a property. As k grows
//! from 0 and what was refuted is kept as a clause, a violation is found at its smallest depth, and nothing hides
//! behind a run that ends early.
//!
//! Where a run can always be made longer by waiting, some bounds are asked about at once: whether a run violates a property
//! at any of them. Mostly it does not, and refuting that takes little more than refuting the last of them.

use super::lasso::{self, Lassos, Wanted};
use super::question::{View, allowed_rules, any_of, complete, explain, unexplained, violation};
use super::strategy::{Likeness, Minimise, Reuse, Rounds, Strategy, Widen};
use super::underapproximation::{Underapproximation, stays_widened};
use super::{Start, is_over, progress};
use encoder::{Alike, Lit, Unrolling, Unsupported};
use engine::{Engine, Findings, Round, Stop, Trouble};
use limits::{Effort, Handle, Progress, Work};
use sat::{Answer, Model, Solver};
use std::collections::VecDeque;
use system::{Machine, PropertyId, Symmetry, Trace};

/// How many bounds are asked about at once, if more than one is.
const STRIDE: usize = 4;

/// What a query is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// Anything at any of the bounds that are asked about at once.
    Stride,
    /// Anything at all: the common case is that nothing is violated, and one refutation says so.
    Any,
    /// The model has no meaning there.
    Fault,
    /// A property is violated.
    Property(PropertyId, View),
}

/// A question at a depth.
#[derive(Clone, Copy, Debug)]
struct Query {
    target: Target,
    lit: Lit,
    depth: usize,
}

impl Query {
    fn is_about(self, property: PropertyId) -> bool {
        matches!(self.target, Target::Property(about, _) if about == property)
    }
}

/// A sweep over the bounds.
pub struct Sweep<'a> {
    machine: &'a Machine,
    strategy: Strategy,
    start: Start<'a>,
    solver: Box<dyn Solver>,
    unrolling: Unrolling<'a>,
    /// The infinite runs that are asked about, if any are.
    lassos: Option<Lassos>,
    /// The processes that can change places, once they are looked for; see [`Sweep::order_alike`].
    alike: Option<Symmetry>,
    under: Underapproximation,
    /// The properties that are still looked at, and how.
    open: Vec<(PropertyId, View)>,
    /// The first bound that is asked about, and the last.
    from: usize,
    bound: usize,
    /// How many bounds are asked about at once.
    stride: usize,
    /// What is still to be asked at the current depth.
    queries: VecDeque<Query>,
    /// The questions behind [`Target::Stride`], one for each depth.
    levels: Vec<Query>,
    /// The questions behind each [`Target::Any`].
    parts: Vec<Query>,
    /// What satisfied the last [`Target::Any`]: once faults are refuted, it answers one of the questions behind it.
    witness: Option<Model>,
    found: Findings,
    /// The work of solvers that are gone.
    past: Work,
}

/// How many steps the runs have that are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lengths {
    /// At most this many.
    UpTo(usize),
    /// Exactly this many, as the paper asks. Before them, only faults are looked for: beyond one, nothing has a meaning.
    Exactly(usize),
}

impl From<usize> for Lengths {
    fn from(bound: usize) -> Lengths {
        Lengths::UpTo(bound)
    }
}

impl<'a> Sweep<'a> {
    /// A sweep over all bounds up to one, or one bound only.
    pub fn new(
        machine: &'a Machine,
        properties: &[PropertyId],
        lengths: impl Into<Lengths>,
        strategy: Strategy,
        start: Start<'a>,
    ) -> Result<Sweep<'a>, Unsupported> {
        let (view, from, bound): (fn(&Machine, PropertyId) -> View, usize, usize) = match lengths.into() {
            Lengths::UpTo(bound) => (View::of, 0, bound),
            Lengths::Exactly(bound) => (View::of_exact_runs, bound, bound),
        };
        let views =
            |property: &PropertyId| View::beside(machine, *property).into_iter().chain([view(machine, *property)]);
        let open = properties.iter().flat_map(|property| views(property).map(|view| (*property, view)));
        let open: Vec<(PropertyId, View)> = open.collect();
        let rules = allowed_rules(machine, &open, strategy.rules);
        let strategy = Strategy { rules, ..strategy };
        let strides = from == 0
            && open.iter().all(|(_, view)| *view == View::State)
            && strategy.strides()
            && encoder::can_wait(machine.system());
        let mut solver = start(strategy.phase);
        let mut unrolling = Unrolling::new(machine.system(), strategy.rules, solver.as_mut())?;
        let lassos = violating(machine, properties, &mut unrolling, solver.as_mut());
        let under = Underapproximation::new(unrolling.switches());
        let mut found = Findings::new("uw");
        found.cost.points = under.len();
        let mut sweep = Sweep {
            machine,
            strategy,
            start,
            solver,
            unrolling,
            lassos,
            alike: None,
            under,
            open,
            from,
            bound,
            stride: if strides { STRIDE } else { 1 },
            queries: VecDeque::new(),
            levels: Vec::new(),
            parts: Vec::new(),
            witness: None,
            found,
            past: Work::default(),
        };
        sweep.prepare();
        Ok(sweep)
    }

    /// The properties that are still looked at.
    pub fn open(&self) -> Vec<PropertyId> {
        let mut open: Vec<PropertyId> = self.open.iter().map(|(property, _)| *property).collect();
        open.dedup();
        open
    }

    /// How deep the formula is.
    pub fn depth(&self) -> usize {
        self.unrolling.depth().0
    }

    fn unroll(&mut self, depth: usize) {
        while self.depth() < depth {
            lasso::extend(self.lassos.as_mut(), &mut self.unrolling, self.solver.as_mut());
        }
    }

    /// Goes on to the next bound.
    fn deepen(&mut self) {
        let depth = self.depth() + 1;
        // Before the first bound that is asked about, nothing but faults is looked for, and the formula grows.
        if self.strategy.reuse == Reuse::Fresh && depth > self.from {
            self.past = self.past + self.solver.work().unwrap_or_default();
            self.solver = (self.start)(self.strategy.phase);
            match Unrolling::new(self.machine.system(), self.strategy.rules, self.solver.as_mut()) {
                Ok(unrolling) => self.unrolling = unrolling,
                Err(_) => unreachable!("what was unrolled once can be unrolled again"),
            }
            let open = self.open();
            self.lassos = violating(self.machine, &open, &mut self.unrolling, self.solver.as_mut());
            self.say_order();
        }
        self.order_alike();
        self.under.next_bound(self.strategy.carry);
        self.levels.clear();
        self.parts.clear();
        self.witness = None;
        let last = self.bound.min(depth + self.stride - 1);
        for depth in depth..=last {
            self.unroll(depth);
            self.prepare();
            self.levels.extend(self.queries.drain(..));
        }
        self.queries = match self.levels.len() {
            0 | 1 => self.levels.iter().copied().collect(),
            _ => VecDeque::from([self.any(Target::Stride, &self.levels.clone())]),
        };
    }

    /// Looks for processes that can change places, if it is time to. Where lassos are asked about, they have been looked for.
    fn order_alike(&mut self) {
        let is_worth_it = match self.strategy.likeness {
            Likeness::AtOnce => true,
            Likeness::After(conflicts) => {
                self.solver.work().is_none_or(|work| (self.past + work).conflicts >= conflicts)
            }
        };
        let is_wanted = self.strategy.rules.alike == Alike::Ordered && self.lassos.is_none();
        if self.alike.is_none() && is_wanted && is_worth_it {
            self.alike = Some(Symmetry::of_finite_runs(self.machine.system(), &self.open()));
            self.say_order();
        }
    }

    /// Lets the processes that can change places make their first moves in their order. The properties that are still looked at, and faults,
    /// do not tell such processes apart, so that what they are refuted for is refuted for all runs; the argument is in `first_moves.rs`.
    fn say_order(&mut self) {
        if let Some(alike) = &self.alike {
            self.unrolling.are_alike(|| alike.clone(), self.solver.as_mut());
        }
    }

    /// A query whether one of some has an answer.
    fn any(&mut self, target: Target, of: &[Query]) -> Query {
        let lits: Vec<Lit> = of.iter().map(|query| query.lit).collect();
        Query { target, lit: any_of(&lits, self.solver.as_mut()), depth: self.depth() }
    }

    /// Sets up the questions at the current depth.
    fn prepare(&mut self) {
        let depth = self.depth();
        let mut parts: Vec<Query> = Vec::new();
        let asked = if depth < self.from { Vec::new() } else { self.open.clone() };
        for (property, view) in asked {
            // A step from the last state would be one too many at the bound.
            if view == View::Ahead && depth >= self.bound {
                continue;
            }
            let lit = match (&mut self.lassos, view) {
                (Some(lassos), View::Lasso) => lassos.query(property, self.solver.as_mut()),
                (Some(lassos), View::Prefix) => lassos.prefix(property, &mut self.unrolling, self.solver.as_mut()),
                _ => violation(self.machine, (property, view), &mut self.unrolling, self.solver.as_mut()),
            };
            parts.extend(lit.map(|lit| Query { target: Target::Property(property, view), lit, depth }));
        }
        if let Some(lit) = self.unrolling.fault(self.solver.as_mut()) {
            parts.insert(0, Query { target: Target::Fault, lit, depth });
        }
        self.queries = match parts.len() {
            0 | 1 => parts.iter().copied().collect(),
            _ => VecDeque::from([self.any(Target::Any, &parts)]),
        };
        self.parts.extend(parts);
        if let Some(query) = self.queries.front().filter(|_| self.lassos.is_none()) {
            self.unrolling.limit_distances(query.lit, &self.open(), self.solver.as_mut());
        }
    }

    /// SAT(bmc ∧ P ∧ violates) of Figure 5, one round. `None`: the query stays.
    fn round(&mut self, query: Query, effort: Effort, handle: &mut Handle<'_>) -> Result<Option<Stop>, Trouble> {
        if let Some(model) = self.witness.take_if(|model| is_answered(query, model)) {
            return self.satisfied(query, &model);
        }
        let mut assumptions = self.under.assumptions();
        let is_restricted = !assumptions.is_empty() && self.strategy.widen != Widen::Never;
        let (effort, gives_up) = match self.strategy.rounds {
            Rounds::Within(conflicts) if is_restricted => (Effort::Conflicts(conflicts), true),
            _ => (effort, false),
        };
        assumptions.push(query.lit);
        self.found.cost.queries += 1;
        match self.solver.solve(&assumptions, effort, handle) {
            Answer::Sat(model) => {
                let result = self.satisfied(query, &model);
                if query.target == Target::Any {
                    self.witness = Some(model);
                }
                result
            }
            Answer::Unsat(core) => Ok(self.refuted(query, core, handle)),
            Answer::Exhausted => {
                if gives_up {
                    self.widen(&self.under.assumptions());
                }
                Ok(None)
            }
            Answer::Interrupted => Ok(Some(Stop::Interrupted)),
            Answer::Failed(why) => Err(Trouble::Solver(why)),
        }
    }

    /// The beginning of the run that an assignment stands for.
    fn run(&self, steps: usize, model: &Model) -> Trace {
        let mut trace = self.unrolling.decode(self.machine, |lit| model.holds(lit));
        trace.truncate(steps);
        trace
    }

    /// A run of the underapproximation is a run of the system.
    fn satisfied(&mut self, query: Query, model: &Model) -> Result<Option<Stop>, Trouble> {
        self.queries.pop_front();
        match query.target {
            // Which of them it was is asked again, the smallest depth first.
            Target::Stride => self.queries.extend(&self.levels),
            // The same, and the fault first: beyond a fault, nothing has a meaning. Then what is shown already.
            Target::Any => {
                let mut parts: Vec<Query> =
                    self.parts.iter().filter(|part| part.depth == query.depth).copied().collect();
                parts.sort_by_key(|part| (part.target != Target::Fault, !is_answered(*part, model)));
                parts.into_iter().rev().for_each(|part| self.queries.push_front(part));
            }
            Target::Fault => {
                self.found.fault = Some(explain(self.machine, self.run(query.depth, model)).ok_or_else(unexplained)?)
            }
            Target::Property(property, view) if self.open.contains(&(property, view)) => {
                let mut trace = self.run(query.depth, model);
                if let (View::Lasso, Some(lassos)) = (view, &self.lassos) {
                    let is_made: Vec<bool> = (0..query.depth).map(|step| step < trace.moves.len()).collect();
                    trace = lassos.close(trace, &is_made, |lit| model.holds(lit));
                }
                let trace = complete(self.machine, (property, view), trace).ok_or_else(unexplained)?;
                self.found.violated(property, trace);
                self.forget(property);
                self.queries.retain(|query| !query.is_about(property));
            }
            // Another engine was faster.
            Target::Property(..) => {}
        }
        Ok(is_over(&self.found, &self.open()).then_some(Stop::Decided))
    }

    /// The core decides: without a restriction in it, the answer is final; else the blamed points are widened.
    fn refuted(&mut self, query: Query, core: Vec<Lit>, handle: &mut Handle<'_>) -> Option<Stop> {
        let blamed = self.minimised(query, self.under.blamed(&core), handle);
        if blamed.is_empty() {
            // The core of a minimised query is not at hand, but a contradiction without the question has no restriction.
            if core.is_empty() {
                return Some(Stop::NoLongerRuns);
            }
            self.settle(query);
            return None;
        }
        self.widen(&blamed);
        if self.strategy.widen == Widen::Never {
            self.queries.pop_front();
        }
        None
    }

    /// Widens what is blamed, as far as the strategy does. What stays widened is said once and for all.
    fn widen(&mut self, blamed: &[Lit]) {
        let restricted = self.under.restricted();
        let widened = self.under.widen(blamed, self.strategy.widen);
        if stays_widened(&self.strategy) {
            let on: Vec<Lit> = widened.iter().map(|lit| !*lit).collect();
            on.iter().for_each(|switch| self.solver.clause(&[*switch]));
            self.unrolling.release(&on);
        }
        let (blamed, widened) = (self.under.points(blamed), self.under.points(&widened));
        self.found.cost.rounds.push(Round { bound: self.depth(), restricted, blamed, widened });
    }

    /// Keeps what was refuted, and goes on to the next question.
    fn settle(&mut self, query: Query) {
        self.queries.pop_front();
        self.solver.clause(&[!query.lit]);
        let behind: &[Query] = match query.target {
            Target::Stride => &self.levels,
            _ => &[],
        };
        let parts = self.parts.iter().filter(|part| match query.target {
            Target::Stride => true,
            Target::Any => part.depth == query.depth,
            Target::Fault | Target::Property(..) => false,
        });
        for refuted in behind.iter().chain(parts) {
            self.solver.clause(&[!refuted.lit]);
        }
    }

    /// Tries to blame fewer points: each is left out once, at little effort.
    fn minimised(&mut self, query: Query, mut blamed: Vec<Lit>, handle: &mut Handle<'_>) -> Vec<Lit> {
        let Minimise::Within(conflicts) = self.strategy.minimise else { return blamed };
        if self.strategy.widen == Widen::Never {
            return blamed;
        }
        for lit in blamed.clone() {
            if !blamed.contains(&lit) {
                continue;
            }
            let mut assumptions: Vec<Lit> = blamed.iter().copied().filter(|other| *other != lit).collect();
            assumptions.push(query.lit);
            self.found.cost.queries += 1;
            if let Answer::Unsat(core) = self.solver.solve(&assumptions, Effort::Conflicts(conflicts), handle) {
                blamed = self.under.blamed(&core);
            }
        }
        blamed
    }

    /// Notes that a bound is looked at: an underapproximation that was not widened says nothing.
    fn reached(&mut self, bound: usize) {
        let is_settled = self.strategy.widen != Widen::Never || self.under.len() == 0;
        if is_settled && self.from == 0 {
            self.found.settled = Some(bound);
        }
    }
}

impl Engine for Sweep<'_> {
    fn turn(&mut self, effort: Effort, handle: &mut Handle<'_>) -> Result<Option<Stop>, Trouble> {
        if let Some(query) = self.queries.front().copied() {
            if query.target != Target::Stride && query.depth > 0 {
                self.reached(query.depth - 1);
            }
            return self.round(query, effort, handle);
        }
        self.reached(self.depth());
        if self.depth() >= self.bound {
            return Ok(Some(Stop::Bound));
        }
        if handle.is_over() {
            return Ok(Some(Stop::Interrupted));
        }
        self.deepen();
        Ok(None)
    }

    fn found(&self) -> &Findings {
        &self.found
    }

    fn forget(&mut self, property: PropertyId) {
        self.open.retain(|(open, _)| *open != property);
    }

    fn work(&self) -> Work {
        let uncounted = Work { ticks: self.found.cost.queries as u64, conflicts: 0 };
        self.solver.work().map_or(uncounted, |work| self.past + work)
    }

    fn progress(&self) -> Option<Progress> {
        Some(progress(&self.found, self.work().conflicts, self.bound))
    }
}

/// Whether an assignment that was found for another question shows a violation. Faults are asked about by themselves: there has to be none
/// before that.
fn is_answered(query: Query, model: &Model) -> bool {
    matches!(query.target, Target::Property(..)) && model.holds(query.lit)
}

/// The lassos that violate some properties.
fn violating(
    machine: &Machine,
    properties: &[PropertyId],
    unrolling: &mut Unrolling<'_>,
    solver: &mut dyn Solver,
) -> Option<Lassos> {
    Lassos::new(machine.system(), properties, Wanted::Violation, unrolling, solver)
}
