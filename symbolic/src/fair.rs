//! Fair runs: infinite ones that meet every justice constraint again and again.

use super::model::Model;
use super::run::Shown;
use super::transition::Steps;
use super::{Refusal, Trouble};
use diagrams::{Diagram, Direction, Exhausted};
use system::{ExprId, Fairness, Footprint};

/// What has to happen infinitely often.
pub enum Justice {
    /// The run is in one of these states.
    States(Diagram),
    /// The run makes one of these steps: a condition that reads inputs or who runs.
    Steps(ExprId, Vec<Steps>),
}

/// The reachable states, and which of them runs can go on from for ever.
pub struct Fair {
    /// The reachable states.
    pub all: Diagram,
    justice: Vec<Justice>,
    /// Those from which there is a fair run.
    pub fair: Diagram,
}

impl Fair {
    /// Finds the fair states. Compassion is left to LTL, as in NuSMV.
    pub fn new(model: &mut Model<'_>) -> Result<Fair, Trouble> {
        let all = model.reachable()?;
        let system = model.system();
        let mut justice = Vec::new();
        for constraint in &system.fairness {
            if let Fairness::Justice(expr) = constraint {
                justice.push(of_constraint(model, *expr)?);
            }
        }
        let mut fair = Fair { fair: all.clone(), all: all.clone(), justice };
        fair.fair = fair.globally(model, &all)?;
        Ok(fair)
    }

    /// The reachable states with a successor in the set.
    pub fn before(&self, model: &mut Model<'_>, set: &Diagram) -> Result<Diagram, Exhausted> {
        let found = model.image(Direction::Backward, set)?;
        model.manager.and(&found, &self.all)
    }

    /// E [ p U q ], whatever the run does then. Both are sets of reachable states.
    pub fn until(&self, model: &mut Model<'_>, p: &Diagram, q: &Diagram) -> Result<Diagram, Exhausted> {
        model.until(p, q)
    }

    /// EG p over fair runs, by the fixpoint of Emerson and Lei: from every state of the result, each constraint can be met
    /// later, again in a state of the result.
    pub fn globally(&self, model: &mut Model<'_>, p: &Diagram) -> Result<Diagram, Exhausted> {
        let mut found = p.clone();
        loop {
            let known = found.clone();
            if self.justice.is_empty() {
                let before = model.image(Direction::Backward, &found)?;
                found = model.manager.and(&found, &before)?;
            }
            for justice in &self.justice {
                let met = self.meeting(model, justice, &found)?;
                let later = self.until(model, &found, &met)?;
                let later = match justice {
                    Justice::States(_) => model.image(Direction::Backward, &later)?,
                    Justice::Steps(..) => later,
                };
                found = model.manager.and(&found, &later)?;
            }
            if found == known {
                return Ok(found);
            }
        }
    }

    /// The states of a set where a constraint is met, or the step that meets it begins and stays in the set.
    fn meeting(&self, model: &mut Model<'_>, justice: &Justice, set: &Diagram) -> Result<Diagram, Exhausted> {
        match justice {
            Justice::States(states) => model.manager.and(set, states),
            Justice::Steps(_, steps) => {
                let mut ways = Vec::new();
                for steps in steps {
                    ways.push(steps.image(&mut model.manager, Direction::Backward, set)?);
                }
                let begin = model.manager.any(ways)?;
                model.manager.and(&begin, set)
            }
        }
    }

    /// A fair lasso inside a set that [`Fair::globally`] found, from one of its states: rounds through all constraints,
    /// until one of them closes.
    pub fn lasso(&self, model: &mut Model<'_>, inside: &Diagram, from: &Diagram) -> Result<Shown, Trouble> {
        let mut shown = Shown { path: vec![from.clone()], ..Shown::default() };
        loop {
            let start = shown.path.len() - 1;
            let first = shown.path[start].clone();
            for justice in &self.justice {
                self.meet(model, justice, inside, &mut shown)?;
            }
            let last = shown.path[shown.path.len() - 1].clone();
            if let Some(round) = model.steps_to(&last, inside, &first)? {
                shown.path.extend(round.into_iter().skip(1));
                shown.loop_start = Some(start);
                return Ok(shown);
            }
            // What cannot come back leads to a component further down.
            if shown.path.len() - 1 == start {
                let step = model.steps_to(&last, inside, inside)?.ok_or(Trouble::Refused(Refusal::NoRun))?;
                shown.path.extend(step.into_iter().skip(1));
            }
        }
    }

    /// Goes on to where a constraint is met.
    fn meet(
        &self,
        model: &mut Model<'_>,
        justice: &Justice,
        inside: &Diagram,
        shown: &mut Shown,
    ) -> Result<(), Trouble> {
        let last = shown.path[shown.path.len() - 1].clone();
        let met = self.meeting(model, justice, inside)?;
        let way = model.path(&last, inside, &met)?.ok_or(Trouble::Refused(Refusal::NoRun))?;
        shown.path.extend(way.into_iter().skip(1));
        let Justice::Steps(condition, steps) = justice else { return Ok(()) };
        let here = shown.path[shown.path.len() - 1].clone();
        let mut next = Vec::new();
        for steps in steps {
            next.push(steps.image(&mut model.manager, Direction::Forward, &here)?);
        }
        let next = model.manager.any(next)?;
        let next = model.manager.and(&next, inside)?;
        shown.needs.push((shown.path.len() - 1, *condition));
        shown.path.push(model.single(&next)?.ok_or(Trouble::Refused(Refusal::NoRun))?);
        Ok(())
    }
}

fn of_constraint(model: &mut Model<'_>, expr: ExprId) -> Result<Justice, Trouble> {
    let system = model.system();
    let reads = Footprint::of(&system.exprs, &[expr]);
    if !reads.next.is_empty() || reads.timeout {
        return Err(Refusal::FairnessFault.into());
    }
    if reads.running || reads.has_inputs(system) {
        let mut steps = Vec::new();
        for at in 0..model.transitions.len() {
            steps.push(model.steps_where(at, expr)?);
        }
        return Ok(Justice::Steps(expr, steps));
    }
    let (holds, fails) = model.satisfying(expr)?;
    let all = model.reachable()?;
    if !model.manager.and(&fails, &all)?.is_false() {
        return Err(Refusal::FairnessFault.into());
    }
    Ok(Justice::States(model.manager.and(&holds, &all)?))
}
