//! Why a formula of CTL has its value in a state: runs, where a run shows it, and words, where only all runs do.
//!
//! One run is followed as far as it shows something: it is what users see first. What has to be shown besides leaves it at some
//! state: the other operand of a conjunction, the next states of `EX p` where p is in none of them, and so on.

mod operators;
mod walk;

use super::ctl::Labels;
use super::model::Model;
use super::run::Shown;
use super::{Refusal, Trouble};
use diagrams::Diagram;
use engine::{Branch, Explanation, Grounds, Reason, Role, Truth};
use std::collections::VecDeque;
use system::{BinaryTemporal, Formula, FormulaId, UnaryTemporal};

/// How many branches there are at most, and how much is said of one of them.
const MOST_BRANCHES: usize = 32;
const MOST_REASONS: usize = 64;
/// How much work branches may be, all together: a fraction of a second's worth.
const LITTLE: u64 = 1 << 20;

/// A formula and its value, which is to be shown.
#[derive(Clone, Copy, Debug)]
struct Goal {
    formula: FormulaId,
    truth: Truth,
    role: Role,
}

impl Goal {
    fn new(formula: FormulaId, truth: Truth) -> Goal {
        Goal { formula, truth, role: Role::Operand }
    }
}

/// What is to be shown besides: from a state of a branch on, or from a state that follows it.
struct Side {
    from: usize,
    next: Option<Diagram>,
    goal: Goal,
}

/// A branch that grows, and what leaves it.
#[derive(Default)]
struct Limb {
    parent: Option<usize>,
    from: usize,
    shown: Shown,
    reasons: Vec<Reason>,
    sides: Vec<Side>,
}

impl Limb {
    /// The state where the run ends so far.
    fn last(&self) -> Diagram {
        self.shown.path[self.shown.path.len() - 1].clone()
    }

    /// Its number.
    fn at(&self) -> usize {
        self.shown.path.len() - 1
    }

    /// Something is to be shown in the last state besides.
    fn aside(&mut self, goal: Goal) {
        self.sides.push(Side { from: self.at(), next: None, goal });
    }

    /// The beginning of a branch that leaves this one.
    fn leave(&self, number: usize, side: &Side) -> Limb {
        let mut path = self.shown.path[..=side.from].to_vec();
        path.extend(side.next.clone());
        let needs = self.shown.needs.iter().filter(|(at, _)| *at < side.from).copied().collect();
        let shown = Shown { path, needs, loop_start: None };
        Limb { parent: Some(number), from: side.from, shown, ..Limb::default() }
    }
}

impl Labels {
    /// Why the formula has the value in a state.
    pub fn explanation(
        &mut self,
        model: &mut Model<'_>,
        (formula, truth): (FormulaId, Truth),
        state: &Diagram,
    ) -> Result<Explanation, Trouble> {
        let mut first = Limb { shown: Shown { path: vec![state.clone()], ..Shown::default() }, ..Limb::default() };
        let mut is_cut = self.follow(model, &mut first, Goal::new(formula, truth))?;
        let mut limbs = vec![first];
        let left = model.manager.allow(LITTLE);
        let grown = self.grow(model, &mut limbs);
        model.manager.limit_effort(left);
        is_cut |= grown?;
        let branch = |limb: &Limb| {
            let run = model.run(&limb.shown)?;
            Ok(Branch { parent: limb.parent, from: limb.from, run, reasons: limb.reasons.clone() })
        };
        Ok(Explanation { branches: limbs.iter().map(branch).collect::<Result<_, Trouble>>()?, is_cut })
    }

    /// Adds the branches that leave the first one, and those that leave them; says whether there was too much to say.
    fn grow(&mut self, model: &mut Model<'_>, limbs: &mut Vec<Limb>) -> Result<bool, Trouble> {
        let mut is_cut = false;
        let mut open: VecDeque<(usize, Side)> = limbs[0].sides.drain(..).map(|side| (0, side)).collect();
        while let Some((number, side)) = open.pop_front() {
            let mut limb = limbs[number].leave(number, &side);
            let begun = limb.shown.path.len();
            match self.follow(model, &mut limb, side.goal) {
                Ok(cut) => is_cut |= cut,
                // The verdict is known: it does not wait for all that could be said of it.
                Err(Trouble::Stopped(_)) => return Ok(true),
                Err(trouble) => return Err(trouble),
            }
            let is_own = side.next.is_some() || limb.shown.path.len() > begun;
            if limbs.len() == MOST_BRANCHES || limbs[number].reasons.len() >= MOST_REASONS {
                return Ok(true);
            }
            let sides = std::mem::take(&mut limb.sides);
            let place = if is_own { limbs.len() } else { number };
            match is_own {
                true => limbs.push(limb),
                false => limbs[number].reasons.extend(limb.reasons),
            }
            open.extend(sides.into_iter().map(|side| (place, side)));
        }
        Ok(is_cut)
    }

    /// Makes a run longer as long as it shows something; says whether there was too much to say.
    fn follow(&mut self, model: &mut Model<'_>, limb: &mut Limb, goal: Goal) -> Result<bool, Trouble> {
        let (mut open, mut is_cut) = (Some(goal), false);
        while let Some(goal) = open {
            let state = limb.at();
            let (grounds, next) = self.explain(model, goal, limb)?;
            if !matches!(model.system().formulas.get(goal.formula), Formula::Not(_)) {
                let Goal { formula, truth, role } = goal;
                match limb.reasons.len() < MOST_REASONS {
                    true => limb.reasons.push(Reason { state, formula, truth, role, grounds }),
                    false => is_cut = true,
                }
            }
            open = next;
        }
        Ok(is_cut)
    }

    /// Shows one formula: what makes it have its value, and what is to be shown at the end of the run.
    fn explain(
        &mut self,
        model: &mut Model<'_>,
        goal: Goal,
        limb: &mut Limb,
    ) -> Result<(Grounds, Option<Goal>), Trouble> {
        let truth = goal.truth;
        let next = match model.system().formulas.get(goal.formula) {
            Formula::State(_) => None,
            Formula::Not(a) => Some(Goal { formula: a, truth: truth.opposite(), role: goal.role }),
            Formula::And(a, b) if truth == Truth::Fails => {
                let conjunct = |formula| Goal { formula, truth, role: Role::Conjunct };
                self.one_of(model, limb, [conjunct(a), conjunct(b)])?
            }
            Formula::Or(a, b) if truth == Truth::Holds => {
                self.one_of(model, limb, [Goal::new(a, truth), Goal::new(b, truth)])?
            }
            Formula::Implies(a, b) if truth == Truth::Holds => {
                self.one_of(model, limb, [Goal::new(b, truth), Goal::new(a, truth.opposite())])?
            }
            Formula::And(a, b) | Formula::Or(a, b) => both(model, limb, [Goal::new(a, truth), Goal::new(b, truth)]),
            Formula::Implies(a, b) => both(model, limb, [Goal::new(b, truth), Goal::new(a, truth.opposite())]),
            Formula::Iff(a, b) | Formula::Xor(a, b) => {
                let sides = [self.value(model, limb, a)?, self.value(model, limb, b)?];
                both(model, limb, sides)
            }
            Formula::Unary(op, window, a) => return self.explain_unary(model, (op, window, a), truth, limb),
            Formula::Binary(op, window, a, b) => {
                return self.explain_binary(model, (op, window, [a, b]), truth, limb);
            }
        };
        Ok((Grounds::Here, next))
    }

    /// The one of two that has the value in the last state, if possible one that a run shows.
    fn one_of(&mut self, model: &mut Model<'_>, limb: &Limb, sides: [Goal; 2]) -> Result<Option<Goal>, Trouble> {
        let mut right = Vec::new();
        for goal in sides {
            if self.value(model, limb, goal.formula)?.truth == goal.truth {
                right.push(goal);
            }
        }
        Ok(right.iter().copied().find(|goal| has_run(model, *goal)).or(right.first().copied()))
    }

    /// A formula with the value that it has in the last state.
    fn value(&mut self, model: &mut Model<'_>, limb: &Limb, formula: FormulaId) -> Result<Goal, Trouble> {
        let states = self.of(model, formula)?;
        let is_outside = model.manager.and(&limb.last(), &states)?.is_false();
        Ok(Goal::new(formula, if is_outside { Truth::Fails } else { Truth::Holds }))
    }

    /// The reachable states where a part has a value.
    fn where_is(&mut self, model: &mut Model<'_>, id: FormulaId, truth: Truth) -> Result<Diagram, Trouble> {
        let states = self.of(model, id)?;
        Ok(match truth {
            Truth::Holds => states,
            Truth::Fails => model.manager.without(&self.fair.all, &states)?,
        })
    }
}

/// Both are to be shown in the last state: first the one that a run shows. What the state itself shows needs no words.
fn both(model: &Model<'_>, limb: &mut Limb, sides: [Goal; 2]) -> Option<Goal> {
    let first = usize::from(!has_run(model, sides[0]) && has_run(model, sides[1]));
    let other = sides[1 - first];
    if !model.system().formulas.is_of_state(other.formula) {
        limb.aside(other);
    }
    Some(sides[first])
}

/// Whether a run shows that the formula has the value: true ones of E, false ones of A.
fn has_run(model: &Model<'_>, goal: Goal) -> bool {
    let Goal { formula: mut id, mut truth, .. } = goal;
    while let Formula::Not(a) = model.system().formulas.get(id) {
        (id, truth) = (a, truth.opposite());
    }
    match model.system().formulas.get(id) {
        Formula::Unary(op, ..) => is_existential(op) == (truth == Truth::Holds),
        Formula::Binary(op, ..) => (op == BinaryTemporal::SomeUntil) == (truth == Truth::Holds),
        Formula::State(_) => false,
        _ => !model.system().formulas.is_of_state(id),
    }
}

fn is_existential(op: UnaryTemporal) -> bool {
    matches!(op, UnaryTemporal::SomeNext | UnaryTemporal::SomeFinally | UnaryTemporal::SomeGlobally)
}

/// What the diagrams promise and the machine does not have.
const NO_RUN: Trouble = Trouble::Refused(Refusal::NoRun);
