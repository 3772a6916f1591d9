//! COMPUTE: how many steps there are between states, over fair runs, as NuSMV counts them.

use super::ctl::Labels;
use super::model::Model;
use diagrams::{Diagram, Direction, Exhausted};
use std::fmt;

/// A number of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// This many.
    Finite(usize),
    /// There is no bound, or no way.
    Infinity,
    /// There is no state to begin with, or none to end in.
    Undefined,
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Steps::Finite(steps) => write!(f, "{steps}"),
            Steps::Infinity => f.write_str("infinity"),
            Steps::Undefined => f.write_str("undefined"),
        }
    }
}

impl Labels {
    /// MIN: the fewest steps from a fair state of one set to one of another.
    pub fn fewest(&self, model: &mut Model<'_>, start: &Diagram, end: &Diagram) -> Result<Steps, Exhausted> {
        let mut new = model.manager.and(start, &self.fair.fair)?;
        let (mut seen, mut steps) = (new.clone(), 0);
        while !new.is_false() {
            if !model.manager.and(&new, end)?.is_false() {
                return Ok(Steps::Finite(steps));
            }
            let next = model.image(Direction::Forward, &new)?;
            let next = model.manager.and(&next, &self.fair.fair)?;
            new = model.manager.without(&next, &seen)?;
            seen = model.manager.or(&seen, &new)?;
            steps += 1;
        }
        Ok(Steps::Infinity)
    }

    /// MAX: the most steps from a fair state of one set until one of another has to be there. Where there are states of both
    /// and no state is fair, NuSMV says that it is 0.
    pub fn most(&self, model: &mut Model<'_>, start: &Diagram, end: &Diagram) -> Result<Steps, Exhausted> {
        if start.is_false() || end.is_false() {
            return Ok(Steps::Undefined);
        }
        if self.fair.fair.is_false() {
            return Ok(Steps::Finite(0));
        }
        let start = model.manager.and(start, &self.fair.fair)?;
        if start.is_false() || model.manager.and(end, &self.fair.fair)?.is_false() {
            return Ok(Steps::Undefined);
        }
        let outside = model.manager.without(&self.fair.fair, end)?;
        // The states from which a run can stay outside for one state, for two, and so on.
        let (mut staying, mut steps) = (outside.clone(), 0);
        while !model.manager.and(&staying, &start)?.is_false() {
            let before = self.next(model, &staying)?;
            let longer = model.manager.and(&before, &outside)?;
            if longer == staying {
                return Ok(Steps::Infinity);
            }
            staying = longer;
            steps += 1;
        }
        Ok(Steps::Finite(steps))
    }
}
