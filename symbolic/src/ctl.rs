//! CTL: the states that satisfy a formula, path quantifiers ranging over fair runs.

use super::fair::Fair;
use super::model::Model;
use super::{Refusal, Trouble};
use diagrams::{Diagram, Exhausted};
use rustc_hash::FxHashMap;
use system::{BinaryTemporal, Formula, FormulaId, UnaryTemporal, Window};

/// The states that satisfy each part of some formulas.
pub struct Labels {
    /// What runs there are.
    pub fair: Fair,
    known: FxHashMap<FormulaId, Diagram>,
}

impl Labels {
    /// No formula so far.
    pub fn new(model: &mut Model<'_>) -> Result<Labels, Trouble> {
        Ok(Labels { fair: Fair::new(model)?, known: FxHashMap::default() })
    }

    /// The reachable states that satisfy a formula.
    pub fn of(&mut self, model: &mut Model<'_>, root: FormulaId) -> Result<Diagram, Trouble> {
        for id in model.system().formulas.parts(root) {
            if !self.known.contains_key(&id) {
                let states = self.label(model, id)?;
                self.known.insert(id, states);
            }
        }
        Ok(self.known[&root].clone())
    }

    fn label(&mut self, model: &mut Model<'_>, id: FormulaId) -> Result<Diagram, Trouble> {
        let of = |id: FormulaId| self.known[&id].clone();
        Ok(match model.system().formulas.get(id) {
            Formula::State(expr) => {
                let (holds, fails) = model.satisfying(expr)?;
                if !model.manager.and(&fails, &self.fair.all)?.is_false() {
                    return Err(Refusal::PropertyFault.into());
                }
                model.manager.and(&holds, &self.fair.all)?
            }
            Formula::Not(a) => self.not(model, &of(a))?,
            Formula::And(a, b) => model.manager.and(&of(a), &of(b))?,
            Formula::Or(a, b) => model.manager.or(&of(a), &of(b))?,
            Formula::Implies(a, b) => {
                let not = self.not(model, &of(a))?;
                model.manager.or(&not, &of(b))?
            }
            Formula::Iff(a, b) => {
                let differ = model.manager.xor(&of(a), &of(b))?;
                self.not(model, &differ)?
            }
            Formula::Xor(a, b) => model.manager.xor(&of(a), &of(b))?,
            Formula::Unary(op, window, a) => self.unary(model, op, window, &of(a))?,
            Formula::Binary(op, window, a, b) => self.binary(model, op, window, &of(a), &of(b))?,
        })
    }

    fn not(&self, model: &mut Model<'_>, a: &Diagram) -> Result<Diagram, Exhausted> {
        model.manager.without(&self.fair.all, a)
    }

    fn unary(
        &self,
        model: &mut Model<'_>,
        op: UnaryTemporal,
        window: Option<Window>,
        a: &Diagram,
    ) -> Result<Diagram, Trouble> {
        let all = self.fair.all.clone();
        let not = self.not(model, a)?;
        let negated = match (op, window) {
            (UnaryTemporal::SomeNext, None) => return Ok(self.next(model, a)?),
            (UnaryTemporal::SomeFinally, None) => return Ok(self.until(model, &all, a)?),
            (UnaryTemporal::SomeGlobally, None) => return Ok(self.fair.globally(model, a)?),
            (UnaryTemporal::SomeFinally, Some(window)) => return Ok(self.bounded(model, window, &all, a)?),
            (UnaryTemporal::SomeGlobally, Some(window)) => return Ok(self.during(model, window, a)?),
            (UnaryTemporal::AllNext, None) => self.next(model, &not)?,
            (UnaryTemporal::AllFinally, None) => self.fair.globally(model, &not)?,
            (UnaryTemporal::AllGlobally, None) => self.until(model, &all, &not)?,
            (UnaryTemporal::AllFinally, Some(window)) => self.during(model, window, &not)?,
            (UnaryTemporal::AllGlobally, Some(window)) => self.bounded(model, window, &all, &not)?,
            _ => return Err(Refusal::NotCtl.into()),
        };
        Ok(self.not(model, &negated)?)
    }

    fn binary(
        &self,
        model: &mut Model<'_>,
        op: BinaryTemporal,
        window: Option<Window>,
        a: &Diagram,
        b: &Diagram,
    ) -> Result<Diagram, Trouble> {
        match (op, window) {
            (BinaryTemporal::SomeUntil, None) => Ok(self.until(model, a, b)?),
            (BinaryTemporal::SomeUntil, Some(window)) => Ok(self.bounded(model, window, a, b)?),
            (BinaryTemporal::AllUntil, None) => {
                let (not_a, not_b) = (self.not(model, a)?, self.not(model, b)?);
                let neither = model.manager.and(&not_a, &not_b)?;
                let broken = self.until(model, &not_b, &neither)?;
                let never = self.fair.globally(model, &not_b)?;
                let violated = model.manager.or(&broken, &never)?;
                Ok(self.not(model, &violated)?)
            }
            (BinaryTemporal::AllUntil, Some(window)) => Ok(self.all_bounded(model, window, a, b)?),
            _ => Err(Refusal::NotCtl.into()),
        }
    }

    /// EX p
    pub fn next(&self, model: &mut Model<'_>, p: &Diagram) -> Result<Diagram, Exhausted> {
        let fair = model.manager.and(p, &self.fair.fair)?;
        self.fair.before(model, &fair)
    }

    /// AX p
    pub fn all_next(&self, model: &mut Model<'_>, p: &Diagram) -> Result<Diagram, Exhausted> {
        let not = self.not(model, p)?;
        let violated = self.next(model, &not)?;
        self.not(model, &violated)
    }

    /// E [ p U q ]
    pub fn until(&self, model: &mut Model<'_>, p: &Diagram, q: &Diagram) -> Result<Diagram, Exhausted> {
        let fair = model.manager.and(q, &self.fair.fair)?;
        self.fair.until(model, p, &fair)
    }

    /// E [ p BU from..to q ]: as many steps of p as there may be before q, then as many as there must be.
    fn bounded(&self, model: &mut Model<'_>, window: Window, p: &Diagram, q: &Diagram) -> Result<Diagram, Exhausted> {
        let q = model.manager.and(q, &self.fair.fair)?;
        let mut found = q.clone();
        for _ in window.from..window.to {
            let before = self.next(model, &found)?;
            let before = model.manager.and(&before, p)?;
            let more = model.manager.or(&q, &before)?;
            if more == found {
                break;
            }
            found = more;
        }
        self.steps(model, window.from, found, |labels, model, found| {
            let before = labels.next(model, found)?;
            model.manager.and(&before, p)
        })
    }

    /// EBG from..to p: a run on which p holds during the window.
    fn during(&self, model: &mut Model<'_>, window: Window, p: &Diagram) -> Result<Diagram, Exhausted> {
        let mut found = model.manager.and(p, &self.fair.fair)?;
        for _ in window.from..window.to {
            let before = self.next(model, &found)?;
            let fewer = model.manager.and(&before, p)?;
            if fewer == found {
                break;
            }
            found = fewer;
        }
        self.steps(model, window.from, found, |labels, model, found| labels.next(model, found))
    }

    /// A [ p BU from..to q ]
    fn all_bounded(
        &self,
        model: &mut Model<'_>,
        window: Window,
        p: &Diagram,
        q: &Diagram,
    ) -> Result<Diagram, Exhausted> {
        let mut found = q.clone();
        for _ in window.from..window.to {
            let before = self.all_next(model, &found)?;
            let before = model.manager.and(&before, p)?;
            let more = model.manager.or(q, &before)?;
            if more == found {
                break;
            }
            found = more;
        }
        self.steps(model, window.from, found, |labels, model, found| {
            let before = labels.all_next(model, found)?;
            model.manager.and(&before, p)
        })
    }

    /// Goes back this many steps, or until nothing changes any more.
    fn steps<'m>(
        &self,
        model: &mut Model<'m>,
        count: u32,
        mut found: Diagram,
        step: impl Fn(&Labels, &mut Model<'m>, &Diagram) -> Result<Diagram, Exhausted>,
    ) -> Result<Diagram, Exhausted> {
        for _ in 0..count {
            let before = step(self, model, &found)?;
            if before == found {
                break;
            }
            found = before;
        }
        Ok(found)
    }
}
