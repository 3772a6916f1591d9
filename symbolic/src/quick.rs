//! The initial states that violate a formula, where the reachable states tell without going backwards.
//!
//! `AG p` is false somewhere if a fair reachable state violates p, `EF p` is true somewhere if one satisfies it. Where there is a
//! single initial state, that is all there is to know. A formula without temporal operators is looked at in the initial states, and
//! conjunctions and disjunctions are taken apart.

use super::Trouble;
use super::ctl::Labels;
use super::model::Model;
use diagrams::{Diagram, Exhausted};
use engine::Truth;
use system::{Formula, FormulaId, UnaryTemporal};

/// Formulas nested deeper are not taken apart.
const DEEPEST: usize = 100;

impl Labels {
    /// The initial states with a fair run: the others do not count.
    pub fn asked(&self, model: &mut Model<'_>) -> Result<Diagram, Exhausted> {
        let initial = model.initial.clone();
        model.manager.and(&initial, &self.fair.fair)
    }

    /// The initial states with a fair run in which a formula is false.
    pub fn violating(&mut self, model: &mut Model<'_>, formula: FormulaId) -> Result<Diagram, Trouble> {
        let asked = self.asked(model)?;
        if asked.is_false() {
            return Ok(asked);
        }
        self.lacking(model, &asked, (formula, Truth::Holds), DEEPEST)
    }

    /// The initial states in which a formula does not have the value.
    fn lacking(
        &mut self,
        model: &mut Model<'_>,
        asked: &Diagram,
        (formula, truth): (FormulaId, Truth),
        deepest: usize,
    ) -> Result<Diagram, Trouble> {
        let holds = truth == Truth::Holds;
        let other = truth.opposite();
        let both = match model.system().formulas.get(formula) {
            _ if deepest == 0 => None,
            Formula::Not(a) => return self.lacking(model, asked, (a, other), deepest - 1),
            Formula::And(a, b) if holds => Some([(a, truth), (b, truth)]),
            Formula::Or(a, b) if !holds => Some([(a, truth), (b, truth)]),
            Formula::Implies(a, b) if !holds => Some([(a, other), (b, truth)]),
            Formula::Unary(op @ (UnaryTemporal::AllGlobally | UnaryTemporal::SomeFinally), None, a) => {
                return self.lacking_by_states(model, asked, (formula, truth), (op, a));
            }
            _ => None,
        };
        let Some([a, b]) = both else { return self.lacking_as_labelled(model, asked, (formula, truth)) };
        let first = self.lacking(model, asked, a, deepest - 1)?;
        let second = self.lacking(model, asked, b, deepest - 1)?;
        Ok(model.manager.or(&first, &second)?)
    }

    /// `AG p` and `EF p`: whether fair runs pass a state that decides. A state without the value decides where the part has to have
    /// it in all of them, a state with the value where one is enough.
    fn lacking_by_states(
        &mut self,
        model: &mut Model<'_>,
        asked: &Diagram,
        (formula, truth): (FormulaId, Truth),
        (op, part): (UnaryTemporal, FormulaId),
    ) -> Result<Diagram, Trouble> {
        let (all, never) = (asked.clone(), model.manager.never());
        let is_about_all = (op == UnaryTemporal::AllGlobally) == (truth == Truth::Holds);
        let (deciding, if_none, if_some) =
            if is_about_all { (truth.opposite(), never, all) } else { (truth, all, never) };
        if self.fair_states(model, (part, deciding))?.is_false() {
            Ok(if_none)
        } else if is_single(model, asked) {
            Ok(if_some)
        } else {
            self.lacking_as_labelled(model, asked, (formula, truth))
        }
    }

    /// The fair states in which a part has a value.
    fn fair_states(&mut self, model: &mut Model<'_>, (part, truth): (FormulaId, Truth)) -> Result<Diagram, Trouble> {
        let (states, fair) = (self.of(model, part)?, self.fair.fair.clone());
        Ok(match truth {
            Truth::Holds => model.manager.and(&fair, &states)?,
            Truth::Fails => model.manager.without(&fair, &states)?,
        })
    }

    /// All states that satisfy the formula are computed.
    fn lacking_as_labelled(
        &mut self,
        model: &mut Model<'_>,
        asked: &Diagram,
        (formula, truth): (FormulaId, Truth),
    ) -> Result<Diagram, Trouble> {
        let states = self.of(model, formula)?;
        Ok(match truth {
            Truth::Holds => model.manager.without(asked, &states)?,
            Truth::Fails => model.manager.and(asked, &states)?,
        })
    }
}

/// Whether a set has one state.
fn is_single(model: &Model<'_>, set: &Diagram) -> bool {
    model.count(set).to_u128() == Some(1)
}
