//! Why a formula has its value in a state, as far as one run shows it.

use super::ctl::Labels;
use super::model::Model;
use super::run::Shown;
use super::{Refusal, Trouble};
use diagrams::Diagram;
use system::{BinaryTemporal, Formula, FormulaId, UnaryTemporal, Window};

/// What is to be shown of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Truth {
    Holds,
    Fails,
}

impl Truth {
    fn opposite(self) -> Truth {
        match self {
            Truth::Holds => Truth::Fails,
            Truth::Fails => Truth::Holds,
        }
    }
}

impl Labels {
    /// A run that shows why the formula is false in a state: the state alone where no single run does.
    pub fn counterexample(&self, model: &mut Model<'_>, formula: FormulaId, state: &Diagram) -> Result<Shown, Trouble> {
        let mut shown = Shown { path: vec![state.clone()], ..Shown::default() };
        let mut open = Some((formula, Truth::Fails));
        while let Some((id, truth)) = open {
            open = self.explain(model, id, truth, &mut shown)?;
        }
        Ok(shown)
    }

    /// Makes the run longer, and says what is to be shown at its end.
    fn explain(
        &self,
        model: &mut Model<'_>,
        id: FormulaId,
        truth: Truth,
        shown: &mut Shown,
    ) -> Result<Option<(FormulaId, Truth)>, Trouble> {
        let formula = model.system().formulas.get(id);
        Ok(match formula {
            Formula::Not(a) => Some((a, truth.opposite())),
            Formula::And(a, b) if truth == Truth::Fails => self.side(model, shown, [(a, truth), (b, truth)])?,
            Formula::Or(a, b) if truth == Truth::Holds => self.side(model, shown, [(a, truth), (b, truth)])?,
            Formula::Or(a, b) => self.longer(model, [(a, truth), (b, truth)]),
            Formula::Implies(a, b) if truth == Truth::Fails => self.longer(model, [(b, truth), (a, truth.opposite())]),
            Formula::Implies(a, b) => self.side(model, shown, [(b, truth), (a, truth.opposite())])?,
            Formula::Unary(op, window, a) => self.explain_unary(model, op, window, a, truth, shown)?,
            Formula::Binary(op, window, a, b) => self.explain_binary(model, op, window, [a, b], truth, shown)?,
            Formula::State(_) | Formula::And(..) | Formula::Iff(..) | Formula::Xor(..) => None,
        })
    }

    /// The side that has the value in the last state.
    fn side(
        &self,
        model: &mut Model<'_>,
        shown: &Shown,
        sides: [(FormulaId, Truth); 2],
    ) -> Result<Option<(FormulaId, Truth)>, Trouble> {
        let last = shown.path[shown.path.len() - 1].clone();
        let mut right = Vec::new();
        for (id, truth) in sides {
            let inside = !model.manager.and(&last, self.known(id))?.is_false();
            if inside == (truth == Truth::Holds) {
                right.push((id, truth));
            }
        }
        let longer = right.iter().copied().find(|(id, truth)| self.has_run(model, *id, *truth));
        Ok(longer.or(right.first().copied()))
    }

    /// The side that a run shows something of.
    fn longer(&self, model: &Model<'_>, sides: [(FormulaId, Truth); 2]) -> Option<(FormulaId, Truth)> {
        sides.into_iter().find(|(id, truth)| self.has_run(model, *id, *truth))
    }

    /// Whether a run shows that the formula has the value: true ones of E, false ones of A.
    fn has_run(&self, model: &Model<'_>, mut id: FormulaId, mut truth: Truth) -> bool {
        while let Formula::Not(a) = model.system().formulas.get(id) {
            (id, truth) = (a, truth.opposite());
        }
        match model.system().formulas.get(id) {
            Formula::Unary(op, ..) => is_existential(op) == (truth == Truth::Holds),
            Formula::Binary(op, ..) => (op == BinaryTemporal::SomeUntil) == (truth == Truth::Holds),
            Formula::State(_) => false,
            _ => true,
        }
    }

    fn explain_unary(
        &self,
        model: &mut Model<'_>,
        op: UnaryTemporal,
        window: Option<Window>,
        a: FormulaId,
        truth: Truth,
        shown: &mut Shown,
    ) -> Result<Option<(FormulaId, Truth)>, Trouble> {
        if is_existential(op) != (truth == Truth::Holds) {
            return Ok(None);
        }
        let goal = self.where_is(model, a, truth)?;
        let all = self.fair.all.clone();
        match (op, window) {
            (UnaryTemporal::SomeNext | UnaryTemporal::AllNext, _) => {
                let fair = model.manager.and(&goal, &self.fair.fair)?;
                self.go(model, shown, &all, &fair, Walk::OneStep)?;
                Ok(Some((a, truth)))
            }
            (UnaryTemporal::SomeFinally | UnaryTemporal::AllGlobally, None) => {
                let fair = model.manager.and(&goal, &self.fair.fair)?;
                self.go(model, shown, &all, &fair, Walk::Shortest)?;
                Ok(Some((a, truth)))
            }
            (UnaryTemporal::SomeFinally | UnaryTemporal::AllGlobally, Some(window)) => {
                self.go_within(model, shown, window, &all, &goal)?;
                Ok(Some((a, truth)))
            }
            (UnaryTemporal::SomeGlobally | UnaryTemporal::AllFinally, None) => {
                self.go_round(model, shown, &goal)?;
                Ok(None)
            }
            (UnaryTemporal::SomeGlobally | UnaryTemporal::AllFinally, Some(window)) => {
                self.stay(model, shown, window, &goal)?;
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    fn explain_binary(
        &self,
        model: &mut Model<'_>,
        op: BinaryTemporal,
        window: Option<Window>,
        [a, b]: [FormulaId; 2],
        truth: Truth,
        shown: &mut Shown,
    ) -> Result<Option<(FormulaId, Truth)>, Trouble> {
        match (op, truth, window) {
            (BinaryTemporal::SomeUntil, Truth::Holds, window) => {
                let (p, q) = (self.known(a).clone(), self.where_is(model, b, truth)?);
                match window {
                    None => {
                        let fair = model.manager.and(&q, &self.fair.fair)?;
                        // The last state need not satisfy p.
                        let within = model.manager.or(&p, &fair)?;
                        self.go(model, shown, &within, &fair, Walk::Shortest)?;
                    }
                    Some(window) => self.go_within(model, shown, window, &p, &q)?,
                }
                Ok(Some((b, truth)))
            }
            (BinaryTemporal::AllUntil, Truth::Fails, None) => {
                let (not_a, not_b) = (self.where_is(model, a, truth)?, self.where_is(model, b, truth)?);
                let neither = model.manager.and(&not_a, &not_b)?;
                let broken = self.until(model, &not_b, &neither)?;
                let last = shown.path[shown.path.len() - 1].clone();
                if model.manager.and(&last, &broken)?.is_false() {
                    self.go_round(model, shown, &not_b)?;
                    return Ok(None);
                }
                let fair = model.manager.and(&neither, &self.fair.fair)?;
                self.go(model, shown, &not_b, &fair, Walk::Shortest)?;
                Ok(Some((b, truth)))
            }
            _ => Ok(None),
        }
    }

    /// The reachable states where a part has a value.
    fn where_is(&self, model: &mut Model<'_>, id: FormulaId, truth: Truth) -> Result<Diagram, Trouble> {
        Ok(match truth {
            Truth::Holds => self.known(id).clone(),
            Truth::Fails => model.manager.without(&self.fair.all, self.known(id))?,
        })
    }

    /// Goes to one of some states.
    fn go(
        &self,
        model: &mut Model<'_>,
        shown: &mut Shown,
        within: &Diagram,
        to: &Diagram,
        walk: Walk,
    ) -> Result<(), Trouble> {
        let last = shown.path[shown.path.len() - 1].clone();
        let way = match walk {
            Walk::Shortest => model.path(&last, within, to)?,
            Walk::OneStep => model.steps_to(&last, to, to)?,
        };
        shown.path.extend(way.ok_or(Trouble::Refused(Refusal::NoRun))?.into_iter().skip(1));
        Ok(())
    }

    /// Goes round for ever inside a set.
    fn go_round(&self, model: &mut Model<'_>, shown: &mut Shown, inside: &Diagram) -> Result<(), Trouble> {
        let last = shown.path[shown.path.len() - 1].clone();
        let stays = self.fair.globally(model, inside)?;
        let lasso = self.fair.lasso(model, &stays, &last)?;
        let before = shown.path.len() - 1;
        shown.needs.extend(lasso.needs.into_iter().map(|(at, need)| (at + before, need)));
        shown.path.extend(lasso.path.into_iter().skip(1));
        shown.loop_start = lasso.loop_start.map(|start| start + before);
        Ok(())
    }

    /// Goes to a state of `to` within the window, all earlier ones in `p`.
    fn go_within(
        &self,
        model: &mut Model<'_>,
        shown: &mut Shown,
        window: Window,
        p: &Diagram,
        to: &Diagram,
    ) -> Result<(), Trouble> {
        let to = model.manager.and(to, &self.fair.fair)?;
        // The states from which the rest can still be done, by the steps that are left.
        let mut goals = vec![to.clone()];
        for left in 1..=window.to {
            let before = self.next(model, &goals[goals.len() - 1])?;
            let mut goal = model.manager.and(&before, p)?;
            if left <= window.to - window.from {
                goal = model.manager.or(&goal, &to)?;
            }
            goals.push(goal);
        }
        for (taken, goal) in goals.iter().rev().skip(1).enumerate() {
            let last = shown.path[shown.path.len() - 1].clone();
            if taken as u32 >= window.from && !model.manager.and(&last, &to)?.is_false() {
                break;
            }
            self.go(model, shown, goal, goal, Walk::OneStep)?;
        }
        Ok(())
    }

    /// Goes on to the end of the window, inside a set from its beginning on.
    fn stay(&self, model: &mut Model<'_>, shown: &mut Shown, window: Window, inside: &Diagram) -> Result<(), Trouble> {
        let mut goals = vec![model.manager.and(inside, &self.fair.fair)?];
        for left in 1..=window.to {
            let before = self.next(model, &goals[goals.len() - 1])?;
            let is_inside = window.to - left >= window.from;
            goals.push(if is_inside { model.manager.and(&before, inside)? } else { before });
        }
        for goal in goals.iter().rev().skip(1) {
            let fair = model.manager.and(goal, &self.fair.fair)?;
            self.go(model, shown, &fair, &fair, Walk::OneStep)?;
        }
        Ok(())
    }
}

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Walk {
    Shortest,
    OneStep,
}

fn is_existential(op: UnaryTemporal) -> bool {
    matches!(op, UnaryTemporal::SomeNext | UnaryTemporal::SomeFinally | UnaryTemporal::SomeGlobally)
}
