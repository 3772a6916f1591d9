//! Models that are kept between attempts, one for each order: an attempt goes on where the last one with its order stopped.

use super::Trouble;
use super::attempt::Attempt;
use super::ctl::Labels;
use super::model::Model;
use super::order::Order;
use diagrams::Exhausted;

/// A model in an order, with what is known of formulas.
pub struct Kept<'m> {
    order: Order,
    /// The model.
    pub model: Model<'m>,
    /// The states that satisfy formulas of CTL, once that was asked.
    pub labels: Option<Labels>,
}

/// All models that are kept. Together they have no more nodes than one may have.
#[derive(Default)]
pub struct Models<'m> {
    kept: Vec<Kept<'m>>,
}

impl<'m> Models<'m> {
    /// Works on the model of an attempt, which is made if there is none. One that stops for want of effort is kept. Where nodes are
    /// scarce, this one has those of the others.
    pub fn work<T>(
        &mut self,
        attempt: Attempt,
        make: impl Fn(Attempt) -> Result<Model<'m>, Trouble>,
        mut work: impl FnMut(&mut Kept<'m>) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let mut one = match self.kept.iter().position(|kept| kept.order == attempt.order) {
            Some(at) => self.kept.remove(at),
            None => Kept { order: attempt.order, model: self.made(attempt, make)?, labels: None },
        };
        one.model.manager.limit_effort(attempt.effort);
        one.model.manager.limit_nodes(self.left(attempt));
        let mut found = work(&mut one);
        if is_short_of_nodes(&found) && !self.kept.is_empty() {
            self.kept.clear();
            one.model.manager.limit_nodes(attempt.nodes);
            found = work(&mut one);
        }
        if let Err(Trouble::Stopped(Exhausted::Effort)) = found {
            self.kept.push(one);
        }
        found
    }

    fn made(
        &mut self,
        attempt: Attempt,
        make: impl Fn(Attempt) -> Result<Model<'m>, Trouble>,
    ) -> Result<Model<'m>, Trouble> {
        let found = make(Attempt { nodes: self.left(attempt), ..attempt });
        if !is_short_of_nodes(&found) || self.kept.is_empty() {
            return found;
        }
        self.kept.clear();
        make(attempt)
    }

    /// How many nodes the models leave over.
    fn left(&self, attempt: Attempt) -> usize {
        let taken: usize = self.kept.iter().map(|kept| kept.model.manager.room()).sum();
        attempt.nodes.saturating_sub(taken)
    }
}

fn is_short_of_nodes<T>(found: &Result<T, Trouble>) -> bool {
    matches!(found, Err(Trouble::Stopped(Exhausted::Nodes)))
}
