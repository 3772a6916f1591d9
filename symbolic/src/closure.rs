//! Closures that stay inside a set, where saturation does not apply.

use super::model::Model;
use diagrams::{Diagram, Direction, Exhausted};

impl Model<'_> {
    /// E [ p U q ], whatever the run does then.
    pub(super) fn until(&mut self, p: &Diagram, q: &Diagram) -> Result<Diagram, Exhausted> {
        let mut found = q.clone();
        self.lookout.begin();
        if self.transitions.len() == 1 {
            let mut new = q.clone();
            while !new.is_false() {
                self.lookout.layer();
                // States that are known already may be among the new ones.
                let new_or_known = self.smaller(&new, &found)?;
                let before = self.image(Direction::Backward, &new_or_known)?;
                let before = self.manager.and(&before, p)?;
                new = self.manager.without(&before, &found)?;
                found = self.manager.or(&found, &new)?;
            }
            return Ok(found);
        }
        loop {
            self.lookout.layer();
            let known = found.clone();
            for transition in &self.transitions {
                let before = transition.steps.image(&mut self.manager, Direction::Backward, &found)?;
                let before = self.manager.and(&before, p)?;
                found = self.manager.or(&found, &before)?;
            }
            if found == known {
                return Ok(found);
            }
        }
    }

    /// Where runs lead from a set by steps that leave states of p.
    pub(super) fn onwards(&mut self, set: &Diagram, p: &Diagram) -> Result<Diagram, Exhausted> {
        let mut found = set.clone();
        self.lookout.begin();
        if self.transitions.len() == 1 {
            let mut new = set.clone();
            while !new.is_false() {
                self.lookout.layer();
                let from = self.manager.and(&new, p)?;
                let after = self.image(Direction::Forward, &from)?;
                new = self.manager.without(&after, &found)?;
                found = self.manager.or(&found, &new)?;
            }
            return Ok(found);
        }
        loop {
            self.lookout.layer();
            let known = found.clone();
            for transition in &self.transitions {
                let from = self.manager.and(&found, p)?;
                let after = transition.steps.image(&mut self.manager, Direction::Forward, &from)?;
                found = self.manager.or(&found, &after)?;
            }
            if found == known {
                return Ok(found);
            }
        }
    }
}
