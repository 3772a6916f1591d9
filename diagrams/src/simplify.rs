//! A small set between two others.
//!
//! O. Coudert, C. Berthet, J. C. Madre: Verification of synchronous sequential machines based on symbolic execution. 1989.

use crate::cache::Operation;
use crate::handle::Diagram;
use crate::manager::{Core, Exhausted, Manager, binary};
use crate::node::{FALSE, NodeId, TRUE};

impl Core {
    /// A function that is equal to `a` wherever `care` is true, mostly a smaller one.
    fn restrict(&mut self, a: NodeId, care: NodeId) -> Result<NodeId, Exhausted> {
        if a <= TRUE || care <= TRUE {
            return Ok(a);
        }
        self.remembered(binary(Operation::Restrict, a, care), |core| {
            let (level, above) = (core.store.level(a), core.store.node(care));
            if above.level < level {
                // What `a` does not read does not matter either.
                let care = core.or(above.low, above.high)?;
                return core.restrict(a, care);
            }
            let ((a0, a1), (c0, c1)) = (core.branches(a, level), core.branches(care, level));
            match (c0, c1) {
                (FALSE, _) => core.restrict(a1, c1),
                (_, FALSE) => core.restrict(a0, c0),
                _ => {
                    let low = core.restrict(a0, c0)?;
                    let high = core.restrict(a1, c1)?;
                    core.make(level, low, high)
                }
            }
        })
    }
}

impl Manager {
    /// A set that has all of `least` and nothing outside `most`, mostly with fewer nodes than either. `least` is a part of
    /// `most`.
    pub fn between(&mut self, least: &Diagram, most: &Diagram) -> Result<Diagram, Exhausted> {
        self.perform(|core| {
            let free = core.without(most.id(), least.id())?;
            let care = core.without(TRUE, free)?;
            core.restrict(least.id(), care)
        })
    }
}
