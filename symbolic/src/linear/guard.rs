//! Conditions on steps of the system: the states that a step leaves, and which of the steps from there count.

use crate::model::Model;
use crate::transition::Steps;
use crate::{Refusal, Trouble};
use diagrams::{Diagram, Direction, Exhausted};
use std::rc::Rc;
use system::{ExprId, Footprint, System};

/// Some steps of the system.
#[derive(Clone)]
pub struct Guard {
    /// The reachable states that they leave.
    pub from: Diagram,
    /// Where not all steps from there count: the condition that they satisfy, which reads inputs or who runs.
    pub steps: Option<Rc<Steered>>,
}

/// The steps that satisfy a condition, by transition.
pub struct Steered {
    /// The condition.
    pub condition: ExprId,
    steps: Vec<Steps>,
}

/// Whether a condition is about steps: it reads inputs, or who runs.
pub fn is_about_steps(system: &System, condition: ExprId) -> bool {
    let reads = Footprint::of(&system.exprs, &[condition]);
    reads.running || reads.has_inputs(system)
}

impl Guard {
    /// The steps that satisfy a condition; `fault` is what is wrong where it has no value.
    pub fn new(model: &mut Model<'_>, condition: ExprId, fault: Refusal) -> Result<Guard, Trouble> {
        let reads = Footprint::of(&model.system().exprs, &[condition]);
        if !reads.next.is_empty() || reads.timeout {
            return Err(fault.into());
        }
        let all = model.reachable()?;
        if is_about_steps(model.system(), condition) {
            let mut steps = Vec::new();
            for at in 0..model.transitions.len() {
                steps.push(model.steps_where(at, condition)?);
            }
            return Ok(Guard { from: all, steps: Some(Rc::new(Steered { condition, steps })) });
        }
        let (holds, fails) = model.satisfying(condition)?;
        if !model.manager.and(&fails, &all)?.is_false() {
            return Err(fault.into());
        }
        Ok(Guard { from: model.manager.and(&holds, &all)?, steps: None })
    }

    /// Those of the steps that leave some states.
    pub fn leaving(&self, model: &mut Model<'_>, states: &Diagram) -> Result<Guard, Exhausted> {
        Ok(Guard { from: model.manager.and(&self.from, states)?, steps: self.steps.clone() })
    }

    /// The states that a step of the guard leads to from a set, or comes from to it.
    pub fn image(&self, model: &mut Model<'_>, direction: Direction, set: &Diagram) -> Result<Diagram, Exhausted> {
        match direction {
            Direction::Forward => {
                let from = model.manager.and(set, &self.from)?;
                self.step(model, direction, &from)
            }
            Direction::Backward => {
                let before = self.step(model, direction, set)?;
                model.manager.and(&before, &self.from)
            }
        }
    }

    fn step(&self, model: &mut Model<'_>, direction: Direction, set: &Diagram) -> Result<Diagram, Exhausted> {
        if set.is_false() {
            return Ok(set.clone());
        }
        let Some(steered) = &self.steps else { return model.image(direction, set) };
        let mut found = Vec::new();
        for steps in &steered.steps {
            found.push(steps.image(&mut model.manager, direction, set)?);
        }
        model.manager.any(found)
    }
}
