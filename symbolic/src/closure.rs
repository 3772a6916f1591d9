//! Closures that stay inside a set, where saturation does not apply.

use super::model::Model;
use diagrams::{Diagram, Direction, Exhausted};

impl Model<'_> {
    /// E [ p U q ], whatever the run does then.
    pub(super) fn until(&mut self, p: &Diagram, q: &Diagram) -> Result<Diagram, Exhausted> {
        self.closed(Direction::Backward, q, p)
    }

    /// Where runs lead from a set by steps that leave states of p.
    pub(super) fn onwards(&mut self, set: &Diagram, p: &Diagram) -> Result<Diagram, Exhausted> {
        self.closed(Direction::Forward, set, p)
    }

    /// The states that steps out of states of p lead to or come from, from a set on.
    fn closed(&mut self, direction: Direction, set: &Diagram, p: &Diagram) -> Result<Diagram, Exhausted> {
        self.lookout.begin();
        if self.transitions.len() == 1 { self.by_layers(direction, set, p) } else { self.by_turns(direction, set, p) }
    }

    /// The same where there is a single relation: from the states that were found last.
    fn by_layers(&mut self, direction: Direction, set: &Diagram, p: &Diagram) -> Result<Diagram, Exhausted> {
        let (mut found, mut new) = (set.clone(), set.clone());
        while !new.is_false() {
            self.lookout.layer();
            // States that are known already may be among the new ones.
            let new_or_known = self.smaller(&new, &found)?;
            let from = self.sources(direction, new_or_known, p)?;
            let next = self.image(direction, &from)?;
            let next = self.targets(direction, next, p)?;
            new = self.manager.without(&next, &found)?;
            found = self.manager.or(&found, &new)?;
        }
        Ok(found)
    }

    /// The same where there are several: each goes on from what those before it have found.
    fn by_turns(&mut self, direction: Direction, set: &Diagram, p: &Diagram) -> Result<Diagram, Exhausted> {
        let mut found = set.clone();
        loop {
            self.lookout.layer();
            let known = found.clone();
            for at in 0..self.transitions.len() {
                let from = self.sources(direction, found.clone(), p)?;
                let next = self.transitions[at].steps.image(&mut self.manager, direction, &from)?;
                let next = self.targets(direction, next, p)?;
                found = self.manager.or(&found, &next)?;
            }
            if found == known {
                return Ok(found);
            }
        }
    }

    /// What an image is taken of: going forward, the states of p.
    fn sources(&mut self, direction: Direction, set: Diagram, p: &Diagram) -> Result<Diagram, Exhausted> {
        if direction == Direction::Forward { self.manager.and(&set, p) } else { Ok(set) }
    }

    /// What counts of an image: going backward, the states of p.
    fn targets(&mut self, direction: Direction, set: Diagram, p: &Diagram) -> Result<Diagram, Exhausted> {
        if direction == Direction::Backward { self.manager.and(&set, p) } else { Ok(set) }
    }
}
