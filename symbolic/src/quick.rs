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

/// In which of the states that fair runs pass a part has to have a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needed {
    Everywhere,
    Somewhere,
}

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
            Formula::Unary(UnaryTemporal::AllGlobally, None, a) if holds => {
                return self.lacking_in_part(model, asked, (formula, a, truth), Needed::Everywhere);
            }
            Formula::Unary(UnaryTemporal::SomeFinally, None, a) if !holds => {
                return self.lacking_in_part(model, asked, (formula, a, truth), Needed::Everywhere);
            }
            Formula::Unary(UnaryTemporal::SomeFinally | UnaryTemporal::AllGlobally, None, a) => {
                return self.lacking_in_part(model, asked, (formula, a, truth), Needed::Somewhere);
            }
            _ => None,
        };
        let Some([a, b]) = both else { return self.lacking_as_labelled(model, asked, (formula, truth)) };
        let first = self.lacking(model, asked, a, deepest - 1)?;
        let second = self.lacking(model, asked, b, deepest - 1)?;
        Ok(model.manager.or(&first, &second)?)
    }

    /// The same of a formula whose part has to have the value in states that fair runs pass.
    fn lacking_in_part(
        &mut self,
        model: &mut Model<'_>,
        asked: &Diagram,
        (formula, part, truth): (FormulaId, FormulaId, Truth),
        needed: Needed,
    ) -> Result<Diagram, Trouble> {
        let never = model.manager.never();
        let (decisive, if_none, if_some) = match needed {
            Needed::Everywhere => (truth.opposite(), never, asked.clone()),
            Needed::Somewhere => (truth, asked.clone(), never),
        };
        if self.fair_states(model, (part, decisive))?.is_false() {
            return Ok(if_none);
        }
        match is_single(model, asked) {
            true => Ok(if_some),
            false => self.lacking_as_labelled(model, asked, (formula, truth)),
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
