//! Runs inside sets of states, as single states one after the other.

use super::model::Model;
use diagrams::{Diagram, Direction, Exhausted};

/// States one after the other, each as a set of its own.
pub type Path = Vec<Diagram>;

impl Model<'_> {
    /// A state of a set, as a set of its own; `None` if there is none.
    pub(super) fn single(&mut self, set: &Diagram) -> Result<Option<Diagram>, Exhausted> {
        match self.manager.pick(set, self.space.state()) {
            Some(bits) => self.manager.minterm(self.space.state(), &bits).map(Some),
            None => Ok(None),
        }
    }

    /// A shortest path from one of some states to one of others, all states after the first inside a third set. It has
    /// at least one state, which may be both.
    pub(super) fn path(&mut self, from: &Diagram, within: &Diagram, to: &Diagram) -> Result<Option<Path>, Exhausted> {
        let mut layers = vec![from.clone()];
        let mut seen = from.clone();
        loop {
            let last = &layers[layers.len() - 1];
            if last.is_false() {
                return Ok(None);
            }
            let arrived = self.manager.and(last, to)?;
            if !arrived.is_false() {
                return self.back(&layers, &arrived).map(Some);
            }
            let last = last.clone();
            let next = self.image(Direction::Forward, &last)?;
            let next = self.manager.and(&next, within)?;
            let next = self.manager.without(&next, &seen)?;
            seen = self.manager.or(&seen, &next)?;
            layers.push(next);
        }
    }

    /// One state of each layer, from the last one back.
    fn back(&mut self, layers: &[Diagram], arrived: &Diagram) -> Result<Path, Exhausted> {
        let mut path: Path = self.single(arrived)?.into_iter().collect();
        for layer in layers.iter().rev().skip(1) {
            let last = path[path.len() - 1].clone();
            let before = self.image(Direction::Backward, &last)?;
            let before = self.manager.and(&before, layer)?;
            path.extend(self.single(&before)?);
        }
        path.reverse();
        Ok(path)
    }

    /// A shortest path of at least one step from a state.
    pub(super) fn steps_to(
        &mut self,
        from: &Diagram,
        within: &Diagram,
        to: &Diagram,
    ) -> Result<Option<Path>, Exhausted> {
        let next = self.image(Direction::Forward, from)?;
        let next = self.manager.and(&next, within)?;
        let Some(mut path) = self.path(&next, within, to)? else { return Ok(None) };
        path.insert(0, from.clone());
        Ok(Some(path))
    }
}
