//! What temporal operators ask of runs.

use super::walk::Walk;
use super::{Goal, Labels, Limb, Side, is_existential};
use crate::Trouble;
use crate::model::Model;
use diagrams::{Diagram, Direction};
use engine::{Grounds, Role, Truth};
use system::{BinaryTemporal, FormulaId, UnaryTemporal, Window};

/// Of how many next states each is shown, where it takes all of them.
const MOST_SUCCESSORS: u128 = 8;

/// The last step of the longest window through which a run is shown.
const LONGEST_WINDOW: u32 = 10_000;

/// What makes a formula have its value, and what is to be shown at the end of the run.
type Shows = Result<(Grounds, Option<Goal>), Trouble>;

impl Labels {
    pub(super) fn explain_unary(
        &mut self,
        model: &mut Model<'_>,
        (op, window, a): (UnaryTemporal, Option<Window>, FormulaId),
        truth: Truth,
        limb: &mut Limb,
    ) -> Shows {
        let then = Goal::new(a, truth);
        if is_existential(op) != (truth == Truth::Holds) {
            if let UnaryTemporal::SomeNext | UnaryTemporal::AllNext = op {
                self.every_successor(model, limb, then)?;
            }
            return Ok((Grounds::AllRuns, None));
        }
        if is_long(window) {
            return Ok((Grounds::Here, None));
        }
        let goal = self.where_is(model, a, truth)?;
        let all = self.fair.all.clone();
        let begun = limb.at();
        match (op, window) {
            (UnaryTemporal::SomeNext | UnaryTemporal::AllNext, _) => {
                let fair = model.manager.and(&goal, &self.fair.fair)?;
                self.go(model, limb, &all, &fair, Walk::OneStep)?;
            }
            (UnaryTemporal::SomeFinally | UnaryTemporal::AllGlobally, None) => {
                let fair = model.manager.and(&goal, &self.fair.fair)?;
                self.go(model, limb, &all, &fair, Walk::Shortest)?;
            }
            (UnaryTemporal::SomeFinally | UnaryTemporal::AllGlobally, Some(window)) => {
                self.go_within(model, limb, window, &all, &goal)?;
            }
            (_, None) => {
                self.go_round(model, limb, &goal)?;
                self.along(model, limb, begun..limb.at(), then);
                return Ok((Grounds::Run, None));
            }
            (_, Some(window)) => {
                self.stay(model, limb, window, &goal)?;
                self.along(model, limb, begun + window.from as usize..limb.at() + 1, then);
                return Ok((Grounds::Run, None));
            }
        }
        Ok((Grounds::Run, Some(then)))
    }

    pub(super) fn explain_binary(
        &mut self,
        model: &mut Model<'_>,
        (op, window, [a, b]): (BinaryTemporal, Option<Window>, [FormulaId; 2]),
        truth: Truth,
        limb: &mut Limb,
    ) -> Shows {
        let begun = limb.at();
        match (op, truth, window) {
            (_, _, window) if is_long(window) => Ok((Grounds::Here, None)),
            (BinaryTemporal::SomeUntil, Truth::Holds, window) => {
                let (p, q) = (self.of(model, a)?, self.where_is(model, b, truth)?);
                match window {
                    None => {
                        let fair = model.manager.and(&q, &self.fair.fair)?;
                        // The last state need not satisfy p.
                        let within = model.manager.or(&p, &fair)?;
                        self.go(model, limb, &within, &fair, Walk::Shortest)?;
                    }
                    Some(window) => self.go_within(model, limb, window, &p, &q)?,
                }
                self.along(model, limb, begun..limb.at(), Goal::new(a, truth));
                Ok((Grounds::Run, Some(Goal::new(b, truth))))
            }
            (BinaryTemporal::AllUntil, Truth::Fails, None) => {
                let (not_a, not_b) = (self.where_is(model, a, truth)?, self.where_is(model, b, truth)?);
                let neither = model.manager.and(&not_a, &not_b)?;
                let broken = self.until(model, &not_b, &neither)?;
                if model.manager.and(&limb.last(), &broken)?.is_false() {
                    self.go_round(model, limb, &not_b)?;
                    self.along(model, limb, begun..limb.at(), Goal::new(b, truth));
                    return Ok((Grounds::Run, None));
                }
                let fair = model.manager.and(&neither, &self.fair.fair)?;
                self.go(model, limb, &not_b, &fair, Walk::Shortest)?;
                self.along(model, limb, begun..limb.at(), Goal::new(b, truth));
                Ok((Grounds::Run, super::both(model, limb, [Goal::new(a, truth), Goal::new(b, truth)])))
            }
            (BinaryTemporal::AllUntil, Truth::Fails, Some(window)) => {
                let (p, q) = (self.of(model, a)?, self.of(model, b)?);
                self.escape(model, limb, window, &p, &q)?;
                Ok((Grounds::Run, None))
            }
            _ => Ok((Grounds::AllRuns, None)),
        }
    }

    /// What no next state satisfies, or all do, is shown in each of them where they are few.
    fn every_successor(&mut self, model: &mut Model<'_>, limb: &mut Limb, goal: Goal) -> Result<(), Trouble> {
        let last = limb.last();
        let next = model.image(Direction::Forward, &last)?;
        let mut left: Diagram = model.manager.and(&next, &self.fair.fair)?;
        if model.count(&left).to_u128().is_none_or(|count| count > MOST_SUCCESSORS) {
            return Ok(());
        }
        while let Some(state) = model.single(&left)? {
            left = model.manager.without(&left, &state)?;
            let goal = Goal { role: Role::Operand, ..goal };
            limb.sides.push(Side { from: limb.at(), next: Some(state), goal });
        }
        Ok(())
    }

    /// Something is to be shown in some states of the run, unless each of them shows it by itself.
    fn along(&self, model: &Model<'_>, limb: &mut Limb, states: std::ops::Range<usize>, goal: Goal) {
        if !model.system().formulas.is_of_state(goal.formula) {
            limb.sides.extend(states.map(|from| Side { from, next: None, goal }));
        }
    }
}

fn is_long(window: Option<Window>) -> bool {
    window.is_some_and(|window| window.to > LONGEST_WINDOW)
}
