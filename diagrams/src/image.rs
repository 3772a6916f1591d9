//! Images and preimages: conjunction, quantification and renaming in one recursion.
//!
//! A relation constrains the values now and the next values of the variables that it writes; the others keep their values.
//! The recursion goes down by variables. At a written one it joins the ways that lead to the same next value (or come
//! from the same value now), at another one it copies the variable.

use crate::cache::{Key, Operation};
use crate::handle::Diagram;
use crate::manager::{Core, Exhausted, Manager};
use crate::node::{FALSE, NodeId, TRUE, Variable, next, now};
use crate::saturate::{Direction, Relation};

/// What is left of an image at a variable: for each side of the result, the pairs of a set and a relation that lead there.
enum Ways {
    /// The variable is written: two ways each.
    Written { low: [(NodeId, NodeId); 2], high: [(NodeId, NodeId); 2], rest: NodeId },
    /// It keeps its value: one way each.
    Kept { low: (NodeId, NodeId), high: (NodeId, NodeId) },
}

impl Core {
    pub fn image(
        &mut self,
        direction: Direction,
        set: NodeId,
        relation: NodeId,
        writes: NodeId,
    ) -> Result<NodeId, Exhausted> {
        if set == FALSE || relation == FALSE {
            return Ok(FALSE);
        }
        let variable = self.upper(set, relation);
        let writes = self.cube_from(writes, now(variable));
        if relation == TRUE {
            return self.exists(set, writes);
        }
        let operation = match direction {
            Direction::Forward => Operation::Next,
            Direction::Backward => Operation::Previous,
        };
        self.remembered(Key::new(operation, [set, relation, writes]), |core| {
            let (low, high) = match core.ways(direction, variable, set, relation, writes) {
                Ways::Written { low: [a, b], high: [c, d], rest } => {
                    let (a, b) = (core.image(direction, a.0, a.1, rest)?, core.image(direction, b.0, b.1, rest)?);
                    let low = core.or(a, b)?;
                    let (c, d) = (core.image(direction, c.0, c.1, rest)?, core.image(direction, d.0, d.1, rest)?);
                    (low, core.or(c, d)?)
                }
                Ways::Kept { low, high } => {
                    let low = core.image(direction, low.0, low.1, writes)?;
                    (low, core.image(direction, high.0, high.1, writes)?)
                }
            };
            core.make(now(variable), low, high)
        })
    }

    /// The upper variable of a set and a relation; one below all others if both are constant.
    pub fn upper(&self, set: NodeId, relation: NodeId) -> Variable {
        self.store.level(set).min(self.store.level(relation)) / 2
    }

    /// What an image has to look at below a variable. `writes` starts at the variable or below it.
    fn ways(&self, direction: Direction, variable: Variable, set: NodeId, relation: NodeId, writes: NodeId) -> Ways {
        let (s0, s1) = self.branches(set, now(variable));
        let (r0, r1) = self.branches(relation, now(variable));
        if self.store.level(writes) != now(variable) {
            return Ways::Kept { low: (s0, r0), high: (s1, r1) };
        }
        let ((r00, r01), (r10, r11)) = (self.branches(r0, next(variable)), self.branches(r1, next(variable)));
        let rest = self.store.node(writes).high;
        match direction {
            Direction::Forward => Ways::Written { low: [(s0, r00), (s1, r10)], high: [(s0, r01), (s1, r11)], rest },
            Direction::Backward => Ways::Written { low: [(s0, r00), (s1, r01)], high: [(s0, r10), (s1, r11)], rest },
        }
    }
}

impl Manager {
    /// The states that a step of the relation leads to from the set, or comes from to the set.
    pub fn image(&mut self, direction: Direction, set: &Diagram, relation: &Relation) -> Result<Diagram, Exhausted> {
        self.perform(|core| core.image(direction, set.id(), relation.relation.id(), relation.writes.id()))
    }
}
