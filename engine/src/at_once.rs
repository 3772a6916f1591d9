//! Engines that do everything in one turn.

use crate::{Engine, Findings, Stop, Trouble};
use limits::{Effort, Handle, Work};

/// An engine that does not pause: its only turn is a whole search, which ends when the handle says so.
pub struct AtOnce<S> {
    search: S,
    found: Findings,
}

impl<S: FnMut(&mut Handle<'_>) -> Result<Findings, Trouble>> AtOnce<S> {
    /// An engine that does this search.
    pub fn new(search: S) -> AtOnce<S> {
        AtOnce { search, found: Findings::new("none") }
    }
}

impl<S: FnMut(&mut Handle<'_>) -> Result<Findings, Trouble>> Engine for AtOnce<S> {
    fn turn(&mut self, _: Effort, handle: &mut Handle<'_>) -> Result<Option<Stop>, Trouble> {
        self.found = (self.search)(handle)?;
        Ok(Some(self.found.stop))
    }

    fn found(&self) -> &Findings {
        &self.found
    }

    fn work(&self) -> Work {
        Work { conflicts: self.found.cost.conflicts, ticks: 0 }
    }
}
