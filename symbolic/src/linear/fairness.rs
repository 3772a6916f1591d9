//! What a run has to do again and again to be accepted and fair, in one component of the automaton.

use super::Prepared;
use super::guard::{Guard, is_about_steps};
use super::product::{Edge, Product};
use crate::model::Model;
use crate::{Refusal, Trouble};
use diagrams::Diagram;
use system::{ExprId, Fairness, System};
use temporal::last_step;

/// Transitions of the product, each with the steps that count.
pub type Steps = Vec<(usize, Guard)>;

/// If a run is in some states again and again, it has to make some steps again and again.
pub struct Pair {
    /// The states.
    pub often: Diagram,
    /// The steps.
    pub then: Steps,
}

/// All that a run has to do.
pub struct Demands {
    /// The transitions of the component.
    pub inside: Vec<usize>,
    /// Steps of each kind have to recur.
    pub recurring: Vec<Steps>,
    /// What compassion asks.
    pub pairs: Vec<Pair>,
}

impl Demands {
    /// What is asked of a run that stays in a component.
    pub fn new(
        model: &mut Model<'_>,
        prepared: &Prepared,
        product: &Product,
        component: usize,
        marks: u32,
    ) -> Result<Demands, Trouble> {
        let inside = product.inside(component);
        let mut demands = Demands { recurring: Vec::new(), pairs: Vec::new(), inside };
        for mark in 0..marks {
            let has = |at: &usize| product.edges[*at].marks >> mark & 1 == 1;
            // What no transition can avoid need not be asked.
            if !demands.inside.iter().all(has) {
                let marked = demands.inside.iter().filter(|at| has(at));
                demands.recurring.push(marked.map(|at| (*at, product.edges[*at].guard.clone())).collect());
            }
        }
        for constraint in &model.system().fairness {
            match *constraint {
                Fairness::Justice(condition) => {
                    let steps = demands.satisfying(model, prepared, product, condition)?;
                    demands.recurring.push(steps);
                }
                Fairness::Compassion(often, then) => {
                    let often = Guard::new(model, often, Refusal::FairnessFault)?.from;
                    let then = demands.satisfying(model, prepared, product, then)?;
                    demands.pairs.push(Pair { often, then });
                }
                Fairness::Weak(_) | Fairness::Strong(_) => return Err(Refusal::FairProcesses.into()),
            }
        }
        Ok(demands)
    }

    /// The steps inside the component that satisfy a condition.
    fn satisfying(
        &self,
        model: &mut Model<'_>,
        prepared: &Prepared,
        product: &Product,
        condition: ExprId,
    ) -> Result<Steps, Trouble> {
        let guard = Guard::new(model, condition, Refusal::FairnessFault)?;
        let of_edge = |model: &mut Model<'_>, edge: &Edge| match (&edge.guard.steps, &guard.steps) {
            (Some(_), Some(_)) => {
                let both = prepared.both(edge.condition, condition);
                Guard::new(model, both.ok_or(Refusal::FairnessFault)?, Refusal::FairnessFault)
            }
            (_, None) => Ok(edge.guard.leaving(model, &guard.from)?),
            (None, Some(_)) => Ok(guard.leaving(model, &edge.guard.from)?),
        };
        self.inside.iter().map(|at| Ok((*at, of_edge(model, &product.edges[*at])?))).collect()
    }
}

/// Gives the system variables that say whether the last step satisfied the first condition of compassion, where that is about
/// steps: which states a run is in again and again can be told by sets of states.
pub fn remember_steps(system: &mut System) {
    for at in 0..system.fairness.len() {
        if let Fairness::Compassion(often, then) = system.fairness[at]
            && is_about_steps(system, often)
        {
            let often = last_step(system, often);
            system.fairness[at] = Fairness::Compassion(often, then);
        }
    }
}
