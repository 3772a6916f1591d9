//! Fair cycles: sets that contain every cycle that is accepted and fair, and nothing else where they are closed.
//!
//! The fixpoint of E. A. Emerson and C.-L. Lei (LICS 1986) on the product, with pairs for compassion as Y. Kesten, A. Pnueli and
//! L. Raviv have them (ICALP 1998): what cannot do again what has to recur is taken away, until nothing changes.

use super::fairness::{Demands, Steps};
use super::product::{Product, Sets, is_empty};
use crate::model::Model;
use diagrams::Exhausted;

impl Demands {
    /// The states of a component that lead to fair cycles inside it. Empty if there is none.
    pub fn hull(&self, model: &mut Model<'_>, product: &Product, reachable: &Sets) -> Result<Sets, Exhausted> {
        let mut hull = product.nothing();
        for at in &self.inside {
            let state = product.edges[*at].from;
            hull[state] = reachable[state].clone();
        }
        loop {
            let known = hull.clone();
            for steps in &self.recurring {
                hull = self.able(model, product, &hull, steps)?;
            }
            for pair in &self.pairs {
                let able = self.able(model, product, &hull, &pair.then)?;
                for set in &mut hull {
                    *set = model.manager.without(set, &pair.often)?;
                }
                hull = Product::either(model, &hull, &able)?;
            }
            if !self.pairs.is_empty() || self.recurring.is_empty() {
                hull = self.going_on(model, product, hull)?;
            }
            if hull == known || is_empty(&hull) {
                return Ok(hull);
            }
        }
    }

    /// Where some steps between states of a set can be made, in that state.
    pub fn meeting(
        &self,
        model: &mut Model<'_>,
        product: &Product,
        set: &Sets,
        steps: &Steps,
    ) -> Result<Sets, Exhausted> {
        let before = product.before(model, steps.iter().map(|(at, guard)| (*at, guard)), set)?;
        Product::both(model, &before, set)
    }

    /// The states of a set that lead to some steps, all inside the set.
    fn able(&self, model: &mut Model<'_>, product: &Product, set: &Sets, steps: &Steps) -> Result<Sets, Exhausted> {
        let met = self.meeting(model, product, set, steps)?;
        product.until(model, &self.inside, set, &met)
    }

    /// The states of a set from which there are infinite runs inside it.
    fn going_on(&self, model: &mut Model<'_>, product: &Product, mut set: Sets) -> Result<Sets, Exhausted> {
        loop {
            let edges = self.inside.iter().map(|at| (*at, &product.edges[*at].guard));
            let before = product.before(model, edges, &set)?;
            let fewer = Product::both(model, &before, &set)?;
            if fewer == set {
                return Ok(set);
            }
            set = fewer;
        }
    }
}
